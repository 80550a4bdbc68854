"""The table of commands is complete, without conflicts, and switches commands on and off."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtGui import QKeySequence

from viewer import resources
from viewer.core.pickles.opcodes import BY_NAME
from viewer.ui.actions import ACTIONS, Actions, Fact
from viewer.ui.menu_titles import MENUS
from viewer.ui.theme import load_theme


@pytest.fixture
def actions(qapp: object) -> Actions:
    del qapp
    return Actions({spec.id: lambda: None for spec in ACTIONS}, load_theme("light"))


def test_ids_are_unique() -> None:
    assert [name for name, times in Counter(spec.id for spec in ACTIONS).items() if times > 1] == []


def test_every_menu_is_there_and_none_is_empty() -> None:
    used = {spec.menu for spec in ACTIONS}
    assert used == set(MENUS)
    assert list(MENUS)[:3] == ["File", "Edit", "View"]


def test_no_two_commands_have_the_same_keys() -> None:
    keys = Counter(QKeySequence(name).toString() for spec in ACTIONS for name in spec.shortcuts)
    assert [name for name, times in keys.items() if times > 1] == []
    assert "" not in keys


def test_every_icon_is_drawn() -> None:
    there = {name.removesuffix(".svg") for name in resources.names("icons")}
    assert {spec.icon for spec in ACTIONS if spec.icon} - there == set()


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("file.open", "Ctrl+O"),
        ("file.close", "Ctrl+W"),
        ("go.offset", "Ctrl+G"),
        ("edit.find", "Ctrl+F"),
        ("tools.palette", "Ctrl+Shift+P"),
        ("go.back", "Alt+Left"),
        ("go.forward", "Alt+Right"),
        ("window.next_pane", "F6"),
        ("window.next_tab", "Ctrl+Tab"),
    ],
)
def test_the_keys_that_were_promised(actions: Actions, name: str, keys: str) -> None:
    assert actions[name].shortcut().toString() == keys


def test_commands_are_on_when_their_fact_holds(actions: Actions) -> None:
    actions.set_facts({Fact.ALWAYS, Fact.FILE}, {"edit.find"})
    on = {spec.id for spec, action in actions if action.isEnabled()}
    assert {"file.open", "file.close", "edit.find", "window.next_pane"} <= on
    assert not {"go.back", "tensor.export", "edit.copy_hex", "window.next_tab"} & on


def test_a_command_without_a_handler_is_an_error(qapp: object) -> None:
    del qapp
    with pytest.raises(KeyError, match=r"file\.open"):
        Actions({}, load_theme("light"))


def test_titles_are_in_sentence_case_and_short() -> None:
    for spec in ACTIONS:
        words = [word for word in spec.title.replace("Picklescope", "").split() if word not in BY_NAME]
        assert spec.title[0].isupper()
        assert not any(word[0].isupper() for word in words[1:]), spec.title
        assert len(spec.title) <= 24
