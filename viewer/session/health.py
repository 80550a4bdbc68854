"""The scan of all values of the document that is looked at: begun when a person asks, in a thread, with progress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from viewer.late import late

if TYPE_CHECKING:
    from viewer.core.document import Document
    from viewer.core.progress import Progress
    from viewer.core.tensors.health import Health, scan
    from viewer.session.jobs import Start
else:
    Health, scan = late("viewer.core.tensors.health", "Health scan")

HEALTH: Final = "health"


class HealthScan(QObject):
    """What was found. `found`: None before a person asked; it grows while the scan runs and stays when it is stopped.

    changed: a scan began, found more, ended or was stopped; or there is another document.
        Signal()
    """

    changed = Signal()

    def __init__(self, start: Start, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._start = start
        self._document: Document | None = None
        self.found: Health | None = None
        self.running = False

    def look_at(self, document: Document | None) -> None:
        """Another document is looked at: what was found in the one before is forgotten."""
        if document is self._document:
            return
        self._document, self.found, self.running = document, None, False
        self.changed.emit()

    def begin(self) -> None:
        """Scan now; nothing happens where that is being done."""
        document = self._document
        if self.running or document is None or not document.tensors:
            return
        health = self.found = Health(len(document.tensors))

        def work(progress: Progress) -> Health:
            return scan(document.tensors, progress, health)

        self.running = True
        self.changed.emit()
        self._start(HEALTH, work, self._ended, self._failed)

    def told(self, key: str, step: object) -> None:
        """A step of some work, None at its end: that of the scan has found more, or is over."""
        if key != HEALTH or not self.running:
            return
        self.running = step is not None
        self.changed.emit()

    def _ended(self, found: Health) -> None:
        if found is self.found:
            self.running = False
            self.changed.emit()

    def _failed(self, failure: Exception) -> None:
        # The device failed: what is read next tells it in its own place.
        del failure
        self.running = False
        self.changed.emit()
