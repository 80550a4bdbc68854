"""Bytes as they are: `bytes.find` while hits are rare, numpy where they stand close together."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from viewer.core.search_bytes.base import NONE, Block, BlockQuery, Hits, Offsets, QueryError

FEW: Final = 64
RUN: Final = 4
"""Equal bytes one behind the other in a literal, from which on it is looked for by another one of its bytes."""
MOST_BYTES: Final = 4096
Values = npt.NDArray[np.uint8]


class Literal(BlockQuery):
    """The bytes themselves. Raises QueryError for more than 4,096."""

    def __init__(self, literal: bytes) -> None:
        if len(literal) > MOST_BYTES:
            raise QueryError("long", limit=MOST_BYTES)
        self.literal = literal
        self.length = self.reach = len(literal)

    @override
    def find(self, data: Block, count: int, base: int, limit: int) -> Hits:
        del base
        return Hits(places(data, self.literal, min(count, limit + self.length - 1)))


def places(data: Block, literal: bytes, stop: int) -> Offsets:
    """Where a literal stands in the first `stop` bytes; places may overlap."""
    if stop < len(literal):
        return NONE
    if (rare := _beside_a_run(literal)) is not None:
        return _dense(np.frombuffer(data, np.uint8, stop), literal, rare)
    found: list[int] = []
    at = data.find(literal, 0, stop)
    while at >= 0:
        found.append(at)
        if len(found) > FEW:
            return _dense(np.frombuffer(data, np.uint8, stop), literal)
        at = data.find(literal, at + 1, stop)
    return np.array(found, np.int64) if found else NONE


def _beside_a_run(literal: bytes) -> int | None:
    """The index of a byte that differs from those of a long run: among zeros `find` would try at each of them."""
    for at in range(len(literal) - RUN + 1):
        if literal.count(literal[at], at, at + RUN) == RUN:
            return next((index for index, byte in enumerate(literal) if byte != literal[at]), None)
    return None


def _dense(values: Values, literal: bytes, first: int | None = None) -> Offsets:
    """All places at once. The rarest byte of the literal, or that at `first`, tells where it can stand at all."""
    room = len(values) - len(literal) + 1
    if len(set(literal)) == 1:
        return _in_runs(values, literal[0], len(literal))
    if first is None:
        counts = np.bincount(values, minlength=256)
        first = min(range(len(literal)), key=lambda index: int(counts[literal[index]]))
    chosen = np.flatnonzero(values[first : first + room] == literal[first])
    for index, byte in enumerate(literal):
        chosen = chosen[values[chosen + index] == byte]
    return chosen.astype(np.int64, copy=False)


def _in_runs(values: Values, byte: int, length: int) -> Offsets:
    """Where `length` equal bytes begin: so far before the next other byte."""
    same = values == byte
    if length == 1:
        return np.flatnonzero(same)
    index = np.arange(len(values), dtype=np.int32)
    other = np.where(same, np.int32(len(values)), index)
    following = np.minimum.accumulate(other[::-1])[::-1]
    return np.flatnonzero(following - index >= length)
