"""Keys that the person gave: kept, live, told everywhere, and never the same for two commands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from tests.ui.shell import make_window
from viewer.session.settings import COMMAND_KEYS, Settings
from viewer.ui.actions import ACTIONS
from viewer.ui.command_keys import CommandKeys, first_key, resolved, way_to
from viewer.ui.window import MainWindow


@pytest.fixture(autouse=True)
def put_back(settings: Settings) -> Iterator[None]:
    """Sentences tell the keys of the last window."""
    yield
    CommandKeys(settings, {spec.id: made(*spec.shortcuts) for spec in ACTIONS}).put_back()


@pytest.fixture
def actions(qapp: object) -> dict[str, QAction]:
    del qapp
    return {"open": made("Ctrl+O"), "find": made("Ctrl+F", "F3"), "other": made()}


def made(*keys: str) -> QAction:
    action = QAction("&Words…")
    action.setShortcuts([QKeySequence(key) for key in keys])
    return action


def shown(action: QAction) -> list[str]:
    return [keys.toString() for keys in action.shortcuts()]


def test_a_command_has_several_keys_and_keeps_them(settings: Settings, actions: dict[str, QAction]) -> None:
    keys = CommandKeys(settings, actions)
    keys.give("open", ("Ctrl+O", "F12"))
    assert shown(actions["open"]) == ["Ctrl+O", "F12"]
    assert (keys.is_changed("open"), keys.is_changed("find")) == (True, False)
    again = {"open": made("Ctrl+O"), "find": made("Ctrl+F", "F3"), "other": made()}
    CommandKeys(Settings(Path(settings._kept.fileName())), again)
    assert shown(again["open"]) == ["Ctrl+O", "F12"]


def test_the_usual_keys_are_not_kept(settings: Settings, actions: dict[str, QAction]) -> None:
    keys = CommandKeys(settings, actions)
    keys.give("open", ())
    assert json.loads(settings.get(COMMAND_KEYS)) == {"open": []}
    keys.give("open", ("Ctrl+O",))
    assert json.loads(settings.get(COMMAND_KEYS)) == {}
    assert not keys.is_changed("open")


def test_who_had_the_keys_has_them_no_longer_until_they_are_given_back(
    settings: Settings, actions: dict[str, QAction]
) -> None:
    keys = CommandKeys(settings, actions)
    assert (keys.owner("F3"), keys.owner("F4")) == ("find", "")
    keys.give("open", ("F3",))
    assert (shown(actions["open"]), shown(actions["find"])) == (["F3"], ["Ctrl+F"])
    assert (keys.owner("F3"), keys.is_changed("find")) == ("open", True)
    keys.give("other", ("F3", "Ctrl+K"))
    assert (keys.of("open"), keys.of("find"), keys.of("other")) == ((), ("Ctrl+F",), ("F3", "Ctrl+K"))
    keys.give("find", keys.usual("find"))
    assert (keys.of("find"), keys.of("other")) == (("Ctrl+F", "F3"), ("Ctrl+K",))


def test_all_are_put_back_and_that_can_be_undone(settings: Settings, actions: dict[str, QAction]) -> None:
    keys = CommandKeys(settings, actions)
    keys.give("open", ("F3",))
    before = keys.put_back()
    assert [shown(action) for action in actions.values()] == [["Ctrl+O"], ["Ctrl+F", "F3"], []]
    keys.restore(before)
    assert [shown(action) for action in actions.values()] == [["F3"], ["Ctrl+F"], []]


@pytest.mark.parametrize(
    "kept", ["", "[", "[]", "[" * 100_000, '{"open": 7}', '{"open": [7, "no keys"]}', '{"gone": ["F9"]}']
)
def test_what_makes_no_sense_is_passed_over(settings: Settings, actions: dict[str, QAction], kept: str) -> None:
    settings.set(COMMAND_KEYS, kept)
    keys = CommandKeys(settings, actions)
    assert keys.of("find") == ("Ctrl+F", "F3")
    assert keys.of("open") == ((), ("Ctrl+O",))["no keys" not in kept]


def test_keys_in_a_settings_file_are_never_those_of_two() -> None:
    usual = {"a": ("F1",), "b": ("F2",), "c": ("F3",)}
    assert resolved(usual, {"b": ("F1", "F5", "F5"), "c": ("F5", "F6")}) == {"a": (), "b": ("F1", "F5"), "c": ("F6",)}


def test_sentences_tell_the_keys_that_hold(window: MainWindow) -> None:
    assert (first_key("edit.bookmark"), way_to("edit.bookmark")) == ("Ctrl+D", "Ctrl+D")
    window.keys.give("edit.bookmark", ("Ctrl+K", "F12"))
    assert (first_key("edit.bookmark"), way_to("edit.bookmark")) == ("Ctrl+K", "Ctrl+K")
    window.keys.give("edit.bookmark", ())
    assert (first_key("edit.bookmark"), way_to("edit.bookmark")) == ("", "Add bookmark")


def test_the_window_shows_them_at_once(window: MainWindow) -> None:
    open_button = window.toolbar.widgetForAction(window.actions_by_id["file.open"])
    assert isinstance(open_button, QToolButton)
    assert "Ctrl+O" in open_button.toolTip()
    assert window.status.hints.text() == "Ctrl+O open    Ctrl+Shift+P all commands"
    window.keys.give("file.open", ("F12",))
    assert "F12" in open_button.toolTip()
    assert "Ctrl+O" not in open_button.toolTip()
    assert window.status.hints.text() == "F12 open    Ctrl+Shift+P all commands"
    window.keys.give("file.open", ())
    assert "(" not in open_button.toolTip()
    assert window.status.hints.text() == "Ctrl+Shift+P all commands"
    entry = next(entry for entry in window.menus.entries() if entry.action.objectName() == "go.back")
    window.keys.give("go.back", ("F12",))
    assert entry.shortcut == "F12"


def test_the_new_keys_work_and_the_old_do_not(qtbot: QtBot, settings: Settings) -> None:
    window = make_window(settings)
    qtbot.addWidget(window)
    window.show()
    with qtbot.waitActive(window):
        window.activateWindow()
    window.keys.give("tools.palette", ("Ctrl+K",))
    qtbot.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert not window.commands_palette.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert window.commands_palette.isVisible()
    window.close()


def test_panes_have_keys_too(window: MainWindow) -> None:
    assert window.keys.of("pane.hex") == ("Ctrl+Shift+B",)
    window.keys.give("pane.summary", ("Ctrl+U",))
    assert shown(window.pane_actions["summary"]) == ["Ctrl+U"]


def test_the_menus_are_known_by_their_keys(window: MainWindow) -> None:
    openers = window.menus.openers()
    assert (openers["Alt+F"], openers["Alt+O"], len(openers)) == ("File", "Tools", 8)
