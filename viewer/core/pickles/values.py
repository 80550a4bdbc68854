"""What a stream would build: values made on demand from the columns, with nothing called.

A value is named by the number of the opcode that created it; the same object reached through the memo or
DUP has the same number, so sharing and cycles cost nothing. Content that arrives later (APPENDS, SETITEMS,
BUILD, also through the memo) belongs to the value that it was done to.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.among import among
from viewer.core.pickles.arguments import Argument
from viewer.core.pickles.depths import SLOT
from viewer.core.pickles.disassembly import Disassembly
from viewer.core.pickles.lows import Lows
from viewer.core.pickles.memo import GETS, PUTS
from viewer.core.pickles.opcodes import OPCODES, code, codes
from viewer.core.pickles.operands import Operands
from viewer.core.pickles.references import followed
from viewer.core.pickles.written import Slots, Written
from viewer.core.span import Span


class Kind(IntEnum):
    """What a value is. STRING is Python 2's str: bytes that are mostly meant as text."""

    UNKNOWN = 0
    NONE = 1
    BOOL = 2
    INT = 3
    FLOAT = 4
    TEXT = 5
    STRING = 6
    BYTES = 7
    BYTEARRAY = 8
    TUPLE = 9
    LIST = 10
    DICT = 11
    SET = 12
    FROZENSET = 13
    GLOBAL = 14
    CALL = 15
    PERSISTENT = 16
    EXTENSION = 17
    BUFFER = 18
    MARK = 19


LONGEST_INTEGER: Final = 64
_SHORT, _MOST_TEXTS = 64, 16_384
LAST_ATOM: Final = Kind.BYTEARRAY
_KINDS: Final[dict[Kind, str]] = {
    Kind.NONE: "NONE",
    Kind.BOOL: "NEWTRUE NEWFALSE",
    Kind.INT: "INT LONG BININT BININT1 BININT2 LONG1 LONG4",
    Kind.FLOAT: "FLOAT BINFLOAT",
    Kind.TEXT: "UNICODE BINUNICODE SHORT_BINUNICODE BINUNICODE8",
    Kind.STRING: "STRING BINSTRING SHORT_BINSTRING",
    Kind.BYTES: "BINBYTES SHORT_BINBYTES BINBYTES8",
    Kind.BYTEARRAY: "BYTEARRAY8",
    Kind.TUPLE: "TUPLE TUPLE1 TUPLE2 TUPLE3 EMPTY_TUPLE",
    Kind.LIST: "LIST EMPTY_LIST",
    Kind.DICT: "DICT EMPTY_DICT",
    Kind.SET: "EMPTY_SET",
    Kind.FROZENSET: "FROZENSET",
    Kind.GLOBAL: "GLOBAL STACK_GLOBAL",
    Kind.CALL: "REDUCE NEWOBJ NEWOBJ_EX INST OBJ",
    Kind.PERSISTENT: "PERSID BINPERSID",
    Kind.EXTENSION: "EXT1 EXT2 EXT4",
    Kind.BUFFER: "NEXT_BUFFER",
    Kind.MARK: "MARK",
}
KIND_OF: Final = np.zeros(256, dtype=np.uint8)
for _kind, _names in _KINDS.items():
    KIND_OF[list(codes(_names))] = _kind
_KIND_LIST: Final = [Kind(number) for number in KIND_OF.tolist()]

DUP, INT, INST, OBJ, GLOBAL, STACK_GLOBAL = (code(n) for n in ("DUP", "INT", "INST", "OBJ", "GLOBAL", "STACK_GLOBAL"))
STOP, NEWTRUE, PERSID, MARK = (code(n) for n in ("STOP", "NEWTRUE", "PERSID", "MARK"))
BUILD, NEWOBJ_EX, DICT = (code(n) for n in ("BUILD", "NEWOBJ_EX", "DICT"))
_REFERENCES: Final = GETS | {DUP}
_APPENDERS: Final = codes("APPEND APPENDS ADDITEMS")
_SETTERS: Final = codes("SETITEM SETITEMS")
_MARKED: Final = codes("APPENDS ADDITEMS SETITEMS")
_CHANGERS: Final = _APPENDERS | _SETTERS | {BUILD}
_CALLERS: Final = codes(_KINDS[Kind.CALL])
_PERSISTENTS: Final = codes(_KINDS[Kind.PERSISTENT])
_NAMERS: Final = {GLOBAL, STACK_GLOBAL, INST}
_REFERS: Final = np.zeros(256, dtype=np.bool_)
_REFERS[list(_REFERENCES)] = True

