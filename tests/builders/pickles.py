"""An assembler for pickle streams: one call, one opcode, byte by byte.

    Stream().op("PROTO", 2).op("GLOBAL", "posix system").op("BINUNICODE", "echo").ops("TUPLE1 REDUCE STOP").data

`op` writes exactly the opcode that is named. The methods below it (`number`, `text`, `put`, ...) choose the opcode as
CPython's pickler does for the stream's protocol. `tests.builders.values` writes whole values with them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final, Self

Argument = int | float | str | bytes | None

BATCH: Final = 1000


def signed_bytes(number: int) -> bytes:
    """The shortest two's complement form, little-endian; empty for 0."""
    if number == 0:
        return b""
    length = (number.bit_length() >> 3) + 1
    data = number.to_bytes(length, "little", signed=True)
    if number < 0 and length > 1 and data[-1] == 0xFF and data[-2] & 0x80:
        data = data[:-1]
    return data


def as_bytes(argument: Argument) -> bytes:
    """The bytes of an argument: texts as UTF-8 (lone surrogates kept), ints as LONG1 holds them."""
    if isinstance(argument, bytes):
        return argument
    if isinstance(argument, str):
        return argument.encode("utf-8", "surrogatepass")
    if isinstance(argument, int):
        return signed_bytes(argument)
    raise TypeError(f"not bytes, text or int: {argument!r}")


def fixed(form: str) -> Callable[[Argument], bytes]:
    """One number of fixed size."""
    return lambda argument: struct.pack(form, argument)


def counted(form: str) -> Callable[[Argument], bytes]:
    """A length of the given form, then that many bytes."""

    def encode(argument: Argument) -> bytes:
        data = as_bytes(argument)
        return struct.pack(form, len(data)) + data

    return encode


def line(argument: Argument) -> bytes:
    """Text up to a line feed; ints as decimals."""
    return (argument if isinstance(argument, bytes) else str(argument).encode("utf-8")) + b"\n"


def two_lines(argument: Argument) -> bytes:
    """Module and name, given as "module name" (the last space parts them)."""
    module, _, name = str(argument).rpartition(" ")
    return f"{module}\n{name}\n".encode()


def nothing(argument: Argument) -> bytes:
    """No argument."""
    if argument is not None:
        raise ValueError("this opcode takes no argument")
    return b""


OPCODES: Final[dict[str, tuple[bytes, Callable[[Argument], bytes]]]] = {
    "INT": (b"I", line),
    "BININT": (b"J", fixed("<i")),
    "BININT1": (b"K", fixed("<B")),
    "BININT2": (b"M", fixed("<H")),
    "LONG": (b"L", line),
    "LONG1": (b"\x8a", counted("<B")),
    "LONG4": (b"\x8b", counted("<i")),
    "STRING": (b"S", line),
    "BINSTRING": (b"T", counted("<i")),
    "SHORT_BINSTRING": (b"U", counted("<B")),
    "BINBYTES": (b"B", counted("<I")),
    "SHORT_BINBYTES": (b"C", counted("<B")),
    "BINBYTES8": (b"\x8e", counted("<Q")),
    "BYTEARRAY8": (b"\x96", counted("<Q")),
    "NEXT_BUFFER": (b"\x97", nothing),
    "READONLY_BUFFER": (b"\x98", nothing),
    "NONE": (b"N", nothing),
    "NEWTRUE": (b"\x88", nothing),
    "NEWFALSE": (b"\x89", nothing),
    "UNICODE": (b"V", line),
    "SHORT_BINUNICODE": (b"\x8c", counted("<B")),
    "BINUNICODE": (b"X", counted("<I")),
    "BINUNICODE8": (b"\x8d", counted("<Q")),
    "FLOAT": (b"F", line),
    "BINFLOAT": (b"G", fixed(">d")),
    "EMPTY_LIST": (b"]", nothing),
    "APPEND": (b"a", nothing),
    "APPENDS": (b"e", nothing),
    "LIST": (b"l", nothing),
    "EMPTY_TUPLE": (b")", nothing),
    "TUPLE": (b"t", nothing),
    "TUPLE1": (b"\x85", nothing),
    "TUPLE2": (b"\x86", nothing),
    "TUPLE3": (b"\x87", nothing),
    "EMPTY_DICT": (b"}", nothing),
    "DICT": (b"d", nothing),
    "SETITEM": (b"s", nothing),
    "SETITEMS": (b"u", nothing),
    "EMPTY_SET": (b"\x8f", nothing),
    "ADDITEMS": (b"\x90", nothing),
    "FROZENSET": (b"\x91", nothing),
    "POP": (b"0", nothing),
    "DUP": (b"2", nothing),
    "MARK": (b"(", nothing),
    "POP_MARK": (b"1", nothing),
    "GET": (b"g", line),
    "BINGET": (b"h", fixed("<B")),
    "LONG_BINGET": (b"j", fixed("<I")),
    "PUT": (b"p", line),
    "BINPUT": (b"q", fixed("<B")),
    "LONG_BINPUT": (b"r", fixed("<I")),
    "MEMOIZE": (b"\x94", nothing),
    "EXT1": (b"\x82", fixed("<B")),
    "EXT2": (b"\x83", fixed("<H")),
    "EXT4": (b"\x84", fixed("<i")),
    "GLOBAL": (b"c", two_lines),
    "STACK_GLOBAL": (b"\x93", nothing),
    "REDUCE": (b"R", nothing),
    "BUILD": (b"b", nothing),
    "INST": (b"i", two_lines),
    "OBJ": (b"o", nothing),
    "NEWOBJ": (b"\x81", nothing),
    "NEWOBJ_EX": (b"\x92", nothing),
    "PROTO": (b"\x80", fixed("<B")),
    "STOP": (b".", nothing),
    "FRAME": (b"\x95", fixed("<Q")),
    "PERSID": (b"P", line),
    "BINPERSID": (b"Q", nothing),
}


