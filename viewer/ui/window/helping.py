"""The commands of the Help menu: the drawer at a page, at what the keyboard stands at, and the tour."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from viewer.ui.window.frame import Frame

PAGES = {
    "help.panes": "panes",
    "help.problems": "problems",
    "help.opcodes": "opcodes",
    "help.filter": "filter",
    "help.tensor_filter": "tensor-filter",
}
"""Commands that open a page of the help."""
PANES = "panes"


class Helping(QObject):
    """The help of one window."""

    def __init__(self, window: Frame) -> None:
        super().__init__(window)
        self._window = window
        self._asked_from = "hex"

    def handlers(self) -> dict[str, Callable[[], None]]:
        """A handler for each command that opens the drawer."""
        found: dict[str, Callable[[], None]] = {name: partial(self.explain, page) for name, page in PAGES.items()}
        return found | {"help.here": self.here}

    def explain(self, topic: str) -> None:
        """Open the help at a topic, beside the pane that has the keyboard."""
        dock = self._window.view.active_dock() if self._window.view is not None else None
        self._asked_from = dock.key if dock is not None else self._asked_from
        self._window.help.open(topic)

    def here(self) -> None:
        """Explain what the keyboard stands at: an entry that the pane names, else the pane."""
        dock = self._window.view.active_dock() if self._window.view is not None else None
        self.explain((dock.pane.topic() or f"{PANES}/{dock.key}") if dock is not None else PANES)

    def closed(self) -> None:
        """Give the keyboard back to the pane that had it."""
        if self._window.view is not None:
            self._window.view.show_pane(self._asked_from, focus=True)
