"""What the panes of a file keep between two openings: of those that are made as they stand, of others as it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from viewer.ui.pane import kept_part

if TYPE_CHECKING:
    from viewer.ui.pane import Pane
    from viewer.ui.window.dock import PaneDock


class KeptPanes:
    """`docks`: by the key of their pane."""

    def __init__(self, docks: Mapping[str, PaneDock]) -> None:
        self._docks = docks
        self._before: dict[str, Any] = {}

    def bring_back(self, kept: Mapping[str, Any]) -> None:
        """Give the panes what they kept the last time; those that are not made yet get it when they are."""
        self._before = dict(kept)
        for dock in self._docks.values():
            if dock.made:
                self.made(dock.pane)

    def made(self, pane: Pane) -> None:
        """A pane is there now."""
        if pane.key in self._before:
            pane.bring_back(kept_part(self._before, pane.key))

    def now(self) -> dict[str, Any]:
        """By the key of each pane what it keeps."""
        found = dict(self._before)
        for key, dock in self._docks.items():
            kept = dock.pane.kept() if dock.made else {}
            if kept:
                found[key] = kept
        return found
