"""What a person chose in the panes, for all files: kept among the settings once those are known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from viewer.session.setting import Kept, Setting, T, parsed

if TYPE_CHECKING:
    from viewer.session.settings import Settings


class Habits(QObject):
    """Choices by setting, some of them as JSON. Without settings they last as long as the session.

    changed: a choice is another one now, in whatever place it was made.
        Signal(key: str)
    """

    changed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings: Settings | None = None
        self._here: dict[str, str] = {}
        self._chosen: dict[str, Kept] = {}

    def join(self, settings: Settings) -> None:
        """Keep them here from now on."""
        self._settings = settings
        settings.changed.connect(self.changed)

    def chosen(self, setting: Setting[T]) -> T:
        """The value of a setting that a person chooses."""
        if self._settings is not None:
            return self._settings.get(setting)
        return setting.checked(self._chosen.get(setting.key, setting.default))

    def choose(self, setting: Setting[T], value: T) -> None:
        """Choose a value, cut to the setting's range."""
        if self._settings is not None:
            self._settings.set(setting, value)
            return
        before = self.chosen(setting)
        self._chosen[setting.key] = setting.checked(value)
        if self.chosen(setting) != before:
            self.changed.emit(setting.key)

    def get(self, setting: Setting[str], default: Any) -> Any:
        """What was kept; the default where that is nothing, or of another kind."""
        text = self._settings.get(setting) if self._settings is not None else self._here.get(setting.key, "")
        found = parsed(text)
        return found if isinstance(found, type(default)) else default

    def keep(self, setting: Setting[str], value: Any) -> None:
        """Remember a choice: what JSON can hold."""
        if self._settings is not None:
            self._settings.set(setting, json.dumps(value))
        else:
            self._here[setting.key] = json.dumps(value)
