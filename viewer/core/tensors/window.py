"""Elements of a tensor read from the bytes: single ones, slices, all of them block by block.

Numbers come as little-endian numpy arrays with the conj and neg bits applied; bfloat16 and float8 as the types
of ml_dtypes, complex32 as a structure of two float16 (`real`, `imag`), quantised ones as the integers that are
stored, pairs and raw bits as the unsigned integers that hold them. Only the bytes that are asked for are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from viewer.core.errors import ViewerError
from viewer.core.memory import share
from viewer.core.source import BLOCK, ByteSource
from viewer.core.span import Span
from viewer.core.tensors.dtypes import AnyArray, dtype
from viewer.core.tensors.elements import Elements, elements
from viewer.core.tensors.gather import ShortReadError, boxes, gather, read_exactly
from viewer.core.tensors.layout import Shape, index_of, is_row_major, place, reach
from viewer.core.tensors.packed import numbers_in, packed_blocks, per_byte, unpacked, unpacked_blocks
from viewer.core.tensors.path import shown
from viewer.core.tensors.tensor import Tensor, inner_tensors

if TYPE_CHECKING:
    from viewer.core.progress import Progress
    from viewer.core.tensors.storage import Storage

Key = Sequence[int | slice]
BYTES: Final = Elements(1, np.dtype(np.uint8), np.dtype(np.uint8))
BUDGET: Final = 64 * 1024 * 1024
"""Bytes that a block of a tensor that is not contiguous may be gathered in: the more, the less is read again."""
CONVERTED: Final = 16 * 1024 * 1024
"""The same where its elements are converted, and so held twice."""


class IncompleteError(ViewerError):
    """Bytes of the tensor are missing from the file; `missing` of `size`."""

    def __init__(self, tensor: Tensor, missing: int, size: int) -> None:
        super().__init__("tensor-incomplete", name=name_of(tensor), missing=missing, size=size)
        self.missing = missing


class NoValuesError(ViewerError):
    """The tensor has no plain elements: it has no storage, or its type is no type of numbers."""

    def __init__(self, tensor: Tensor) -> None:
        super().__init__("tensor-no-values", name=name_of(tensor))


def name_of(tensor: Tensor) -> str:
    """What to call a tensor in a sentence: its name, else its path."""
    return tensor.name or shown(tensor.path) or tensor.kind


# -- places -----------------------------------------------------------------------------------------


def itemsize(tensor: Tensor) -> int:
    """Bytes of one element; 0 for a type that is not known."""
    found = elements(tensor)
    if found is not None:
        return found.itemsize
    known = dtype(tensor.dtype)
    return known.itemsize if known is not None else 0


def nbytes(tensor: Tensor) -> int:
    """Elements x item size, rounded up to whole bytes."""
    known = dtype(tensor.dtype) if tensor.kind == "tensor" else None
    return known.nbytes(tensor.elements) if known is not None else tensor.elements * itemsize(tensor)


def stored_nbytes(tensor: Tensor) -> int:
    """Bytes that it takes in the file: those of its parts where it is made of them, as sparse and nested ones are."""
    if tensor.storage is not None or not tensor.parts or any(part.offsets is not None for _, part in tensor.parts):
        return nbytes(tensor)
    return sum(nbytes(part) for part in inner_tensors(tensor) if part.storage is not None or not part.parts)


def extent(tensor: Tensor) -> Span | None:
    """First to last byte used, in the storage's own bytes; equal when there is none. None without a storage."""
    if tensor.storage is None:
        return None
    size, per = itemsize(tensor), per_byte(tensor)
    low, high = reach(tensor.shape, tensor.stride)
    start = max(0, (tensor.storage_offset + low) // per * size)
    return Span(start, max(start, -(-(tensor.storage_offset + high + 1) // per) * size))


def span(tensor: Tensor) -> Span | None:
    """First to last byte used, in the document's source, as declared even beyond its end.

    None where the bytes stand in no part of it.
    """
    used = extent(tensor)
    if used is None or tensor.storage is None or tensor.storage.span is None:
        return None
    return used.shifted(tensor.storage.span.start)


def available(tensor: Tensor) -> int:
    """Bytes of the span that are there."""
    used = extent(tensor)
    if used is None or tensor.storage is None:
        return 0
    return max(0, min(used.stop, tensor.storage.available) - used.start)


def missing_bytes(tensor: Tensor) -> tuple[int, int]:
    """Bytes of the span that are missing, and all of them."""
    used = extent(tensor)
    if used is None or tensor.storage is None:
        return 0, 0
    there = max(0, min(used.stop, tensor.storage.available) - used.start)
    return used.length - there, used.length


def complete(tensor: Tensor) -> bool:
    """True when no byte is missing; a tensor without bytes of its own misses none."""
    return missing_bytes(tensor)[0] == 0


def element_offset(tensor: Tensor, index: Sequence[int]) -> Span | None:
    """The bytes of one element, in the document's source; None where they stand in no part of it."""
    if tensor.storage is None or tensor.storage.span is None or len(index) != len(tensor.shape):
        return None
    if not all(0 <= at < size for at, size in zip(index, tensor.shape, strict=True)):
        return None
    size = itemsize(tensor)
    at = (tensor.storage_offset + place(tensor.stride, index)) // per_byte(tensor)
    start = tensor.storage.span.start + at * size
    return Span(start, start + size) if start >= 0 else None


def element_at(tensor: Tensor, offset: int) -> Shape | None:
    """The index of the element that owns a byte of the document's source; the smallest where several share it."""
    size = itemsize(tensor)
    if tensor.storage is None or tensor.storage.span is None or not size:
        return None
    low, high = reach(tensor.shape, tensor.stride)
    for target in numbers_in(tensor, (offset - tensor.storage.span.start) // size):
        found = index_of(tensor.shape, tensor.stride, target) if low <= target <= high else None
        if found is not None:
            return found
    return None


# -- values -----------------------------------------------------------------------------------------


def read(tensor: Tensor, key: Key = ()) -> AnyArray:
    """The elements that an index of ints and slices selects, as numpy would; axes that are not named are whole.

    Booleans are true for every byte but 0. Raises NoValuesError, IncompleteError when a byte that is needed is
    missing, IndexError for an index outside the shape.
    """
    if per_byte(tensor) > 1:
        return _read_packed(tensor, key)
    kind, storage = _readable(tensor)
    start, shape, stride = _selected(tensor, key)
    low, high = reach(shape, stride)
    first, behind = (start + low) * kind.itemsize, (start + high + 1) * kind.itemsize
    if high >= low and (first < 0 or behind > storage.reach):
        raise IncompleteError(tensor, behind - max(first, storage.reach, 0), behind - first)
    if storage.source is None or not kind.itemsize:
        return np.zeros(shape, dtype=kind.native)
    try:
        raw = gather(storage.source, start * kind.itemsize, shape, stride, kind.itemsize)
    except ShortReadError as failure:
        raise IncompleteError(tensor, failure.missing, behind - first) from failure
    numbers: AnyArray = raw != 0 if kind.native.kind == "b" else kind.decode(raw)
    return numbers.reshape(shape)


def blocks(tensor: Tensor, progress: Progress | None = None, block: int = BLOCK) -> Iterator[AnyArray]:
    """All elements in row-major order, flat, in arrays of at most `block` bytes (at least one element).

    Booleans keep the bytes that are stored. Each array is the caller's own. Memory stays below 100 MB whatever
    the layout; elements that are not contiguous cost more reads. Raises NoValuesError and IncompleteError at
    once, IncompleteError later when the file is cut meanwhile, CancelledError.
    """
    if per_byte(tensor) > 1:
        return _packed_runs(tensor, progress, block)
    kind, storage = _readable(tensor)
    missing, size = missing_bytes(tensor)
    if missing:
        raise IncompleteError(tensor, missing, size)
    if storage.source is None or not kind.itemsize or not tensor.elements:
        return iter(())
    count = max(1, block // kind.itemsize)
    if is_row_major(tensor.shape, tensor.stride):
        return _reported(tensor, kind, _straight(tensor, storage, kind, count), progress)
    return _reported(tensor, kind, _gathered(tensor, storage, kind, count, progress), progress)


def packed_bytes(tensor: Tensor, progress: Progress | None = None) -> Iterator[AnyArray]:
    """The bytes of a packed type. Raises IncompleteError, NoValuesError and CancelledError."""
    source = _packed_source(tensor)
    if source is None:
        return iter(())
    return _reported(tensor, BYTES, packed_blocks(tensor, source, progress), None)


def _packed_source(tensor: Tensor) -> ByteSource | None:
    """The bytes of a packed tensor, all of which are there; None where it has no elements."""
    missing, size = missing_bytes(tensor)
    if tensor.storage is None:
        raise NoValuesError(tensor)
    if missing:
        raise IncompleteError(tensor, missing, size)
    return tensor.storage.source if tensor.elements else None


def _packed_runs(tensor: Tensor, progress: Progress | None, block: int) -> Iterator[AnyArray]:
    source = _packed_source(tensor)
    if source is None:
        return iter(())
    return _reported(tensor, BYTES, unpacked_blocks(tensor, source, block, progress), progress)


def _read_packed(tensor: Tensor, key: Key) -> AnyArray:
    """A selection of elements that share bytes."""
    if tensor.storage is None:
        raise NoValuesError(tensor)
    start, shape, stride = _selected(tensor, key)
    low, high = reach(shape, stride)
    per = per_byte(tensor)
    first, behind = (start + low) // per, -(-(start + high + 1) // per)
    if high >= low and (first < 0 or behind > tensor.storage.available):
        raise IncompleteError(tensor, behind - max(first, tensor.storage.available, 0), behind - first)
    if tensor.storage.source is None:
        return np.zeros(shape, dtype=np.uint8)
    try:
        return unpacked(tensor.storage.source, start, shape, stride, per).reshape(shape)
    except ShortReadError as failure:
        raise IncompleteError(tensor, failure.missing, behind - first) from failure


def _reported(
    tensor: Tensor, kind: Elements, runs: Iterator[AnyArray], progress: Progress | None
) -> Iterator[AnyArray]:
    """The runs with a report and a cancel point at each, and core's error for bytes that vanished."""
    done, total = 0, tensor.elements * kind.itemsize
    try:
        for run in runs:
            if progress is not None:
                progress.step("tensor", done, total)
            yield run
            done += run.nbytes
    except ShortReadError as failure:
        raise IncompleteError(tensor, failure.missing, total) from failure


def _straight(tensor: Tensor, storage: Storage, kind: Elements, count: int) -> Iterator[AnyArray]:
    """Elements that follow one another."""
    source, size = storage.source, kind.itemsize
    at = tensor.storage_offset * size
    stop = at + tensor.elements * size
    while at < stop and source is not None:
        raw = np.empty(min(count * size, stop - at), dtype=np.uint8)
        read_exactly(source, at, raw)
        at += len(raw)
        yield kind.decode(raw)


def _gathered(
    tensor: Tensor, storage: Storage, kind: Elements, count: int, progress: Progress | None
) -> Iterator[AnyArray]:
    """Elements that do not: a box that fits the budget is gathered and handed out in blocks."""
    size = kind.itemsize
    budget = share(BUDGET if kind.stored == kind.native else CONVERTED)
    for first, shape in boxes(tensor.shape, max(count, budget // max(size, kind.native.itemsize))):
        start = (tensor.storage_offset + place(tensor.stride, first)) * size
        if storage.source is None:
            return
        numbers = kind.decode(gather(storage.source, start, shape, tensor.stride, size, progress))
        for at in range(0, len(numbers) - count, count):
            yield numbers[at : at + count]
        # Whoever holds the last one does not hold the whole box while the next is gathered.
        last = numbers[len(numbers) - 1 - (len(numbers) - 1) % count :]
        last = last.copy() if len(last) < len(numbers) else last
        del numbers
        yield last


def _readable(tensor: Tensor) -> tuple[Elements, Storage]:
    kind = elements(tensor)
    if kind is None or tensor.storage is None:
        raise NoValuesError(tensor)
    return kind, tensor.storage


def _selected(tensor: Tensor, key: Key) -> tuple[int, Shape, Shape]:
    """First element, shape and stride of a selection, in elements of the storage."""
    if len(key) > len(tensor.shape):
        raise IndexError(f"{len(key)} indices for {len(tensor.shape)} axes")
    start, shape, stride = tensor.storage_offset, [], []
    for axis, (size, step) in enumerate(zip(tensor.shape, tensor.stride, strict=True)):
        wanted = key[axis] if axis < len(key) else slice(None)
        if isinstance(wanted, slice):
            chosen = range(*wanted.indices(size))
            start += chosen.start * step if len(chosen) else 0
            shape.append(len(chosen))
            stride.append(chosen.step * step)
        elif -size <= wanted < size:
            start += (wanted % size) * step
        else:
            raise IndexError(f"index {wanted} for an axis of {size}")
    return start, tuple(shape), tuple(stride)
