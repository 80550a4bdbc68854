"""The classes of the document that is looked at: at once those with a stored source, the rest found in threads."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.summary.class_finding import derive_texts, find_classes, list_classes
from viewer.core.summary.classes import Classes
from viewer.session.jobs import Jobs

FINDING: Final = "classes"
DERIVING: Final = "derived classes"


class FoundClasses(QObject):
    """Nothing is looked for before a pane looks, and then once for all panes.

    `classes`: those that are known by now. `counted`: their objects are known too.

    changed: more is known of them.
        Signal()
    """

    changed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._document: Document | None = None
        self._encoding = "utf-8"
        self.classes = Classes()
        self.counted = False

    def look_at(self, document: Document | None, encoding: str = "") -> None:
        """Find the classes of this document, once; None: none is there."""
        encoding = encoding or "utf-8"
        if document is self._document and encoding == self._encoding:
            return
        for key in (FINDING, DERIVING):
            self._jobs.cancel(key)
        self._document, self._encoding, self.counted = document, encoding, False
        self.classes = list_classes(document) if document is not None else Classes()
        if document is None or document.main_pickle is None:
            return

        def work(progress: Progress) -> Classes:
            return find_classes(document, encoding, progress)

        self._jobs.start(FINDING, work, self._found)

    def _found(self, classes: Classes) -> None:
        document, encoding = self._document, self._encoding
        self.classes, self.counted = classes, True
        self.changed.emit()
        if document is None:
            return

        def work(progress: Progress) -> Classes:
            return derive_texts(document, classes, encoding, progress)

        self._jobs.start(DERIVING, work, self._derived)

    def _derived(self, classes: Classes) -> None:
        if classes is not self.classes:
            self.classes = classes
            self.changed.emit()
