"""Icons of actions come one by one, and at once where they can be seen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from viewer.ui.late_icons import LateIcons
from viewer.ui.theme import load_theme


@pytest.fixture
def owner(qapp: object) -> QObject:
    del qapp
    return QObject()


def drawn(actions: list[QAction]) -> list[bool]:
    return [not action.icon().isNull() for action in actions]


def test_icons_come_while_nothing_else_is_done_and_those_that_are_seen_at_once(qtbot: QtBot, owner: QObject) -> None:
    actions = [QAction(owner) for _ in range(3)]
    icons = LateIcons({actions[0]: "open", actions[2]: "export"}, load_theme("light"), owner)
    assert drawn(actions) == [False, False, False]
    icons.draw([actions[1], actions[2]])
    assert drawn(actions) == [False, False, True]
    qtbot.waitUntil(lambda: drawn(actions) == [True, False, True])
    qtbot.waitUntil(lambda: not icons._next.isActive())


def test_another_theme_draws_all_in_its_colours(qtbot: QtBot, owner: QObject) -> None:
    early, late = QAction(owner), QAction(owner)
    icons = LateIcons({early: "open", late: "open"}, load_theme("light"), owner)
    icons.draw([early])
    before = early.icon().pixmap(16, 16).toImage()
    icons.set_theme(load_theme("dark"))
    qtbot.waitUntil(lambda: drawn([late]) == [True])
    pictures = [action.icon().pixmap(16, 16).toImage() for action in (early, late)]
    assert pictures[0] == pictures[1]
    assert pictures[0] != before
