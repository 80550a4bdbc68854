"""What people call the ways in which a file can be read, and how it is said that one was chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from viewer.core.document import Document
    from viewer.session.session import Session


def order_name(order: str) -> str:
    """little-endian, big-endian."""
    if order == "big":
        return QCoreApplication.translate("readings", "big-endian")
    return QCoreApplication.translate("readings", "little-endian")


def encoding_name(name: str) -> str:
    """UTF-8 for utf-8; those that people write in small letters stay so."""
    return name.upper() if name.startswith(("utf", "ascii", "gb", "koi")) else name


def order_words(session: Session, document: Document) -> str:
    """The byte order of a document, and who says so; "" where it has none."""
    if not document.byteorder:
        return ""
    if session.options.byteorder is not None:
        return chosen(order_name(document.byteorder))
    if document.index in session.unstated:
        words = QCoreApplication.translate("readings", "{order}, not stated")
        return words.format(order=order_name(document.byteorder))
    return order_name(document.byteorder)


def encoding_words(session: Session) -> str:
    """The encoding that strings of Python 2 are read in, and who says so."""
    name = session.options.encoding
    return chosen(encoding_name(name)) if name else encoding_name("utf-8")


def text_words(session: Session) -> str:
    """How strings of Python 2 are read; "" where there are none."""
    if not session.python2_text:
        return ""
    words = QCoreApplication.translate("readings", "Python 2 text: {encoding}")
    return words.format(encoding=encoding_words(session))


def chosen(words: str) -> str:
    """A value that does not stand in the file: a person chose it."""
    return QCoreApplication.translate("readings", "{value}, chosen").format(value=words)
