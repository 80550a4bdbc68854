"""Reading strided elements: one read where they lie close together, several where they lie far apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from operator import mul
from typing import Final

import numpy as np

from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.tensors.dtypes import AnyArray
from viewer.core.tensors.elements import RawBytes
from viewer.core.tensors.layout import is_row_major, reach, unravel

SMALL: Final = 64 * 1024
LARGE: Final = 64 * 1024 * 1024
WASTE: Final = 4
PAGE: Final = 4096
"""Bytes between elements up to which a system reads those between them anyway."""
PIECE: Final = 4 * 1024 * 1024
"""Bytes that are read between two places to stop."""
MOST_COPIED: Final = 1024 * 1024
"""Elements that are put in order between two places to stop."""
_WORDS: Final = frozenset({1, 2, 4, 8})


class ShortReadError(Exception):
    """Bytes that should be there are not; `missing` of them."""

    def __init__(self, missing: int) -> None:
        super().__init__(missing)
        self.missing = missing


def read_exactly(source: ByteSource, offset: int, buffer: RawBytes) -> None:
    """Fill a flat buffer from an offset. Raises ShortReadError."""
    got = source.read_into(offset, buffer.data) if len(buffer) else 0
    if got < len(buffer):
        raise ShortReadError(len(buffer) - got)


def gather(
    source: ByteSource,
    start: int,
    shape: Sequence[int],
    stride: Sequence[int],
    itemsize: int,
    progress: Progress | None = None,
) -> RawBytes:
    """The elements in row-major order as flat bytes. `start` in bytes, strides in elements. Raises ShortReadError.

    At most four times as many bytes are read as are wanted, and 64 MiB at once, unless the elements follow one
    another, lie within 64 KiB or less than a page from one another. `progress`: stops it, then CancelledError.
    """
    progress = progress or Progress()
    out = np.empty(prod(shape) * itemsize, dtype=np.uint8)
    if not len(out):
        return out
    word = np.dtype(f"<u{itemsize}") if itemsize in _WORDS else np.dtype(f"|V{itemsize}")
    # Axes along which one element repeats are read once; the others in the order of their bytes.
    order = sorted(range(len(shape)), key=lambda axis: -abs(stride[axis]))
    sizes = [1 if stride[axis] == 0 else shape[axis] for axis in order]
    steps = [stride[axis] for axis in order]
    if tuple(sizes) == tuple(shape) and order == list(range(len(shape))):
        _fill(source, start, out, sizes, steps, itemsize, progress)
        return out
    held = np.empty(prod(sizes) * itemsize, dtype=np.uint8)
    _fill(source, start, held, sizes, steps, itemsize, progress)
    back = [order.index(axis) for axis in range(len(shape))]
    found = np.broadcast_to(held.view(word).reshape(sizes).transpose(back), tuple(shape))
    _copy(out.view(word).reshape(tuple(shape)), found, progress)
    return out


def _copy(into: AnyArray, found: AnyArray, progress: Progress) -> None:
    """Put elements in their places, along the longest axis, some at once."""
    axis = max(range(into.ndim), key=lambda each: into.shape[each])
    rows = max(1, MOST_COPIED * into.shape[axis] // into.size)
    for at in range(0, into.shape[axis], rows):
        progress.check()
        part = (*[slice(None)] * axis, slice(at, at + rows))
        into[part] = found[part]


def _read_pieces(source: ByteSource, offset: int, buffer: RawBytes, progress: Progress) -> None:
    for at in range(0, len(buffer), PIECE):
        progress.check()
        read_exactly(source, offset + at, buffer[at : at + PIECE])


def _fill(
    source: ByteSource,
    start: int,
    out: RawBytes,
    shape: Sequence[int],
    stride: Sequence[int],
    itemsize: int,
    progress: Progress,
) -> None:
    """Read elements whose longest steps come first: the last axes together, each run of them at its own place."""
    split = _split(shape, stride, itemsize)
    rows, step, together = 1, 0, 1
    if split:
        rows, step = shape[split - 1], stride[split - 1]
        together = max(1, SMALL // (abs(step) * itemsize)) if abs(step) * itemsize <= PAGE else 1
    done = 0
    for index in _indices(shape[: max(0, split - 1)]):
        place = start + sum(map(mul, index, stride)) * itemsize
        for at in range(0, rows, together):
            progress.check()
            inner = (min(together, rows - at), *shape[split:])
            part = out[done : done + prod(inner) * itemsize]
            _read_run(source, place + at * step * itemsize, part, inner, (step, *stride[split:]), itemsize, progress)
            done += len(part)


def _read_run(
    source: ByteSource,
    start: int,
    out: RawBytes,
    shape: tuple[int, ...],
    stride: tuple[int, ...],
    itemsize: int,
    progress: Progress,
) -> None:
    """Elements that follow one another as they are; others by one read of all that lies between them."""
    if is_row_major(shape, stride):
        _read_pieces(source, start, out, progress)
    else:
        _read_loose(source, start, out, shape, stride, itemsize, progress)


def _split(shape: Sequence[int], stride: Sequence[int], itemsize: int) -> int:
    """How many axes have to be stepped through: those behind them lie together."""
    for split in range(len(shape)):
        inner, steps = shape[split:], stride[split:]
        low, high = reach(inner, steps)
        extent = (high - low + 1) * itemsize
        if extent <= SMALL or is_row_major(inner, steps):
            return split
        if extent <= LARGE and extent <= WASTE * prod(inner) * itemsize:
            return split
    return len(shape)


def _read_loose(
    source: ByteSource,
    start: int,
    out: RawBytes,
    shape: tuple[int, ...],
    stride: tuple[int, ...],
    itemsize: int,
    progress: Progress,
) -> None:
    """Elements with others between them, by one read of all."""
    low, high = reach(shape, stride)
    raw = np.empty((high - low + 1) * itemsize, dtype=np.uint8)
    _read_pieces(source, start + low * itemsize, raw, progress)
    word = np.dtype(f"<u{itemsize}") if itemsize in _WORDS else np.dtype(f"|V{itemsize}")
    steps = tuple(step * itemsize for step in stride)
    _copy(out.view(word).reshape(shape), np.ndarray(shape, word, raw.data, -low * itemsize, steps), progress)


def boxes(shape: Sequence[int], limit: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Cut a shape into boxes of at most `limit` elements that follow one another in row-major order.

    Gives the first index and the shape of each; `limit` is at least 1, no size is 0.
    """
    if not shape:
        yield (), ()
        return
    axis, inner = len(shape) - 1, 1
    while axis > 0 and inner * shape[axis] <= limit:
        inner *= shape[axis]
        axis -= 1
    rows = max(1, limit // inner)
    tail, zeros = tuple(shape[axis + 1 :]), (0,) * (len(shape) - axis - 1)
    ones = (1,) * axis
    for outer in _indices(shape[:axis]):
        for at in range(0, shape[axis], rows):
            yield (*outer, at, *zeros), (*ones, min(rows, shape[axis] - at), *tail)


def boxes_between(shape: Sequence[int], first: int, stop: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The elements numbered [first, stop) in row-major order as few boxes, a few for each axis: index and shape."""
    while first < stop:
        axis, inner = len(shape) - 1, 1
        while axis > 0 and first % (inner * shape[axis]) == 0 and first + inner * shape[axis] <= stop:
            inner *= shape[axis]
            axis -= 1
        index = unravel(shape, first)
        rows = min(shape[axis] - index[axis], (stop - first) // inner) if shape else 1
        yield index, (*(1,) * axis, rows, *shape[axis + 1 :]) if shape else ()
        first += rows * inner


def _indices(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every index of a shape in row-major order; sizes may be huge, so nothing is made beforehand."""
    index = [0] * len(shape)
    while True:
        yield tuple(index)
        for axis in range(len(shape) - 1, -1, -1):
            index[axis] += 1
            if index[axis] < shape[axis]:
                break
            index[axis] = 0
        else:
            return
