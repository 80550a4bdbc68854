"""Lists to pick from: filter, keys, and the list that drops down and goes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from typing_extensions import override

from viewer.ui.models.cells import Cell, mono
from viewer.ui.theme import load_theme
from viewer.ui.widgets.pick_list import DropDown, PickList

NAMES = [f"Block{number:02d}" for number in range(20)]


class Names(PickList):
    """Twenty names."""

    @override
    def cell(self, row: int, column: int) -> Cell:
        return mono(NAMES[row])

    @override
    def words(self, row: int) -> str:
        return NAMES[row]


@pytest.fixture
def names(qtbot: QtBot) -> Names:
    made = Names(["Name"], load_theme("light"))
    qtbot.addWidget(made)
    made.set_rows(20)
    made.resize(200, 300)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_the_filter_leaves_what_fits(names: Names, qtbot: QtBot) -> None:
    qtbot.keyClicks(names.filter, "K1")
    assert list(names.shown) == list(range(10, 20))
    qtbot.keyClicks(names.filter, "x")
    assert list(names.shown) == []
    assert names.nothing.text() == 'Nothing matches "K1x"'
    assert names.nothing.isVisible()
    names.filter.clear()
    assert len(names.shown) == 20


def test_enter_in_the_filter_takes_the_first(names: Names, qtbot: QtBot) -> None:
    qtbot.keyClicks(names.filter, "7")
    with qtbot.waitSignal(names.chosen) as told:
        qtbot.keyClick(names.filter, Qt.Key.Key_Return)
    assert told.args == [7]


def test_keys_walk_from_the_filter_into_the_rows(names: Names, qtbot: QtBot) -> None:
    names.filter.setFocus()
    qtbot.keyClick(names.filter, Qt.Key.Key_Down)
    qtbot.keyClick(names.table, Qt.Key.Key_Down)
    with qtbot.waitSignal(names.chosen) as told:
        qtbot.keyClick(names.table, Qt.Key.Key_Return)
    assert told.args == [1]


def test_a_few_rows_need_no_filter(names: Names) -> None:
    names.set_rows(8)
    assert not names.filter.isVisible()


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    """A button above a label, and a list that drops down from the button."""
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(400, 400)
    column = QVBoxLayout(made)
    made.button, made.label = QPushButton("Drop"), QLabel("elsewhere")
    column.addWidget(made.button)
    column.addWidget(made.label, 1)
    inner = Names(["Name"], load_theme("light"))
    inner.set_rows(20)
    made.down = DropDown(inner, made.button)
    with qtbot.waitExposed(made):
        made.show()
    made.down.drop_from(made.button, 3)
    return made


def test_it_drops_down_inside_the_window(window: QWidget) -> None:
    assert window.down.isVisible()
    assert window.rect().contains(window.down.geometry())
    assert window.down.inner.table.currentIndex().row() == 3


def test_choosing_escape_and_a_press_elsewhere_close_it(window: QWidget, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.down.inner.chosen) as told:
        qtbot.keyClick(window.down.inner.table, Qt.Key.Key_Return)
    assert told.args == [3]
    assert not window.down.isVisible()
    window.down.drop_from(window.button)
    qtbot.keyClick(window.down.inner.table, Qt.Key.Key_Escape)
    assert not window.down.isVisible()
    window.down.drop_from(window.button)
    qtbot.mouseClick(window.label, Qt.MouseButton.LeftButton)
    assert not window.down.isVisible()
