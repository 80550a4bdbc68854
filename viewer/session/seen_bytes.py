"""The bytes that the person has seen of a file, so that after reading it again what is different can be told."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from viewer.core.span import Span

MOST: Final = 2**18
"""Bytes that are kept, the last ones seen."""
TOP: Final = "top"
SELECTED: Final = "selected"


class Seen(NamedTuple):
    """Bytes from an offset of a place: "" for the file's own, else the record or file of the set they count in."""

    place: str
    start: int
    data: bytes


class Beside(NamedTuple):
    """A comparison as it outlives a reading. `mine`: bytes of a place, `theirs`: of the file `path`; None = all."""

    mine: Span | None
    place: str
    theirs: Span | None
    path: Path
    title: str


class Standing(NamedTuple):
    """Where the bytes of a file were scrolled to: offset of the first one in view, and what was selected then."""

    top: int
    selected: Span | None

    def kept(self) -> dict[str, Any]:
        """As JSON has it."""
        span = self.selected
        return {TOP: self.top, SELECTED: [span.start, span.stop] if span is not None else None}


def standing(kept: Mapping[str, Any]) -> Standing | None:
    """What `Standing.kept` gave; None for what is damaged or was never kept."""
    top, ends = kept.get(TOP), kept.get(SELECTED)
    if type(top) is not int or top < 0:
        return None
    if not isinstance(ends, list) or [type(end) for end in ends] != [int, int] or not 0 <= ends[0] <= ends[1]:
        return Standing(top, None)
    return Standing(top, Span(*ends))


class SeenBytes:
    """Windows of bytes in the order in which they were seen, 256 KiB at most.

    `before`: what was seen of the file before it was read again, until that is shown; `stood`: what was selected then.
    `beside`: what the bytes are compared with.
    """

    def __init__(self) -> None:
        self.before: SeenBytes | None = None
        self.beside: Beside | None = None
        self.stood: tuple[Span, ...] = ()
        self._seen: deque[Seen] = deque()
        self._edges: npt.NDArray[np.int64] | None = None
        self._size = 0

    def standing(self, spans: tuple[Span, ...]) -> SeenBytes:
        """The same, once these bytes are known as those that were selected last."""
        self.stood = spans
        return self

    @property
    def last(self) -> Seen | None:
        """What was seen last."""
        return self._seen[-1] if self._seen else None

    def remember(self, seen: Seen) -> None:
        """Keep a window; the oldest are forgotten."""
        if not seen.data or seen == self.last:
            return
        self._seen.append(seen)
        self._edges = None
        self._size += len(seen.data)
        while self._size > MOST and len(self._seen) > 1:
            self._size -= len(self._seen.popleft().data)

    def changed(self, now: Seen) -> list[tuple[int, int]]:
        """The runs (start, stop) of bytes that were others when they were seen; of unseen ones nothing is known."""
        stop = now.start + len(now.data)
        unequal = np.zeros(len(now.data), np.bool_)
        fresh = np.frombuffer(now.data, np.uint8)
        for seen in self._touching(now.start, stop):
            first, last = max(now.start, seen.start), min(stop, seen.start + len(seen.data))
            if seen.place == now.place and first < last:
                before = np.frombuffer(seen.data, np.uint8)[first - seen.start : last - seen.start]
                part = slice(first - now.start, last - now.start)
                unequal[part] = before != fresh[part]
        edges = np.flatnonzero(np.diff(unequal, prepend=False, append=False)) + now.start
        return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))

    def _touching(self, start: int, stop: int) -> list[Seen]:
        """The windows with bytes of [start, stop): of rows that are wider than the pane there are thousands."""
        if self._edges is None:
            pairs = [(seen.start, seen.start + len(seen.data)) for seen in self._seen]
            self._edges = np.array(pairs, np.int64).reshape(-1, 2)
        found = np.flatnonzero((self._edges[:, 0] < stop) & (self._edges[:, 1] > start))
        return [self._seen[index] for index in found.tolist()]
