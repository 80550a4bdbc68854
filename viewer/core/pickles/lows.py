"""Where the stack was lower than at an opcode: what tells which opcodes built a value, however many they are."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

BITS: Final = 6
SIZE: Final = 1 << BITS
NEAR: Final = 16

Depths = npt.NDArray[np.int32]


class Lows:
    """Finds the next lower depth on either side in a time that hardly grows with the distance.

    Level 0 are the depths after each opcode, every further level the minima of 64 neighbours of the one before.
    """

    def __init__(self, depths: Depths) -> None:
        self._view = depths.data
        self._depths = depths

    def last(self, before: int, depth: int) -> int:
        """The last opcode before `before` after which the stack is lower than `depth`; -1: none."""
        view = self._view
        for opcode in range(before - 1, max(before - 1 - NEAR, -1), -1):
            if view[opcode] < depth:
                return opcode
        at = max(before - NEAR, 0)
        for number, level in enumerate(self._levels):
            low = at & -SIZE
            found = np.flatnonzero(level[low:at] < depth)
            if len(found):
                return self._down(number, low + int(found[-1]), depth, -1)
            at = low >> BITS
        return -1

    def first(self, after: int, depth: int) -> int:
        """The first opcode behind `after` after which the stack is lower than `depth`; the number of opcodes: none."""
        view, count = self._view, len(self._view)
        for opcode in range(after + 1, min(after + 1 + NEAR, count)):
            if view[opcode] < depth:
                return opcode
        at = after + 1 + NEAR
        for number, level in enumerate(self._levels):
            high = (at | (SIZE - 1)) + 1
            found = np.flatnonzero(level[at:high] < depth)
            if len(found):
                return self._down(number, at + int(found[0]), depth, 0)
            at = high >> BITS
        return count

    def _down(self, level: int, at: int, depth: int, which: int) -> int:
        """From a block that holds a lower depth to the first (0) or last (-1) opcode in it that has one."""
        while level:
            level -= 1
            low = at << BITS
            at = low + int(np.flatnonzero(self._levels[level][low : low + SIZE] < depth)[which])
        return at

    @cached_property
    def _levels(self) -> list[Depths]:
        levels = [self._depths]
        while len(levels[-1]) > SIZE:
            starts = np.arange(0, len(levels[-1]), SIZE)
            levels.append(np.minimum.reduceat(levels[-1], starts))
        return levels
