"""The elements of a tensor that lies in pieces, in several places or files, as one run of bytes in row-major order."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from viewer.core.source import ByteSource
from viewer.core.tensors import window
from viewer.core.tensors.elements import RawBytes
from viewer.core.tensors.gather import ShortReadError, boxes_between, gather, read_exactly
from viewer.core.tensors.layout import Shape, is_row_major, place, row_major
from viewer.core.tensors.tensor import Tensor

MOST_CELLS: Final = 16_000_000
"""Cells that the bounds of the pieces of a tensor divide it into, up to which pieces are held against one another."""


class AssembledSource(ByteSource):
    """The bytes of a tensor of `shape`, read from its pieces when they are asked for.

    Each piece states in `offsets` where its first element lies; where two overlap, the later one counts. Reading ends
    before the first element that no piece has, as at the end of a file. `itemsize`: bytes of an element, the same in
    all pieces. `absent`: bytes that no piece has.
    """

    def __init__(self, shape: Shape, itemsize: int, pieces: Sequence[Tensor]) -> None:
        self.shape, self.itemsize = shape, itemsize
        self.size = prod(shape) * itemsize
        self._pieces = [_Piece(shape, itemsize, tensor) for tensor in pieces if tensor.elements]
        self._starts = np.array([piece.start for piece in self._pieces], dtype=np.int64)
        self._stops = np.array([piece.stop for piece in self._pieces], dtype=np.int64)
        there = sum(piece.count for piece in self._pieces if piece.is_whole)
        self._tiles = there == prod(shape) and are_apart([piece.tensor for piece in self._pieces]) is True
        self.absent = 0 if self._tiles else max(0, self.size - there * itemsize)

    @property
    def sources(self) -> list[ByteSource]:
        """What the pieces are read from."""
        storages = (piece.tensor.storage for piece in self._pieces)
        return [storage.source for storage in storages if storage is not None and storage.source is not None]

    @override
    def read(self, offset: int, length: int) -> bytes:
        length = min(length, self.size - offset)
        if offset < 0 or length <= 0:
            return b""
        buffer = bytearray(length)
        return bytes(buffer[: self.read_into(offset, memoryview(buffer))])

    @override
    def read_into(self, offset: int, buffer: memoryview) -> int:
        length = min(len(buffer), self.size - offset)
        if offset < 0 or length <= 0:
            return 0
        first, stop = offset // self.itemsize, -(-(offset + length) // self.itemsize)
        held = np.zeros((stop - first, self.itemsize), dtype=np.uint8)
        known = None if self._tiles else np.zeros(stop - first, dtype=np.bool_)
        for number in np.flatnonzero((self._starts < stop) & (self._stops > first)):
            self._pieces[int(number)].fill(first, held, known)
        there = len(held) if known is None or known.all() else int(np.argmin(known))
        skipped = offset - first * self.itemsize
        count = max(0, min(length, there * self.itemsize - skipped))
        buffer[:count] = held.reshape(-1)[skipped : skipped + count].data
        return count


class _Piece:
    """One piece: runs of elements that follow one another in the whole tensor as in the piece.

    `start`, `stop`: the first and the last element that it may hold, in the whole. `run`: elements of a run.
    """

    def __init__(self, whole: Shape, itemsize: int, tensor: Tensor) -> None:
        self.tensor, self.itemsize = tensor, itemsize
        self.strides = row_major(whole)
        self.offsets = tensor.offsets or (0,) * len(whole)
        self.count = tensor.elements
        axis = len(whole)
        while axis > 0 and tensor.shape[axis - 1] == whole[axis - 1]:
            axis -= 1
        # The axis before those that are whole is part of the run too.
        self.outer = tensor.shape[: max(axis - 1, 0)]
        self.run = prod(tensor.shape[max(axis - 1, 0) :])
        base = sum(at * step for at, step in zip(self.offsets, self.strides, strict=True))
        last = sum((size - 1) * step for size, step in zip(tensor.shape, self.strides, strict=True))
        self.start, self.stop = base, base + last + 1
        self.is_whole = window.complete(tensor) and tensor.storage is not None

    def begins(self, runs: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Where runs begin, in elements of the whole."""
        found = np.full(len(runs), self.start, dtype=np.int64)
        left = runs
        for axis in range(len(self.outer) - 1, -1, -1):
            left, at = np.divmod(left, self.outer[axis])
            found += at * self.strides[axis]
        return found

    def fill(self, first: int, held: RawBytes, known: npt.NDArray[np.bool_] | None) -> None:
        """Copy the elements that lie in [first, first + rows of held) of the whole. No others are read."""
        low, high = self._runs(first, first + len(held))
        if low >= high:
            return
        begins = self.begins(np.arange(low, high, dtype=np.int64)) - first
        # the first run may begin before the rows that are wanted, and the last one end behind them
        head, tail = max(0, -int(begins[0])), min(self.run, len(held) - int(begins[-1]))
        data = self._read(low * self.run + head, (high - 1) * self.run + tail)
        if data is None:
            return
        if len(begins) == 1:
            _put(int(begins[0]) + head, data, held, known)
            return
        whole = len(data) - tail
        _put(int(begins[0]) + head, data[: self.run - head], held, known)
        _put(int(begins[-1]), data[whole:], held, known)
        rows = begins[1:-1, None] + np.arange(self.run, dtype=np.int64)
        held[rows] = data[self.run - head : whole].reshape(-1, self.run, self.itemsize)
        if known is not None:
            known[rows] = True

    def _runs(self, first: int, stop: int) -> tuple[int, int]:
        """Numbers of the runs that have an element in [first, stop) of the whole."""
        return self._search(first - self.run + 1), self._search(stop)

    def _search(self, wanted: int) -> int:
        """Number of the first run that begins at `wanted` or behind it; runs begin in ascending order."""
        low, high = 0, prod(self.outer)
        while low < high:
            middle = (low + high) // 2
            if self.begins(np.array([middle], dtype=np.int64))[0] < wanted:
                low = middle + 1
            else:
                high = middle
        return low

    def _read(self, first: int, stop: int) -> RawBytes | None:
        """Elements [first, stop) of the piece in row-major order; None where a byte is missing."""
        tensor, storage = self.tensor, self.tensor.storage
        if storage is None or storage.source is None:
            return None
        if is_row_major(tensor.shape, tensor.stride):
            out = np.empty((stop - first, self.itemsize), dtype=np.uint8)
            try:
                read_exactly(storage.source, (tensor.storage_offset + first) * self.itemsize, out.reshape(-1))
            except ShortReadError:
                return None
            return out
        found = []
        try:
            for index, shape in boxes_between(tensor.shape, first, stop):
                start = (tensor.storage_offset + place(tensor.stride, index)) * self.itemsize
                found.append(gather(storage.source, start, shape, tensor.stride, self.itemsize))
        except ShortReadError:
            return None
        return np.concatenate(found).reshape(-1, self.itemsize)


