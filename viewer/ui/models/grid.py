"""Two axes of a tensor as rows and columns, the others fixed at an index."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from viewer.core.errors import ViewerError
from viewer.core.tensors import window
from viewer.core.tensors.dtypes import AnyArray
from viewer.core.tensors.meaning import numbers, read_meant
from viewer.core.tensors.tensor import Parameters, Tensor
from viewer.ui.models.value_text import exact, short

Index = QModelIndex | QPersistentModelIndex
Read = Callable[[Tensor, window.Key], np.ndarray[Any, Any]]
_NONE = QModelIndex()
TILE_ROWS: Final = 64
TILE_COLUMNS: Final = 32
KEPT_TILES: Final = 64
LONGEST: Final = 10_000_000
DASH: Final = "\u2014"
NUMBER: Final = Qt.ItemDataRole.UserRole
"""The element as a real number, None where it is none: for colours and marks."""


class GridModel(QAbstractTableModel):
    """The elements of two axes; read in tiles of 64 x 32 when they come into view."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tensor: Tensor | None = None
        self.rows_axis: int | None = None
        self.columns_axis: int | None = None
        self.fixed: list[int] = []
        self._read_values: Read = window.read
        self.words: Callable[[Any], str] = short
        self._tiles: dict[tuple[int, int], np.ndarray[Any, Any] | None] = {}
        self._scales: tuple[AnyArray | None, ...] | None = None

    def show_tensor(
        self, tensor: Tensor | None, rows: int | None, columns: int | None, fixed: list[int], meant: bool = False
    ) -> None:
        """Look at another tensor or along other axes; `fixed` has an index for every axis.

        `meant`: the numbers that quantised elements and pairs stand for, not those that are stored.
        """
        self.beginResetModel()
        self.tensor, self.rows_axis, self.columns_axis, self.fixed = tensor, rows, columns, list(fixed)
        self._read_values = read_meant if meant else window.read
        self._tiles.clear()
        self._scales = None
        self.endResetModel()

    def show_as(self, words: Callable[[Any], str]) -> None:
        """Write the numbers another way."""
        self.words = words
        if self.rowCount() and self.columnCount():
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last, [Qt.ItemDataRole.DisplayRole])

    def element(self, row: int, column: int) -> tuple[int, ...]:
        """The index in the tensor of a cell."""
        index = list(self.fixed)
        if self.rows_axis is not None:
            index[self.rows_axis] = row
        if self.columns_axis is not None:
            index[self.columns_axis] = column
        return tuple(index)

    def value(self, row: int, column: int) -> Any:
        """The element of a cell; None where its bytes are missing."""
        tile = self._tile(row // TILE_ROWS, column // TILE_COLUMNS)
        return None if tile is None else tile[row % TILE_ROWS, column % TILE_COLUMNS]

    @override
    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() or self.tensor is None else min(self._length(self.rows_axis), LONGEST)

    @override
    def columnCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() or self.tensor is None else min(self._length(self.columns_axis), LONGEST)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            value = self.value(index.row(), index.column())
            return DASH if value is None else self.words(value)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            value = self.value(index.row(), index.column())
            return self.tr("missing") if value is None else self.words(value)
        if role == NUMBER:
            return _number(self.value(index.row(), index.column()))
        if role == Qt.ItemDataRole.ToolTipRole:
            value = self.value(index.row(), index.column())
            place = ", ".join(str(part) for part in self.element(index.row(), index.column()))
            return f"[{place}] = {'' if value is None else exact(value)}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return str(section)
        if role == Qt.ItemDataRole.ToolTipRole:
            axis = self.rows_axis if orientation == Qt.Orientation.Vertical else self.columns_axis
            return self._channel(section, axis)
        return None

    def _channel(self, number: int, axis: int | None) -> str | None:
        """What the numbers of a channel are made by, where a row or column is one."""
        quantizer = self.tensor.quantizer if self.tensor is not None else None
        if quantizer is None or axis is None or axis != quantizer.axis:
            return None
        if self._scales is None:
            self._scales = tuple(_given(part) for part in (quantizer.scale, quantizer.zero_point))
        scale, zero = (
            exact(part[number]) if part is not None and number < len(part) else DASH for part in self._scales
        )
        return self.tr("Scale {scale}, zero point {zero}").format(scale=scale, zero=zero)

    def _length(self, axis: int | None) -> int:
        if self.tensor is None:
            return 0
        return self.tensor.shape[axis] if axis is not None else int(self.tensor.elements > 0)

    def _tile(self, row: int, column: int) -> np.ndarray[Any, Any] | None:
        key = (row, column)
        if key not in self._tiles:
            if len(self._tiles) >= KEPT_TILES:
                self._tiles.clear()
            self._tiles[key] = self._read(row * TILE_ROWS, column * TILE_COLUMNS)
        return self._tiles[key]

    def _read(self, row: int, column: int) -> np.ndarray[Any, Any] | None:
        tensor = self.tensor
        if tensor is None:
            return None
        key: list[int | slice] = list(self.fixed)
        axes = [axis for axis in (self.rows_axis, self.columns_axis) if axis is not None]
        for axis, start, size in ((self.rows_axis, row, TILE_ROWS), (self.columns_axis, column, TILE_COLUMNS)):
            if axis is not None:
                key[axis] = slice(start, min(start + size, tensor.shape[axis]))
        found = _read_what_is_there(self._read_values, tensor, key)
        if len(axes) == 2 and axes[0] > axes[1]:
            found = found.swapaxes(0, 1)
        if self.rows_axis is None:
            found = found[np.newaxis]
        if self.columns_axis is None:
            found = found[:, np.newaxis]
        return found


def _given(given: Parameters) -> AnyArray | None:
    """Scales or zero points; None where their bytes cannot be had."""
    try:
        return numbers(given).reshape(-1)
    except ViewerError:
        return None


def _number(value: Any) -> float | None:
    if value is None or (isinstance(value, np.generic) and value.dtype.kind in "cSUMmOV" and not _is_ml(value)):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _is_ml(value: np.generic) -> bool:
    return type(value).__module__ == "ml_dtypes"


def _read_what_is_there(read: Read, tensor: Tensor, key: list[int | slice]) -> np.ndarray[Any, Any]:
    """The elements of a slice; where bytes are missing, halves of it down to single elements, None for those."""
    try:
        return read(tensor, tuple(key))
    except ViewerError:
        pass
    axes = [axis for axis, part in enumerate(key) if isinstance(part, slice)]
    sizes = [part.stop - part.start for part in key if isinstance(part, slice)]
    whole: np.ndarray[Any, Any] = np.full(sizes, None, object)
    if whole.size <= 1:
        return whole
    widest = sizes.index(max(sizes))
    part = key[axes[widest]]
    if isinstance(part, slice):
        middle = (part.start + part.stop) // 2
        halves = [[*key], [*key]]
        halves[0][axes[widest]], halves[1][axes[widest]] = slice(part.start, middle), slice(middle, part.stop)
        both = [_read_what_is_there(read, tensor, half).astype(object) for half in halves]
        whole = np.concatenate(both, axis=widest)
    return whole
