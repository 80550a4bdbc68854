"""The panes of a file are made one at a time, each in a turn of its own: all at once would hold the window too long."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.ui.window.dock import PaneDock

LOADING: Final = "code of a pane"
"""Key of the job that loads it."""


class PaneMaking(QObject):
    """Makes what is not made yet of `docks`, one pane each time that `go_on` is called.

    made: one more pane is there.
        Signal()
    """

    made = Signal()

    def __init__(self, docks: Mapping[str, PaneDock], session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._docks, self._jobs = docks, session.jobs
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._make_next)

    @property
    def complete(self) -> bool:
        """True when every pane is there."""
        return all(dock.made for dock in self._docks.values())

    def go_on(self) -> None:
        """Make one more pane, after what waits meanwhile."""
        if not self.complete:
            self._next.start()

    def _make_next(self) -> None:
        """Those that can be seen come first. The code of a pane is loaded in a thread where it was not yet."""
        waiting = [dock for dock in self._docks.values() if not dock.made]
        if not waiting or self._jobs.is_running(LOADING):
            return
        dock = min(waiting, key=lambda one: not one.is_in_front())
        if dock.kind.is_loaded:
            self._make(dock, None)
        else:
            # What cannot be loaded is told by the pane that stands in its place.
            make = partial(self._make, dock)
            self._jobs.start(LOADING, lambda _: dock.kind.load(), make, make)

    def _make(self, dock: PaneDock, _: object) -> None:
        if shiboken6.isValid(self):
            dock.make()
            self.made.emit()
