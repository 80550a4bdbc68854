"""The list of keys, in which they are changed: by keyboard alone, and nothing is taken from another command unasked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from viewer.session.settings import COMMAND_KEYS, Settings
from viewer.ui.dialogs.preferences import Preferences
from viewer.ui.dialogs.shortcuts import KEYS, Shortcuts
from viewer.ui.window import MainWindow

CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def dialog(qtbot: QtBot, window: MainWindow, settings: Settings) -> Iterator[Shortcuts]:
    made = Shortcuts(window.menus.entries(), window.keys, window.menus.openers(), window.theme)
    qtbot.addWidget(made)
    made.show()
    with qtbot.waitActive(made):
        made.activateWindow()
    yield made
    settings.reset(COMMAND_KEYS)


def row_of(dialog: Shortcuts, command: str) -> list[str]:
    dialog.choose(command)
    return [dialog.table.item(dialog.table.currentRow(), at).text() for at in range(KEYS + 1)]


def focused() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def test_every_command_of_the_palette_is_there_also_without_keys(dialog: Shortcuts, window: MainWindow) -> None:
    ids = {spec.id for spec, _ in window.actions_by_id} | {f"pane.{pane.key}" for pane in window.panes}
    assert set(dialog.shown) == ids
    assert len(dialog.shown) == len(ids)
    assert row_of(dialog, "view.text_larger") == ["Larger", "View › Text size", "Ctrl++, Ctrl+="]
    assert row_of(dialog, "go.owner") == ["Select the owner", "Go", ""]


def test_it_is_searched_by_names_menus_and_keys(dialog: Shortcuts) -> None:
    dialog.filter.setText("ctrl+shift+p")
    assert dialog.shown == ["tools.palette"]
    dialog.filter.setText("theme dark")
    assert dialog.shown == ["view.theme.dark"]
    assert dialog.details.command == "view.theme.dark"
    dialog.filter.setText("zoom in")
    assert dialog.shown == ["view.text_larger"]
    dialog.filter.setText("nothing is called so")
    assert (dialog.shown, dialog.details.command) == ([], "")
    assert not dialog.details.field.isEnabled()


def test_keys_are_changed_by_keyboard_alone(qtbot: QtBot, dialog: Shortcuts, window: MainWindow) -> None:
    qtbot.keyClicks(focused(), "owner")
    qtbot.keyClick(focused(), Qt.Key.Key_Return)
    assert focused() is dialog.table
    qtbot.keyClick(focused(), Qt.Key.Key_Return)
    assert focused() is dialog.details.field
    qtbot.keyClick(focused(), Qt.Key.Key_K, CTRL)
    qtbot.keyClick(focused(), Qt.Key.Key_F12, SHIFT)
    assert window.keys.of("go.owner") == ("Ctrl+K", "Shift+F12")
    assert row_of(dialog, "go.owner")[KEYS] == "Ctrl+K, Shift+F12 (changed)"
    qtbot.keyClick(focused(), Qt.Key.Key_Backtab, SHIFT)
    assert focused() is dialog.details.buttons[1]
    qtbot.keyClick(focused(), Qt.Key.Key_Space)
    assert window.keys.of("go.owner") == ("Ctrl+K",)
    qtbot.keyClick(focused(), Qt.Key.Key_Escape)
    assert focused() is dialog.table
    assert dialog.isVisible()
    qtbot.keyClick(focused(), Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_who_has_the_keys_is_told_before_they_are_taken(qtbot: QtBot, dialog: Shortcuts, window: MainWindow) -> None:
    dialog.choose("file.open_folder")
    dialog.details.take_focus()
    qtbot.keyClick(dialog.details.field, Qt.Key.Key_F, CTRL)
    assert (window.keys.of("file.open_folder"), window.keys.of("edit.find")) == ((), ("Ctrl+F",))
    assert "belongs to Find." in dialog.details.words.text()
    assert not dialog.details.answer.isHidden()
    dialog.details.answer.click()
    assert (window.keys.of("file.open_folder"), window.keys.of("edit.find")) == (("Ctrl+F",), ())
    assert dialog.details.answer.isHidden()
    assert row_of(dialog, "edit.find")[KEYS] == "(changed)"
    dialog.details.back.click()
    assert "belongs to Open folder." in dialog.details.words.text()
    assert window.keys.of("edit.find") == ()
    dialog.details.answer.click()
    assert (window.keys.of("file.open_folder"), window.keys.of("edit.find")) == ((), ("Ctrl+F",))


def test_another_command_is_never_given_what_this_one_asked_for(
    qtbot: QtBot, dialog: Shortcuts, window: MainWindow
) -> None:
    dialog.choose("file.open_folder")
    qtbot.keyClick(dialog.details.field, Qt.Key.Key_F, CTRL)
    dialog.choose("go.owner")
    assert dialog.details.answer.isHidden()
    assert dialog.details.words.text() == ""
    assert window.keys.of("edit.find") == ("Ctrl+F",)


@pytest.mark.parametrize(
    ("key", "modifiers", "told"),
    [
        (Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "alone writes or moves"),
        (Qt.Key.Key_A, SHIFT, "alone writes or moves"),
        (Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier, "alone writes or moves"),
        (Qt.Key.Key_F, ALT, "opens the menu File"),
        (Qt.Key.Key_O, CTRL, "It has"),
    ],
)
def test_keys_that_cannot_be_given_are_told(
    qtbot: QtBot,
    dialog: Shortcuts,
    window: MainWindow,
    key: Qt.Key,
    modifiers: Qt.KeyboardModifier,
    told: str,
) -> None:
    dialog.choose("file.open")
    qtbot.keyClick(dialog.details.field, key, modifiers)
    assert told in dialog.details.words.text()
    assert window.keys.of("file.open") == ("Ctrl+O",)
    assert dialog.details.field.text() == ""


@pytest.mark.parametrize("key", [Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Meta])
def test_a_key_that_is_only_held_is_no_key_yet(qtbot: QtBot, dialog: Shortcuts, key: Qt.Key) -> None:
    dialog.choose("file.open")
    qtbot.keyClick(dialog.details.field, key)
    assert dialog.details.words.text() == ""


def test_keys_of_the_number_block_and_the_backward_tab_are_those_of_the_others(
    qtbot: QtBot, dialog: Shortcuts, window: MainWindow
) -> None:
    dialog.choose("go.owner")
    qtbot.keyClick(dialog.details.field, Qt.Key.Key_7, CTRL | Qt.KeyboardModifier.KeypadModifier)
    assert window.keys.of("go.owner") == ("Ctrl+7",)
    qtbot.keyClick(dialog.details.field, Qt.Key.Key_Backtab, CTRL | ALT | SHIFT)
    assert window.keys.of("go.owner") == ("Ctrl+7", "Ctrl+Alt+Shift+Tab")


def test_all_are_put_back_and_it_can_be_undone(dialog: Shortcuts, window: MainWindow) -> None:
    assert not dialog.reset.isEnabled()
    window.keys.give("go.owner", ("Ctrl+K",))
    window.keys.give("file.open", ())
    dialog.reset.click()
    assert (window.keys.of("go.owner"), window.keys.of("file.open")) == ((), ("Ctrl+O",))
    assert not dialog.reset.isEnabled()
    dialog.details.answer.click()
    assert (window.keys.of("go.owner"), window.keys.of("file.open")) == (("Ctrl+K",), ())


def test_readers_of_the_screen_hear_what_each_part_is(dialog: Shortcuts, window: MainWindow) -> None:
    dialog.choose("file.open")
    assert dialog.details.field.accessibleName() == "New keys for Open"
    assert [
        button.accessibleName().replace("\u2066", "").replace("\u2069", "") for button in dialog.details.buttons
    ] == [f"Take {QKeySequence('Ctrl+O').toString(QKeySequence.SequenceFormat.NativeText)} away"]
    window.keys.give("file.open", ())
    assert dialog.details.back.isEnabled()
    assert "Ctrl+O" in dialog.details.back.accessibleDescription()


def test_the_preferences_lead_to_it(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_by_id["edit.preferences"].trigger()
    preferences = window.findChild(Preferences)
    assert preferences is not None
    preferences.keys.click()
    assert not preferences.isVisible()
    found = window.findChild(Shortcuts)
    assert found is not None
    assert found.isVisible()
    found.reject()


def test_what_keys_do_in_a_pane_is_told_before_a_command_goes_before_it(
    qtbot: QtBot, dialog: Shortcuts, window: MainWindow
) -> None:
    dialog.choose("go.owner")
    qtbot.keyClick(dialog.details.field, Qt.Key.Key_Left, CTRL)
    assert window.keys.of("go.owner") == ()
    assert "does something in Bytes: To the edge of the group" in dialog.details.words.text()
    dialog.details.answer.click()
    assert window.keys.of("go.owner") == ("Ctrl+Left",)
