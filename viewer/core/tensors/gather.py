"""Reading strided elements: one read where they lie close together, several where they lie far apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Final

import numpy as np

from viewer.core.source import ByteSource
from viewer.core.tensors.dtypes import AnyArray, NumpyType
from viewer.core.tensors.elements import RawBytes
from viewer.core.tensors.layout import is_row_major, reach

SMALL: Final = 64 * 1024
LARGE: Final = 64 * 1024 * 1024
WASTE: Final = 4
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


def gather(source: ByteSource, start: int, shape: Sequence[int], stride: Sequence[int], itemsize: int) -> RawBytes:
    """The elements in row-major order as flat bytes. `start` in bytes, strides in elements. Raises ShortReadError.

    At most four times as many bytes are read as are wanted, and 64 MiB at once, unless the elements follow one
    another or lie within 64 KiB.
    """
    count = prod(shape)
    out = np.empty(count * itemsize, dtype=np.uint8)
    if not len(out):
        return out
    word = np.dtype(f"<u{itemsize}") if itemsize in _WORDS else np.dtype(f"|V{itemsize}")
    # Axes along which one element repeats are read once.
    once = tuple(1 if step == 0 else size for size, step in zip(shape, stride, strict=True))
    target = out.view(word).reshape(tuple(shape))
    if once == tuple(shape):
        _fill(source, start, target, stride, word)
    else:
        single = np.empty(once, dtype=word)
        _fill(source, start, single, stride, word)
        target[...] = single
    return out


def _fill(source: ByteSource, start: int, target: AnyArray, stride: Sequence[int], word: NumpyType) -> None:
    """Read the elements of one box. Splits along the axis with the longest steps; as deep as there are axes."""
    shape, size = target.shape, word.itemsize
    low, high = reach(shape, stride)
    extent = (high - low + 1) * size
    straight = is_row_major(shape, stride) and target.flags.c_contiguous
    if straight:
        read_exactly(source, start, target.reshape(-1).view(np.uint8))
        return
    if extent <= SMALL or (extent <= LARGE and extent <= WASTE * target.size * size):
        raw = np.empty(extent, dtype=np.uint8)
        read_exactly(source, start + low * size, raw)
        steps = tuple(step * size for step in stride)
        target[...] = np.ndarray(shape, word, raw.data, -low * size, steps)
        return
    axis = max((axis for axis, length in enumerate(shape) if length > 1), key=lambda axis: abs(stride[axis]))
    rest = [step for other, step in enumerate(stride) if other != axis]
    across = np.moveaxis(target, axis, 0)
    for at in range(shape[axis]):
        _fill(source, start + at * stride[axis] * size, across[at, ...], rest, word)


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
