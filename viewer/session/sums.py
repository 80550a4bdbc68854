"""The checksums of the open file: read after opening where that is quick, for larger files when a person asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from viewer.late import late

if TYPE_CHECKING:
    from viewer.core.archive.checks import Sums as Found
    from viewer.core.document import Document
    from viewer.core.progress import Progress
    from viewer.core.summary.sums import check_document_sums, sums_size
    from viewer.session.jobs import Start
else:
    check_document_sums, sums_size = late("viewer.core.summary.sums", "check_document_sums sums_size")

SUMS: Final = "checksums"
SMALL: Final = 64 * 1024 * 1024


class Sums(QObject):
    """What the checksums say. What does not fit becomes a Problem of its document, once the check is done.

    `size`: bytes to read, 0 where the file states no checksums. `done`, `running`: how far the check is; `good`
    and `unstated`: records that fit, and those that state none; `bad`: Problems that were found.

    changed: a check began, ended or was stopped; or there is another file.
        Signal()
    """

    changed = Signal()

    def __init__(self, start: Start, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._start = start
        self._documents: Sequence[Document] = ()
        self.size = self.good = self.unstated = self.bad = 0
        self.running = self.done = False

    def look_at(self, documents: Sequence[Document]) -> None:
        """Another state of the file, none while it is decoded. A small file is checked at once."""
        self._documents = documents
        self._forget()
        self.size = sum(sums_size(part) for part in documents)
        self.changed.emit()
        if 0 < self.size <= SMALL:
            self.begin()

    def begin(self) -> None:
        """Check now; nothing happens where that was done or is being done."""
        documents = self._documents
        if self.running or self.done or not self.size:
            return

        def work(progress: Progress) -> list[tuple[Document, Found]]:
            return [(part, check_document_sums(part, progress)) for part in documents]

        self.running = True
        self.changed.emit()
        self._start(SUMS, work, self._checked, self._failed)

    def stopped(self) -> None:
        """The work was stopped from outside; it can be asked for again."""
        if self.running:
            self.running = False
            self.changed.emit()

    def _forget(self) -> None:
        self.size = self.good = self.unstated = self.bad = 0
        self.running = self.done = False

    def _checked(self, found: list[tuple[Document, Found]]) -> None:
        self.running, self.done = False, True
        for document, sums in found:
            self.good += sums.good
            self.unstated += sums.unstated
            self.bad += len(sums.problems)
            document.problems += sums.problems
        self.changed.emit()

    def _failed(self, failure: Exception) -> None:
        # the device failed: what is read next tells it in its own place
        del failure
        self.stopped()
