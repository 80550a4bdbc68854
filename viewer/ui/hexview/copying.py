"""Selected bytes as text for the clipboard, at most as much as a clipboard should hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MOST: Final = 16 * 1024 * 1024
"""Bytes of a file that are copied at once."""


@dataclass(frozen=True, slots=True)
class Copied:
    """How many bytes went to the clipboard, and how many were asked for."""

    count: int
    asked: int

    @property
    def whole(self) -> bool:
        """False when the selection was too long, or the file holds fewer bytes than it did."""
        return self.count == self.asked


def as_hex(data: bytes) -> str:
    """`80 02 8A`."""
    return data.hex(" ").upper()


def as_text(data: bytes) -> str:
    r"""UTF-8; what is none, and zeros, as `\x80`."""
    return data.decode("utf-8", "backslashreplace").replace("\0", "\\x00")
