"""Panes and keys explained: none is left out, and the keys are those that hold now."""

from __future__ import annotations

import json
import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.shell import LEGACY, make_window, opened
from viewer.session.settings import COMMAND_KEYS, Settings
from viewer.ui.actions import ACTIONS
from viewer.ui.help import PAGES
from viewer.ui.help.panes import PanesPage
from viewer.ui.help.shortcuts import ShortcutsPage
from viewer.ui.panes import PANES
from viewer.ui.window import MainWindow
from viewer.ui.window.helping import PAGES as MENU
from viewer.wording.panes import PANE_KEYS, PANE_WORDS


def test_every_pane_has_an_entry(qapp: object) -> None:
    del qapp
    entries = {entry.key: entry for entry in PanesPage().entries()}
    assert list(entries) == [pane.key for pane in PANES]
    assert set(PANE_WORDS) == set(entries)
    assert all(entry.below and len(entry.parts) == 2 for entry in entries.values())
    assert [part.text for entry in entries.values() for part in entry.parts if "{" in part.text] == []


def test_the_commands_that_are_named_are_there() -> None:
    ids = {spec.id for spec in ACTIONS}
    texts = [text for words in PANE_WORDS.values() for text in (words.shows, words.use)]
    named = {name for text in texts for name in re.findall(r"\{([^}]*)\}", text)}
    assert named
    assert named <= ids
    assert all(text.endswith(".") for text in texts)
    assert {keys.pane for keys in PANE_KEYS} <= set(PANE_WORDS)
    names = [name for keys in PANE_KEYS for name in keys.keys]
    assert all(QKeySequence(name).toString() == name for name in names)


def test_every_command_with_keys_is_listed(window: MainWindow) -> None:
    entries = {entry.key: entry for entry in ShortcutsPage(window.menus.entries).entries()}
    with_keys = {spec.id for spec in ACTIONS if spec.shortcuts}
    assert with_keys <= set(entries)
    assert entries["edit.search"].kind == "Ctrl+Shift+F"
    assert entries["edit.search"].below == "Edit"
    assert entries["pane.hex"].kind == "Ctrl+Shift+B"
    assert entries["view.text_larger"].kind == "Ctrl++, Ctrl+="
    assert entries["bookmarks Del"].title == "Remove the bookmark"


def test_the_keys_are_those_that_hold(window: MainWindow, settings: Settings) -> None:
    window.help.open("panes/hex")
    assert window.help.chosen is not None
    assert "Ctrl+G goes to an offset" in window.help.chosen.parts[1].text
    window.help.leave()
    settings.set(COMMAND_KEYS, json.dumps({"go.offset": ["Ctrl+Alt+O"], "edit.bookmark": []}))
    window.help.open("panes/hex")
    assert window.help.chosen is not None
    assert "Ctrl+Alt+O goes to an offset, Add bookmark sets a bookmark" in window.help.chosen.parts[1].text
    window.help.open("keys/go.offset")
    assert window.help.chosen is not None
    assert window.help.chosen.kind == "Ctrl+Alt+O"


def test_each_page_is_in_the_menu(window: MainWindow) -> None:
    keys = {page.key for page in PAGES}
    assert set(MENU.values()) | {"keys"} == keys
    for name, page in MENU.items():
        window.actions_by_id[name].trigger()
        assert window.help.page.key == page


def test_f1_goes_to_the_pane_that_has_the_keyboard(qtbot: QtBot, settings: Settings) -> None:
    window = make_window(settings, panes=PANES)
    qtbot.addWidget(window)
    view = opened(qtbot, window, LEGACY)
    for pane in PANES:
        view.show_pane(pane.key, focus=True)
        dock = view.active_dock()
        assert dock is not None
        assert dock.key == pane.key
        window.actions_by_id["help.here"].trigger()
        topic = dock.pane.topic() or f"panes/{pane.key}"
        assert window.help.chosen is not None
        assert f"{window.help.page.key}/{window.help.chosen.key}" == topic or topic == window.help.page.key
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
        assert not window.help.isVisible()
        assert view.active_dock() is dock
    window.close()


def test_f1_without_a_file_explains_the_panes(window: MainWindow) -> None:
    window.actions_by_id["help.here"].trigger()
    assert window.help.page.key == "panes"


def test_what_is_looked_for_is_told_of_every_page(qtbot: QtBot, window: MainWindow) -> None:
    drawer = window.help
    drawer.open("problems")
    qtbot.keyClicks(drawer.filter, "memo slot")
    titles = drawer.tabs.titles()
    assert [title for title in titles if title.startswith("Opcodes ")]
    assert [title for title in titles if title.startswith("Panes ")]
    drawer.filter.setText("binput")
    assert not drawer.rows.isVisible()
    assert "Found under Opcodes" in drawer.nothing.text()
    assert "Found under Panes" not in drawer.nothing.text()
    drawer.nothing.linkActivated.emit("opcodes")
    assert drawer.page.key == "opcodes"
    assert drawer.rows.isVisible()
    assert drawer.filter.text() == "binput"
    drawer.filter.clear()
    assert drawer.tabs.titles() == ["Panes", "Problems", "Opcodes", "Keys", "Filter of opcodes", "Filter of tensors"]


@pytest.mark.parametrize("width", [444, 220])
def test_no_page_is_hidden_where_there_is_little_room(qtbot: QtBot, window: MainWindow, width: int) -> None:
    window.help.open("panes")
    window.help.setFixedWidth(width)
    switch = window.help.tabs
    qtbot.waitUntil(lambda: switch.height() >= switch.heightForWidth(switch.width()))
    assert all(switch.rect().contains(button.geometry()) for button in switch._group.buttons())


def test_arrow_keys_go_from_page_to_page(qtbot: QtBot, window: MainWindow) -> None:
    window.help.open("panes")
    switch = window.help.tabs
    qtbot.keyClick(switch, Qt.Key.Key_Right)
    assert window.help.page.key == "problems"
    qtbot.keyClick(switch, Qt.Key.Key_Left)
    qtbot.keyClick(switch, Qt.Key.Key_Left)
    assert window.help.page.key == "panes"
