"""Words of panes that have nothing to show, where what they show may stand in a file inside the file."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from viewer.core.document import Document
from viewer.ui.words import count, tensors_of


def no_tensors(document: Document) -> tuple[str, str]:
    """Title and sentence for a document without tensors."""
    inside = sum(len(part.tensors) for part in document.walk())
    if not inside:
        return QCoreApplication.translate("empty", "No tensors in this file"), ""
    title = QCoreApplication.translate("empty", "No tensors at this level")
    words = QCoreApplication.translate("empty", "Files inside hold {tensors}. Click a file in Contents to open it.")
    return title, words.format(tensors=tensors_of(inside))


def no_pickle(document: Document) -> tuple[str, str]:
    """Title and sentence for a document without opcodes."""
    inside = sum(bool(part.pickles) for part in document.walk())
    if not inside:
        title = QCoreApplication.translate("empty", "No pickle in this file")
        if not any(part.tensors for part in document.walk()):
            # A web page or a pointer has no names that could stand anywhere.
            return title, ""
        return title, QCoreApplication.translate("empty", "Its names and shapes do not stand in a pickle.")
    title = QCoreApplication.translate("empty", "No pickle at this level")
    words = QCoreApplication.translate("empty", "Files with pickles inside: {count}. Click one in Contents to open it.")
    return title, words.format(count=count(inside))
