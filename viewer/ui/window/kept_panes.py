"""What the panes of a file keep between two openings: of those that are made as they stand, of others as it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from viewer.ui.pane import kept_part
from viewer.ui.window.kept_sizes import KeptSizes

if TYPE_CHECKING:
    from viewer.ui.pane import Pane
    from viewer.ui.window.dock import PaneDock

SIZES: Final = "sizes"


class KeptPanes:
    """`docks`: by the key of their pane."""

    def __init__(self, docks: Mapping[str, PaneDock]) -> None:
        self._docks = docks
        self._before: dict[str, Any] = {}
        self._sizes: dict[str, KeptSizes] = {}

    def bring_back(self, kept: Mapping[str, Any]) -> None:
        """Give the panes what they kept the last time; those that are not made yet get it when they are."""
        self._before = dict(kept)
        for sizes in self._sizes.values():
            sizes.let_go()
        self._sizes.clear()
        for dock in self._docks.values():
            if dock.made:
                self.made(dock.pane)

    def made(self, pane: Pane) -> None:
        """A pane is there now."""
        kept = kept_part(self._before, pane.key)
        if pane.key in self._before:
            pane.bring_back(kept)
        if pane.key not in self._sizes:
            sizes = self._sizes[pane.key] = KeptSizes(pane, kept_part(kept, SIZES))
            sizes.changed.connect(pane.kept_changed)

    def now(self) -> dict[str, Any]:
        """By the key of each pane what it keeps."""
        found = dict(self._before)
        for key, dock in self._docks.items():
            kept = dict(dock.pane.kept()) if dock.made else {}
            sizes = self._sizes[key].now() if key in self._sizes else {}
            if sizes:
                kept[SIZES] = sizes
            if kept:
                found[key] = kept
        return found
