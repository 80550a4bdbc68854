"""What lists of places among bytes have in common: the table, its keys, and a row that is chosen without a word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHeaderView, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.ui.models.cells import Cell
from viewer.ui.models.table_model import RowsModel
from viewer.ui.widgets.rows import RowTable

if TYPE_CHECKING:
    from viewer.core.search_bytes.hit_list import HitList
    from viewer.ui.theme import Theme


class ByteList(QWidget):
    """The table, a row for each span of `found`. `widths`: of the columns but the last, which takes what is left.

    chosen: go to a place.
        Signal(place: Span)
    left: the keyboard goes back to the bytes.
        Signal()
    """

    widths: Sequence[int]
    numbers: ClassVar[frozenset[int]] = frozenset()
    """Columns that stand at the right."""

    chosen = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme, owner: Callable[[int], str], parent: QWidget | None = None) -> None:
        """`owner`: what owns the byte at an offset, in words."""
        super().__init__(parent)
        self._owner = owner
        self.found: HitList | None = None
        name, headers = self.titles()
        self.model = RowsModel(headers, self._cell, self.numbers, self)
        self.table = RowTable(theme, self)
        self.table.setModel(self.model)
        self.table.horizontalHeader().setSectionResizeMode(len(headers) - 1, QHeaderView.ResizeMode.Stretch)
        self.table.selectionModel().currentRowChanged.connect(self._moved)
        self.table.setAccessibleName(name)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)
        self.set_theme(theme)

    def titles(self) -> tuple[str, list[str]]:
        """What the table is called, and its columns."""
        raise NotImplementedError

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.table.set_theme(theme)
        self.lay_out(theme)

    def lay_out(self, theme: Theme) -> None:
        """Give the columns their widths."""
        for column, width in enumerate(self.widths):
            self.table.setColumnWidth(column, theme.px(width))

    def show_found(self, found: HitList | None) -> None:
        """Show other places, or more of the same: those that are shown already stay where they are."""
        if found is not self.found:
            self.found = found
            self.model.set_rows(0)
        self.model.grow(len(found) if found is not None else 0)

    def choose_row(self, row: int) -> None:
        """Show a row as the current one, telling nobody."""
        self.table.selectionModel().blockSignals(True)
        self.table.setCurrentIndex(self.model.index(row, 0))
        self.table.selectionModel().blockSignals(False)
        self.table.viewport().update()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        if current.isValid() and self.found is not None and current.row() < len(self.found):
            self.chosen.emit(self.found[current.row()])

    def _cell(self, row: int, column: int) -> Cell:
        raise NotImplementedError
