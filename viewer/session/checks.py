"""The checks of the document that is looked at: its objects held against the texts of their classes, in a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from viewer.late import late

if TYPE_CHECKING:
    from viewer.core.code.findings import Finding
    from viewer.core.code.torch_text import TorchTexts
    from viewer.core.document import Document
    from viewer.core.progress import Progress
    from viewer.core.summary.checks import check_document, torch_names
    from viewer.session.code import Code
    from viewer.session.jobs import Jobs
else:
    check_document, torch_names = late("viewer.core.summary.checks", "check_document torch_names")

CHECKING: Final = "checks"
NAMING: Final = "torch classes of the file"


class Checks(QObject):
    """What was found. Nothing is checked before a pane looks; a text that comes or goes has all checked anew.

    changed: other findings, or a check began.
        Signal()
    answered: torch was asked by `ask_torch`.
        Signal(texts: TorchTexts)
    """

    changed = Signal()
    answered = Signal(object)

    def __init__(self, jobs: Jobs, code: Code, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._code = code
        self._document: Document | None = None
        self._encoding = "utf-8"
        self.findings: tuple[Finding, ...] = ()
        self.done = False
        self.asking = False
        code.changed.connect(self._check)
        code.fetched.connect(self._fetched)

    def look_at(self, document: Document | None, encoding: str = "") -> None:
        """Check this document, once; None: none is there."""
        encoding = encoding or "utf-8"
        if document is self._document and encoding == self._encoding:
            return
        for key in (CHECKING, NAMING):
            self._jobs.cancel(key)
        self._document, self._encoding = document, encoding
        self.findings, self.done, self.asking = (), False, False
        self.changed.emit()
        self._check()

    def ask_torch(self) -> None:
        """Fetch the installed texts of torch's own classes that the document has objects of, and check again."""
        document, encoding = self._document, self._encoding
        if document is None or self.asking:
            return
        self.asking = True
        self.changed.emit()

        def work(progress: Progress) -> list[str]:
            return torch_names(document, encoding, progress)

        self._jobs.start(NAMING, work, self._code.fetch)

    def _check(self) -> None:
        document, encoding = self._document, self._encoding
        if document is None:
            return
        # Of several files that have a class the one that was given last counts, as in a kit.
        supplied, texts = self._code.supplied[::-1], self._code.torch.texts

        def work(progress: Progress) -> list[Finding]:
            return check_document(document, supplied, texts, encoding, progress)

        self._jobs.start(CHECKING, work, self._checked)

    def _checked(self, found: list[Finding]) -> None:
        self.findings, self.done = tuple(found), True
        self.changed.emit()

    def _fetched(self, texts: TorchTexts) -> None:
        if self.asking:
            self.asking = False
            self.changed.emit()
            self.answered.emit(texts)
