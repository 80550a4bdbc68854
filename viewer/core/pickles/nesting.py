"""The opcodes of a stream as a tree: each value holds the opcodes that built it.

A row is an opcode. Opcodes that store in the memo are folded into the row whose value they store, marks
into the row that takes them, FRAME into the value that it stands in. A value that is changed after it was
made (APPENDS, SETITEMS, BUILD) is one row named by its last change; below it stand the opcode that created
it, the changes before the last, and what the last one took. A broken stream ends with a row for its break, numbered
as the opcode that would come next. Rows are computed when they are asked for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.lows import SIZE
from viewer.core.pickles.memo import PUTS
from viewer.core.pickles.opcodes import OPCODES, code, codes
from viewer.core.pickles.values import Values

MARK, STOP, DUP, POP = code("MARK"), code("STOP"), code("DUP"), code("POP")
_FOLDED: Final = np.zeros(256, dtype=np.bool_)
_FOLDED[[*PUTS, *codes("MARK PROTO FRAME")]] = True
_KEEPS: Final = np.zeros(256, dtype=np.bool_)
_KEEPS[[opcode.code for opcode in OPCODES.values() if not opcode.writes]] = True
_CLOSES: Final = np.zeros(256, dtype=np.bool_)
_CLOSES[[opcode.code for opcode in OPCODES.values() if opcode.closes]] = True
_LEAVES: Final = np.zeros(256, dtype=np.bool_)
_LEAVES[[opcode.code for opcode in OPCODES.values() if not opcode.closes and opcode.need == 0]] = True
_LEAVES[[STOP, DUP, *PUTS]] = True
# Each level is listed on the way down, while a person waits; no pickle of real objects is as deep.
DEEPEST: Final = 200
# Opcodes that are looked at in one step.
_LONGEST: Final = 1 << 20

Rows = npt.NDArray[np.int64]


class Nesting:
    """Parents and children of the opcodes of one stream; `values` gives its columns."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._code = values.code
        self._depths = values.code.depths
        self._codes = values.code.codes

    def roots(self) -> list[int]:
        """The outermost rows in order: PROTO, the values left on the stack, STOP or the break."""
        count = len(self._codes)
        if count and self._codes[-1] == STOP:
            return [*self._level(0, count - 1, 0), count - 1]
        rows = self._level(0, count, 0) if count else []
        return rows if self._code.complete else [*rows, count]

    def children(self, row: int) -> list[int]:
        """The rows below a row, in the order of the stream."""
        if row >= len(self._codes):
            return []
        depth = int(self._depths[row])
        if self._codes[row] == STOP:
            return []
        creator = self._values.writer(row + 1, depth) if depth else -1
        if creator < 0 or creator == row or self._codes[creator] == MARK or self.is_part(row):
            return self._taken(row)
        low = creator + 1
        between = np.flatnonzero((self._depths[low:row] == depth) & ~_FOLDED[self._codes[low:row]]) + low
        return [creator, *between.tolist(), *self._taken(row)]

    def has_children(self, row: int) -> bool:
        """True when `children` is not empty; does not list them."""
        if row >= len(self._codes):
            return False
        opcode = OPCODES[int(self._codes[row])]
        if opcode.closes and opcode.writes:
            return int(self._codes[row - 1]) != MARK
        return (opcode.closes or opcode.need > 0) and opcode.code not in (STOP, DUP, *PUTS)

    def leaves(self, rows: Sequence[int]) -> list[bool]:
        """For each row whether its opcode tells that nothing stands below it."""
        at = np.array(rows, dtype=np.int64)
        end = len(self._codes)
        if not end:
            return [True] * len(at)
        return [*((at >= end) | _LEAVES[self._codes[np.minimum(at, end - 1)]]).tolist()]

    def is_part(self, row: int) -> bool:
        """True for a creator or change whose value is changed once more before it is taken."""
        depth = int(self._depths[row])
        if depth == 0 or self._codes[row] == MARK:
            return False
        later = self._next_at(row, depth)
        return later >= 0 and int(self._depths[later]) == depth and bool(_KEEPS[self._codes[later]])

    def row_of(self, opcode: int) -> int:
        """The row that shows an opcode: itself, or the row that it is folded into."""
        if opcode >= len(self._codes):
            return opcode
        byte = int(self._codes[opcode])
        if byte == MARK:
            taker = self.mark_end(opcode)
            return opcode if taker < 0 else taker
        depth = int(self._depths[opcode])
        if not _FOLDED[byte] or depth == 0:
            return opcode
        writer = self._values.writer(opcode, depth)
        low = max(writer, 0)
        rows = np.flatnonzero((self._depths[low:opcode] == depth) & ~_FOLDED[self._codes[low:opcode]])
        return int(rows[-1]) + low if len(rows) else opcode

    def path(self, opcode: int) -> list[int]:
        """The rows from an outermost one down to the row of an opcode; of a deeper one the first 200."""
        wanted = self.row_of(opcode)
        path: list[int] = []
        level = self.roots()
        while len(path) < DEEPEST:
            at = bisect_left(level, wanted)
            if at == len(level):
                break
            path.append(level[at])
            if level[at] == wanted:
                break
            level = self.children(level[at])
        return path

    def mark_end(self, mark: int) -> int:
        """The opcode that takes a mark; -1 where none does."""
        depth = int(self._depths[mark])
        low, size = mark + 1, SIZE
        while (low := self._values.lows.first(low - 1, depth + 1)) < len(self._codes):
            depths, codes = self._depths[low : low + size], self._codes[low : low + size]
            found = np.flatnonzero((depths < depth) | ((depths == depth) & _CLOSES[codes] & ~_KEEPS[codes]))
            if len(found):
                return low + int(found[0])
            low, size = low + size, min(4 * size, _LONGEST)
        return -1

    def mark_of(self, opcode: int) -> int:
        """The mark that an opcode takes; -1 where it takes none."""
        taker = OPCODES[int(self._codes[opcode])]
        if not taker.closes and taker.code != POP:
            return -1
        slot = int(self._depths[opcode]) + (not taker.writes)
        mark = self._values.writer(opcode, slot)
        return mark if mark >= 0 and self._codes[mark] == MARK else -1

    # -- one level --------------------------------------------------------------------------------

    def _level(self, low: int, high: int, floor: int) -> list[int]:
        """The rows of the slots above `floor` after the opcodes low..high, and rows that left none there."""
        depths = self._depths[low:high]
        if not len(depths):
            return []
        last = np.full(max(int(depths[-1]) - floor, 0), -1, dtype=np.int64)
        standing = np.flatnonzero((depths > floor) & (depths <= floor + len(last)))
        last[depths[standing] - floor - 1] = standing
        loose = np.flatnonzero(depths == floor)
        return self._rows(np.sort(np.concatenate((last[last >= 0], loose))) + low)

    def _taken(self, row: int) -> list[int]:
        """The rows of what an opcode took from the stack."""
        opcode = OPCODES[int(self._codes[row])]
        depth, before = int(self._depths[row]), self._code.depth_before(row)
        if opcode.closes:
            slot = depth if opcode.writes else depth + 1
            mark = self._values.writer(row, slot)
            return self._level(mark + 1, row, slot) if mark >= 0 else []
        slot = depth if opcode.writes else depth + 1
        if opcode.need == 0 or opcode.code in (STOP, DUP) or before < slot:
            return []
        writer = self._values.writer(row, slot)
        return self._level(self._values.first(writer), row, slot - 1) if writer >= 0 else []

    def _rows(self, opcodes: Rows) -> list[int]:
        """The opcodes, with folded ones replaced by the row they belong to, and taken marks left out."""
        before = np.maximum(opcodes - 1, 0)
        plain = ~_FOLDED[self._codes[opcodes]] | (self._depths[opcodes] == 0)
        direct = ~plain & ~_FOLDED[self._codes[before]] & (self._depths[before] == self._depths[opcodes])
        direct &= self._codes[opcodes] != MARK
        rows: list[int] = np.where(direct, before, opcodes).tolist()
        left = np.flatnonzero(~plain & ~direct).tolist()
        if not left:
            return rows
        for at in left:
            row = self.row_of(rows[at])
            rows[at] = -1 if self._codes[rows[at]] == MARK and row != rows[at] else row
        return sorted({row for row in rows if row >= 0})

    def _next_at(self, row: int, depth: int) -> int:
        """The next opcode behind `row` that is no folded one and leaves the stack at `depth` or lower; -1: none."""
        low = row + 1
        while (low := self._values.lows.first(low - 1, depth + 1)) < len(self._codes):
            depths = self._depths[low : low + SIZE]
            folded = _FOLDED[self._codes[low : low + SIZE]] & (depths == depth)
            found = np.flatnonzero((depths <= depth) & ~folded)
            if len(found):
                return low + int(found[0])
            low += SIZE
        return -1
