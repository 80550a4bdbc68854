"""The keys of the commands: those of the table of actions, and those that the person gave instead.

Kept as JSON, {"file.open": ["Ctrl+O", "F12"]}, for commands whose keys are other ones than those of the table. No two
commands have the same keys: what the person gave goes before what the table says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from viewer.session.setting import parsed
from viewer.session.settings import COMMAND_KEYS, Settings
from viewer.ui.actions import ACTIONS
from viewer.ui.words import left_to_right

Keys = tuple[str, ...]
"""Portable names of keys, the one that is shown first."""

USUAL: Final[Mapping[str, Keys]] = {spec.id: spec.shortcuts for spec in ACTIONS}


class KeyNews(QObject):
    """For those who tell keys in their sentences.

    changed: tell them anew.
        Signal()
    """

    changed = Signal()


KEY_NEWS: Final = KeyNews()


class _Now:
    """The keys that hold."""

    keys: Mapping[str, Keys] = USUAL


class CommandKeys(QObject):
    """The keys of one window's commands, as the settings say, live. `actions`: by id, with their usual keys.

    changed: some command has other keys now.
        Signal()
    """

    changed = Signal()

    def __init__(self, settings: Settings, actions: Mapping[str, QAction], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._actions = actions
        self._usual = {name: tuple(map(written, action.shortcuts())) for name, action in actions.items()}
        self._keys = self._usual
        self._apply()
        settings.changed.connect(self._setting_changed)

    def of(self, command: str) -> Keys:
        """The keys of a command. Raises KeyError for an unknown one."""
        return self._keys[command]

    def usual(self, command: str) -> Keys:
        """Its keys where nobody changed them."""
        return self._usual[command]

    def is_changed(self, command: str) -> bool:
        """True where it has other keys than usual."""
        return self._keys[command] != self._usual[command]

    def owner(self, key: str) -> str:
        """The command that has the key, "" where none has."""
        return next((name for name, keys in self._keys.items() if key in keys), "")

    def give(self, command: str, keys: Keys) -> None:
        """These are the keys of the command from now on; who had one of them has it no longer."""
        given = {name: had for name, had in kept(self._settings).items() if name != command}
        for name, had in given.items():
            given[name] = tuple(key for key in had if key not in keys)
        if keys != self._usual[command]:
            given[command] = keys
        self._keep(given)

    def put_back(self) -> str:
        """All commands have their usual keys again; gives what `restore` takes."""
        before = self._settings.get(COMMAND_KEYS)
        self._keep({})
        return before

    def restore(self, before: str) -> None:
        """The keys as they were before they were put back."""
        self._settings.set(COMMAND_KEYS, before)

    def _keep(self, given: Mapping[str, Keys]) -> None:
        usual = {name: keys for name, keys in given.items() if keys != self._usual.get(name)}
        self._settings.set(COMMAND_KEYS, json.dumps(usual))

    def _setting_changed(self, key: str) -> None:
        if key == COMMAND_KEYS.key:
            self._apply()
            self.changed.emit()

    def _apply(self) -> None:
        self._keys = resolved(self._usual, kept(self._settings))
        for name, action in self._actions.items():
            if self._keys[name] != tuple(map(written, action.shortcuts())):
                action.setShortcuts([QKeySequence(key) for key in self._keys[name]])
            shown = next(map(native, self._keys[name]), "")
            # The tooltip that Qt makes of the title has no keys, and no marks of the menu.
            action.setToolTip("")
            action.setToolTip(f"{action.toolTip()} ({left_to_right(shown)})" if shown else "")
        _Now.keys = self._keys
        KEY_NEWS.changed.emit()


def resolved(usual: Mapping[str, Keys], given: Mapping[str, Keys]) -> dict[str, Keys]:
    """The keys of each command: what was given goes first, in the order of the table, and no key is there twice."""
    taken: set[str] = set()
    found: dict[str, Keys] = {}
    for name in sorted(usual, key=lambda name: name not in given):
        found[name] = tuple(key for key in dict.fromkeys(given.get(name, usual[name])) if key not in taken)
        taken.update(found[name])
    return {name: found[name] for name in usual}


def kept(settings: Settings) -> dict[str, Keys]:
    """What the person gave, without what makes no sense."""
    table = parsed(settings.get(COMMAND_KEYS))
    if not isinstance(table, dict):
        return {}
    lists = {name: keys for name, keys in table.items() if isinstance(keys, list)}
    return {name: tuple(filter(None, map(cleaned, keys))) for name, keys in lists.items()}


def cleaned(key: object) -> str:
    """The portable name of keys that a settings file states, "" where it names none."""
    return written(QKeySequence(key)) if isinstance(key, str) else ""


def written(sequence: QKeySequence) -> str:
    """The portable name of keys."""
    return sequence.toString(QKeySequence.SequenceFormat.PortableText)


def native(key: str) -> str:
    """Keys as the system writes them."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def first_key(command: str) -> str:
    """The keys of a command that are told, as the system writes them; "" where it has none."""
    return next(map(native, _Now.keys.get(command, ())), "")


def way_to(command: str) -> str:
    """What a sentence tells to press: the keys of a command of the table, its title where it has none."""
    return first_key(command) or next(spec.text for spec in ACTIONS if spec.id == command)
