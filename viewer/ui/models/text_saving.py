"""A text of a class written into a file, and what is said of it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication

from viewer.core.code.embedded import EmbeddedSource
from viewer.core.errors import ViewerError
from viewer.core.source import printable
from viewer.session.session import Session
from viewer.session.stored_text import stored_bytes, write_text
from viewer.ui.words import of_failure


def save_text(session: Session, text: str, stored: EmbeddedSource | None, target: Path) -> tuple[str, str, str]:
    """Write a text, a stored one byte for byte; gives severity, title and sentence of the message."""
    document = session.document
    try:
        if stored is not None and document is not None:
            data = stored_bytes(document, stored)
        else:
            data = text.encode("utf-8", "surrogatepass")
        write_text(session.source, target, data)
    except ViewerError as failure:
        return "error", QCoreApplication.translate("SourcePane", "The text was not saved"), of_failure(failure)
    words = QCoreApplication.translate("SourcePane", "Saved {name}")
    return "done", words.format(name=printable(target.name)), printable(str(target))
