"""What the Source pane says where a class has no text, where its text is not the stored one, or is no Python."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication

from viewer.core.code.python_text import Fault
from viewer.core.document import Document
from viewer.core.source import printable
from viewer.core.summary.classes import Classes, ClassRow, Text, holds_modules

Said = tuple[str, str]
"""Title and sentence."""


def without_classes(document: Document) -> Said:
    """Of a file in which no class is named that could have a text."""
    return _no_source(), _why(document)


def without_text(document: Document, classes: Classes, row: ClassRow) -> Said:
    """Of a class that has no text."""
    title = _no_class() if classes.stored else _no_source()
    if row.codes:
        words = QCoreApplication.translate(
            "SourcePane", "The file names the class, but its source text was not at hand when the model was saved."
        )
    elif classes.stored:
        words = QCoreApplication.translate(
            "SourcePane", "Only the classes of modules were stored with their text. This one is named only."
        )
    elif document.format == "torch-zip":
        words = _zip_words()
    else:
        words = QCoreApplication.translate(
            "SourcePane", "The file names its classes only. Their text is not stored with it."
        )
    return title, words


def above_text(classes: Classes, text: Text) -> Said:
    """What has to be said above a text that does not stand in the file; "" for stored ones."""
    if text.origin == "derived":
        title = _no_class() if classes.stored else _no_source()
        cannot = QCoreApplication.translate(
            "SourcePane", "What follows is derived from the stored attributes. It cannot run."
        )
        can = QCoreApplication.translate("SourcePane", "What follows is derived from the stored attributes.")
        return title, can if text.computes else cannot
    if text.origin == "original":
        title = QCoreApplication.translate("SourcePane", "The Python that this code was made from")
        return title, QCoreApplication.translate(
            "SourcePane", "The file keeps it for messages about errors. Lines that it does not keep are blank."
        )
    if text.origin == "supplied":
        words = QCoreApplication.translate("SourcePane", "Not from this file but from {file}")
        return words.format(file=printable(Path(text.file).name)), ""
    if text.origin == "torch":
        return QCoreApplication.translate("SourcePane", "Not from this file but from the installed torch"), ""
    return "", ""


def of_fault(fault: Fault) -> str:
    """Why names are not known, in a few words."""
    if fault.code == "python-2":
        words = QCoreApplication.translate("SourcePane", "Python 2, from line {line} on: names were not looked for")
    elif fault.code in ("too-large", "too-deep"):
        words = QCoreApplication.translate("SourcePane", "Too much text to look for names in it")
    else:
        words = QCoreApplication.translate("SourcePane", "Not whole Python, line {line}: names were not looked for")
    return words.format(line=fault.line)


def _no_source() -> str:
    return QCoreApplication.translate("SourcePane", "No source in this file")


def _no_class() -> str:
    return QCoreApplication.translate("SourcePane", "No source of this class")


def _why(document: Document) -> str:
    if document.format == "torch-zip" and holds_modules(document):
        return _zip_words()
    return QCoreApplication.translate(
        "SourcePane", "A state_dict holds values only. The classes are not stored with it."
    )


def _zip_words() -> str:
    return QCoreApplication.translate(
        "SourcePane", "The zip form stores no source. Only the legacy form, before torch 1.6, kept the text of classes."
    )
