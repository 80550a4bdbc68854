"""A text of a class written into a file, and what is said of it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication

from viewer.core.code.embedded import EmbeddedSource
from viewer.core.errors import ViewerError
from viewer.core.progress import Progress
from viewer.core.source import printable
from viewer.session.session import Session
from viewer.session.stored_text import stored_bytes, write_text
from viewer.ui.words import of_failure

LONGEST_NAME: Final = 80


def save_text(session: Session, text: str, stored: EmbeddedSource | None, target: Path) -> tuple[str, str, str]:
    """Write a text, a stored one byte for byte; gives severity, title and sentence of the message."""
    document = session.document
    try:
        if stored is not None and document is not None:
            data = stored_bytes(document, stored)
        else:
            data = text.encode("utf-8", "surrogatepass")
        write_text(target, data, Progress(), session.root)
    except ViewerError as failure:
        return "error", QCoreApplication.translate("SourcePane", "The text was not saved"), of_failure(failure)
    words = QCoreApplication.translate("SourcePane", "Saved {name}")
    return "done", words.format(name=printable(target.name)), printable(str(target))


def file_name(qualname: str) -> str:
    """A name for a file, made of the last part of a class's name: what stands in a file never leads elsewhere."""
    safe = "".join(sign if sign.isalnum() or sign == "_" else "_" for sign in qualname.rpartition(".")[2])
    return safe[:LONGEST_NAME] or "source"
