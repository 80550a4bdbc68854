"""The versions of modules in the document that is looked at, worked out in a thread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from viewer.late import late

if TYPE_CHECKING:
    from viewer.core.code.versions import ModuleVersion
    from viewer.core.document import Document
    from viewer.core.progress import Progress
    from viewer.core.summary.versions import versions_by_value
    from viewer.core.tensors.tensor import ValueRef
    from viewer.session.jobs import Jobs
else:
    (versions_by_value,) = late("viewer.core.summary.versions", "versions_by_value")

VERSIONS: Final = "module versions"


class Versions(QObject):
    """Nothing is worked out before the first value is asked for: it takes as long as finding all state_dicts.

    changed: they are there, or another document is looked at.
        Signal()
    """

    changed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._document: Document | None = None
        self._encoding = "utf-8"
        self._known: Mapping[int, ModuleVersion] | None = None

    def look_at(self, document: Document | None, encoding: str = "") -> None:
        """Tell of this document from now on; None: none is there."""
        encoding = encoding or "utf-8"
        if document is self._document and encoding == self._encoding:
            return
        self._jobs.cancel(VERSIONS)
        self._document, self._encoding, self._known = document, encoding, None
        self.changed.emit()

    def of(self, value: ValueRef | None) -> ModuleVersion | None:
        """The module that a value is, or that a tensor made by it belongs to; None where nothing is known of it yet."""
        document = self._document
        if value is None or document is None or value.pickle != document.main:
            return None
        if self._known is None:
            self._known = {}
            self._work_out(document, self._encoding)
        return self._known.get(value.value)

    def _work_out(self, document: Document, encoding: str) -> None:
        def work(progress: Progress) -> Mapping[int, ModuleVersion]:
            progress.check()
            return versions_by_value(document, encoding)

        self._jobs.start(VERSIONS, work, self._found)

    def _found(self, known: Mapping[int, ModuleVersion]) -> None:
        self._known = known
        self.changed.emit()