Rows = npt.NDArray[np.int64]


class Values:
    """The values of one stream. All methods take and give value numbers (ints); nothing recurses.

    `walked`: what `objects.walk` keeps of its walk; `named`: what `objects.names` keeps of names of globals.
    """

    def __init__(self, disassembly: Disassembly) -> None:
        self.code = disassembly
        self.lows = Lows(disassembly.depths)
        self._codes = disassembly.codes.data
        self._depths = disassembly.depths.data
        self._written = Written(disassembly.codes, disassembly.depths)
        self._repeated: Rows | npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._repeats: memoryview | None = None
        self._changes: tuple[memoryview, memoryview, memoryview] | None = None
        self._operands = Operands(disassembly.codes, disassembly.depths)
        self._texts: dict[int, str] = {}
        self.walked: object = None
        self.named: dict[int, str] = {}

    def writer(self, before: int, slot: int) -> int:
        """The opcode before `before` that last wrote a slot of the stack; -1: none."""
        return self._written.by(before, slot)

    def writers(self, before: Rows | int, slots: Slots) -> Rows:
        """As `writer`, for many places at once; every slot must have been written."""
        return self._written.all_by(before, slots)

    def slots(self, before: int, first: int, last: int) -> list[int]:
        """The writers of the slots first..last (inclusive) before an opcode."""
        count = last - first + 1
        known = self._operands.writers(self, before, first, count) if count > 0 else []
        if known is not None:
            return known
        if count < 8:
            return [self.writer(before, slot) for slot in range(first, last + 1)]
        found: list[int] = self.writers(before, np.arange(first, last + 1, dtype=np.int64)).tolist()
        return found

    def taken(self, before: int, first: int, last: int) -> list[int]:
        """The values in the slots first..last (inclusive) before an opcode; -1: none."""
        count = last - first + 1
        known = self._operands.values(self, before, first, count) if count > 0 else []
        return known if known is not None else self._resolved(self.slots(before, first, last))

    def resolve(self, opcode: int) -> int:
        """The value that a writing opcode put: itself, or for GET and DUP the value that they repeat; -1: none."""
        if opcode < 0 or self._codes[opcode] not in _REFERENCES:
            return opcode
        found: int = (self._repeats if self._repeats is not None else self._collect_references())[opcode]
        return found

    def resolve_all(self, opcodes: Rows) -> Rows:
        """As `resolve`, for many opcodes at once; none of them is -1."""
        if self._repeats is None and _REFERS[self.code.codes[opcodes]].any():
            self._collect_references()
        return opcodes.copy() if self._repeats is None else self._repeated[opcodes].astype(np.int64)

    def top(self, opcode: int) -> int:
        """The value on top of the stack after an opcode; -1: the stack is empty there."""
        return self.resolve(self.writer(opcode + 1, self._depths[opcode])) if opcode >= 0 else -1

    def stack(self, opcode: int) -> list[int]:
        """The writers of all slots after an opcode, lowest first; marks are among them."""
        return self.slots(opcode + 1, 1, self._depths[opcode]) if opcode >= 0 else []

    @property
    def root(self) -> int:
        """The value that STOP gives; in a broken stream the lowest value of the stack at the break; -1: none."""
        last = len(self._codes) - 1
        if last < 0:
            return -1
        if self.code.complete:
            return self.top(last - 1)
        for writer in self.slots(last + 1, 1, min(self._depths[last], 64)):
            value = self.resolve(writer)
            if value >= 0 and self.kind(value) is not Kind.MARK:
                return value
        return -1

    def kind(self, value: int) -> Kind:
        """What the value is."""
        byte = self._codes[value] if value >= 0 else STOP
        kind = _KIND_LIST[byte]
        if byte == INT and isinstance(self.code.argument(value), bool):
            return Kind.BOOL
        return kind

    def plain(self, value: int) -> Argument:
        """The Python value of an atom (None, bool, int, float, str, bytes); None for all else."""
        byte = self._codes[value] if value >= 0 else STOP
        kind = _KIND_LIST[byte]
        if kind is Kind.BOOL:
            return byte == NEWTRUE
        return self.code.argument(value) if Kind.INT <= kind <= LAST_ATOM else None

    def text(self, value: int, encoding: str = "utf-8") -> str | None:
        """A text, or a Python 2 string read in an encoding (latin-1 where that fails); else None."""
        known = self._texts.get(value)
        if known is not None:
            return known
        found = self.plain(value)
        if isinstance(found, str):
            if len(found) <= _SHORT and len(self._texts) < _MOST_TEXTS:
                self._texts[value] = found
            return found
        if isinstance(found, bytes) and self.kind(value) is Kind.STRING:
            try:
                return found.decode(encoding)
            except UnicodeDecodeError:
                return found.decode("latin-1")
        return None

    def integer(self, value: int) -> int | None:
        """An int (no bool) of at most 64 bits, which all sizes and counts are; else None."""
        found = self.plain(value)
        if not isinstance(found, int) or isinstance(found, bool) or found.bit_length() > LONGEST_INTEGER:
            return None
        return found

    def global_name(self, value: int) -> tuple[str, str] | None:
        """Module and name of a global as written; None for other values and for computed names."""
        byte = self._codes[value] if value >= 0 else STOP
        if byte in (GLOBAL, INST):
            found = self.code.argument(value)
            return found if isinstance(found, tuple) else None
        if byte != STACK_GLOBAL:
            return None
        module, name = (self.text(part) for part in self.operands(value))
        return (module, name) if module is not None and name is not None else None

    def operands(self, value: int) -> list[int]:
        """The values that the creating opcode took, without its mark."""
        opcode = OPCODES[self._codes[value]]
        depth = self._depths[value]
        if opcode.closes:
            return self.taken(value, depth + 1, self._depths[value - 1])
        return self.taken(value, depth, depth + opcode.need - 1) if opcode.need else []

    def items(self, value: int) -> list[int]:
        """The elements of a tuple, list, set or frozenset, and what was appended to any other value."""
        kind = self.kind(value)
        items = self.operands(value) if kind in (Kind.TUPLE, Kind.LIST, Kind.FROZENSET) else []
        for change in self.changes(value):
            if self._codes[change] in _APPENDERS:
                items += self.given(change)
        return items

    def pairs(self, value: int) -> list[tuple[int, int]]:
        """Keys and values that a dict was made of, or that were set in any value, in the order of the stream.

        A key that is set twice is listed twice.
        """
        flat = self.operands(value) if self._codes[value] == DICT else []
        for change in self.changes(value):
            if self._codes[change] in _SETTERS:
                flat += self.given(change)
        return list(zip(flat[::2], flat[1::2], strict=False))

    def states(self, value: int) -> list[int]:
        """The states that BUILD gave to a value, in order."""
        return [self.given(change)[0] for change in self.changes(value) if self._codes[change] == BUILD]

    def callee(self, value: int) -> int:
        """What a CALL calls: a global, most often. INST names its class itself, so gives itself."""
        byte = self._codes[value]
        if byte in (INST, OBJ):
            return value if byte == INST else self.operands(value)[0]
        return self.resolve(self.writer(value, self._depths[value]))

    def call_name(self, value: int) -> tuple[str, str] | None:
        """Module and name of what a CALL calls; None where it is no global."""
        return self.global_name(self.callee(value)) if self.kind(value) is Kind.CALL else None

    def arguments(self, value: int) -> list[int]:
        """The positional arguments of a CALL."""
        byte = self._codes[value]
        operands = self.operands(value)
        if byte == INST:
            return operands
        if byte == OBJ:
            return operands[1:]
        return self.items(operands[1]) if self.kind(operands[1]) is Kind.TUPLE else []

    def keywords(self, value: int) -> list[tuple[int, int]]:
        """The keyword arguments of NEWOBJ_EX."""
        return self.pairs(self.operands(value)[2]) if self._codes[value] == NEWOBJ_EX else []

    def persistent(self, value: int) -> int:
        """The id of a PERSISTENT value made by BINPERSID; -1 for PERSID, whose id is `persistent_text`."""
        return -1 if self._codes[value] == PERSID else self.operands(value)[0]

    def persistent_text(self, value: int) -> str | None:
        """The text id of PERSID."""
        return found if isinstance(found := self.code.argument(value), str) and self._codes[value] == PERSID else None

    def changes(self, value: int) -> list[int]:
        """The opcodes that changed a value after it was made, in order."""
        is_changed, targets, rows = self._changes or self._collect_changes()
        if not is_changed[value]:
            return []
        first = bisect_left(targets, value)
        found: list[int] = rows[first : bisect_left(targets, value + 1, first)].tolist()
        return found

    def change_columns(self) -> tuple[Rows, Rows]:
        """All changed values of the stream, sorted, and beside them the opcodes that change them."""
        _, targets, rows = self._changes or self._collect_changes()
        return np.asarray(targets), np.asarray(rows)

    def given(self, change: int) -> list[int]:
        """The values that a changing opcode adds or sets."""
        depth = self._depths[change]
        first = depth + 2 if self._codes[change] in _MARKED else depth + 1
        return self.taken(change, first, self._depths[change - 1])

    def has_items(self, value: int) -> bool:
        """True when a container holds something; does not list it."""
        opcode = OPCODES[self._codes[value]]
        return opcode.need > 0 or (opcode.closes and self._codes[value - 1] != MARK) or bool(self.changes(value))

    def is_atom(self, value: int) -> bool:
        """True for values that hold no other value."""
        return value >= 0 and Kind.NONE <= _KIND_LIST[self._codes[value]] <= LAST_ATOM

    def compound(self, values: Iterable[int]) -> list[int]:
        """Those of the values that hold other values: atoms are left out in one step."""
        rows = np.fromiter(values, dtype=np.int64)
        return [*rows[(rows >= 0) & (KIND_OF[self.code.codes[rows]] > LAST_ATOM)].tolist()]

    def calls(self, most: int | None = None) -> list[int]:
        """All calls of the stream in its order, also of values that are dropped later. `most`: the first of them."""
        return [*np.flatnonzero(among(self.code.codes, _CALLERS))[:most].tolist()]

    def globals(self, most: int | None = None) -> list[int]:
        """All opcodes that name a global, INST among them. `most`: the first of them."""
        return [*np.flatnonzero(among(self.code.codes, _NAMERS))[:most].tolist()]

    def persistents(self) -> list[int]:
        """All persistent ids of the stream in its order."""
        return [*np.flatnonzero(among(self.code.codes, _PERSISTENTS)).tolist()]

    def first(self, opcode: int) -> int:
        """The first opcode of those that left the topmost slot after `opcode` as it is."""
        return self.lows.last(opcode, self._depths[opcode]) + 1

    def opcodes(self, value: int) -> tuple[int, int]:
        """First and last of the opcodes that built a value where it was created, with its later content there."""
        changes = self.changes(value)
        last = value
        if changes:
            end = self.lows.first(value, self._depths[value])
            row = bisect_left(changes, end)
            last = changes[row - 1] if row else value
        if last + 1 < len(self._codes) and self._codes[last + 1] in PUTS:
            last += 1
        return self.first(value), last

    def span(self, value: int) -> Span:
        """The bytes of `opcodes`, in the stream's source."""
        return self.code.span(*self.opcodes(value))

    def _resolved(self, writers: list[int]) -> list[int]:
        if len(writers) < 64:
            return [self.resolve(writer) for writer in writers]
        found: list[int] = self.resolve_all(np.array(writers, dtype=np.int64)).tolist()
        return found

    def _collect_references(self) -> memoryview:
        """For each opcode itself, for those that repeat a value that value: chains are followed to their end."""
        codes, depths, memo = self.code.codes, self.code.depths, self.code.memo
        rows = np.flatnonzero(among(codes, _REFERENCES))
        targets = np.full(len(rows), -1, dtype=np.int64)
        is_dup = codes[rows] == DUP
        targets[is_dup] = self.writers(rows[is_dup], depths[rows[is_dup]] - 1)
        stored = memo.stores >= 0
        stores = memo.stores[stored]
        targets[np.flatnonzero(~is_dup)[stored]] = self.writers(stores + 1, depths[stores])
        targets = followed(rows, targets, (targets >= 0) & _REFERS[codes[targets]])
        every = np.arange(len(codes), dtype=np.int64)
        every[rows] = targets
        self._repeated = every.astype(np.int32) if len(codes) < SLOT // 2 else every
        self._repeats = self._repeated.data
        return self._repeats

    def _collect_changes(self) -> tuple[memoryview, memoryview, memoryview]:
        """Which values are changed (the last flag: none at all), and the values and changes, sorted."""
        rows = np.flatnonzero(among(self.code.codes, _CHANGERS))
        targets = self.resolve_all(self.writers(rows, self.code.depths[rows])) if len(rows) else rows
        is_changed = np.zeros(len(self._codes) + 1, dtype=np.bool_)
        is_changed[targets] = True
        order = np.argsort(targets, kind="stable")
        self._changes = is_changed.data, targets[order].data, rows[order].data
        return self._changes
