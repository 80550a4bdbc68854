"""A plane of numbers to draw: two axes of a tensor, or four where each cell is itself a small plane (kernels).

A Sheet is anything with rows, columns and a way to read some of them; a heat map shows any Sheet. What is read is as
large as the screen: of a plane with more cells than pixels every so manieth row and column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from viewer.core.errors import ViewerError
from viewer.core.tensors.dtypes import COMPLEX32, AnyArray
from viewer.core.tensors.elements import elements
from viewer.core.tensors.layout import place
from viewer.core.tensors.meaning import has_meaning, read_meant
from viewer.core.tensors.packed import per_byte
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import Key, itemsize, read

Plane = npt.NDArray[np.float64]
Index = tuple[int, ...]
MOST_KERNEL: Final = 32
"""Height and width up to which the last two axes of four are taken for a kernel."""


class Sheet(Protocol):
    """Rows and columns of real numbers.

    `block`: rows and columns of the small planes that the whole is made of, (1, 1) for none; readers that leave rows
    or columns out step by whole blocks.
    """

    @property
    def rows(self) -> int:
        """All rows."""
        ...

    @property
    def columns(self) -> int:
        """All columns."""
        ...

    @property
    def block(self) -> tuple[int, int]:
        """Rows and columns of an inner plane."""
        ...

    def read(self, rows: range, columns: range) -> Plane:
        """The numbers of these rows and columns; NaN where bytes are missing too. Called in a thread.

        Steps of the ranges are positive, and multiples of the block's size where they are not 1. Raises what reading
        the file does.
        """
        ...

    def index(self, row: int, column: int) -> Index:
        """What a cell is called: its index in the tensor."""
        ...

    def cell(self, index: Index) -> tuple[int, int] | None:
        """The row and column of an index; None where it lies in another plane."""
        ...


@dataclass(frozen=True, slots=True)
class TensorSheet:
    """Planes of a tensor. `row_axes`, `column_axes`: none, one, or an outer and an inner axis.

    `fixed`: an index for every axis; those of the axes above do not count. Complex numbers are read as their
    modulus, pairs as their first half. `meant`: the numbers that quantised elements stand for.
    """

    tensor: Tensor
    row_axes: Index
    column_axes: Index
    fixed: Index
    meant: bool = True

    @property
    def rows(self) -> int:
        """All rows."""
        return self._count(self.row_axes)

    @property
    def columns(self) -> int:
        """All columns."""
        return self._count(self.column_axes)

    @property
    def block(self) -> tuple[int, int]:
        """Rows and columns of one inner plane."""
        height, width = (
            self.tensor.shape[axes[1]] if len(axes) > 1 else 1 for axes in (self.row_axes, self.column_axes)
        )
        return max(1, height), max(1, width)

    def read(self, rows: range, columns: range) -> Plane:
        """See Sheet."""
        shape, key = self.tensor.shape, list[int | slice](self.fixed)
        row_part = _asked(key, self.row_axes, shape, rows)
        column_part = _asked(key, self.column_axes, shape, columns)
        numbers = plain_numbers(_read(self.tensor, key, self.meant))
        kept = [axis for axis in range(len(shape)) if isinstance(key[axis], slice)]
        wanted = [axis for axis in (*self.row_axes, *self.column_axes) if isinstance(key[axis], slice)]
        numbers = numbers.transpose([kept.index(axis) for axis in wanted])
        split = sum(1 for axis in self.row_axes if isinstance(key[axis], slice))
        heights, widths = numbers.shape[:split], numbers.shape[split:]
        plane = numbers.reshape(int(np.prod(heights)), int(np.prod(widths)))
        return np.ascontiguousarray(plane[row_part, column_part])

    def index(self, row: int, column: int) -> Index:
        """See Sheet."""
        found = list(self.fixed)
        for axes, at in ((self.row_axes, row), (self.column_axes, column)):
            if len(axes) > 1:
                found[axes[0]], found[axes[1]] = divmod(at, max(1, self.tensor.shape[axes[1]]))
            elif axes:
                found[axes[0]] = at
        return tuple(found)

    def cell(self, index: Index) -> tuple[int, int] | None:
        """See Sheet."""
        axes = {*self.row_axes, *self.column_axes}
        if len(index) != len(self.fixed):
            return None
        if any(at != self.fixed[axis] for axis, at in enumerate(index) if axis not in axes):
            return None
        row, column = (
            index[axes[0]] * self.tensor.shape[axes[1]] + index[axes[1]]
            if len(axes) > 1
            else (index[axes[0]] if axes else 0)
            for axes in (self.row_axes, self.column_axes)
        )
        return row, column

    def _count(self, axes: Index) -> int:
        count = 1 if self.tensor.elements else 0
        for axis in axes:
            count *= self.tensor.shape[axis]
        return count


def kernels(tensor: Tensor) -> TensorSheet | None:
    """The weight of a convolution as a plane of its kernels: (out, in, height, width), or without height.

    Inputs go down and outputs to the right. None for what has no such shape.
    """
    shape = tensor.shape
    if len(shape) == 4 and 1 < max(shape[2:]) <= MOST_KERNEL and tensor.elements:
        return TensorSheet(tensor, (1, 2), (0, 3), (0, 0, 0, 0))
    return None


def plain_numbers(numbers: npt.NDArray[Any]) -> Plane:
    """Any elements as float64: the modulus of complex ones, the first of pairs; NaN for what is none."""
    # Some NaN, and a modulus beyond all floats, would be warned of.
    with np.errstate(all="ignore"):
        return _as_floats(numbers)


def _as_floats(numbers: npt.NDArray[Any]) -> Plane:
    if numbers.dtype == object:
        holes = [np.nan if value is None else _one(value) for value in numbers.reshape(-1)]
        return np.array(holes, dtype=np.float64).reshape(numbers.shape)
    if numbers.dtype == COMPLEX32:
        real, imag = (numbers[name].astype(np.float64) for name in ("real", "imag"))
        return np.asarray(np.hypot(real, imag))
    if numbers.dtype.names == ("low", "high"):
        first: Plane = numbers["low"].astype(np.float64)
        return first
    if numbers.dtype.kind == "c":
        modulus: Plane = np.abs(numbers).astype(np.float64)
        return modulus
    if not is_number(numbers.dtype):
        return np.full(numbers.shape, np.nan)
    found: Plane = numbers.astype(np.float64)
    return found


def is_number(kind: np.dtype[Any]) -> bool:
    """Whether elements of a numpy type can be drawn: real, complex, truth, those of ml_dtypes, pairs."""
    if kind == COMPLEX32 or kind.names == ("low", "high"):
        return True
    return kind.kind in "biufc" or kind.type.__module__ == "ml_dtypes"


def _one(value: Any) -> float:
    try:
        return float(abs(value) if isinstance(value, complex) else value)
    except (TypeError, ValueError):
        return float("nan")


def _asked(key: list[int | slice], axes: Index, shape: Sequence[int], wanted: range) -> slice | npt.NDArray[np.int64]:
    """Puts what is to be read of the axes into the key; gives where the wanted rows stand in what comes back."""
    if not axes:
        return slice(0, len(wanted))
    if len(axes) == 1:
        key[axes[0]] = slice(wanted.start, wanted.stop, wanted.step)
        return slice(None)
    outer, inner = axes
    size = max(1, shape[inner])
    if not wanted:
        key[outer], key[inner] = slice(0, 0), slice(0, 0)
        return slice(None)
    if wanted.step > 1:
        key[outer] = slice(wanted.start // size, wanted[-1] // size + 1, max(1, wanted.step // size))
        key[inner] = slice(wanted.start % size, wanted.start % size + 1)
        return slice(None)
    first = wanted.start // size
    key[outer] = slice(first, wanted[-1] // size + 1)
    key[inner] = slice(None)
    return slice(wanted.start - first * size, wanted.stop - first * size)


def _read(tensor: Tensor, key: Key, meant: bool) -> AnyArray:
    """The elements of a key; where bytes are missing, halves of it down to single rows, NaN for those."""
    try:
        return read_meant(tensor, key) if meant else read(tensor, key)
    except ViewerError:
        pass
    asked = [
        range(*part.indices(size)) if isinstance(part, slice) else None
        for part, size in zip(key, tensor.shape, strict=True)
    ]
    sizes = [len(part) if part is not None else 0 for part in asked]
    whole: AnyArray = np.full([len(part) for part in asked if part is not None], np.nan)
    if whole.size <= 1 or _is_behind_the_end(tensor, key):
        return whole
    axis = sizes.index(max(sizes))
    chosen = asked[axis]
    assert chosen is not None
    middle = chosen[len(chosen) // 2]
    first, second = [*key], [*key]
    first[axis], second[axis] = slice(chosen.start, middle, chosen.step), slice(middle, chosen.stop, chosen.step)
    at = sum(1 for other in key[:axis] if isinstance(other, slice))
    both = [plain_numbers(_read(tensor, half, meant)) for half in (first, second)]
    return np.concatenate(both, axis=at)


def _is_behind_the_end(tensor: Tensor, key: Key) -> bool:
    """Whether no byte of a selection can be there, told by its first element alone."""
    if tensor.storage is None or min(tensor.stride, default=0) < 0:
        return tensor.storage is None
    first = tuple(part.start or 0 if isinstance(part, slice) else part for part in key)
    at = (tensor.storage_offset + place(tensor.stride, first)) // per_byte(tensor)
    return at * itemsize(tensor) >= tensor.storage.reach


def can_draw(tensor: Tensor) -> bool:
    """Whether a tensor has numbers that a sheet can show."""
    if tensor.storage is None or not tensor.elements:
        return False
    if per_byte(tensor) > 1 or has_meaning(tensor):
        return True
    kind = elements(tensor)
    return kind is not None and bool(kind.itemsize) and is_number(kind.native)
