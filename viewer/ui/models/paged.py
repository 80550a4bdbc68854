"""A table whose rows are read from the file some at a time, when they come into view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from viewer.core.errors import ViewerError
from viewer.ui.models.grid import LONGEST

Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
PAGE: Final = 64
KEPT: Final = 32
DASH: Final = "\u2014"


class PagedModel(QAbstractTableModel):
    """Rows by their number. `read(first, stop)` gives what some rows are made of, or raises ViewerError.

    `words(row, column, exact)`: a cell, `exact` for its tooltip. What cannot be read is a dash; the rows around it are
    there. `right`: columns that align right.
    """

    def __init__(
        self,
        titles: Sequence[str],
        read: Callable[[int, int], Sequence[Any]],
        words: Callable[[Any, int, bool], str],
        right: frozenset[int] = frozenset(),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._titles, self._read, self._words, self._right = titles, read, words, right
        self._count = 0
        self._pages: dict[int, list[Any]] = {}

    def show_rows(self, count: int) -> None:
        """Other rows, so many."""
        self.beginResetModel()
        self._count = min(count, LONGEST)
        self._pages.clear()
        self.endResetModel()

    def row(self, number: int) -> Any:
        """What a row is made of; None where it cannot be read."""
        page = number // PAGE
        if page not in self._pages:
            if len(self._pages) >= KEPT:
                self._pages.clear()
            first = page * PAGE
            self._pages[page] = self._rows(first, min(first + PAGE, self._count))
        return self._pages[page][number % PAGE]

    def _rows(self, first: int, stop: int) -> list[Any]:
        try:
            return list(self._read(first, stop))
        except ViewerError:
            return [self._one(number) for number in range(first, stop)]

    def _one(self, number: int) -> Any:
        try:
            return self._read(number, number + 1)[0]
        except ViewerError:
            return None

    @override
    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else self._count

    @override
    def columnCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else len(self._titles)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if index.column() in self._right else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        row = self.row(index.row())
        is_exact = role == Qt.ItemDataRole.ToolTipRole
        return DASH if row is None else self._words(row, index.column(), is_exact)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return str(section) if orientation == Qt.Orientation.Vertical else self._titles[section]
