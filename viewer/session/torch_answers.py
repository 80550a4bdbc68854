"""What torch itself says about the open file, asked in a thread when a person wants to know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from viewer.core.summary.prediction import predict
from viewer.torch_client import MAPPED_FROM, ask_torch

if TYPE_CHECKING:
    from viewer.core.document import Document
    from viewer.core.progress import Progress
    from viewer.core.summary.answers import Answer
    from viewer.core.summary.torch_answer import TorchAnswer
    from viewer.session.session import Session

TORCH: Final = "torch"


@dataclass(frozen=True, slots=True)
class Asked:
    """torch's answer, and the one that was predicted."""

    said: TorchAnswer
    predicted: Answer


class TorchAnswers(QObject):
    """One a session. `asked`: None as long as torch was not asked about this state of the file.

    changed: torch is being asked, or has answered, or was stopped; or there is another file.
        Signal()
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._root: Document | None = None
        self.asked: Asked | None = None
        self.running = False
        session.progressed.connect(self._told)
        session.document_changed.connect(self._look)

    def ask(self) -> None:
        """Ask now; nothing happens while torch is being asked, or before the file was read."""
        root, path = self._session.root, self._session.path
        if root is None or self.running:
            return
        document = asked_document(root)
        encoding = self._session.options.text_encoding

        def work(progress: Progress) -> Asked:
            progress.step(TORCH, 0)
            mapped = document.format == "torch-zip" and document.source.size > MAPPED_FROM
            return Asked(ask_torch(path, mapped, progress), predict(document, encoding, progress).answers[0])

        self._root, self.asked, self.running = root, None, True
        self.changed.emit()
        self._session.start(TORCH, work, self._answered)

    def stop(self) -> None:
        """Stop asking; the child process ends."""
        if self.running:
            self._session.cancel(TORCH)

    def _answered(self, asked: Asked) -> None:
        self.asked, self.running = asked, False
        self.changed.emit()

    def _told(self, key: str, step: object) -> None:
        """The job has ended, in whatever way; an answer comes by itself."""
        if key == TORCH and step is None and self.running:
            self.running = False
            self.changed.emit()

    def _look(self) -> None:
        """Another state of the file: what torch said was about the one before."""
        if self._session.root is not self._root:
            self.stop()
            self._root, self.asked = self._session.root, None
            self.changed.emit()


def torch_answers(session: Session) -> TorchAnswers:
    """The one of a session, made when it is first asked for."""
    found = session.findChild(TorchAnswers)
    return found if found is not None else TorchAnswers(session)


def asked_document(root: Document) -> Document:
    """What the file itself holds: of a part of a set that part, not the whole model."""
    part = root.member(root.opened_by) if root.files and root.opened_by else None
    return part if part is not None else root
