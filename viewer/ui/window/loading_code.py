"""Copies the lines of Python that load the file, from whatever pane is in front."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication

from viewer.core.summary.prediction import predict
from viewer.ui.widgets.message_bar import Message

if TYPE_CHECKING:
    from viewer.core.progress import Progress
    from viewer.session.session import Session
    from viewer.ui.window.frame import Frame

JOB: Final = "loading code"


def copy_loading_code(window: Frame) -> None:
    """Find out what loads the file, off the window's thread, and put it on the clipboard."""
    session = window.session
    document = session.document if session is not None else None
    if session is None or document is None:
        return
    encoding = session.options.text_encoding

    def work(progress: Progress) -> str | None:
        return predict(document, encoding, progress).code

    session.jobs.start(JOB, work, lambda code: _copied(window, session, code))


def _copied(window: Frame, session: Session, code: str | None) -> None:
    translate = QCoreApplication.translate
    if code is None:
        title = translate("LoadingCode", "No code loads this file as it is")
        sentence = translate("LoadingCode", "Summary says what stands against it.")
        window.say(Message("note", title, sentence, key=JOB, about=session))
        return
    QGuiApplication.clipboard().setText(code)
    title = translate("LoadingCode", "The loading code is on the clipboard")
    window.say(Message("done", title, key=JOB, about=session))
