"""One pickle stream as flat columns: offset, code and depth of each opcode, and its memo.

13 bytes an opcode, 32 more for each that stores in the memo and 16 for each that reads it. All else (arguments,
values, nesting, the stack at any opcode) is computed from these when asked for, so no state has to be run up to.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.memory import room
from viewer.core.pickles.arguments import Argument, ArgumentError, read_argument
from viewer.core.pickles.depths import Stack, depths
from viewer.core.pickles.gaps import Gap, GapFinder
from viewer.core.pickles.memo import Memo, MemoBuilder
from viewer.core.pickles.opcodes import OPCODES, Form, code
from viewer.core.pickles.positions import Break, Window, windows
from viewer.core.pickles.text_checks import spoilt_texts
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.span import Span

PROTO: Final = code("PROTO")
BLOCK: Final = 64 * 1024
BLOCKS: Final = 64
COUNTED: Final = 1 << 18
MEMORY: Final = "pickle-memory"
"""The code of a break that is none of the stream: more opcodes than the memory limit allows."""
EACH: Final = 40
"""Bytes that an opcode takes in the columns."""


@dataclass(slots=True)
class Columns:
    """Row i is opcode i: `offsets` in the source (one more for the end), `codes`, `depths` after it."""

    offsets: npt.NDArray[np.int64]
    codes: npt.NDArray[np.uint8]
    depths: npt.NDArray[np.int32]


class Disassembly:
    """The opcodes of one stream. Opcodes are named by their number, counted from 0.

    `complete`: it reached its STOP. `broken`: where and why it did not. `protocol`: the highest that a
    PROTO states, else the highest that its opcodes need. `gaps`: the bytes of joblib's arrays, by the BUILD that they
    follow; they count to it. `odd`: numbers as text that no pickler writes so, by opcode. `spoilt`: texts that
    are not UTF-8. `scanned`: the offset to which bytes were looked at, behind a break of the memo too.
    """

    def __init__(self, source: ByteSource, columns: Columns, memo: Memo, broken: Break | None) -> None:
        self.source = source
        self.offsets = columns.offsets
        self.codes = columns.codes
        self.depths = columns.depths
        self.memo = memo
        self.broken = broken
        self.gaps: dict[int, Gap] = {}
        self.odd: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self.spoilt: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self.complete = broken is None
        self.scanned = self.stop
        self._blocks: dict[int, bytes] = {}
        rows = np.flatnonzero(self.codes == PROTO)
        self._stated = (rows, self.integers(rows, 1))
        self.protocol = self._protocol()

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """How many opcodes there are of each byte."""
        counts = np.zeros(256, dtype=np.int64)
        for at in range(0, len(self.codes), COUNTED):
            counts += np.bincount(self.codes[at : at + COUNTED], minlength=256)
        return counts

    @cached_property
    def used(self) -> frozenset[int]:
        """The bytes of the opcodes that there are."""
        return frozenset(np.flatnonzero(self.counts).tolist())

    @property
    def start(self) -> int:
        """Offset of the first opcode in the source."""
        return int(self.offsets[0])

    @property
    def stop(self) -> int:
        """Offset behind the last opcode that was read."""
        return int(self.offsets[-1])

    def offset(self, opcode: int) -> int:
        """Offset of an opcode in the source."""
        return int(self.offsets[opcode])

    def length(self, opcode: int) -> int:
        """Bytes of an opcode with its argument."""
        return int(self.offsets[opcode + 1] - self.offsets[opcode])

    def span(self, first: int, last: int | None = None) -> Span:
        """The bytes of an opcode, or of all from `first` to `last`."""
        return Span(int(self.offsets[first]), int(self.offsets[(first if last is None else last) + 1]))

    def name(self, opcode: int) -> str:
        """The opcode's name."""
        return OPCODES[int(self.codes[opcode])].name

    def depth_before(self, opcode: int) -> int:
        """Slots on the stack before an opcode."""
        return int(self.depths[opcode - 1]) if opcode else 0

    def argument_span(self, opcode: int) -> Span:
        """The bytes of an opcode's argument, without the length of counted ones and the last line end."""
        form = OPCODES[int(self.codes[opcode])].form
        start = int(self.offsets[opcode]) + 1
        stop = int(self.offsets[opcode + 1])
        if form in (Form.LINE, Form.LINES2):
            stop -= 1
        elif form is not Form.FIXED:
            start += int(form)
        return Span(start, max(start, stop))

    def argument(self, opcode: int) -> Argument:
        """The argument as CPython reads it; None where there is none or it is not readable."""
        if opcode in self.gaps:
            return None
        start = int(self.offsets[opcode])
        raw = self.bytes(start + 1, int(self.offsets[opcode + 1]) - start - 1)
        try:
            return read_argument(int(self.codes[opcode]), raw)
        except ArgumentError:
            return None

    def at(self, offset: int) -> int:
        """The opcode that owns the byte at an offset of the source; -1 outside the stream."""
        if not self.start <= offset < self.stop:
            return -1
        return int(np.searchsorted(self.offsets, offset, side="right")) - 1

    def bytes(self, offset: int, length: int) -> bytes:
        """Bytes of the source, through a few cached blocks: arguments are read one by one, and are short."""
        number, at = divmod(offset, BLOCK)
        if at + length > BLOCK:
            return self.source.read(offset, length)
        block = self._blocks.get(number)
        if block is None:
            if len(self._blocks) >= BLOCKS:
                self._blocks.clear()
            block = self._blocks[number] = self.source.read(number * BLOCK, BLOCK)
        return block[at : at + length]

    def rows_at(self, offsets: array[int]) -> npt.NDArray[np.int64]:
        """The opcodes that begin at some offsets, in ascending order; those beyond the end are left out."""
        within = np.array(offsets, dtype=np.int64)
        return np.searchsorted(self.offsets[:-1], within[within < self.stop])

    def octets(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """The bytes at many places of the source, in ascending order: read in blocks."""
        found = np.zeros(len(places), dtype=np.uint8)
        at = 0
        while at < len(places):
            base = int(places[at])
            stop = int(np.searchsorted(places, base + BLOCK))
            data = np.frombuffer(self.source.read(base, int(places[stop - 1]) + 1 - base), dtype=np.uint8)
            found[at:stop] = data[places[at:stop] - base]
            at = stop
        return found

    def integers(self, rows: npt.NDArray[np.int64], width: int) -> npt.NDArray[np.int64]:
        """The fixed arguments of many opcodes as little-endian integers; those of 8 bytes are below 2^63."""
        starts = self.offsets[rows] + 1
        found = np.zeros(len(rows), dtype=np.int64)
        for byte in range(width):
            found |= self.octets(starts + byte).astype(np.int64) << (8 * byte)
        return found

    def protocol_at(self, opcode: int) -> int:
        """The protocol that an unpickler is in at an opcode: what the last PROTO before it states, 0 without one."""
        rows, stated = self._stated
        last = bisect_left(rows.data, opcode) - 1
        return int(stated[last]) if last >= 0 else 0

    def protocols_at(self, opcodes: npt.NDArray[np.int64]) -> set[int]:
        """The protocols that an unpickler is in at some opcodes, in ascending order."""
        rows, stated = self._stated
        # nearly always PROTO stands once, in front of all
        if len(opcodes) and bisect_left(rows.data, int(opcodes[0])) == len(rows):
            return {int(stated[-1]) if len(rows) else 0}
        after = np.bincount(np.searchsorted(rows, opcodes), minlength=1)
        return {int(stated[at - 1]) if at else 0 for at in np.flatnonzero(after).tolist()}

    def _protocol(self) -> int:
        stated = self._stated[1]
        if len(stated):
            return int(stated.max())
        return max((OPCODES[byte].protocol for byte in self.used), default=0)


def disassemble(
    source: ByteSource, start: int = 0, progress: Progress | None = None, *, arrays: bool = False
) -> Disassembly:
    """Decode the stream that starts at an offset of the source, to its STOP or to where it breaks.

    `arrays`: step over the arrays that joblib writes between its opcodes.
    """
    parts: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8], npt.NDArray[np.int32]]] = []
    memo = MemoBuilder()
    odd, spoilt = array("q"), array("q")
    stack = Stack()
    count, end = 0, start
    broken: Break | None = None
    most = room(EACH)
    finder = GapFinder(source, lambda at: _end(source, at, progress)) if arrays else None
    for window in windows(source, start) if finder is None else finder.windows(start):
        depth, bad, reason = depths(stack, window.codes)
        end, broken = _outcome(window, bad, reason)
        kept = bad if bad >= 0 else len(depth)
        memo.add(window, count)
        odd.extend(window.odd)
        spoilt.extend(spoilt_texts(source, window))
        parts.append((window.offsets[:kept], window.codes[:kept], depth[:kept]))
        count += kept
        if progress is not None:
            progress.step("opcodes", end - start, source.size - start)
        if most is not None and count > most and not window.stopped and broken is None:
            broken = Break(MEMORY, end, missing=count)
        if bad >= 0 or broken is not None:
            break
    parts.append((np.array([end], dtype=np.int64), np.zeros(0, dtype=np.uint8), np.zeros(0, dtype=np.int32)))
    columns = Columns(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    made = Disassembly(source, columns, memo.finish(count), broken)
    made.gaps = {row: gap for row, gap in finder.gaps.items() if row < count} if finder is not None else {}
    made.odd, made.spoilt = made.rows_at(odd), made.rows_at(spoilt)
    unknown = made.memo.first_unknown()
    return made if unknown < 0 else _cut(made, memo, unknown)


def _end(source: ByteSource, start: int, progress: Progress | None) -> tuple[int, bool]:
    """Where a stream ends, and whether at its STOP."""
    code = disassemble(source, start, progress)
    return code.stop, code.complete


def _outcome(window: Window, bad: int, reason: str) -> tuple[int, Break | None]:
    """Where the opcodes of a window end, and the break: of the stack's rules before that of the bytes."""
    if bad < 0:
        return window.next, window.broken
    at = int(window.offsets[bad])
    return at, Break(reason, at, OPCODES[int(window.codes[bad])].name)


def _cut(made: Disassembly, memo: MemoBuilder, unknown: int) -> Disassembly:
    """The same stream up to a read of an empty memo slot, where every unpickler stops."""
    at = made.offset(unknown)
    columns = Columns(made.offsets[: unknown + 1], made.codes[:unknown], made.depths[:unknown])
    broken = Break("pickle-empty-memo", at, str(made.memo.index(unknown)))
    cut = Disassembly(made.source, columns, memo.finish(unknown), broken)
    cut.scanned = made.stop
    cut.odd, cut.spoilt = made.odd[made.odd < unknown], made.spoilt[made.spoilt < unknown]
    cut.gaps = {row: gap for row, gap in made.gaps.items() if row < unknown}
    return cut
