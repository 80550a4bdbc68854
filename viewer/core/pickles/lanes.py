"""Where opcodes that stand close together start, found in many places of a window at once.

Where an opcode starts is known only when the one before it is. But whoever steps through a stream from a wrong place
soon falls in with its opcodes. So a window is cut into lanes, which are all stepped through at the same time, each
from its first byte. Then the opcodes are followed from the first lane on: where they meet what was stepped on, the
rest of that lane is taken over, and until then they are followed one by one. What is found is exact.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

OTHER, COUNT1, COUNT4 = -2, -1, 0
"""Instead of the length of an opcode: counted by one byte, by four, and what has to be looked at more closely."""
LANE: Final = 256
LONGEST: Final = 1 << 15
"""Longer arguments are left to the closer look: from a wrong place most lengths that are read are nonsense."""
_ROUNDS: Final = 16

Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Lanes:
    """The lanes of [start, end) of some bytes, which go on a little behind `end`.

    `sizes`: for each byte the length of its opcode, or one of OTHER, COUNT1, COUNT4, as signed bytes.
    """

    def __init__(self, data: bytes, start: int, end: int, sizes: bytes) -> None:
        self._start, self._stop = start, end - start
        raw = data[start:end].translate(sizes) + bytes([OTHER & 0xFF]) * (-self._stop % LANE)
        kinds = np.frombuffer(raw, dtype=np.int8)
        is_other = kinds == OTHER
        ends = _ends(np.frombuffer(data, dtype=np.uint8)[start:], kinds, is_other, self._stop)
        visited, self._exits = _walked(ends)
        self._ends = ends.data
        self._visited, self._others = visited.tobytes(), is_other.tobytes()
        self._stops = (is_other & visited).tobytes()
        self._found = bytearray(len(kinds))

    def follow(self, pos: int) -> int:
        """Find opcodes from `pos` on; gives where one needs a closer look or is not whole, or the end."""
        at, stop = pos - self._start, self._stop
        visited, others, found = self._visited, self._others, self._found
        while at < stop:
            if not visited[at]:
                if others[at]:
                    break
                found[at] = 1
                at = self._ends[at]
                continue
            lane = at // LANE
            limit = (lane + 1) * LANE
            other = self._stops.find(1, at, limit)
            if other >= 0:
                found[at:other] = visited[at:other]
                at = other
                break
            found[at:limit] = visited[at:limit]
            at = self._exits[lane]
        return at + self._start

    def starts(self) -> Places:
        """The places of all opcodes that were found."""
        return np.flatnonzero(np.frombuffer(self._found, dtype=np.bool_)) + self._start


def _ends(data: npt.NDArray[np.uint8], kinds: npt.NDArray[np.int8], is_other: Flags, stop: int) -> Places:
    """Where an opcode at each place would end. What is too long or not whole becomes OTHER, which takes one byte."""
    ends = np.arange(len(kinds), dtype=np.int64)
    ends += kinds
    rows = np.flatnonzero(kinds == COUNT1)
    ends[rows] = data[rows + 1] + (rows + 2)
    rows = np.flatnonzero(kinds == COUNT4)
    lengths = np.zeros(len(rows), dtype=np.int64)
    for byte in range(4):
        lengths |= data[rows + 1 + byte].astype(np.int64) << (8 * byte)
    ends[rows] = lengths + (rows + 5)
    is_other[rows[lengths > LONGEST]] = True
    last = max(0, len(ends) - 2 * LONGEST)
    is_other[last:] |= ends[last:] > stop
    others = np.flatnonzero(is_other)
    ends[others] = others + 1
    return ends


def _walked(ends: Places) -> tuple[Flags, list[int]]:
    """Where the steps from the first byte of each lane come by, and where they leave it."""
    count = len(ends)
    places = np.arange(count, dtype=np.int64)
    steps = np.full(count + 1, count, dtype=np.int64)
    np.copyto(steps[:count], ends, where=ends <= places | (LANE - 1))
    visited = np.zeros(count + 1, dtype=np.bool_)
    at = places[::LANE]
    while len(at):
        for _ in range(_ROUNDS):
            visited[at] = True
            at = steps[at]
        at = at[at < count]
    lasts = LANE - 1 - visited[:count].reshape(-1, LANE)[:, ::-1].argmax(axis=1)
    exits: list[int] = ends[places[::LANE] + lasts].tolist()
    return visited[:count], exits
