"""The difference of two tensors as a plane to draw: B - A, the plane that holds the largest difference."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from typing_extensions import override

from viewer.core.comparing.comparison import Row
from viewer.core.tensors.sheet import Index, Plane, TensorSheet, can_draw, kernels
from viewer.core.tensors.tensor import Tensor


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceSheet(TensorSheet):
    """A plane of a tensor that is read as how far `other`, of the same shape, is above it.

    0 where both are equal, also both NaN; NaN where one of them is.
    """

    other: Tensor

    @override
    def read(self, rows: range, columns: range) -> Plane:
        """See Sheet. Of complex numbers the difference of their moduli."""
        plane = TensorSheet(self.tensor, self.row_axes, self.column_axes, self.fixed)
        left, right = plane.read(rows, columns), replace(plane, tensor=self.other).read(rows, columns)
        is_same = (left == right) | (np.isnan(left) & np.isnan(right))
        with np.errstate(all="ignore"):
            found: Plane = np.where(is_same, 0.0, right - left)
        return found


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
    place = found.place or found.first or (0,) * len(first.shape)
    plane = axes.of(first) if axes is not None else kernels(first) or _last_plane(first, place)
    return DifferenceSheet(first, plane.row_axes, plane.column_axes, plane.fixed, other=second)


def _last_plane(tensor: Tensor, place: Index) -> TensorSheet:
    last = len(tensor.shape) - 1
    return TensorSheet(tensor, (last - 1,) if last else (), (last,), tuple(place))
