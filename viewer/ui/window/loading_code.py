"""Copies the lines of Python that load the file, from whatever pane is in front."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from viewer.ui.widgets.message_bar import Message

if TYPE_CHECKING:
    from viewer.core.progress import Progress
    from viewer.session.session import Session
    from viewer.ui.window.frame import Frame

JOB: Final = "loading code"


class LoadingCode(QObject):
    """The command of one window."""

    def __init__(self, window: Frame) -> None:
        super().__init__(window)
        self._window = window

    def copy(self) -> None:
        """Find out what loads the file, off the window's thread, and put it on the clipboard."""
        from viewer.core.summary.prediction import predict

        session = self._window.session
        document = session.document if session is not None else None
        if session is None or document is None:
            return
        encoding = session.options.text_encoding

        def work(progress: Progress) -> str | None:
            return predict(document, encoding, progress).code

        session.jobs.start(JOB, work, lambda code: self._copied(session, code))

    def _copied(self, session: Session, code: str | None) -> None:
        if code is None:
            title = self.tr("No code loads this file as it is")
            sentence = self.tr("Summary says what stands against it.")
            self._window.say(Message("note", title, sentence, key=JOB, about=session))
            return
        QGuiApplication.clipboard().setText(code)
        self._window.say(Message("done", self.tr("The loading code is on the clipboard"), key=JOB, about=session))
