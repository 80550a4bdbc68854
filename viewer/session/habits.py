"""What a person chose in the panes, for all files: kept among the settings once those are known."""

from __future__ import annotations

import json
from typing import Any

from viewer.session.settings import Setting, Settings


class Habits:
    """Choices as JSON, by setting. Without settings they last as long as the session."""

    def __init__(self) -> None:
        self._settings: Settings | None = None
        self._here: dict[str, str] = {}

    def join(self, settings: Settings) -> None:
        """Keep them here from now on."""
        self._settings = settings

    def get(self, setting: Setting[str], default: Any) -> Any:
        """What was kept; the default where that is nothing, or of another kind."""
        text = self._settings.get(setting) if self._settings is not None else self._here.get(setting.key, "")
        try:
            found = json.loads(text)
        except ValueError:
            return default
        return found if isinstance(found, type(default)) else default

    def keep(self, setting: Setting[str], value: Any) -> None:
        """Remember a choice: what JSON can hold."""
        if self._settings is not None:
            self._settings.set(setting, json.dumps(value))
        else:
            self._here[setting.key] = json.dumps(value)
