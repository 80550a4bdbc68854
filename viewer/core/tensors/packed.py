"""Types of which several elements share a byte: quint4x2 and quint2x4, the first element in the lowest bits.

Sizes, strides and offsets count elements. Elements come as uint8.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.tensors.dtypes import dtype
from viewer.core.tensors.gather import boxes, read_exactly
from viewer.core.tensors.layout import Shape, is_row_major, place, reach
from viewer.core.tensors.tensor import Tensor

Octets = npt.NDArray[np.uint8]
LARGEST: Final = 8 * 1024 * 1024
"""Bytes that are read at once."""
MOST: Final = 1024 * 1024
"""Elements that are unpacked at once."""


def per_byte(tensor: Tensor) -> int:
    """Elements that share a byte; 1 for all other types, and for bare storages, which count bytes."""
    known = dtype(tensor.dtype) if tensor.kind == "tensor" else None
    return known.packed if known is not None else 1


def unpacked(
    source: ByteSource,
    start: int,
    shape: Sequence[int],
    stride: Sequence[int],
    per: int,
    progress: Progress | None = None,
) -> Octets:
    """Elements in row-major order, flat; the first is the one numbered `start`. Raises ShortReadError.

    `progress`: stops it, then CancelledError.
    """
    if progress is not None:
        progress.check()
    if not prod(shape):
        return np.zeros(0, dtype=np.uint8)
    low, high = reach(shape, stride)
    first, behind = (start + low) // per, (start + high) // per + 1
    if behind - first > LARGEST or prod(shape) > MOST:
        axis = next(axis for axis, size in enumerate(shape) if size > 1)
        size, middle = shape[axis], shape[axis] // 2
        halves = [(*shape[:axis], part, *shape[axis + 1 :]) for part in (middle, size - middle)]
        second = start + middle * stride[axis]
        return np.concatenate(
            (
                unpacked(source, start, halves[0], stride, per, progress),
                unpacked(source, second, halves[1], stride, per, progress),
            )
        )
    raw = np.empty(behind - first, dtype=np.uint8)
    read_exactly(source, first, raw)
    places = np.full(1, start, dtype=np.int64)
    for size, step in zip(shape, stride, strict=True):
        places = (places[:, np.newaxis] + np.arange(size, dtype=np.int64) * step).reshape(-1)
    bits = 8 // per
    return (raw[places // per - first] >> (places % per * bits).astype(np.uint8)) & np.uint8((1 << bits) - 1)


def unpacked_blocks(
    tensor: Tensor, source: ByteSource, count: int, progress: Progress | None = None
) -> Iterator[Octets]:
    """All elements in row-major order, in arrays of at most `count`. Raises ShortReadError and CancelledError."""
    per, count = per_byte(tensor), max(1, min(count, MOST))
    if is_row_major(tensor.shape, tensor.stride):
        for first in range(0, tensor.elements, count):
            length = min(count, tensor.elements - first)
            yield unpacked(source, tensor.storage_offset + first, (length,), (1,), per, progress)
        return
    for index, shape in boxes(tensor.shape, count):
        start = tensor.storage_offset + place(tensor.stride, index)
        yield unpacked(source, start, shape, tensor.stride, per, progress)


def packed_blocks(tensor: Tensor, source: ByteSource, progress: Progress | None = None) -> Iterator[Octets]:
    """The packed bytes: as they stand, or packed anew where the elements do not fill whole bytes in their order.

    Raises ShortReadError and CancelledError.
    """
    per = per_byte(tensor)
    if is_row_major(tensor.shape, tensor.stride) and tensor.storage_offset % per == 0:
        at = tensor.storage_offset // per
        stop = at - (-tensor.elements // per)
        while at < stop:
            if progress is not None:
                progress.check()
            raw = np.empty(min(MOST, stop - at), dtype=np.uint8)
            read_exactly(source, at, raw)
            at += len(raw)
            yield raw
        return
    left = np.zeros(0, dtype=np.uint8)
    for numbers in unpacked_blocks(tensor, source, MOST, progress):
        numbers = np.concatenate((left, numbers))
        whole = len(numbers) // per * per
        left = numbers[whole:]
        yield pack(numbers[:whole], per)
    yield pack(left, per)


def pack(numbers: Octets, per: int) -> Octets:
    """Elements as bytes; the last byte is filled up with 0."""
    filled = np.zeros(-(-len(numbers) // per) * per, dtype=np.uint8)
    filled[: len(numbers)] = numbers
    columns, bits, packed = filled.reshape(-1, per), 8 // per, np.zeros(len(filled) // per, dtype=np.uint8)
    for at in range(per):
        packed |= columns[:, at] << np.uint8(at * bits)
    return packed


def numbers_in(tensor: Tensor, byte: int) -> Shape:
    """The numbers, counted from the tensor's first element, of the elements in a byte of its storage."""
    per = per_byte(tensor)
    return tuple(byte * per + at - tensor.storage_offset for at in range(per))
