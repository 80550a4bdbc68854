"""The arguments of opcodes, as CPython's unpickler reads them.

Numbers in text are read as `numbers` tells; GLOBAL as UTF-8, INST as ASCII, STRING by its escapes. What both of
CPython's unpicklers refuse raises ArgumentError. Python 2 strings stay bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final

from viewer.core.pickles.escapes import unescaped
from viewer.core.pickles.numbers import Number, readings
from viewer.core.pickles.opcodes import BY_NAME, code
from viewer.wording.phrases import phrase

MOST_BYTES: Final = (1 << 63) - 1
"""The largest length that CPython takes."""
Argument = int | float | bool | str | bytes | tuple[str, str] | None


class ArgumentError(ValueError):
    """An argument that no unpickler takes; the text says why."""


def _number(name: str, refused: str) -> Callable[[bytes], Number]:
    opcode = code(name)

    def read(line: bytes) -> Number:
        value = readings(opcode, line).value
        if value is None:
            raise ArgumentError(phrase(refused))
        return value

    return read


def _string(raw: bytes) -> bytes:
    if len(raw) < 2 or raw[0] != raw[-1] or raw[0] not in b"\"'":
        raise ArgumentError(phrase("argument-quotes"))
    try:
        return unescaped(raw[1:-1])
    except ValueError as failure:
        raise ArgumentError(phrase("argument-string-escape")) from failure


def _unicode(raw: bytes) -> str:
    try:
        return raw.decode("raw-unicode-escape")
    except UnicodeDecodeError as failure:
        raise ArgumentError(phrase("argument-text-escape")) from failure


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
        raise ArgumentError(phrase("argument-persistent")) from failure


def two_lines(raw: bytes) -> tuple[str, str]:
    """Module and name of GLOBAL, each without its line end."""
    try:
        module, name = raw.decode("utf-8").split("\n")[:2]
    except UnicodeDecodeError as failure:
        raise ArgumentError(phrase("argument-name-utf-8")) from failure
    return module, name


def _class_lines(raw: bytes) -> tuple[str, str]:
    if not raw.isascii():
        raise ArgumentError(phrase("argument-name-ascii"))
    return two_lines(raw)


def _unpack(form: str) -> Callable[[bytes], int | float]:
    unpack = struct.Struct(form).unpack

    def read(raw: bytes) -> int | float:
        value: int | float = unpack(raw)[0]
        return value

    return read


def _extension(form: str) -> Callable[[bytes], int | float]:
    unpack = _unpack(form)

    def read(raw: bytes) -> int | float:
        if unpack(raw) <= 0:
            raise ArgumentError(phrase("argument-extension"))
        return unpack(raw)

    return read


def _frame(raw: bytes) -> int:
    size = int.from_bytes(raw, "little")
    if size > MOST_BYTES:
        raise ArgumentError(phrase("argument-frame"))
    return size


def _line(read: Callable[[bytes], Argument]) -> Callable[[bytes], Argument]:
    return lambda raw: read(raw[:-1])


def _counted(header: int, read: Callable[[bytes], Argument]) -> Callable[[bytes], Argument]:
    return lambda raw: read(raw[header:])


def _long(raw: bytes) -> int:
    return int.from_bytes(raw, "little", signed=True)


_READERS: Final[dict[str, Callable[[bytes], Argument]]] = {
    "INT": _line(_number("INT", "argument-integer")),
    "LONG": _line(_number("LONG", "argument-integer")),
    "FLOAT": _line(_number("FLOAT", "argument-number")),
    "STRING": _line(_string),
    "UNICODE": _line(_unicode),
    "PERSID": _line(_persistent),
    "GET": _line(_number("GET", "argument-memo")),
    "PUT": _line(_number("PUT", "argument-memo")),
    "GLOBAL": two_lines,
    "INST": _class_lines,
    "BININT": _unpack("<i"),
    "BININT1": _unpack("<B"),
    "BININT2": _unpack("<H"),
    "BINFLOAT": _unpack(">d"),
    "BINGET": _unpack("<B"),
    "LONG_BINGET": _unpack("<I"),
    "BINPUT": _unpack("<B"),
    "LONG_BINPUT": _unpack("<I"),
    "EXT1": _extension("<B"),
    "EXT2": _extension("<H"),
    "EXT4": _extension("<i"),
    "PROTO": _unpack("<B"),
    "FRAME": _frame,
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


def read_argument(opcode: int, raw: bytes) -> Argument:
    """The argument of one opcode; `raw` is all that follows the opcode byte. Raises ArgumentError."""
    read = READERS.get(opcode)
    if read is None:
        return None
    try:
        return read(raw)
    except (struct.error, UnicodeError) as failure:
        raise ArgumentError(str(failure)) from failure
