"""What opcodes take from the stack, for blocks of neighbouring opcodes at once.

Walks over objects ask for the operands of one opcode after the other; one sorted look-up for some thousand slots
costs little more than one for a single slot. Single questions, as a click asks them, make no block.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.depths import CLOSERS
from viewer.core.pickles.opcodes import OPCODES, code, codes

BITS: Final = 12
SIZE: Final = 1 << BITS
MOST_BLOCKS: Final = 256
MOST_SLOTS: Final = 4096
"""Opcodes that take more are asked for by themselves."""
_CHANGERS: Final = codes("APPEND APPENDS ADDITEMS SETITEM SETITEMS BUILD")
_TAKERS: Final = _CHANGERS | {
    opcode.code
    for opcode in OPCODES.values()
    if opcode.writes and (opcode.code in CLOSERS or opcode.need) and opcode.code != code("DUP")
}
_TAKES: Final = np.zeros(256, dtype=np.bool_)
_TAKES[list(_TAKERS)] = True
# The lowest slot that is taken, a mark among them, above the depth after the opcode: changers leave what they change.
_LOWEST: Final = np.zeros(256, dtype=np.int32)
_LOWEST[list(_CHANGERS)] = 1
_LOWEST_LIST: Final = _LOWEST.tolist()

Rows = npt.NDArray[np.int64]


class _Block(NamedTuple):
    """`starts[i]`: where the slots of opcode i begin. `writers`: who wrote each, `values`: what stands in it."""

    starts: memoryview
    writers: memoryview
    values: memoryview


class Stack(Protocol):
    """What knows every slot: the Values of the stream. It holds the Operands, so these do not hold it."""

    def writers(self, before: Rows, slots: Rows) -> Rows: ...

    def resolve_all(self, opcodes: Rows) -> Rows: ...


class Operands:
    """Answers for one stream. `stack`: of that stream."""

    def __init__(self, opcodes: npt.NDArray[np.uint8], depths: npt.NDArray[np.int32]) -> None:
        self._codes, self._depths = opcodes, depths
        self._code_view, self._depth_view = opcodes.data, depths.data
        self._blocks: dict[int, _Block] = {}
        self._asked: set[int] = set()

    def writers(self, stack: Stack, opcode: int, first: int, count: int) -> list[int] | None:
        """The writers of some of the slots that an opcode takes, its mark among them; None where it is not known."""
        found = self._blocks.get(opcode >> BITS) or self._made(stack, opcode >> BITS)
        return self._read(found, found.writers, opcode, first, count) if found is not None else None

    def values(self, stack: Stack, opcode: int, first: int, count: int) -> list[int] | None:
        """The values in some of these slots; None where they are not known."""
        found = self._blocks.get(opcode >> BITS) or self._made(stack, opcode >> BITS)
        return self._read(found, found.values, opcode, first, count) if found is not None else None

    def _read(self, block: _Block, column: memoryview, opcode: int, first: int, count: int) -> list[int] | None:
        at = opcode & (SIZE - 1)
        if at + 1 >= len(block.starts):
            return None
        lowest = self._depth_view[opcode] + _LOWEST_LIST[self._code_view[opcode]]
        start: int = block.starts[at] + first - lowest
        if first < lowest or start + count > block.starts[at + 1]:
            return None
        found: list[int] = column[start : start + count].tolist()
        return found

    def _made(self, stack: Stack, number: int) -> _Block | None:
        """The block, made when it is asked for the second time."""
        if number not in self._asked:
            self._asked.add(number)
            return None
        base = number << BITS
        rows = np.arange(base, min(base + SIZE, len(self._codes)), dtype=np.int64)
        if number < 0 or not len(rows):
            return None
        which, after = self._codes[rows], self._depths[rows].astype(np.int64)
        before = np.zeros(len(rows), dtype=np.int64)
        before[1:] = after[:-1]
        before[0] = self._depths[base - 1] if base else 0
        lowest = after + _LOWEST[which]
        counts = np.where(_TAKES[which], np.maximum(before - lowest + 1, 0), 0)
        counts[counts > MOST_SLOTS] = 0
        starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts)))
        slots = np.arange(starts[-1]) + np.repeat(lowest - starts[:-1], counts)
        writers = stack.writers(np.repeat(rows, counts), slots)
        block = _Block(starts.data, writers.data, stack.resolve_all(writers).data)
        if len(self._blocks) >= MOST_BLOCKS:
            self._blocks.pop(next(iter(self._blocks)), None)
        self._blocks[number] = block
        return block
