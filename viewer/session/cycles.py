"""Cycles of objects are collected in the GUI thread only.

Python collects in whichever thread makes the object that is one too many. When that is a thread of `Jobs`, it
destroys widgets and timers that a closed tab left behind, outside the thread that they belong to, and the process dies.
"""

from __future__ import annotations

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer

from viewer.core.collector import is_paused

LOOK_MS: Final = 1_000
AFTER_CLOSING_MS: Final = 100


class Cycles(QObject):
    """Holds Python's own collector back and does its work from the event loop, until `stop`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_enabled = gc.isenabled()
        gc.disable()
        self._clock = QTimer(self, interval=LOOK_MS)
        self._clock.timeout.connect(self.look)
        self._clock.start()
        self._all = QTimer(self, singleShot=True, interval=AFTER_CLOSING_MS)
        self._all.timeout.connect(gc.collect)

    def look(self) -> None:
        """Collect the young objects where many were made: as Python would, but here.

        Not while a job makes a great many that stay: walking them would hold the window for as long as they are many.
        """
        if is_paused():
            return
        made, collected, _ = gc.get_count()
        most_made, most_collected, _ = gc.get_threshold()
        if most_made and made > most_made:
            gc.collect(1 if collected > most_collected else 0)

    def collect_soon(self) -> None:
        """Something large was closed: collect all, when Qt has deleted what it wants to delete."""
        self._all.start()

    def stop(self) -> None:
        """Give Python its collector back."""
        self._clock.stop()
        self._all.stop()
        if self._was_enabled:
            gc.enable()
