"""Where the bytes of two sources differ, offset by offset: the next place, the one before, those in a window, all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from viewer.core.search_bytes.base import Hits, Offsets, Piece
from viewer.core.source import BLOCK, ByteSource
from viewer.core.span import Span

if TYPE_CHECKING:
    from viewer.core.progress import Progress

COMPARING = "comparing"
LONGEST: Final = 2**31
"""Bytes of a run; a longer one is given in parts, as lengths are kept in 32 bits."""


def next_difference(one: ByteSource, other: ByteSource, offset: int, progress: Progress) -> int | None:
    """The first offset behind the run of unequal bytes at an offset where the bytes differ; None: there is none."""
    stop = max(one.size, other.size)
    at = _first(one, other, offset, stop, progress, equal=True)
    return _first(one, other, at, stop, progress, equal=False) if at is not None else None


def first_difference(one: ByteSource, other: ByteSource, progress: Progress) -> int | None:
    """The first offset where the bytes differ, or where one of them has ended."""
    return _first(one, other, 0, max(one.size, other.size), progress, equal=False)


def previous_difference(one: ByteSource, other: ByteSource, offset: int, progress: Progress) -> int | None:
    """Where the run of unequal bytes begins that lies before an offset; None: there is none."""
    last = _last(one, other, offset, progress, equal=False)
    if last is None:
        return None
    before = _last(one, other, last, progress, equal=True)
    return 0 if before is None else before + 1


def all_differences(one: ByteSource, other: ByteSource, progress: Progress) -> Iterator[Piece]:
    """The runs of unequal bytes from the start on, in pieces as those of a search, all before `searched`.

    What only one of the sources has is one run, and is not read. Raises CancelledError between two blocks.
    """
    both, stop = min(one.size, other.size), max(one.size, other.size)
    begun: int | None = None
    for at in range(0, both, BLOCK):
        progress.step(COMPARING, at, both)
        high = min(at + BLOCK, both)
        edges = _edges(one, other, at, high, begun=begun is not None)
        # A run that reaches the edge of the block may go on in the next one.
        goes_on = len(edges) > 0 and edges[-1] == high
        if begun is not None:
            edges[0] = begun
        begun = int(edges[-2]) if goes_on else None
        edges = edges[:-2] if goes_on else edges
        yield Piece(_in_parts(edges[::2], edges[1::2]), high if begun is None else begun)
    if begun is not None or stop > both:
        first = np.array([both if begun is None else begun], np.int64)
        yield Piece(_in_parts(first, np.array([stop], np.int64)), stop)


def _edges(one: ByteSource, other: ByteSource, start: int, stop: int, *, begun: bool) -> Offsets:
    """Starts and stops of the runs in a block by turns; `begun`: the first one is there, though it may be empty."""
    mine, theirs = one.read(start, stop - start), other.read(start, stop - start)
    if mine == theirs and len(mine) == stop - start:
        return np.array([start, start] if begun else [], np.int64)
    unequal = _compared(mine, theirs, stop - start)
    edges = _changes(unequal) + start
    return np.concatenate([[start, start], edges]) if begun and not unequal[0] else edges


def _changes(unequal: npt.NDArray[np.bool_]) -> Offsets:
    """Starts and stops of the runs of True, by turns."""
    inner = np.flatnonzero(unequal[1:] != unequal[:-1]) + 1
    first = [0] if len(unequal) and unequal[0] else []
    last = [len(unequal)] if len(unequal) and unequal[-1] else []
    return np.concatenate([first, inner, last]).astype(np.int64) if first or last else inner


def _in_parts(starts: Offsets, stops: Offsets) -> Hits:
    """Runs as hits, none longer than can be kept."""
    lengths = stops - starts
    if len(lengths) and lengths.max() > LONGEST:
        pairs = zip(starts.tolist(), stops.tolist(), strict=True)
        parts = [(at, min(at + LONGEST, stop)) for start, stop in pairs for at in range(start, stop, LONGEST)]
        starts = np.array([start for start, _ in parts], np.int64)
        lengths = np.array([stop - start for start, stop in parts], np.int64)
    return Hits(starts, lengths.astype(np.uint32))


def differences_in(one: ByteSource, other: ByteSource, start: int, stop: int) -> list[tuple[int, int]]:
    """The runs (start, stop) of unequal bytes in a window that fits into memory."""
    unequal = _unequal(one, other, start, min(stop, max(one.size, other.size)))
    edges = _changes(unequal) + start
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _first(one: ByteSource, other: ByteSource, start: int, stop: int, progress: Progress, *, equal: bool) -> int | None:
    both = min(one.size, other.size, stop)
    for at in range(start, both, BLOCK):
        progress.step(COMPARING, at - start, both - start)
        found = _places(one, other, Span(at, min(at + BLOCK, both)), equal=equal)
        if len(found):
            return at + int(found[0])
    # Where one of them has ended all bytes differ.
    return max(start, both) if not equal and max(start, both) < stop else None


def _last(one: ByteSource, other: ByteSource, stop: int, progress: Progress, *, equal: bool) -> int | None:
    both = min(one.size, other.size)
    if not equal and stop > both:
        return min(stop, max(one.size, other.size)) - 1
    high = stop = min(stop, both)
    while high > 0:
        progress.step(COMPARING, stop - high, stop)
        low = max(0, high - BLOCK)
        found = _places(one, other, Span(low, high), equal=equal)
        if len(found):
            return low + int(found[-1])
        high = low
    return None


def _places(one: ByteSource, other: ByteSource, span: Span, *, equal: bool) -> npt.NDArray[np.intp]:
    """The places in a block at which bytes are equal, or are not. Most blocks are told by one comparison of all."""
    mine, theirs = one.read(span.start, span.length), other.read(span.start, span.length)
    if mine == theirs and len(mine) == span.length:
        return np.arange(span.length) if equal else np.zeros(0, np.intp)
    return np.flatnonzero(_compared(mine, theirs, span.length) != equal)


def _unequal(one: ByteSource, other: ByteSource, start: int, stop: int) -> npt.NDArray[np.bool_]:
    length = max(0, stop - start)
    return _compared(one.read(start, length), other.read(start, length), length)


def _compared(mine: bytes, theirs: bytes, length: int) -> npt.NDArray[np.bool_]:
    """True where bytes differ or one of them is not there."""
    both = min(len(mine), len(theirs))
    if both == length:
        return np.not_equal(np.frombuffer(mine, np.uint8), np.frombuffer(theirs, np.uint8))
    unequal = np.ones(length, np.bool_)
    unequal[:both] = np.frombuffer(mine, np.uint8, both) != np.frombuffer(theirs, np.uint8, both)
    return unequal
