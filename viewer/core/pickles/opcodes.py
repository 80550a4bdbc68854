"""The 68 opcodes: name, length of the argument, effect on the stack, group. From the standard library's table.

A slot is a place on the stack, counted from 1; marks take a slot too. `depth` is the number of slots after
an opcode. A *writer* puts a new value (or mark) in the slot that is topmost after it; every other opcode
leaves the topmost value what it was, though it may change its content.
"""

from __future__ import annotations

import pickletools
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final


class Group(StrEnum):
    """What an opcode is for; the colour of its byte."""

    PROTOCOL = "protocol"
    STACK = "stack"
    MEMO = "memo"
    TEXT = "text"
    NUMBER = "number"
    GLOBAL = "global"
    CALL = "call"
    PERSISTENT = "persistent id"
    STOP = "stop"


class Form(IntEnum):
    """How the length of an opcode is found: FIXED by table, else from its argument."""

    FIXED = 0
    COUNT1 = 1
    COUNT4 = 4
    COUNT8 = 8
    LINE = 9
    LINES2 = 10
    UNKNOWN = 11


@dataclass(frozen=True, slots=True)
class Opcode:
    """One opcode of the table.

    `need`: values taken or looked at, above the mark when `closes`. `out`: values put.
    `below`: values needed under the mark. `delta`: change of depth where it is the same each time.
    """

    code: int
    name: str
    form: Form
    size: int
    protocol: int
    group: Group
    need: int
    out: int
    below: int
    closes: bool
    writes: bool

    @property
    def delta(self) -> int:
        """Change of depth; without meaning for an opcode that closes a mark."""
        return self.out - self.need


_GROUPS: Final[dict[Group, str]] = {
    Group.PROTOCOL: "PROTO FRAME",
    Group.STACK: "MARK POP POP_MARK DUP EMPTY_LIST EMPTY_TUPLE EMPTY_DICT EMPTY_SET LIST DICT TUPLE TUPLE1 TUPLE2 "
    "TUPLE3 FROZENSET APPEND APPENDS SETITEM SETITEMS ADDITEMS READONLY_BUFFER NEXT_BUFFER",
    Group.MEMO: "GET BINGET LONG_BINGET PUT BINPUT LONG_BINPUT MEMOIZE",
    Group.TEXT: "STRING BINSTRING SHORT_BINSTRING UNICODE BINUNICODE SHORT_BINUNICODE BINUNICODE8 BINBYTES "
    "SHORT_BINBYTES BINBYTES8 BYTEARRAY8",
    Group.NUMBER: "INT LONG FLOAT BININT BININT1 BININT2 BINFLOAT LONG1 LONG4 NONE NEWTRUE NEWFALSE",
    Group.GLOBAL: "GLOBAL STACK_GLOBAL EXT1 EXT2 EXT4",
    Group.CALL: "REDUCE BUILD INST OBJ NEWOBJ NEWOBJ_EX",
    Group.PERSISTENT: "PERSID BINPERSID",
    Group.STOP: "STOP",
}
_GROUP_OF: Final = {name: group for group, names in _GROUPS.items() for name in names.split()}
_FORMS: Final = {-1: Form.LINE, -2: Form.COUNT1, -3: Form.COUNT4, -4: Form.COUNT4, -5: Form.COUNT8}
# The standard table says that these look at nothing; CPython's unpickler needs a value on the stack.
_LOOKS_AT_TOP: Final = frozenset({"PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE", "READONLY_BUFFER"})
_KEEPS_TOP: Final = frozenset(
    {"BUILD", "APPEND", "APPENDS", "SETITEM", "SETITEMS", "ADDITEMS", "POP", "POP_MARK", "STOP"}
)
_NOTHING: Final = frozenset({"PROTO", "FRAME"})


def _length(info: pickletools.OpcodeInfo) -> tuple[Form, int]:
    """The form, and the whole length (opcode and argument) where it is fixed."""
    if info.arg is None:
        return Form.FIXED, 1
    if info.name in {"GLOBAL", "INST"}:
        return Form.LINES2, 0
    if info.arg.n >= 0:
        return Form.FIXED, 1 + info.arg.n
    return _FORMS[info.arg.n], 0


def _opcode(info: pickletools.OpcodeInfo) -> Opcode:
    form, size = _length(info)
    before, after = list(info.stack_before), list(info.stack_after)
    closes = pickletools.markobject in before
    below = before.index(pickletools.markobject) if closes else 0
    need = len(before) if not closes else int(info.name == "OBJ")
    out = len(after)
    if info.name in _LOOKS_AT_TOP:
        need = out = 1
    quiet = info.name in _LOOKS_AT_TOP or info.name in _KEEPS_TOP or info.name in _NOTHING
    return Opcode(
        ord(info.code), info.name, form, size, info.proto, _GROUP_OF[info.name], need, out, below, closes, not quiet
    )


OPCODES: Final[dict[int, Opcode]] = {ord(info.code): _opcode(info) for info in pickletools.opcodes}
BY_NAME: Final[dict[str, Opcode]] = {opcode.name: opcode for opcode in OPCODES.values()}


def code(name: str) -> int:
    """The byte of an opcode."""
    return BY_NAME[name].code


def codes(names: str) -> frozenset[int]:
    """The bytes of several opcodes, names separated by spaces."""
    return frozenset(code(name) for name in names.split())
