"""Rows of equal kind as a Qt model: any number of them, texts made when drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakMethod

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from viewer.ui.models.cells import CELL_ROLE, Cell, weak_words, weakly
from viewer.ui.models.tree_model import header_data
from viewer.ui.words import tip

Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
LONGEST = 2**31 - 1
_ROLES = frozenset(
    {CELL_ROLE, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole}
)


class RowsModel(QAbstractTableModel):
    """`columns`: headers, translated. `cell(row, column)` says what a row shows. Qt counts rows in 31 bits.

    `sorter(column, descending)` gives the order of all rows; None: later, by `set_order`. `upright`: shown from left to
    right in every language.
    """

    def __init__(
        self,
        columns: Sequence[str],
        cell: Callable[[int, int], Cell],
        right: frozenset[int] = frozenset(),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self._cell = weakly(cell)
        self._right = right
        self.upright = False
        self._spoken: Callable[[int, int], str] | None = None
        self._rows = 0
        self.order: Sequence[int] | None = None
        self.sorter: WeakMethod[Callable[[int, bool], Sequence[int] | None]] | None = None

    def speak(self, spoken: Callable[[int, int], str]) -> None:
        """`spoken(row, column)`: as `Cell.spoken`, where making it for each cell would take long."""
        self._spoken = weak_words(spoken)

    def set_rows(self, rows: int) -> None:
        """Show another number of rows, in their own order."""
        self.beginResetModel()
        self._rows = min(rows, LONGEST)
        self.order = None
        self.endResetModel()

    def grow(self, rows: int) -> None:
        """Rows come behind those that are shown, which keep their places; fewer rows are others."""
        if rows < self._rows or self.order is not None:
            self.set_rows(rows)
        elif rows > self._rows:
            self.beginInsertRows(_NONE, self._rows, min(rows, LONGEST) - 1)
            self._rows = min(rows, LONGEST)
            self.endInsertRows()

    def set_order(self, order: Sequence[int] | None) -> None:
        """Show some of the rows, or all in another order."""
        self.beginResetModel()
        self.order = order
        self.endResetModel()

    def source_row(self, row: int) -> int:
        """The row behind a row that is shown."""
        return self.order[row] if self.order is not None else row

    def shown_row(self, row: int) -> int:
        """The place of a row among those that are shown; -1 where it is not one of them."""
        if self.order is None:
            return row
        return next((at for at, one in enumerate(self.order) if one == row), -1)

    def cell(self, row: int, column: int) -> Cell:
        """What a row that is shown has in a column."""
        return self._cell(row if self.order is None else self.order[row], column)

    @override
    def rowCount(self, parent: Index = _NONE) -> int:
        if parent.isValid():
            return 0
        return len(self.order) if self.order is not None else self._rows

    @override
    def columnCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and not index.column():
            words = QCoreApplication.translate("RowsModel", "Row {row} of {count}")
            return words.format(row=index.row() + 1, count=self.rowCount())
        if role not in _ROLES:
            return None
        cell = self.cell(index.row(), index.column())
        if role == CELL_ROLE:
            return cell
        if role == Qt.ItemDataRole.AccessibleTextRole:
            told = self._spoken(self.source_row(index.row()), index.column()) if self._spoken is not None else ""
            return told or cell.spoken or cell.text
        return tip(cell.tooltip or cell.text) if role == Qt.ItemDataRole.ToolTipRole else cell.text

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return header_data(self._columns, self._right, section, orientation, role, upright=self.upright)

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        sorter = self.sorter() if self.sorter is not None else None
        rows = sorter(column, order == Qt.SortOrder.DescendingOrder) if sorter is not None else None
        if rows is not None:
            self.set_order(rows)
