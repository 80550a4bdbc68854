"""Streams put together opcode by opcode: any list of numbers is one, in which every opcode finds what it needs."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final

MOST_SLOTS: Final = 300
"""The unpickler in C makes room for all slots below the one that is stored to."""

TEXTS: Final = ("", "a", "key", "\u00fc", "\ud800", "a\nb", "x" * 300)


def text_of(number: int) -> bytes:
    """One of some texts in one of its four forms."""
    text = TEXTS[number % len(TEXTS)]
    data = text.encode("utf-8", "surrogatepass")
    form = number // len(TEXTS) % 4
    if form == 0:
        return b"X" + struct.pack("<I", len(data)) + data
    if form == 1 and len(data) < 256:
        return b"\x8c" + bytes([len(data)]) + data
    if form == 2:
        return b"\x8d" + struct.pack("<Q", len(data)) + data
    return b"V" + text.replace("\n", "\\u000a").encode("raw-unicode-escape") + b"\n"


def number_of(number: int) -> bytes:
    """A number, or nothing, or a bool, in one of its forms."""
    value = number // 13 % 80 - 40
    return (
        b"N",
        b"\x88",
        b"\x89",
        b"K" + bytes([number & 255]),
        b"M" + struct.pack("<H", number & 65535),
        b"J" + struct.pack("<i", -number),
        b"I%d\n" % value,
        b"I0x%X\n" % number,
        b"L%dL\n" % (value << 70),
        b"\x8a\x03" + (number & 0xFFFFFF).to_bytes(3, "little"),
        b"\x8b\x00\x00\x00\x00",
        b"G" + struct.pack(">d", value / 8),
        b"F%r\n" % (value / 8),
    )[number % 13]


def bytes_of(number: int) -> bytes:
    """Bytes, or a string of Python 2."""
    data = bytes([number & 255]) * (number % 7)
    return (
        b"C" + bytes([len(data)]) + data,
        b"B" + struct.pack("<I", len(data)) + data,
        b"\x8e" + struct.pack("<Q", len(data)) + data,
        b"U" + bytes([len(data)]) + data,
        b"T" + struct.pack("<I", len(data)) + data,
        b"S'%s\\x41\\n'\n" % data.replace(b"\\", b"").replace(b"'", b"").replace(b"\n", b""),
    )[number % 6]


class Assembler:
    """Knows of each slot only what decides which opcodes may follow.

    `stack` holds a letter a slot: t text, a other atom, y bytes, b bytearray, ( mark, l list, d dict, k dict of texts
    only, s set, u tuple, f frozenset, g global, o any object.
    """

    def __init__(self) -> None:
        self.opcodes: list[bytes] = []
        self.stack: list[str] = []
        self.memo: dict[int, str] = {}

    def step(self, number: int) -> None:
        """One more opcode: one of those that may stand here."""
        choices = self.choices()
        act = choices[number % len(choices)]
        act(number // len(choices))

    def data(self, frames: int) -> bytes:
        """The whole stream. `frames`: opcodes in a frame; 0: none is framed."""
        if not self.above():
            self.push("a", b"N")
        opcodes = [*self.opcodes, b"."]
        if not frames:
            return b"".join(opcodes)
        parts = [b"".join(opcodes[at : at + frames]) for at in range(0, len(opcodes), frames)]
        return b"\x80\x04" + b"".join(b"\x95" + struct.pack("<Q", len(part)) + part for part in parts)

    # -- what may follow --------------------------------------------------------------------------

    def above(self) -> list[str]:
        """The slots above the innermost mark."""
        return self.stack[self.last_mark() + 1 :]

    def last_mark(self) -> int:
        return max((at for at, slot in enumerate(self.stack) if slot == "("), default=-1)

    def choices(self) -> list[Callable[[int], None]]:
        found: list[Callable[[int], None]] = [self.atom, self.empty, self.name, self.mark]
        above = self.above()
        if self.memo:
            found.append(self.get)
        if above:
            found += [self.put, self.wrap, self.drop, self.again, self.persistent]
        found += self.changes(above)
        if self.last_mark() >= 0:
            found += self.closers(above)
        return found

    def changes(self, above: list[str]) -> list[Callable[[int], None]]:
        """Those that take two or three values."""
        ends = "".join(above[-3:])
        found: list[Callable[[int], None]] = []
        if ends[-2:-1] and ends[-2] in "log":
            found.append(lambda number: self.take(1, b"a"))
        if ends[-2:-1] and ends[-2] in "og":
            found.append(lambda number: self.take(1, b"b"))
        if len(ends) == 3 and (ends[0] in "og" or (ends[0] in "dk" and ends[1] in "tog")):
            found.append(self.set_item)
        if ends[-2:] in ("gu", "ou"):
            found.append(lambda number: self.made(2, "o", b"R"))
        if ends[-2:] == "gu":
            found.append(lambda number: self.made(2, "o", b"\x81"))
        if ends == "guk":
            found.append(lambda number: self.made(3, "o", b"\x92"))
        if ends[-2:] == "tt":
            found.append(lambda number: self.made(2, "g", b"\x93"))
        return found

    def closers(self, above: list[str]) -> list[Callable[[int], None]]:
        """Those that take a mark."""
        below = self.stack[: self.last_mark()]
        target = below[-1] if below else "("
        is_even, keys = len(above) % 2 == 0, set(above[::2])
        found: list[Callable[[int], None]] = [
            lambda number: self.close("u", b"t"),
            lambda number: self.close("l", b"l"),
            lambda number: self.close("", b"1"),
            lambda number: self.close("o", b"imodule\nName%d\n" % number),
        ]
        if above[:1] == ["g"]:
            found.append(lambda number: self.close("o", b"o"))
        if set(above) <= {*"tog"}:
            found.append(lambda number: self.close("f", b"\x91"))
            if target in "sog":
                found.append(lambda number: self.close("", b"\x90"))
        if is_even and keys <= {*"tog"}:
            found.append(lambda number: self.close("d", b"d"))
        if target in "log":
            found.append(lambda number: self.close("", b"e"))
        if is_even and (target in "og" or (target in "d" and keys <= {*"tog"})):
            found.append(lambda number: self.close("", b"u"))
        return found

    # -- what they do -----------------------------------------------------------------------------

    def push(self, slot: str, opcode: bytes) -> None:
        self.stack.append(slot)
        self.opcodes.append(opcode)

    def made(self, count: int, slot: str, opcode: bytes) -> None:
        del self.stack[-count:]
        self.push(slot, opcode)

    def take(self, count: int, opcode: bytes) -> None:
        del self.stack[-count:]
        self.opcodes.append(opcode)

    def close(self, slot: str, opcode: bytes) -> None:
        del self.stack[self.last_mark() :]
        self.stack += slot
        self.opcodes.append(opcode)

    def atom(self, number: int) -> None:
        kind, number = number % 4, number // 4
        if kind < 2:
            self.push("t", text_of(number))
        elif kind == 2:
            self.push("a", number_of(number))
        elif number % 9 == 0:
            self.push("b", b"\x96" + struct.pack("<Q", number % 5) + b"z" * (number % 5))
        else:
            self.push("y", bytes_of(number) + b"\x98" * (number // 6 % 2))

    def empty(self, number: int) -> None:
        self.push(*(("l", b"]"), ("k", b"}"), ("s", b"\x8f"), ("u", b")"), ("o", b"\x97"))[number % 5])

    def name(self, number: int) -> None:
        self.push("g", b"cmod\xc3\xbcle%d\nName.of\n" % (number % 9))

    def mark(self, number: int) -> None:
        if number % 3 == 0:
            self.opcodes.append(b"\x80" + bytes([number % 6]))
        self.push("(", b"(")

    def put(self, number: int) -> None:
        form, slot = number % 4, number // 4 % MOST_SLOTS
        opcodes = (b"p%03d\n" % slot, b"q" + bytes([slot & 255]), b"r" + struct.pack("<I", slot), b"\x94")
        slot = (slot, slot & 255, slot, len(self.memo))[form]
        # What is a dict of texts now may have another key when it is read.
        self.memo[slot] = "d" if self.stack[-1] == "k" else self.stack[-1]
        self.stack[-1] = self.memo[slot]
        self.opcodes.append(opcodes[form])

    def get(self, number: int) -> None:
        slot = sorted(self.memo)[number // 3 % len(self.memo)]
        forms = [b"g%d\n" % slot, b"j" + struct.pack("<I", slot), b"h" + bytes([slot & 255])]
        self.push(self.memo[slot], forms[number % (3 if slot < 256 else 2)])

    def wrap(self, number: int) -> None:
        count = min(number % 3, len(self.above()) - 1) + 1
        self.made(count, "u", (b"\x85", b"\x86", b"\x87")[count - 1])

    def drop(self, number: int) -> None:
        del number
        self.take(1, b"0")

    def again(self, number: int) -> None:
        del number
        self.stack[-1] = "d" if self.stack[-1] == "k" else self.stack[-1]
        self.push(self.stack[-1], b"2")

    def persistent(self, number: int) -> None:
        if number % 2:
            self.push("o", b"Pid %d\n" % number)
        else:
            self.made(1, "o", b"Q")

    def set_item(self, number: int) -> None:
        del number
        if self.stack[-3] == "k" and self.stack[-2] != "t":
            self.stack[-3] = "d"
        self.take(2, b"s")
