"""Where the bytes of two sources differ, offset by offset: the next place, the one before, those in a window."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from viewer.core.progress import Progress
from viewer.core.source import BLOCK, ByteSource
from viewer.core.span import Span

COMPARING = "comparing"


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


def differences_in(one: ByteSource, other: ByteSource, start: int, stop: int) -> list[tuple[int, int]]:
    """The runs (start, stop) of unequal bytes in a window that fits into memory."""
    unequal = _unequal(one, other, start, min(stop, max(one.size, other.size)))
    edges = np.flatnonzero(np.diff(unequal, prepend=False, append=False)) + start
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _first(one: ByteSource, other: ByteSource, start: int, stop: int, progress: Progress, *, equal: bool) -> int | None:
    for at in range(start, stop, BLOCK):
        progress.step(COMPARING, at - start, stop - start)
        found = _places(one, other, Span(at, min(at + BLOCK, stop)), equal=equal)
        if len(found):
            return at + int(found[0])
    return None


def _last(one: ByteSource, other: ByteSource, stop: int, progress: Progress, *, equal: bool) -> int | None:
    high = stop
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
    unequal = np.ones(length, np.bool_)
    unequal[:both] = np.frombuffer(mine, np.uint8, both) != np.frombuffer(theirs, np.uint8, both)
    return unequal
