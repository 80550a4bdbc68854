"""Borders between parts are moved by keys as by the mouse, whichever way the language runs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTextEdit
from pytestqt.qtbot import QtBot

from viewer.ui.widgets.split import LEAP, STEP, Border, Split
from viewer.ui.widgets.tab_order import stops

Key = Qt.Key
ACROSS, DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical


def made(qtbot: QtBot, way: Qt.Orientation, *, mirrored: bool = False) -> tuple[Split, Border]:
    split = Split(way)
    qtbot.addWidget(split)
    if mirrored:
        split.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    for words in ("one", "other"):
        split.addWidget(QTextEdit(words))
    split.resize(800, 600)
    split.show()
    split.setSizes([400, 400])
    border = split.handle(1)
    assert isinstance(border, Border)
    return split, border


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize(
    ("way", "less", "more"), [(ACROSS, Key.Key_Left, Key.Key_Right), (DOWN, Key.Key_Up, Key.Key_Down)]
)
def test_keys_move_a_border(qtbot: QtBot, way: Qt.Orientation, less: Key, more: Key, mirrored: bool) -> None:
    split, border = made(qtbot, way, mirrored=mirrored)
    place = border.x if way == ACROSS else border.y
    told: list[int] = []
    split.splitterMoved.connect(lambda at, _: told.append(at))
    for key, step in ((more, STEP), (less, -STEP), (Key.Key_PageDown, LEAP), (Key.Key_PageUp, -LEAP)):
        before = place()
        QTest.keyClick(border, key)
        assert place() - before == step
    assert len(told) == 4, "what keeps the sizes hears of it"
    QTest.keyClick(border, Key.Key_Home)
    least = place()
    QTest.keyClick(border, Key.Key_End)
    assert 0 < least < place()
    assert min(split.sizes()) > 0


def test_a_border_tells_what_it_is_and_where_it_stands(qtbot: QtBot) -> None:
    split, border = made(qtbot, ACROSS)
    told = QAccessible.queryAccessibleInterface(border)
    assert told is not None
    assert told.role() == QAccessible.Role.Splitter
    assert told.text(QAccessible.Text.Name) == "Border between parts, moved by arrow keys"
    split.setSizes([700, 100])
    QTest.keyClick(border, Key.Key_Right)
    share = round(100 * split.sizes()[0] / sum(split.sizes()))
    assert told.text(QAccessible.Text.Value) == f"{share} % stand before it"


def test_tab_comes_to_a_border_between_its_parts(qtbot: QtBot) -> None:
    split, border = made(qtbot, DOWN)
    first, second = split.widget(0), split.widget(1)
    assert list(stops(split)) == [first, border, second]
    assert second is not None
    second.hide()
    qtbot.waitUntil(border.isHidden)
    assert list(stops(split)) == [first]


def test_keys_of_the_other_direction_are_left_to_others(qtbot: QtBot) -> None:
    split, border = made(qtbot, ACROSS)
    before = split.sizes()
    for key in (Key.Key_Up, Key.Key_Down, Key.Key_A):
        QTest.keyClick(border, key)
    assert split.sizes() == before
