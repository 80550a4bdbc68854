"""The line above a pane: counts of the tabs are whole or not there."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from viewer.ui.theme import load_theme
from viewer.ui.widgets.pane_header import PaneHeader, Tab
from viewer.ui.widgets.segments import Segment, Segments

TABS = (Tab("contents", "Contents", ""), Tab("opcodes", "Opcodes", "623,417"), Tab("effect", "Effect", "12"))


@pytest.fixture
def header(qtbot: QtBot) -> PaneHeader:
    made = PaneHeader(load_theme("light"))
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


def test_an_alarm_is_seen_with_and_without_room(header: PaneHeader) -> None:
    tabs = (TABS[0], Tab("imports", "Imports", "1", "shield", "Imports: 1 dangerous"))
    header.set_tabs(tabs, "contents")
    count = header.tabs.tabButton(1, QTabBar.ButtonPosition.RightSide)
    assert load_theme("light").color("error").name() in count.styleSheet()
    header.set_theme(load_theme("dark"))
    assert load_theme("dark").color("error").name() in count.styleSheet()
    for width in (800, 90):
        header.resize(width, 32)
        assert [header.tabs.tabIcon(at).isNull() for at in range(2)] == [True, False]
        assert header.tabs.tabToolTip(1) == header.tabs.accessibleTabName(1) == "Imports: 1 dangerous"
    header.resize(800, 32)
    header.set_tabs((TABS[0], Tab("imports", "Imports", "", "shield")), "contents")
    assert header.tabs.tabIcon(1).isNull()
    assert header.tabs.tabToolTip(1) == ""


def titles(header: PaneHeader) -> list[str]:
    return [header.tabs.tabText(at) for at in range(header.tabs.count())]


def resized(header: PaneHeader, width: int) -> PaneHeader:
    header.resize(width, 32)
    return header


def test_tabs_without_room_for_titles_show_icons_that_tell_them(qtbot: QtBot) -> None:
    # A dock gives it any width; a window of its own would not become narrower than its tabs.
    dock = QWidget()
    qtbot.addWidget(dock)
    header = PaneHeader(load_theme("light"), dock)
    with qtbot.waitExposed(dock):
        dock.show()
    tabs = [Tab(tab.key, tab.title, tab.badge, tab.key.replace("opcodes", "pickle")) for tab in TABS]
    tabs = [Tab(tab.key, tab.title, tab.badge, tab.icon.replace("contents", "archive")) for tab in tabs]
    header.set_tabs(tabs, "contents")
    header.resize(280, 32)
    # The current tab keeps its title; the first pixel that all titles lack.
    full = header.tabs.sizeHint().width()
    narrow = next(width for width in range(280, 60, -1) if resized(header, width).tabs.sizeHint().width() < full)
    for _ in range(2):
        header.resize(narrow, 32)
        assert titles(header) == ["Contents", "", ""]
        assert [header.tabs.tabIcon(at).isNull() for at in range(3)] == [True, False, False]
        assert [header.tabs.tabToolTip(at) for at in range(3)] == ["", "Opcodes", "Effect"]
        assert header.tabs.accessibleTabName(1) == "Opcodes"
        assert header.tabs.sizeHint().width() <= header.tabs.width()
        header.set_tabs(tabs, "effect")
        assert titles(header) == ["", "", "Effect"]
        header.set_tabs(tabs, "contents")
        header.resize(800, 32)
        assert titles(header) == ["Contents", "Opcodes", "Effect"]
        assert counts(header) == ["623,417", "12"]
    header.resize(narrow, 32)
    header.set_theme(load_theme("dark", text_scale=2.0))
    assert titles(header) == ["Contents", "", ""]


def test_a_switch_that_grows_covers_no_tab(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1000, 100)
    header = PaneHeader(load_theme("light"), window)
    header.set_tabs(TABS, "contents")
    switch = Segments([Segment("a", "All"), Segment("b", "Parameters of optimizers")], "Views")
    header.take([switch])
    with qtbot.waitExposed(window):
        window.show()
    narrow = header.tabs.sizeHint().width() + header.more.width() + switch.minimumSizeHint().width() + 16
    header.resize(narrow, 32)
    assert switch.isVisible()
    switch.set_current("b")
    QApplication.sendPostedEvents()
    assert not switch.isVisible()
    assert header.more.geometry().left() > header.tabs.geometry().right()
    header.resize(900, 32)
    assert switch.isVisible()
    header.resize(narrow, 32)
    switch.set_current("a")
    QApplication.sendPostedEvents()
    assert switch.isVisible()
