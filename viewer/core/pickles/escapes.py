"""The escapes of STRING, which are those of Python's bytes literals. Unknown ones stay as they stand, as there."""

from __future__ import annotations

import re
from typing import Final

_ESCAPE: Final = re.compile(rb"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|([^x])|)", re.DOTALL)
_SIMPLE: Final = {
    b"\n": b"",
    b"\\": b"\\",
    b"'": b"'",
    b'"': b'"',
    b"a": b"\a",
    b"b": b"\b",
    b"f": b"\f",
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"v": b"\v",
}


def _plain(found: re.Match[bytes]) -> bytes:
    octal, hexadecimal, other = found.groups()
    if octal is not None:
        return bytes([int(octal, 8) & 0xFF])
    if hexadecimal is not None:
        return bytes([int(hexadecimal, 16)])
    if other is None:
        raise ValueError("an escape without its digits")
    return _SIMPLE.get(other, found[0])


def unescaped(text: bytes) -> bytes:
    """The bytes that a text between quotes stands for. Raises ValueError for an escape that is not whole."""
    return _ESCAPE.sub(_plain, text) if b"\\" in text else text
