"""Open rows that come back: all of them, in an order that costs little, whatever was kept."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex
from pytestqt.qtbot import QtBot

from tests.ui.shell import make_window, opened
from tests.ui.window.starts import pane
from viewer.session.settings import Settings
from viewer.ui.panes import PANES
from viewer.ui.panes.contents import ContentsPane
from viewer.ui.widgets.open_rows import AT_ONCE, in_turn, key_of, written

FEW: Final = 40
GROUPS: Final = 3


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Places above, and rows that are shown; those above come first."""
    shown = draw(st.lists(st.one_of(st.just(0), st.integers(1, AT_ONCE)), max_size=30))
    return [draw(st.integers(-1, place - 1)) for place in range(len(shown))], shown


def whole(above: Sequence[int], shown: Sequence[int], place: int) -> int:
    """Rows that a place brings into view with all that is open below it."""
    below = [one for one, parent in enumerate(above) if parent == place]
    return shown[place] + sum(whole(above, shown, one) for one in below) if shown[place] else 0


@given(trees())
def test_rows_are_opened_once_and_few_come_into_view_together(tree: tuple[list[int], list[int]]) -> None:
    above, shown = tree
    order = list(in_turn(above, shown))
    assert sorted(order) == list(range(len(above)))
    turn = {place: at for at, place in enumerate(order)}
    for place, parent in enumerate(above):
        if parent >= 0:
            # What is below is only noted as long as the one above is closed: then it is laid out with it.
            assert (turn[parent] < turn[place]) == (whole(above, shown, parent) > AT_ONCE)


def test_rows_come_as_they_stand_one_below_the_other() -> None:
    # Two that are opened one by one, with two rows below each.
    assert list(in_turn([-1, 0, 0, 1, 1, 2, 2], [AT_ONCE, 5, 5, 1, 1, 1, 1])) == [0, 3, 4, 1, 5, 6, 2]


@pytest.fixture
def many(tmp_path: Path) -> Path:
    path = tmp_path / "many.pkl"
    path.write_bytes(pickle.dumps({f"layer{at}": {"a": {"b": at}} for at in range(GROUPS * 1_000)}, 4))
    return path


def opened_rows(contents: ContentsPane) -> set[tuple[int, ...]]:
    """Each open row as the rows on the way to it."""
    found, waiting = set[tuple[int, ...]](), [((), QModelIndex())]
    while waiting:
        way, above = waiting.pop()
        for row in range(contents.model.rowCount(above)):
            index = contents.model.index(row, 0, above)
            if contents.tree.isExpanded(index):
                found.add((*way, row))
                waiting.append(((*way, row), index))
    return found


def test_rows_in_groups_come_back_with_those_below_them(qtbot: QtBot, settings: Settings, many: Path) -> None:
    window = make_window(settings, panes=PANES)
    qtbot.addWidget(window)
    view = opened(qtbot, window, many)
    view.show_pane("contents")
    contents = pane(view, ContentsPane)
    dictionary = contents.model.index(0, 0, contents.model.index(0, 0))
    groups = [contents.model.index(row, 0, dictionary) for row in range(GROUPS)]
    for group in groups:
        for row in range(FEW):
            index = contents.model.index(row, 0, group)
            contents.tree.expand(index)
            contents.tree.expand(contents.model.index(0, 0, index))
    for group in groups[:2]:
        contents.tree.expand(group)
    before = opened_rows(contents)
    assert len(before) > 2 * 2 * FEW
    window.workspace.close(view.session)

    again = opened(qtbot, window, many)
    again.show_pane("contents")
    found = pane(again, ContentsPane)
    qtbot.waitUntil(lambda: opened_rows(found) == before)
    # A group that was closed is so, and its rows are open all the same.
    closed = found.model.index(2, 0, found.model.index(0, 0, found.model.index(0, 0)))
    assert not found.tree.isExpanded(closed)
    assert found.tree.isExpanded(found.model.index(0, 0, closed))
    window.close()


@pytest.mark.parametrize(
    "pairs", [[5, 0], [0, 0, 1, 0], [-2, 0], [-1, 0, 7, 1, -9, 3, 1], [-1, 10**9, 0, 0], [-1, -1, 0, -5], [-1]]
)
def test_what_was_kept_of_another_file_opens_what_there_is(
    qtbot: QtBot, settings: Settings, many: Path, pairs: list[int]
) -> None:
    window = make_window(settings, panes=PANES)
    qtbot.addWidget(window)
    view = opened(qtbot, window, many)
    view.show_pane("contents")
    contents = pane(view, ContentsPane)
    document, tree = view.session.document, contents.model.tree
    assert document is not None
    assert tree is not None
    contents.open_rows.leave()
    contents.tree.collapseAll()
    contents.open_rows._left[key_of(document)] = pairs
    with qtbot.waitSignal(contents.open_rows.opened):
        contents.open_rows.come(key_of(document))
    rows = {0} if pairs[:2] == [-1, 0] else set()
    assert {way[0] for way in opened_rows(contents)} == rows
    assert written(tree, frozenset()) == []
    window.close()
