"""The open file is changed, cut, removed or replaced, and read again: the place stays, what is different is lit up."""

import os
from pathlib import Path

import pytest

from viewer.core.span import Span
from viewer.session.session import Session
from viewer.session.settings import Settings
from viewer.session.workspace import Workspace
from viewer.ui.hexview import marks
from viewer.ui.hexview.layout import Side
from viewer.ui.panes.hex import HexPane

SIZE = 200_000
PLACE = 90_000


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "open.bin"
    path.write_bytes(bytes(range(256)) * (SIZE // 256))
    return path


@pytest.fixture
def work(qapp, tmp_path):
    made = Workspace(Settings(tmp_path / "settings.ini"))
    yield made
    made.close_all()


@pytest.fixture
def pane(work, file, shown, ready):
    session = ready(work.open(file))
    pane = shown(HexPane, session)
    pane.view.set_top_row(PLACE // pane.view.row_bytes)
    return pane


@pytest.fixture
def ready(qtbot):
    def wait(session: Session | None) -> Session:
        assert session is not None
        qtbot.waitUntil(lambda: session.document is not None and not session.jobs.busy)
        return session

    return wait


def lit(pane: HexPane) -> list[int]:
    """The offsets of bytes that are lit up."""
    surface = pane.view.surface
    surface.compose()
    codes = surface._codes()[Side.HEX] >> marks.FLAG_BITS
    kinds = codes // len(marks.ROLES)
    return [surface.content.first + at for at, kind in enumerate(kinds.tolist()) if kind == marks.HIT]


def write(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def test_what_has_changed_is_lit_up_for_a_while(pane, work, file, shown, ready, qtbot):
    before = pane.view.top_row
    with qtbot.waitSignal(work.changed_on_disk) as told:
        write(file, PLACE + 20, b"\x00\x00\x00")
    assert told.args[1:] == ["changed", ["open.bin"]]
    again = shown(HexPane, ready(work.reload(pane.session)))
    assert again.view.top_row == before
    assert lit(again) == [PLACE + 20, PLACE + 21, PLACE + 22]
    assert again._changed_shown.isActive()
    again._changed_shown.timeout.emit()
    assert lit(again) == []


def test_a_file_that_was_replaced_is_compared_with_what_was_seen(pane, work, file, shown, ready, qtbot):
    new = file.with_suffix(".new")
    new.write_bytes(file.read_bytes())
    write(new, PLACE + 1, b"\x00")
    with qtbot.waitSignal(work.changed_on_disk) as told:
        new.replace(file)
    assert told.args[1] == "changed"
    again = shown(HexPane, ready(work.reload(pane.session)))
    assert lit(again) == [PLACE + 1]


def test_nothing_is_lit_up_where_nothing_is_different(pane, work, shown, ready):
    again = shown(HexPane, ready(work.reload(pane.session)))
    assert lit(again) == []


def test_a_file_that_was_cut_is_shown_to_its_end(pane, work, file, shown, ready, qtbot):
    pane.view.select(Span(PLACE, PLACE + 4))
    with qtbot.waitSignal(work.changed_on_disk):
        os.truncate(file, 5000)
    pane.view.viewport().repaint()
    again = shown(HexPane, ready(work.reload(pane.session)))
    assert again.view.visible_span().stop == 5000
    assert lit(again) == []


def test_a_file_that_is_gone_stays_on_the_screen(pane, work, file, qtbot):
    seen = pane.view.shown_bytes()
    with qtbot.waitSignal(work.changed_on_disk) as told:
        file.unlink()
    assert told.args[1] == "gone"
    with qtbot.waitSignal(work.refused):
        assert work.reload(pane.session) is None
    assert work.sessions == [pane.session]
    pane.view.surface.refresh()
    assert pane.view.shown_bytes() == seen
