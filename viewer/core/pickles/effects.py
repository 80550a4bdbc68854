"""The stack and the memo before and after any opcode of a stream, and the opcodes that belong together.

A *moment* is the number of an opcode that is yet to be done: `i` is before opcode i, `i + 1` after it, and the number
of opcodes is the end, where a broken stream breaks. Nothing is run up to a moment; all is looked up in the columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from viewer.core.pickles.disassembly import Disassembly
from viewer.core.pickles.earlier import Earlier
from viewer.core.pickles.memo import GETS, PUTS
from viewer.core.pickles.nesting import Nesting
from viewer.core.pickles.opcodes import OPCODES, code, codes
from viewer.core.pickles.values import INST, Kind, Rows, Values

PAGE: Final = 200
"""Items that are looked up at once."""

_CHANGES: Final = codes("APPEND APPENDS ADDITEMS SETITEM SETITEMS BUILD READONLY_BUFFER")
_DICT: Final = code("DICT")
_PAIRED: Final = codes("SETITEM SETITEMS")
_IS_MARKED: Final = np.zeros(256, dtype=np.bool_)
_IS_MARKED[list(codes("APPENDS ADDITEMS SETITEMS"))] = True
_IS_PAIRED: Final = np.zeros(256, dtype=np.bool_)
_IS_PAIRED[list(_PAIRED)] = True
_BUILD: Final = code("BUILD")
_FRAME: Final = code("FRAME")


class Item(NamedTuple):
    """A slot of the stack, counted from 1. `writer`: the opcode that put the item; `value`: what it is (a mark too)."""

    slot: int
    writer: int
    value: int


class Entry(NamedTuple):
    """A slot of the memo: its number, the opcode that stored it, what it stored, and the first opcode that reads it.

    `first_use` is -1, and `uses` 0, where nothing reads what was stored.
    """

    number: int
    store: int
    value: int
    first_use: int
    uses: int


@dataclass(frozen=True, slots=True)
class Reach:
    """What an opcode leaves alone. `kept`: slots that are the same before and after it; those above it took or put.

    `changed`: the slot whose item it changes in content, 0 for none. It is among the kept ones.
    """

    kept: int
    changed: int


class Effects:
    """All questions about the opcodes of one stream; each is answered in a time that hardly grows with it."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.code: Disassembly = values.code
        self.nesting = Nesting(values)

    def prepare(self) -> None:
        """Make the tables of a large stream, in a thread, so that no click has to wait for them."""
        if len(self.code):
            self.entries(len(self.code), 0, 1)
            self.held(0, 0)
            self.earlier(0)
            self.values.lows.first(0, 0)

    # -- stack ------------------------------------------------------------------------------------

    def depth(self, moment: int) -> int:
        """Slots on the stack, marks among them."""
        return self.code.depth_before(moment)

    def stack(self, moment: int, first: int = 0, stop: int = PAGE) -> list[Item]:
        """The items first..stop-1 of the stack, counted from its top."""
        depth = self.depth(moment)
        high, low = depth - first, max(depth - stop, 0) + 1
        if high < low:
            return []
        writers = self.values.slots(moment, low, high)
        resolve = self.values.resolve
        slots = range(low, high + 1)
        return [Item(slot, writer, resolve(writer)) for slot, writer in zip(slots, writers, strict=True)][::-1]

    def reach(self, opcode: int) -> Reach:
        """Which slots an opcode takes, puts and changes; at the end of the stream it keeps all."""
        if opcode >= len(self.code):
            return Reach(self.depth(opcode), 0)
        before, after = self.depth(opcode), self.depth(opcode + 1)
        byte = int(self.code.codes[opcode])
        if OPCODES[byte].writes:
            return Reach(after - 1, 0)
        return Reach(min(before, after), after if byte in _CHANGES else 0)

    def earlier(self, moment: int) -> Earlier:
        """The values as they are at a moment."""
        return Earlier(self.values, moment)

    def held(self, value: int, moment: int) -> int:
        """How many items or entries a container holds at a moment, however many changes gave them to it."""
        opcode = OPCODES[int(self.code.codes[value])]
        kind = self.values.kind(value)
        own = 0
        if kind in (Kind.TUPLE, Kind.LIST, Kind.DICT, Kind.FROZENSET):
            own = self._above_mark(value) if opcode.closes else opcode.need
        own = own if opcode.code == _DICT else 2 * own
        targets, rows, sums = self._given
        first = int(np.searchsorted(targets, value))
        stop = int(np.searchsorted(targets, value, side="right"))
        stop = first + int(np.searchsorted(rows[first:stop], moment))
        return (own + int(sums[stop] - sums[first])) // 2

    def given(self, opcode: int) -> int:
        """Values that an opcode takes from above its mark, or else as often as its form says."""
        info = OPCODES[int(self.code.codes[opcode])]
        return self._above_mark(opcode) if info.closes else info.need

    def _above_mark(self, opcode: int) -> int:
        mark = self.nesting.mark_of(opcode)
        return self.depth(opcode) - int(self.code.depths[mark]) if mark >= 0 else 0

    @cached_property
    def _given(self) -> tuple[Rows, Rows, Rows]:
        """Changed values, their changes, and the running sum of what those gave: 2 an item, 1 a key or a value."""
        targets, rows = self.earlier(0).change_columns()
        which = self.code.codes[rows]
        before = self.code.depths[np.maximum(rows - 1, 0)]
        amounts = (before - self.code.depths[rows] - _IS_MARKED[which]).astype(np.int64)
        amounts[~_IS_PAIRED[which]] *= 2
        amounts[which == _BUILD] = 0
        return targets, rows, np.append(np.zeros(1, dtype=np.int64), np.cumsum(amounts))

    # -- memo -------------------------------------------------------------------------------------

    def memo_size(self, moment: int) -> int:
        """Slots of the memo in use."""
        return self.code.memo.size(moment)

    def entries(self, moment: int, first: int = 0, stop: int = PAGE) -> list[Entry]:
        """The slots first..stop-1 of the memo, the one that came into use last first."""
        return [self._entry(*found) for found in self.code.memo.entries(moment, first, stop)]

    def entry_row(self, opcode: int, moment: int) -> int:
        """Place among the `entries` of the slot that an opcode stores in or reads; -1: it does neither, or none yet."""
        store = self.store_of(opcode)
        return self.code.memo.row_of(store, moment) if store >= 0 else -1

    def store_of(self, opcode: int) -> int:
        """The opcode that stored what a GET reads; a PUT is its own; -1 for all others."""
        if not 0 <= opcode < len(self.code):
            return -1
        byte = int(self.code.codes[opcode])
        if byte in PUTS:
            return opcode
        return self.code.memo.store_of(opcode) if byte in GETS else -1

    def uses_of_slot(self, opcode: int) -> Rows:
        """The opcodes that read what a PUT stored, or what a GET reads: itself among them. Empty for all others."""
        store = self.store_of(opcode)
        return self.code.memo.reads(store) if store >= 0 else np.zeros(0, dtype=np.int64)

    def next_use(self, opcode: int) -> int:
        """The next opcode behind a PUT or GET that reads the same; -1: none. Needs no table of all uses."""
        store = self.store_of(opcode)
        return self.code.memo.next_read(store, opcode) if store >= 0 else -1

    def _entry(self, number: int, store: int) -> Entry:
        uses = self.code.memo.reads(store)
        first = int(uses[0]) if len(uses) else -1
        return Entry(number, store, self.values.top(store), first, len(uses))

    # -- marks, frames, makers --------------------------------------------------------------------

    def mark_end(self, mark: int) -> int:
        """The opcode that takes a mark; -1: none does, or `mark` is no MARK."""
        is_mark = 0 <= mark < len(self.code) and self.values.kind(mark) is Kind.MARK
        return self.nesting.mark_end(mark) if is_mark else -1

    def mark_of(self, opcode: int) -> int:
        """The mark that an opcode takes; -1: none."""
        return self.nesting.mark_of(opcode) if 0 <= opcode < len(self.code) else -1

    def frame_end(self, opcode: int) -> int:
        """The last opcode of the frame that a FRAME opens; -1: it is no FRAME, or its frame reaches too far."""
        if not 0 <= opcode < len(self.code) or self.code.codes[opcode] != _FRAME:
            return -1
        length = self.code.argument(opcode)
        stop = self.code.offset(opcode + 1) + (length if isinstance(length, int) else 0)
        return self.code.at(stop - 1) if self.code.offset(opcode + 1) < stop <= self.code.stop else -1

    def maker(self, opcode: int) -> int:
        """The opcode that made the value that is on top after another; -1: itself, or the stack is empty there."""
        value = self.values.top(opcode) if 0 <= opcode < len(self.code) else -1
        return value if value != opcode else -1

    def named(self, opcode: int) -> int:
        """The opcode that names what another names, reads back or calls: a global or an extension code; -1: nothing."""
        values = self.values
        value = values.top(opcode) if 0 <= opcode < len(self.code) else -1
        if value >= 0 and values.kind(value) is Kind.CALL:
            value = values.callee(value)
        if value < 0:
            return -1
        is_name = values.kind(value) in (Kind.GLOBAL, Kind.EXTENSION) or self.code.codes[value] == INST
        return value if is_name else -1
