"""Sparse tensors entry by entry: the index that a stored value has in the whole tensor, and the bytes that say so.

    sparse_coo       indices [axes, n], values [n, ...]
    sparse_csr, bsr  crow_indices [..., rows + 1], col_indices [..., n], values [..., n, (block,) ...]
    sparse_csc, bsc  ccol_indices, row_indices, values: the same by columns

Entries are numbered as their values stand. An entry of a block or of dense axes holds several elements.
Source: torch 2.13, docs `torch.sparse` and `torch/_utils.py`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from viewer.core.errors import ViewerError
from viewer.core.progress import Progress
from viewer.core.span import Span
from viewer.core.tensors.dtypes import AnyArray
from viewer.core.tensors.elements import holds_integers
from viewer.core.tensors.layout import Shape, is_row_major, place, row_major, unravel
from viewer.core.tensors.special import SPARSE_ROLES, sparse_fault
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import blocks, element_at, element_offset, read

Coordinates = npt.NDArray[np.int64]
NEAR: Final = 64 * 1024
"""Pointers that are read at once, to find the rows of neighbours."""


@dataclass(frozen=True, slots=True)
class Element:
    """A stored element: its index in the whole tensor, its value, and the bytes of both, the value's first."""

    index: Shape
    value: Any
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Sparse:
    """The entries of a sparse tensor. `first`, `second`: the parts of its indices; of COO both are the only one.

    `batches`: axes in front, `dense`: sizes of what one entry holds: its block, and axes behind.
    """

    tensor: Tensor
    first: Tensor
    second: Tensor
    values: Tensor
    batches: Shape
    dense: Shape

    @property
    def is_coo(self) -> bool:
        """Whether each entry has all its indices; else a row's entries stand together."""
        return self.first is self.second

    @property
    def per_batch(self) -> int:
        """Entries of one batch."""
        return self.values.shape[len(self.batches)]

    @property
    def count(self) -> int:
        """All entries."""
        return prod(self.batches) * self.per_batch

    @property
    def elements(self) -> int:
        """Stored elements: those of all entries."""
        return self.count * prod(self.dense)

    @property
    def block(self) -> tuple[int, int]:
        """Rows and columns of an entry."""
        return (self.dense[0], self.dense[1]) if "bs" in self.tensor.layout else (1, 1)

    # -- where entries stand ----------------------------------------------------------------------

    def coordinates(self, first: int, stop: int) -> Coordinates:
        """The sparse indices of the entries from `first` up to `stop`, one column each: batches, then row and column.

        Of blocks those of the block. Raises NoValuesError and IncompleteError.
        """
        if self.is_coo:
            return read(self.first, (slice(None), slice(first, stop))).astype(np.int64)
        made = np.empty((len(self.batches) + 2, stop - first), dtype=np.int64)
        at = first
        while at < stop:
            number, inside = divmod(at, self.per_batch)
            length = min(stop - at, self.per_batch - inside)
            part = slice(at - first, at - first + length)
            batch = unravel(self.batches, number)
            made[: len(batch), part] = np.array(batch, dtype=np.int64)[:, np.newaxis]
            plain = read(self.second, (*batch, slice(inside, inside + length))).astype(np.int64)
            packed = self._packed(batch, inside, length)
            made[-2:, part] = (packed, plain) if self._by_rows else (plain, packed)
            at += length
        return made

    def element(self, number: int) -> Element:
        """A stored element by its number, in the order of the values. Raises NoValuesError and IncompleteError."""
        return self.some(number, number + 1)[0]

    def some(self, first: int, stop: int) -> list[Element]:
        """Stored elements by their numbers. Raises NoValuesError and IncompleteError."""
        if stop <= first:
            return []
        size = prod(self.dense)
        entries = first // size
        where = self.coordinates(entries, (stop - 1) // size + 1)
        numbers = self._numbers(first, stop)
        made = []
        for number in range(first, stop):
            entry, inside = divmod(number, size)
            found = where[:, entry - entries].tolist()
            made.append(Element(self.index(found, inside), numbers[number - first], self._spans(entry, inside, found)))
        return made

    @property
    def _by_rows(self) -> bool:
        return self.tensor.layout in ("sparse_csr", "sparse_bsr")

    def _numbers(self, first: int, stop: int) -> AnyArray:
        """Values by their number in row-major order."""
        shape = self.values.shape
        if is_row_major(shape, self.values.stride):
            return read(replace(self.values, shape=(self.values.elements,), stride=(1,)), (slice(first, stop),))
        return np.array([read(self.values, unravel(shape, number))[()] for number in range(first, stop)])

    def index(self, found: Sequence[int], inside: int) -> Shape:
        """The index in the whole tensor of an element of an entry, whose coordinates are `found`."""
        within = unravel(self.dense, inside)
        if self.is_coo:
            return (*found, *within)
        *batch, row, column = found
        if self.block == (1, 1) and "bs" not in self.tensor.layout:
            return (*batch, row, column, *within)
        down, right, *behind = within
        return (*batch, row * self.block[0] + down, column * self.block[1] + right, *behind)

    def _spans(self, entry: int, inside: int, found: Sequence[int]) -> tuple[Span, ...]:
        """The bytes of the value, then those of its indices."""
        number, at = divmod(entry, self.per_batch)
        batch = unravel(self.batches, number)
        places: list[Span | None] = [element_offset(self.values, (*batch, at, *unravel(self.dense, inside)))]
        if self.is_coo:
            places += [element_offset(self.first, (axis, entry)) for axis in range(self.first.shape[0])]
        else:
            packed = found[-2] if self._by_rows else found[-1]
            places.append(element_offset(self.second, (*batch, at)))
            places += [element_offset(self.first, (*batch, end)) for end in (packed, packed + 1)]
        return tuple(place for place in places if place is not None)

    def _packed(self, batch: Shape, first: int, count: int) -> Coordinates:
        """The row (of CSC the column) of neighbouring entries of a batch, from where the rows begin."""
        length = self.first.shape[-1]
        low = self._row_of(batch, first, length)
        high = self._row_of(batch, first + count - 1, length)
        if high - low <= NEAR:
            starts = read(self.first, (*batch, slice(low, high + 2)))
            numbers = np.arange(first, first + count)
            # What a damaged file states may not rise.
            return np.maximum(low + np.searchsorted(starts.astype(np.int64), numbers, side="right") - 1, 0)
        middle = count // 2
        halves = self._packed(batch, first, middle), self._packed(batch, first + middle, count - middle)
        return np.concatenate(halves)

    def _row_of(self, batch: Shape, entry: int, length: int) -> int:
        def begin(row: int) -> int:
            return int(read(self.first, (*batch, row)))

        return max(0, min(bisect_right(range(length), entry, key=begin) - 1, length - 2))


def sparse(tensor: Tensor) -> Sparse | None:
    """The entries of a tensor; None where it is not sparse, a part has no values, or the parts do not fit."""
    roles, parts = SPARSE_ROLES.get(tensor.layout, ()), dict(tensor.parts)
    if not roles or any(role not in parts or parts[role].storage is None for role in roles) or sparse_fault(tensor):
        return None
    first, second, values = parts[roles[0]], parts[roles[-2]], parts["values"]
    if not holds_integers(first) or not holds_integers(second):
        return None
    batches = first.shape[:-1] if len(roles) > 2 else ()
    return Sparse(tensor, first, second, values, batches, values.shape[len(batches) + 1 :])


def index_at(tensor: Tensor, offset: int) -> Shape | None:
    """The index, in the whole, of the stored element that a byte of its value or of its indices belongs to.

    Of an entry of several elements its first. None for bytes of no entry, and where they cannot be read.
    """
    found = sparse(tensor)
    number = _number_at(found, offset) if found is not None else None
    if found is None or number is None or number >= found.elements:
        return None
    try:
        return found.element(number).index
    except ViewerError:
        return None


def _number_at(found: Sparse, offset: int) -> int | None:
    """The number of a stored element, by a byte of the document's source."""
    at = element_at(found.values, offset)
    if at is not None:
        return place(row_major(found.values.shape), at)
    at = element_at(found.second, offset)
    if at is None:
        return None
    entry = at[1] if found.is_coo else place(row_major(found.second.shape), at)
    return entry * prod(found.dense)


# -- all elements at once ----------------------------------------------------------------------------


def numbered(found: Sparse, progress: Progress | None = None) -> Coordinates:
    """The number of each stored element in the whole tensor, in row-major order; -1: outside of its shape.

    The whole tensor must have less than 2^63 elements. Raises NoValuesError, IncompleteError and CancelledError.
    """
    progress = progress or Progress()
    shape, count = found.tensor.shape, found.count
    parts = []
    for at in progress.each(range(0, count, NEAR)):
        where = found.coordinates(at, min(at + NEAR, count))
        parts.append(_numbers_of(found, where, shape))
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def points_well(found: Sparse, progress: Progress | None = None) -> bool:
    """Whether the rows (of CSC the columns) follow one another from the first entry of a batch to the last.

    Raises NoValuesError, IncompleteError and CancelledError.
    """
    if found.is_coo:
        return True
    length, at, before = found.first.shape[-1], 0, 0
    for block in blocks(found.first, progress):
        ends = block.astype(np.int64)
        places = np.arange(at, at + len(ends), dtype=np.int64) % length
        rises = ends >= np.concatenate(([before], ends[:-1]))
        is_good = np.where(places == 0, ends == 0, rises) & ((places < length - 1) | (ends == found.per_batch))
        if not is_good.all():
            return False
        at, before = at + len(ends), int(ends[-1])
    return True


def _numbers_of(found: Sparse, where: Coordinates, shape: Shape) -> Coordinates:
    """The numbers of the elements of some entries."""
    steps = row_major(shape)
    axes = where.shape[0]
    units = [1] * axes
    if not found.is_coo:
        units[-2:] = found.block
    sizes = np.array([shape[axis] // units[axis] for axis in range(axes)], dtype=np.int64)[:, np.newaxis]
    is_inside = np.asarray(((where >= 0) & (where < sizes)).all(axis=0))
    first = np.zeros(where.shape[1], dtype=np.int64)
    for axis in range(axes):
        first += where[axis] * (steps[axis] * units[axis])
    within = np.zeros(1, dtype=np.int64)
    # The rows and columns of a block, then the axes behind, whose elements follow one another.
    inner = steps[axes - 2 :] if "bs" in found.tensor.layout else steps[axes:]
    for size, step in zip(found.dense, inner, strict=True):
        within = (within[:, np.newaxis] + np.arange(size, dtype=np.int64) * step).reshape(-1)
    made = first[:, np.newaxis] + within
    return np.where(is_inside[:, np.newaxis], made, -1).reshape(-1)


def added_up(numbers: Coordinates, values: AnyArray) -> tuple[Coordinates, AnyArray]:
    """Each number once, in ascending order, and the sum of its values, as torch's `coalesce` adds them."""
    order = np.argsort(numbers, kind="stable")
    numbers, values = numbers[order], values[order]
    is_first = np.ones(len(numbers), dtype=np.bool_)
    is_first[1:] = numbers[1:] != numbers[:-1]
    if is_first.all():
        return numbers, values
    starts = np.flatnonzero(is_first)
    return numbers[starts], np.add.reduceat(values, starts)
