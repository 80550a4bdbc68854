"""Streams that are cheap to write and dear to read carelessly: nests, chains, bombs. `count` scales their opcodes."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final

from tests.builders.pickles import encoded

START: Final = b"\x80\x02"
LEVELS: Final = 12
STORAGE: Final = (
    b"("
    + encoded("BINUNICODE", "storage")
    + b"ctorch\nFloatStorage\n"
    + encoded("BINUNICODE", "0")
    + encoded("BINUNICODE", "cpu")
    + b"K\x01tQ"
)
TENSOR: Final = b"ctorch._utils\n_rebuild_tensor_v2\n(" + STORAGE + b"K\x00K\x01\x85K\x01\x85\x89NtR"


def text(value: str) -> bytes:
    """BINUNICODE."""
    return encoded("BINUNICODE", value)


def put(slot: int) -> bytes:
    """LONG_BINPUT."""
    return b"r" + struct.pack("<I", slot)


def get(slot: int) -> bytes:
    """LONG_BINGET."""
    return b"j" + struct.pack("<I", slot)


NESTS: Final[dict[str, Callable[[int], bytes]]] = {
    "tuples by marks": lambda count: START + b"(" * count + b"K\x01" + b"t" * count + b".",
    "tuples of one": lambda count: START + b"K\x01" + b"\x85" * count + b".",
    "lists": lambda count: START + b"]" * count + b"a" * (count - 1) + b".",
    "lists by marks": lambda count: START + b"](" * count + b"K\x01" + b"e" * count + b".",
    "dicts": lambda count: START + (b"}" + text("a")) * count + b"N" + b"s" * count + b".",
    "dicts by marks": lambda count: START + (b"}(" + text("a")) * count + b"N" + b"u" * count + b".",
    "persistent ids": lambda count: START + b"N" + b"Q" * count + b".",
    "persistent ids of tuples": lambda count: START + b"N" + b"\x85Q" * count + b".",
    "calls": lambda count: START + b"cm\nf\n" * count + b"N" + b"\x85R" * count + b".",
    "callables": lambda count: START + b"cm\nf\n" + b")R" * count + b".",
    "objects": lambda count: START + b"(" * count + b"cm\nf\n" + b"o" * count + b".",
    "instances": lambda count: START + b"(" * count + b"im\nf\n" * count + b".",
    "states": lambda count: START + b"cm\nf\n)\x81" * count + b"N" + b"b" * count + b".",
    "keys": lambda count: START + b"}(K\x01" + b"\x85" * count + b"Nu.",
    "doubled tuples": lambda count: START + b"N" + b"2\x86" * count + b".",
    "dicts above a tensor": lambda count: START + (b"}" + text("a")) * count + TENSOR + b"s" * count + b".",
    "a tensor in each list": lambda count: START + (b"]" + TENSOR + b"a") * count + b"a" * (count - 1) + b".",
}
"""Values in values, `count` deep."""

ROWS: Final[dict[str, Callable[[int], bytes]]] = {
    "open marks": lambda count: START + b"(" * count + b".",
    "dropped marks": lambda count: START + b"(" * count + b"1" * count + b"N.",
    "text opcodes": lambda count: (
        b"(lp0\n" + b"".join(b"I%d\naVtext\np%d\na" % (row, row + 1) for row in range(count)) + b"."
    ),
    "single appends": lambda count: START + b"]q\x00" + b"(K\x01e" * count + b".",
    "empty appends": lambda count: START + b"]q\x00" + b"(e" * count + b".",
    "many stores of one slot": lambda count: START + b"(" + b"K\x01q\x00h\x00" * count + b"t.",
    "many stores of one value": lambda count: START + b"N" + b"".join(map(put, range(count))) + b".",
    "a chain through the memo": lambda count: (
        START + b"N" + put(0) + b"".join(b"0" + get(row) + put(row + 1) for row in range(count)) + b"."
    ),
    "a chain of copies": lambda count: START + b"(N" + b"2" * count + b"t.",
    "slots without bound": lambda count: b"(" + b"".join(b"Np%d\n" % (10**15 + row) for row in range(count)) + b"t.",
    "mixed stores": lambda count: b"\x80\x04(" + b"N\x94Nq\x05" * count + b"t.",
    "a list in itself": lambda count: START + b"]q\x00" + b"(h\x00h\x00h\x00e" * count + b".",
    "a dict in itself": lambda count: (
        START + b"}q\x00(" + b"".join(text(f"k{row}") + b"h\x00" for row in range(count)) + b"u."
    ),
    "entries": lambda count: START + b"}(" + b"".join(text(f"k{row}") + b"K\x01" for row in range(count)) + b"u.",
    "entries of one key": lambda count: START + b"}(" + b"K\x01K\x02" * count + b"u.",
    "keys of two": lambda count: (
        START + b"}(" + b"".join(b"M%b\x85K\x01" % struct.pack("<H", row) for row in range(count)) + b"u."
    ),
    "globals": lambda count: START + b"(" + b"".join(b"cm%d\nf\n" % row for row in range(count)) + b"t.",
    "computed globals": lambda count: b"\x80\x04(" + b"\x8c\x01m\x8c\x01f\x93" * count + b"t.",
    "persistent texts": lambda count: b"(" + b"P0\n" * count + b"t.",
    "calls": lambda count: START + b"(" + b"cm\nf\n)R" * count + b"t.",
    "tensors of one key": lambda count: START + b"}(" + (text("w") + TENSOR) * count + b"u.",
    "one tensor": lambda count: START + b"(" + TENSOR + b"q\x00" + b"h\x00" * count + b"t.",
    "one tensor far down": lambda count: (
        START + b"]" * 600 + b"(" + TENSOR + b"q\x00" + b"h\x00" * count + b"e" + b"a" * 599 + b"."
    ),
    "tensors with a state": lambda count: START + b"(" + (TENSOR + b"}" + text("a") + b"K\x01sb") * count + b"t.",
    "frames": lambda count: b"\x80\x04(" + b"\x95\x01\0\0\0\0\0\0\0N" * count + b"t.",
}
"""`count` things beside or after one another."""


def _bomb(first: bytes, opening: bytes, entry: Callable[[int], bytes], closing: bytes) -> bytes:
    """Twelve levels, each ten times the one before."""
    data = START + first + put(0)
    for level in range(LEVELS):
        data += opening + b"".join(entry(at) + get(level) for at in range(10)) + closing + put(level + 1)
    return data + b"."


BOMBS: Final[dict[str, bytes]] = {
    "tuples": _bomb(b"N\x85", b"(", lambda at: b"", b"t"),
    "lists": _bomb(b"]" + text("leaf") + b"a", b"](", lambda at: b"", b"e"),
    "dicts": _bomb(b"}" + text("leaf") + b"Ns", b"}(", lambda at: text(f"k{at}"), b"u"),
    "storages": _bomb(STORAGE + b"\x85", b"(", lambda at: b"", b"t"),
    "tensors": _bomb(TENSOR + b"\x85", b"(", lambda at: b"", b"t"),
}
"""10^12 leaves from about two hundred opcodes."""
