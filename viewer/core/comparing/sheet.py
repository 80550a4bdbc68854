"""The difference of two tensors as a plane to draw: B - A, the plane that holds the largest difference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from viewer.core.comparing.comparison import Row
from viewer.core.tensors.sheet import Index, Plane, TensorSheet, can_draw, kernels
from viewer.core.tensors.tensor import Tensor


@dataclass(frozen=True, slots=True)
class DifferenceSheet:
    """A Sheet. 0 where both are equal, also both NaN; NaN where one of them is."""

    first: TensorSheet
    second: TensorSheet

    @property
    def rows(self) -> int:
        """All rows."""
        return self.first.rows

    @property
    def columns(self) -> int:
        """All columns."""
        return self.first.columns

    @property
    def block(self) -> tuple[int, int]:
        """Rows and columns of an inner plane."""
        return self.first.block

    def read(self, rows: range, columns: range) -> Plane:
        """See Sheet. Of complex numbers the difference of their moduli."""
        left, right = self.first.read(rows, columns), self.second.read(rows, columns)
        is_same = (left == right) | (np.isnan(left) & np.isnan(right))
        with np.errstate(all="ignore"):
            found: Plane = np.where(is_same, 0.0, right - left)
        return found

    def index(self, row: int, column: int) -> Index:
        """See Sheet."""
        return self.first.index(row, column)

    def cell(self, index: Index) -> tuple[int, int] | None:
        """See Sheet."""
        return self.first.cell(index)


@dataclass(frozen=True, slots=True)
class Axes:
    """Which plane is meant: the axis of its rows, that of its columns, the index of the others. None: only one axis."""

    rows: int
    columns: int | None
    fixed: Index

    def of(self, tensor: Tensor) -> TensorSheet:
        """That plane of a tensor."""
        return TensorSheet(tensor, (self.rows,), () if self.columns is None else (self.columns,), self.fixed)


def difference_sheet(row: Row, axes: Axes | None = None) -> DifferenceSheet | None:
    """A plane of a pair whose elements were compared, the one with the largest difference unless axes are asked for.

    None where there is nothing to draw.
    """
    first, second, found = row.pair.a, row.pair.b, row.differences
    if first is None or second is None or found is None or found.largest is None or not first.shape:
        return None
    if not can_draw(first) or not can_draw(second):
        return None
    if axes is not None:
        return DifferenceSheet(axes.of(first), axes.of(second))
    place = found.place or found.first or (0,) * len(first.shape)
    return DifferenceSheet(_sheet(first, place), _sheet(second, place))


def _sheet(tensor: Tensor, place: Index) -> TensorSheet:
    whole = kernels(tensor)
    if whole is not None:
        return whole
    last = len(tensor.shape) - 1
    return TensorSheet(tensor, (last - 1,) if last else (), (last,), tuple(place))
