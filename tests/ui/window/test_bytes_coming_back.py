"""Where the bytes of a file were scrolled to comes back with it, whichever bytes are selected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.shell import opened
from tests.ui.window.starts import Start, pane, starter
from viewer.core.span import Span
from viewer.session.seen_bytes import Standing, standing
from viewer.session.settings import Settings
from viewer.ui.panes.hex import HexPane
from viewer.ui.window import MainWindow

SIZE = 100_000
PLACE = 48_000


@pytest.fixture
def start(qtbot: QtBot, settings: Settings) -> Start:
    return starter(qtbot, settings)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some.bin"
    path.write_bytes(bytes(range(250)) * (SIZE // 250))
    return path


def left_at(qtbot: QtBot, window: MainWindow, file: Path, first: int, selected: Span | None) -> int:
    """Leave a file with a byte in the top row; gives the first byte in view."""
    view = opened(qtbot, window, file)
    bytes_ = pane(view, HexPane).view
    if selected is not None:
        view.session.select_bytes((selected,), "test")
    bytes_.set_top_row(bytes_.surface.layout.row_of(first))
    top = bytes_.visible_span().start
    window.close()
    return top


@pytest.mark.parametrize(
    ("first", "selected"),
    [
        (0, Span(90_000, 99_999)),
        (PLACE, None),
        (PLACE, Span(1_000, 1_010)),
        (PLACE, Span(PLACE + 64, PLACE + 65)),
        (SIZE - 1, Span(90_000, 99_999)),
    ],
)
def test_the_top_row_comes_back(qtbot: QtBot, start: Start, file: Path, first: int, selected: Span | None) -> None:
    top = left_at(qtbot, start(), file, first, selected)
    window = start()
    view = opened(qtbot, window, file)
    again = pane(view, HexPane).view
    assert again.visible_span().start == top
    if selected is not None:
        assert again.selected_span() == selected
    # Left once more as it is, it is the same place.
    window.close()
    assert pane(opened(qtbot, start(), file), HexPane).view.visible_span().start == top


def test_a_place_that_is_asked_for_is_shown(qtbot: QtBot, start: Start, file: Path) -> None:
    left_at(qtbot, start(), file, PLACE, Span(1_000, 1_010))
    window = start()
    session = window.workspace.open(file, Span(80_000, 80_004))
    assert session is not None
    view = opened(qtbot, window, file)
    bytes_ = pane(view, HexPane).view
    qtbot.waitUntil(lambda: bytes_.selected_span() == Span(80_000, 80_004))
    assert 80_000 in bytes_.visible_span()


def test_a_byte_that_is_held_stays_first_while_rows_change(qtbot: QtBot, start: Start, file: Path) -> None:
    left_at(qtbot, start(), file, PLACE, Span(PLACE + 64, PLACE + 65))
    bytes_ = pane(opened(qtbot, start(), file), HexPane).view
    layout = bytes_.surface.layout
    for row_bytes in (4, 32, 16):
        bytes_.set_row_bytes(row_bytes)
        assert bytes_.top_row == bytes_.surface.layout.row_of(PLACE - PLACE % layout.row_bytes)
    bytes_.scroll_rows(3)
    assert bytes_.surface.held is None or bytes_.top_row != bytes_.surface.layout.row_of(bytes_.surface.held)
    before = bytes_.visible_span().start
    bytes_.set_row_bytes(4)
    assert bytes_.visible_span().start != PLACE
    assert bytes_.surface.held is None
    assert before > PLACE


@pytest.mark.parametrize("top", [-5, "100", 10**30])
def test_damaged_places_harm_nothing(qtbot: QtBot, start: Start, file: Path, top: object) -> None:
    first = start()
    left_at(qtbot, first, file, PLACE, Span(1_000, 1_010))
    folder = first.workspace.places.folder
    folder.settle()
    path = folder.path / folder.names()[0]
    row = json.loads(path.read_bytes())
    row["kept"]["hex"].update(top=top, selected=[5, 2])
    path.write_text(json.dumps(row), encoding="utf-8")
    view = opened(qtbot, start(), file)
    bytes_ = pane(view, HexPane).view
    qtbot.waitUntil(lambda: bytes_.selected_span() == Span(1_000, 1_010))
    assert 1_000 in bytes_.visible_span()


@pytest.mark.parametrize("top", [None, -5, 1.5, "100", True, [], float("nan")])
def test_a_damaged_place_is_none(top: object) -> None:
    assert standing({"top": top, "selected": [2, 5]}) is None


@pytest.mark.parametrize("ends", [None, [], [5], [5, 2], [-1, 3], [1, "2"], [True, 2], "12", {}])
def test_what_was_selected_may_be_damaged(ends: object) -> None:
    assert standing({"top": 7, "selected": ends}) == Standing(7, None)
    assert standing({"top": 7, "selected": [2, 5]}) == Standing(7, Span(2, 5))
    assert standing(Standing(7, Span(2, 5)).kept()) == Standing(7, Span(2, 5))