def _put(at: int, data: RawBytes, held: RawBytes, known: npt.NDArray[np.bool_] | None) -> None:
    """Elements that follow one another."""
    held[at : at + len(data)] = data
    if known is not None:
        known[at : at + len(data)] = True


def overlapping(pieces: Sequence[Tensor]) -> bool:
    """True when two pieces state the same element. Of very many that form no grid it is not told."""
    return are_apart(pieces) is False


def are_apart(pieces: Sequence[Tensor]) -> bool | None:
    """False when two pieces state the same element; None where there are too many to tell.

    The bounds of all pieces divide the whole into cells; each is entered once. Work is bounded by the cells.
    """
    placed = [piece for piece in pieces if piece.offsets is not None and piece.elements]
    if len(placed) < 2:
        return True
    starts = np.array([piece.offsets for piece in placed], dtype=np.int64)
    stops = starts + np.array([piece.shape for piece in placed], dtype=np.int64)
    if not starts.shape[1]:
        return False
    axes = [np.unique(np.concatenate((starts[:, at], stops[:, at]))) for at in range(starts.shape[1])]
    sizes = tuple(len(axis) - 1 for axis in axes)
    if prod(sizes) > MOST_CELLS:
        return None
    firsts = np.stack([np.searchsorted(axis, starts[:, at]) for at, axis in enumerate(axes)], axis=1)
    lasts = np.stack([np.searchsorted(axis, stops[:, at]) for at, axis in enumerate(axes)], axis=1)
    taken = np.zeros(sizes, dtype=np.bool_)
    for low, high in zip(firsts.tolist(), lasts.tolist(), strict=True):
        cells = taken[tuple(map(slice, low, high))]
        if cells.any():
            return False
        cells[...] = True
    return True
