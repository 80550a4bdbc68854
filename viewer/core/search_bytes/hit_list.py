"""All hits of a search: where each stands, a million of them in 8 MiB, or 12 where their lengths differ."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final

import numpy as np

from viewer.core.search_bytes.base import Hits
from viewer.core.span import Span

MOST_LISTED: Final = 1_000_000


class HitList:
    """Hits in ascending order. `total` counts them all, the first million are kept. `length`: of each, 0 = they differ.

    `searched`: the bytes before this offset are searched; those from `known_to` on may hold hits that are not kept.
    """

    def __init__(self, start: int = 0, length: int = 0, most: int = MOST_LISTED) -> None:
        self.length = length
        self.total = 0
        self.searched = self.known_to = start
        self._most = most
        self._starts = array("q")
        self._lengths = array("I")

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, number: int) -> Span:
        start = self._starts[number]
        return Span(start, start + (self.length or self._lengths[number]))

    @property
    def is_whole(self) -> bool:
        """True while no hit was left out."""
        return self.total == len(self._starts)

    def add(self, hits: Hits, searched: int) -> None:
        """The hits of a further piece, and how far all is searched now."""
        self.total += len(hits.starts)
        room = self._most - len(self._starts)
        starts = np.ascontiguousarray(hits.starts[:room], np.int64)
        self._starts.frombytes(starts.tobytes())
        if hits.lengths is not None:
            self._lengths.frombytes(np.ascontiguousarray(hits.lengths[:room], np.uint32).tobytes())
        self.searched = searched
        if self.is_whole:
            self.known_to = searched

    def before(self, offset: int) -> int:
        """How many hits begin before an offset."""
        low, high = 0, len(self._starts)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self._starts[middle] < offset else (low, middle)
        return low

    def touching(self, start: int, stop: int, reach: int) -> Iterator[tuple[int, int]]:
        """The hits that touch the bytes [start, stop). Longer than `reach` may be those that share no bytes."""
        for number in range(max(0, self.before(start - reach + 1) - 1), self.before(stop)):
            span = self[number]
            if span.stop > start:
                yield span.start, span.stop

    def shares(self, edges: list[int]) -> list[int]:
        """How many hits begin between each two of the ascending edges."""
        places = (
            np.searchsorted(np.frombuffer(self._starts, np.int64), edges) if self._starts else np.zeros(len(edges), int)
        )
        return [int(count) for count in np.diff(places)]

    @property
    def nbytes(self) -> int:
        """Bytes that the list takes."""
        return sum(part.buffer_info()[1] * part.itemsize for part in (self._starts, self._lengths))
