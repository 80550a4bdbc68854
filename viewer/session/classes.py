"""The classes of the document that is looked at: at once those with a stored source, the rest found in threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from viewer.late import late

if TYPE_CHECKING:
    from viewer.core.document import Document
    from viewer.core.progress import Progress
    from viewer.core.summary.class_finding import derive_texts, find_classes, list_classes
    from viewer.core.summary.classes import Classes
    from viewer.core.summary.originals import Originals, find_originals, with_originals
    from viewer.session.jobs import Jobs
else:
    derive_texts, find_classes, list_classes = late(
        "viewer.core.summary.class_finding", "derive_texts find_classes list_classes"
    )
    (Classes,) = late("viewer.core.summary.classes", "Classes")
    Originals, find_originals, with_originals = late(
        "viewer.core.summary.originals", "Originals find_originals with_originals"
    )

FINDING: Final = "classes"
DERIVING: Final = "derived classes"
ORIGINALS: Final = "original texts"


class FoundClasses(QObject):
    """Nothing is looked for before a pane looks, and then once for all panes.

    `counted`: the objects of the classes are known too.

    changed: more is known of them.
        Signal()
    """

    changed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._document: Document | None = None
        self._encoding = "utf-8"
        self._found_here: Classes | None = None
        self._classes: Classes | None = None
        self._originals: Originals | None = None
        self.counted = False

    @property
    def classes(self) -> Classes:
        """Those that are known by now."""
        return self._classes if self._classes is not None else Classes()

    @property
    def originals(self) -> Originals:
        """The Python that TorchScript was made from."""
        return self._originals if self._originals is not None else Originals()

    def look_at(self, document: Document | None, encoding: str = "") -> None:
        """Find the classes of this document, once; None: none is there."""
        encoding = encoding or "utf-8"
        if document is self._document and encoding == self._encoding:
            return
        from viewer.core.summary.originals import ROLE

        for key in (FINDING, DERIVING, ORIGINALS):
            self._jobs.cancel(key)
        self._document, self._encoding, self.counted = document, encoding, False
        self._originals = None
        self._take(list_classes(document) if document is not None else Classes())
        if document is not None and any(pickle.role == ROLE for pickle in document.pickles):
            self._jobs.start(ORIGINALS, lambda progress: find_originals(document, progress), self._told)
        if document is None or document.object_pickle is None:
            return

        def work(progress: Progress) -> Classes:
            return find_classes(document, encoding, progress)

        self._jobs.start(FINDING, work, self._found)

    def _found(self, classes: Classes) -> None:
        document, encoding = self._document, self._encoding
        self.counted = True
        self._take(classes)
        self.changed.emit()
        if document is None:
            return

        def work(progress: Progress) -> Classes:
            return derive_texts(document, classes, encoding, progress)

        self._jobs.start(DERIVING, work, self._derived)

    def _derived(self, classes: Classes) -> None:
        if classes is not self._found_here:
            self._take(classes)
            self.changed.emit()

    def _told(self, originals: Originals) -> None:
        self._originals = originals
        self._take(self._found_here if self._found_here is not None else Classes())
        self.changed.emit()

    def _take(self, classes: Classes) -> None:
        self._found_here, self._classes = classes, with_originals(classes, self.originals)
