"""Selected bytes as text for the clipboard, at most as much as a clipboard should hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtGui import QGuiApplication

from viewer.core.memory import share
from viewer.ui.hexview.texts import ASCII, UNITS, UTF_8

MOST: Final = 16 * 1024 * 1024
"""Bytes of a file that are copied at once."""


def most() -> int:
    """The same where the person allows less memory."""
    return share(MOST)


@dataclass(frozen=True, slots=True)
class Copied:
    """How many bytes went to the clipboard, and how many were asked for."""

    count: int
    asked: int

    @property
    def whole(self) -> bool:
        """False when the selection was too long, or the file holds fewer bytes than it did."""
        return self.count == self.asked


def put(form: Callable[[bytes], str], data: bytes, asked: int) -> Copied:
    """Put bytes on the clipboard in a form; no bytes leave what is there. `asked`: how many are selected."""
    if data:
        QGuiApplication.clipboard().setText(form(data))
    return Copied(len(data), asked)


def as_hex(data: bytes) -> str:
    """`80 02 8A`."""
    return data.hex(" ").upper()


def as_text(data: bytes, encoding: str = ASCII, before: int = 0) -> str:
    r"""Text in an encoding of the text column; what is none there, and zeros, as `\x80`.

    `before`: bytes in front of the first whole unit of an encoding of two bytes a letter. ASCII is read as UTF-8, which
    holds it.
    """
    half = "".join(f"\\x{value:02x}" for value in data[:before])
    text = data[before:].decode(UTF_8 if encoding == ASCII else encoding, "backslashreplace")
    return half + text.replace("\0", "\\x00" * UNITS.get(encoding, 1))


def letters_of(encoding: str, before: int) -> Callable[[bytes], str]:
    """What writes bytes as the text column reads them. `before`: from the first byte to where any unit begins."""
    return partial(as_text, encoding=encoding, before=before % UNITS.get(encoding, 1))