def encoded(name: str, argument: Argument = None) -> bytes:
    """One opcode with its argument."""
    code, encode = OPCODES[name]
    return code + encode(argument)


class Stream:
    """A pickle stream under construction. `data` is what was written, `memo` how many slots were put."""

    def __init__(self, protocol: int = 2) -> None:
        self.protocol = protocol
        self.memo = 0
        self._data = bytearray()

    @property
    def data(self) -> bytes:
        """All bytes written up to now."""
        return bytes(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def op(self, name: str, argument: Argument = None) -> Self:
        """Exactly this opcode."""
        self._data += encoded(name, argument)
        return self

    def ops(self, names: str) -> Self:
        """Several opcodes without arguments, parted by spaces."""
        for name in names.split():
            self.op(name)
        return self

    def raw(self, data: bytes) -> Self:
        """Bytes as they are: half an opcode, an unknown one, array data of joblib."""
        self._data += data
        return self

    def start(self) -> Self:
        """PROTO, which protocols 0 and 1 do not have."""
        return self.op("PROTO", self.protocol) if self.protocol >= 2 else self

    def number(self, value: int) -> Self:
        """An int in the shortest form of the protocol."""
        if self.protocol >= 1 and 0 <= value <= 0xFF:
            return self.op("BININT1", value)
        if self.protocol >= 1 and 0 <= value <= 0xFFFF:
            return self.op("BININT2", value)
        if -0x80000000 <= value <= 0x7FFFFFFF:
            return self.op("BININT", value) if self.protocol >= 1 else self.op("INT", value)
        if self.protocol < 2:
            return self.op("LONG", f"{value}L")
        data = signed_bytes(value)
        return self.op("LONG1" if len(data) < 256 else "LONG4", data)

    def truth(self, value: bool) -> Self:
        """True or False."""
        if self.protocol >= 2:
            return self.op("NEWTRUE" if value else "NEWFALSE")
        return self.op("INT", "01" if value else "00")

    def real(self, value: float) -> Self:
        """A float."""
        return self.op("BINFLOAT", value) if self.protocol >= 1 else self.op("FLOAT", repr(value))

    def text(self, value: str) -> Self:
        """A text, without a memo slot."""
        if self.protocol == 0:
            return self.op("UNICODE", escaped(value))
        length = len(as_bytes(value))
        if self.protocol >= 4 and length <= 0xFF:
            return self.op("SHORT_BINUNICODE", value)
        return self.op("BINUNICODE" if length <= 0xFFFFFFFF else "BINUNICODE8", value)

    def octets(self, value: bytes) -> Self:
        """Bytes, without a memo slot; protocol 3 or later."""
        if self.protocol < 3:
            raise ValueError("protocols 0 to 2 have no bytes")
        if len(value) <= 0xFF:
            return self.op("SHORT_BINBYTES", value)
        return self.op("BINBYTES" if len(value) <= 0xFFFFFFFF or self.protocol < 4 else "BINBYTES8", value)

    def put(self) -> int:
        """Keep the top of the stack in the next memo slot; gives the slot."""
        slot = self.memo
        self.memo += 1
        if self.protocol >= 4:
            self.op("MEMOIZE")
        elif self.protocol == 0:
            self.op("PUT", slot)
        else:
            self.op("BINPUT" if slot <= 0xFF else "LONG_BINPUT", slot)
        return slot

    def get(self, slot: int) -> Self:
        """Bring a memo slot back."""
        if self.protocol == 0:
            return self.op("GET", slot)
        return self.op("BINGET" if slot <= 0xFF else "LONG_BINGET", slot)


def escaped(value: str) -> bytes:
    """A text as protocol 0 writes it: raw-unicode-escape, and what would break the line escaped too."""
    for char in ("\\", "\0", "\n", "\r", "\x1a"):
        value = value.replace(char, f"\\u{ord(char):04x}")
    return value.encode("raw-unicode-escape")
