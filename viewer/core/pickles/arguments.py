"""The arguments of opcodes, as CPython's unpickler reads them.

Integers in text are read as `int(x, 0)`, with a zero in front as octal, as the unpickler in C does; globals as UTF-8,
STRING by its escapes. What both of CPython's unpicklers refuse raises ArgumentError. Python 2 strings stay bytes.
"""

from __future__ import annotations

import codecs
import re
import struct
from collections.abc import Callable
from typing import Final

from viewer.core.pickles.opcodes import BY_NAME

Argument = int | float | bool | str | bytes | tuple[str, str] | None
_OCTAL: Final = re.compile(rb"\s*[+-]?0[0-7]*")


class ArgumentError(ValueError):
    """An argument that no unpickler takes; the text says why."""


def _text_int(raw: bytes) -> int | bool:
    if raw == b"00":
        return False
    if raw == b"01":
        return True
    try:
        return int(raw, 8 if _OCTAL.fullmatch(raw) else 0)
    except ValueError as failure:
        raise ArgumentError("not an integer") from failure


def _text_long(raw: bytes) -> int:
    try:
        return int(raw[:-1] if raw.endswith(b"L") else raw, 0)
    except ValueError as failure:
        raise ArgumentError("not an integer") from failure


def _text_float(raw: bytes) -> float:
    try:
        return float(raw)
    except ValueError as failure:
        raise ArgumentError("not a number") from failure


def _text_index(raw: bytes) -> int:
    try:
        index = int(raw)
    except ValueError as failure:
        raise ArgumentError("not a memo index") from failure
    if index < 0:
        raise ArgumentError("a negative memo index")
    return index


def _string(raw: bytes) -> bytes:
    raw = raw.strip()
    if len(raw) < 2 or raw[0] != raw[-1] or raw[0] not in b"\"'":
        raise ArgumentError("a string without its quotes")
    try:
        return codecs.escape_decode(raw[1:-1])[0]
    except ValueError as failure:
        raise ArgumentError("a string with a broken escape") from failure


def _unicode(raw: bytes) -> str:
    try:
        return raw.decode("raw-unicode-escape")
    except UnicodeDecodeError as failure:
        raise ArgumentError("text with a broken escape") from failure


def utf8(raw: bytes) -> str:
    """Text of a BINUNICODE argument; what is no UTF-8 becomes escapes, so that it can be shown."""
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "backslashreplace")


def _persistent(raw: bytes) -> str:
    try:
        return raw.decode("ascii")
    except UnicodeDecodeError as failure:
        raise ArgumentError("a persistent id that is no ASCII") from failure


def two_lines(raw: bytes) -> tuple[str, str]:
    """Module and name of GLOBAL and INST, each without its line end."""
    try:
        module, name = raw.decode("utf-8").split("\n")[:2]
    except UnicodeDecodeError as failure:
        raise ArgumentError("a name that is no UTF-8") from failure
    return module, name


def _unpack(form: str) -> Callable[[bytes], int | float]:
    unpack = struct.Struct(form).unpack

    def read(raw: bytes) -> int | float:
        value: int | float = unpack(raw)[0]
        return value

    return read


def _line(read: Callable[[bytes], Argument]) -> Callable[[bytes], Argument]:
    return lambda raw: read(raw[:-1])


def _counted(header: int, read: Callable[[bytes], Argument]) -> Callable[[bytes], Argument]:
    return lambda raw: read(raw[header:])


def _long(raw: bytes) -> int:
    return int.from_bytes(raw, "little", signed=True)


_READERS: Final[dict[str, Callable[[bytes], Argument]]] = {
    "INT": _line(_text_int),
    "LONG": _line(_text_long),
    "FLOAT": _line(_text_float),
    "STRING": _line(_string),
    "UNICODE": _line(_unicode),
    "PERSID": _line(_persistent),
    "GET": _line(_text_index),
    "PUT": _line(_text_index),
    "GLOBAL": two_lines,
    "INST": two_lines,
    "BININT": _unpack("<i"),
    "BININT1": _unpack("<B"),
    "BININT2": _unpack("<H"),
    "BINFLOAT": _unpack(">d"),
    "BINGET": _unpack("<B"),
    "LONG_BINGET": _unpack("<I"),
    "BINPUT": _unpack("<B"),
    "LONG_BINPUT": _unpack("<I"),
    "EXT1": _unpack("<B"),
    "EXT2": _unpack("<H"),
    "EXT4": _unpack("<i"),
    "PROTO": _unpack("<B"),
    "FRAME": _unpack("<Q"),
    "LONG1": _counted(1, _long),
    "LONG4": _counted(4, _long),
    "SHORT_BINSTRING": _counted(1, bytes),
    "BINSTRING": _counted(4, bytes),
    "SHORT_BINBYTES": _counted(1, bytes),
    "BINBYTES": _counted(4, bytes),
    "BINBYTES8": _counted(8, bytes),
    "BYTEARRAY8": _counted(8, bytes),
    "SHORT_BINUNICODE": _counted(1, utf8),
    "BINUNICODE": _counted(4, utf8),
    "BINUNICODE8": _counted(8, utf8),
}
READERS: Final[dict[int, Callable[[bytes], Argument]]] = {BY_NAME[name].code: read for name, read in _READERS.items()}


def read_argument(code: int, raw: bytes) -> Argument:
    """The argument of one opcode; `raw` is all that follows the opcode byte. Raises ArgumentError."""
    read = READERS.get(code)
    if read is None:
        return None
    try:
        return read(raw)
    except (struct.error, UnicodeError) as failure:
        raise ArgumentError(str(failure)) from failure
