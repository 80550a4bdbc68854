"""The line above a pane: counts of the tabs are whole or not there."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMenu, QTabBar
from pytestqt.qtbot import QtBot

from viewer.ui.theme import load_theme
from viewer.ui.widgets.pane_header import PaneHeader, Tab

TABS = (Tab("contents", "Contents", ""), Tab("opcodes", "Opcodes", "623,417"), Tab("effect", "Effect", "12"))


@pytest.fixture
def header(qtbot: QtBot) -> PaneHeader:
    menu = QMenu()
    qtbot.addWidget(menu)
    made = PaneHeader(load_theme("light"), menu)
    qtbot.addWidget(made)
    made.resize(800, 32)
    made.set_tabs(TABS, "contents")
    with qtbot.waitExposed(made):
        made.show()
    return made


def counts(header: PaneHeader) -> list[str]:
    buttons = [header.tabs.tabButton(at, QTabBar.ButtonPosition.RightSide) for at in range(header.tabs.count())]
    return [str(button.property("text")) for button in buttons if button is not None]


def test_counts_go_where_they_have_no_room_and_come_back(header: PaneHeader) -> None:
    assert counts(header) == ["623,417", "12"]
    for _ in range(3):
        header.resize(240, 32)
        assert counts(header) == []
        header.resize(800, 32)
        assert counts(header) == ["623,417", "12"]


def test_counts_that_change_while_there_is_no_room(header: PaneHeader) -> None:
    header.resize(240, 32)
    changed = (TABS[0], Tab("opcodes", "Opcodes", "623,417,000"), TABS[2])
    header.set_tabs(changed, "opcodes")
    assert counts(header) == []
    header.resize(800, 32)
    assert counts(header) == ["623,417,000", "12"]
