"""Reading strided elements: one read where they lie close together, several where they lie far apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from operator import mul
from typing import Final

import numpy as np

from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.tensors.dtypes import AnyArray, NumpyType
from viewer.core.tensors.elements import RawBytes
from viewer.core.tensors.layout import is_row_major, reach, unravel

SMALL: Final = 64 * 1024
LARGE: Final = 4 * 1024 * 1024
"""Bytes that are read at once where others lie between the elements."""
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

    At most four times as many bytes are read as are wanted, unless the elements lie within 64 KiB or less than a page
    from one another. What is read goes to its place at once: memory is that of the result and 4 MiB more.
    `progress`: stops it, then CancelledError.
    """
    progress = progress or Progress()
    out = np.empty(prod(shape) * itemsize, dtype=np.uint8)
    if not len(out):
        return out
    # numpy has at most 64 axes, a file as many as it likes; those of one index say nothing.
    sizes = [(size, step) for size, step in zip(shape, stride, strict=True) if size > 1] or [(1, 1)]
    shape, stride = [size for size, _ in sizes], [step for _, step in sizes]
    # Axes along which one element repeats are read once; the others in the order of their bytes.
    order = sorted(range(len(shape)), key=lambda axis: -abs(stride[axis]))
    steps = [stride[axis] for axis in order]
    places = out.view(_word(itemsize)).reshape(tuple(shape)).transpose(order)
    varying = steps.index(0) if 0 in steps else len(steps)
    _fill(source, start, places[_once(len(steps), varying)], steps, progress)
    for axis in range(varying, len(steps)):
        key = _once(len(steps), axis + 1)
        again = places[(*key[:axis], slice(1, None), *key[axis + 1 :])]
        if again.size:
            _copy(again, np.broadcast_to(places[_once(len(steps), axis)], again.shape), progress)
    return out


def _once(rank: int, varying: int) -> tuple[slice, ...]:
    """The first of all that repeat: the axes from `varying` on."""
    return (*[slice(None)] * varying, *[slice(0, 1)] * (rank - varying))


def _word(itemsize: int) -> NumpyType:
    """A type of that size, for what is only moved."""
    return np.dtype(f"<u{itemsize}") if itemsize in _WORDS else np.dtype(f"|V{itemsize}")


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


def _fill(source: ByteSource, start: int, out: AnyArray, stride: Sequence[int], progress: Progress) -> None:
    """Read elements whose longest steps come first: the last axes together, each run of them at its own place."""
    shape, itemsize = out.shape, out.itemsize
    split = _split(shape, stride, itemsize)
    if not split:
        _read_run(source, start, out, stride, progress)
        return
    rows, step = shape[split - 1], stride[split - 1]
    run = prod(shape[split:]) * itemsize
    is_near = abs(step) * itemsize <= PAGE and run < PAGE
    together = max(1, SMALL // (abs(step) * itemsize)) if is_near else 1
    # Runs that lie apart in the result are put there many at once: one by one, each element would cost a cache line.
    held = 1 if is_near or out[(0,) * split].flags.c_contiguous else max(1, PIECE // run)
    stage = np.empty((min(held, rows), *shape[split:]), dtype=out.dtype) if held > 1 else out
    for index in _indices(shape[: split - 1]):
        place, inner = start + sum(map(mul, index, stride)) * itemsize, out[index]
        for first in range(0, rows, max(held, together)):
            target = inner[first : first + max(held, together)]
            into = stage[: len(target)] if held > 1 else target
            for at in range(0, len(into), together):
                progress.check()
                part = into[at : at + together]
                _read_run(source, place + (first + at) * step * itemsize, part, (step, *stride[split:]), progress)
            if held > 1:
                _copy(target, into, progress)


def _read_run(source: ByteSource, start: int, out: AnyArray, stride: Sequence[int], progress: Progress) -> None:
    """Elements that follow one another as they are; others by one read of all that lies between them."""
    if not is_row_major(out.shape, stride):
        _read_loose(source, start, out, stride, progress)
    elif out.flags.c_contiguous:
        _read_pieces(source, start, out.reshape(-1).view(np.uint8), progress)
    else:
        _read_apart(source, start, out, progress)


def _read_apart(source: ByteSource, start: int, out: AnyArray, progress: Progress) -> None:
    """Elements that follow one another in the file and do not in the result."""
    for first, shape in boxes(out.shape, max(1, PIECE // out.itemsize)):
        raw = np.empty(prod(shape) * out.itemsize, dtype=np.uint8)
        _read_pieces(source, start, raw, progress)
        start += len(raw)
        part = tuple(slice(at, at + size) for at, size in zip(first, shape, strict=True))
        _copy(out[part], raw.view(out.dtype).reshape(shape), progress)


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


def _read_loose(source: ByteSource, start: int, out: AnyArray, stride: Sequence[int], progress: Progress) -> None:
    """Elements with others between them, by one read of all."""
    itemsize = out.itemsize
    low, high = reach(out.shape, stride)
    raw = np.empty((high - low + 1) * itemsize, dtype=np.uint8)
    _read_pieces(source, start + low * itemsize, raw, progress)
    steps = tuple(step * itemsize for step in stride)
    _copy(out, np.ndarray(out.shape, out.dtype, raw.data, -low * itemsize, steps), progress)


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
