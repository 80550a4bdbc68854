"""The lines of the listing of a stream, in order: a few bytes a line, so that only what is seen is written.

Each statement is one line, and one more for each handful of items where it is long, or where items are added to what
has a name already.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.objects.listing_statements import (
    COMPOUND,
    LINE,
    SPREADS,
    STEP,
    STEPS,
    Statements,
    completed,
    find_statements,
    running,
    table,
)
from viewer.core.pickles.depths import CLOSERS
from viewer.core.pickles.opcodes import code, codes
from viewer.core.pickles.takes import Flags, Numbers
from viewer.core.pickles.values import KIND_OF, Kind, Values
from viewer.core.progress import Progress

CHUNK: Final = 88
"""Letters, about, of the items that stand in one line of many."""


class Role(IntEnum):
    """What a line says. OPEN, ITEMS and CLOSE are one statement over several lines."""

    IMPORT = 0
    DEFINE = 1
    OPEN = 2
    ITEMS = 3
    CLOSE = 4
    ADD = 5
    BUILD = 6
    READONLY = 7
    RESULT = 8
    BROKEN = 9


# Of lines that are done at the same opcode, which comes first.
_ORDER: Final = {Role.ITEMS: 1, Role.CLOSE: 2, Role.ADD: 3}


@dataclass(slots=True)
class Lines:
    """Columns of lines, 17 bytes a line.

    `places[i]`: the opcode that line i is done at, never lower than that of the line before. `owners[i]`: the opcode
    that it is about; of ITEMS and ADD the `counts[i]` items from `firsts[i]` on of those that the owner takes.
    Of OPEN and CLOSE `firsts[i]` is the opcode whose statement the value is written in, -1 for none, and `counts[i]`
    the number of the value among the items that this one takes.

    `variables`: the values that have a name, sorted. `stated`: changes that are statements of their own, sorted.
    """

    places: Numbers
    owners: Numbers
    firsts: Numbers
    counts: Numbers
    roles: npt.NDArray[np.uint8]
    variables: Numbers
    stated: Numbers

    def __len__(self) -> int:
        return len(self.places)


_STOP, _OBJ, _BUILD, _READONLY = (code(name) for name in ("STOP", "OBJ", "BUILD", "READONLY_BUFFER"))
_GLOBALS: Final = table(codes("GLOBAL STACK_GLOBAL"))
_MARKED: Final = table(CLOSERS)
_PAIRED: Final = table(codes("SETITEM SETITEMS DICT"))
_OWN_ITEMS: Final = table(codes("TUPLE TUPLE1 TUPLE2 TUPLE3 LIST DICT FROZENSET INST OBJ"))


def find_lines(values: Values, encoding: str = "utf-8", progress: Progress | None = None) -> Lines:
    """The lines of one stream. Raises CancelledError."""
    progress = progress or Progress()
    return _Layout(values, find_statements(values, encoding, progress), progress).lines()


class _Layout:
    """Lays statements out in lines."""

    def __init__(self, values: Values, statements: Statements, progress: Progress) -> None:
        self.stream, self.codes, self.progress = values.code, values.code.codes, progress
        self.statements, self.takes = statements, statements.takes
        self.count = len(self.codes)
        self.number = self.takes.first.dtype
        # By take: it is written over several lines, in the statement that takes it.
        self.spans = np.zeros(len(self.takes.takers), dtype=np.bool_)
        self.parts: list[tuple[Numbers, Numbers, Numbers, Numbers, Role]] = []

    def lines(self) -> Lines:
        self.progress.step(STEP, 8, STEPS)
        self._values()
        self._additions()
        for role, rows in self._last():
            self._add(rows[~self.spans[self.takes.first[rows + 1] - 1]] if role is not Role.BROKEN else rows, role)
        self.progress.step(STEP, 9, STEPS)
        return self._sorted()

    def _last(self) -> list[tuple[Role, Numbers]]:
        """Statements that are one line each, but for what is written in them over several."""
        end = np.array([self.count - 1]) if self.stream.complete else np.array([self.count])
        return [
            (Role.BUILD, np.flatnonzero(self.codes == _BUILD)),
            (Role.READONLY, np.flatnonzero(self.codes == _READONLY)),
            (Role.RESULT if self.stream.complete else Role.BROKEN, end),
        ]

    def _sorted(self) -> Lines:
        places, owners, firsts, counts = (
            np.concatenate(column) for column in zip(*(part[:4] for part in self.parts), strict=True)
        )
        roles = np.concatenate([np.full(len(part[0]), part[4], dtype=np.uint8) for part in self.parts])
        order_of = np.zeros(len(Role), dtype=np.int64)
        order_of[list(_ORDER)] = list(_ORDER.values())
        order = np.argsort(4 * places + order_of[roles], kind="stable")
        changes = self.statements.changes
        return Lines(
            places[order].astype(self.number),
            owners[order].astype(self.number),
            firsts[order].astype(self.number),
            counts[order].astype(self.number),
            roles[order],
            np.flatnonzero(self.statements.variables).astype(self.number),
            changes.rows[~changes.merged].astype(self.number),
        )

    def _add(self, rows: Numbers, role: Role, places: Numbers | None = None) -> None:
        """One line for each of some opcodes."""
        none = np.zeros(len(rows), dtype=np.int64)
        self.parts.append((rows if places is None else places, rows, none, none, role))

    # -- values -----------------------------------------------------------------------------------

    def _values(self) -> None:
        """Names that are imported, and values that are statements: in one line, or with their items over several."""
        made = self.statements.roots[:-1].copy()
        made[self.statements.computed] = False
        names = _GLOBALS[self.codes]
        self._add(np.flatnonzero(made & names), Role.IMPORT)
        self._add(self.statements.computed, Role.DEFINE)
        rows = np.flatnonzero(made & ~names & (COMPOUND[self.codes] | self.statements.variables[:-1]))
        ends = completed(self.statements.changes, self.count)
        long = self._blocks(rows, ends[rows], ends[rows])
        self._add(rows[~long], Role.DEFINE, ends[rows[~long]])
        rows = rows[long]
        self._frame(rows, ends[rows], np.full(len(rows), -1), np.zeros(len(rows), dtype=np.int64))
        self._placed(ends)

    def _placed(self, ends: Numbers) -> None:
        """Values that are written in the statement that takes them; those that are too long for its line."""
        takes, placed = self.takes, self.statements.placed
        placed = placed[np.argsort(takes.writers[placed])]
        takers, rows = takes.takers[placed], takes.writers[placed]
        at_once = self._calm()[takers] & (takes.ends[placed] < takers)
        places = np.where(at_once, takes.ends[placed] - 1, takers)
        long = self._blocks(rows, ends[rows], places)
        self.spans[placed[long]] = True
        placed, takers = placed[long], takers[long]
        self._frame(rows[long], places[long], takers, placed - self._first_item(takers))

    def _frame(self, rows: Numbers, places: Numbers, takers: Numbers, numbers: Numbers) -> None:
        """The first and the last line of long values."""
        for role in (Role.OPEN, Role.CLOSE):
            self.parts.append((places, rows, takers, numbers, role))

    def _blocks(self, rows: Numbers, ends: Numbers, places: Numbers) -> Flags:
        """Which of the values are too long for a line; their items are laid out. `rows` ascend."""
        letters, takes = self.statements.letters, self.takes
        near = np.flatnonzero(letters[ends + 1] - letters[takes.begins[rows]] > LINE)
        held = np.full(self.count + 1, -1, dtype=self.number)
        for taker, number in self._holders(rows[near]):
            held[taker] = number
        items = self._items(held >= 0)
        block = held[takes.takers[items]]
        total = np.bincount(block, weights=self.statements.size(items), minlength=len(near))
        long = np.zeros(len(rows), dtype=np.bool_)
        long[near] = total > LINE
        items = items[total[block] > LINE]
        self._chunks(items, Role.ITEMS, places[near][held[takes.takers[items]]])
        return long

    def _holders(self, rows: Numbers) -> list[tuple[Numbers, Numbers]]:
        """The opcodes that take the items of some values, and the number of the value among these."""
        takes, changes, roots = self.takes, self.statements.changes, self.statements.roots
        numbers = np.arange(len(rows))
        own = _OWN_ITEMS[self.codes[rows]]
        calls = np.flatnonzero(SPREADS[self.codes[rows]])
        given = takes.writers[takes.first[rows[calls] + 1] - 1]
        spread = (KIND_OF[self.codes[given]] == Kind.TUPLE) & ~roots[given]
        at = np.searchsorted(rows, changes.targets)
        at[at == len(rows)] = 0
        among = changes.merged & (rows[at] == changes.targets) if len(rows) else changes.merged & False
        return [
            (rows[own], numbers[own]),
            (given[spread], numbers[calls[spread]]),
            (changes.rows[among], at[among]),
        ]

    # -- items ------------------------------------------------------------------------------------

    def _additions(self) -> None:
        """What is added to values that have a name: a line for each entry, or for a few items."""
        changes = self.statements.changes
        stated = ~changes.merged & (self.codes[changes.rows] != _BUILD)
        adds = np.zeros(self.count + 1, dtype=np.bool_)
        adds[changes.rows[stated]] = True
        items = self._items(adds)
        takers = self.takes.takers[items]
        at_once = self._calm()[takers] & (self.takes.ends[items] < takers)
        self._chunks(items, Role.ADD, np.where(at_once, self.takes.ends[items] - 1, takers))
        adds[takers] = False
        self._add(np.flatnonzero(adds), Role.ADD)

    def _calm(self) -> Flags:
        """By opcode: whether it may add each item as soon as that is made."""
        changes = self.statements.changes
        calm = np.zeros(self.count + 1, dtype=np.bool_)
        calm[changes.rows[changes.calm & ~changes.merged]] = True
        return calm

    def _items(self, takers: Flags) -> Numbers:
        """The takes of some opcodes that are items: no mark, and not the class of OBJ."""
        wanted: Flags = takers[self.takes.takers]
        wanted &= KIND_OF[self.codes[self.takes.writers]] != Kind.MARK
        found = np.flatnonzero(wanted)
        return found[found >= self._first_item(self.takes.takers[found])]

    def _chunks(self, items: Numbers, role: Role, places: Numbers) -> None:
        """Lines of some items, in order: an entry each, or as many items as there is room for."""
        if not len(items):
            return
        takes = self.takes
        takers = takes.takers[items]
        which = self._code(takers)
        number = items - self._first_item(takers)
        size = self.statements.size(items)
        room = (np.cumsum(size) - size) // CHUNK
        begins = np.ones(len(items), dtype=np.bool_)
        begins[1:] = (takers[1:] != takers[:-1]) | (room[1:] != room[:-1])
        spans = self.spans[items]
        if role is Role.ADD:
            before = running(self.statements.roots, self.number)
            begins |= before[takes.ends[items]] - before[takes.starts[items]] > 0
            begins[1:] |= spans[1:] | spans[:-1]
        paired = _PAIRED[which]
        begins[paired] = number[paired] % 2 == 0
        starts = np.flatnonzero(begins)
        counts = np.diff(np.append(starts, len(items)))
        kept = ~np.logical_or.reduceat(spans, starts)
        starts, counts = starts[kept], counts[kept]
        self.parts.append((places[starts + counts - 1], takers[starts], number[starts], counts, role))

    def _first_item(self, takers: Numbers) -> Numbers:
        """The first take of some opcodes that is an item."""
        which = self._code(takers)
        first: Numbers = self.takes.first[takers] + _MARKED[which] + (which == _OBJ)
        return first

    def _code(self, takers: Numbers) -> npt.NDArray[np.uint8]:
        return np.append(self.codes, np.uint8(0))[takers]
