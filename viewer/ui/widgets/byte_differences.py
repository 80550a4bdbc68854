"""All differences of two runs of bytes: where, how long, the bytes of both sides. Texts are made when drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHeaderView, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.errors import ViewerError
from viewer.ui.models.cells import Cell, mono, number
from viewer.ui.models.table_model import RowsModel
from viewer.ui.widgets.byte_hits import as_digits
from viewer.ui.widgets.rows import RowTable
from viewer.ui.words import nbytes_of, offset

if TYPE_CHECKING:
    from viewer.core.search_bytes.hit_list import HitList
    from viewer.core.source import ByteSource
    from viewer.core.span import Span
    from viewer.ui.theme import Theme

OFFSET, SIZE, HERE, THERE, OWNER = range(5)
SHOWN: Final = 8
WIDTHS: Final = (96, 90, 180, 180)


class ByteDifferences(QWidget):
    """The table.

    chosen: go to a difference.
        Signal(difference: Span)
    left: the keyboard goes back to the bytes.
        Signal()
    """

    chosen = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme, owner: Callable[[int], str], parent: QWidget | None = None) -> None:
        """`owner`: what owns a byte of the first side, in words."""
        super().__init__(parent)
        self._owner = owner
        self._found: HitList | None = None
        self._sides: tuple[ByteSource | None, ByteSource | None] = (None, None)
        self._start = 0
        headers = [self.tr("Offset"), self.tr("Size"), self.tr("Here"), self.tr("There"), self.tr("Owner")]
        self.model = RowsModel(headers, self._cell, frozenset({SIZE}), self)
        self.table = RowTable(theme, self)
        self.table.setModel(self.model)
        self.table.horizontalHeader().setSectionResizeMode(OWNER, QHeaderView.ResizeMode.Stretch)
        self.table.selectionModel().currentRowChanged.connect(self._moved)
        self.table.setAccessibleName(self.tr("Differences"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.table.set_theme(theme)
        for column, width in enumerate(WIDTHS):
            self.table.setColumnWidth(column, theme.px(width))

    def set_sides(self, one: ByteSource | None, other: ByteSource | None, start: int) -> None:
        """Other bytes; `start`: what is added to the offsets that are shown."""
        self._sides, self._start, self._found = (one, other), start, None
        self.model.set_rows(0)

    def show_found(self, found: HitList | None) -> None:
        """Show other differences, or more of the same: those that are shown already stay where they are."""
        if found is not self._found:
            self._found = found
            self.model.set_rows(0)
        self.model.grow(len(found) if found is not None else 0)

    def choose(self, at: int) -> None:
        """Show the difference at an offset as the current row, telling nobody."""
        row = self._found.before(at + 1) - 1 if self._found is not None else -1
        if row >= 0:
            self.table.selectionModel().blockSignals(True)
            self.table.setCurrentIndex(self.model.index(row, OFFSET))
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
        if current.isValid() and self._found is not None and current.row() < len(self._found):
            self.chosen.emit(self._found[current.row()])

    def _cell(self, row: int, column: int) -> Cell:
        if self._found is None or row >= len(self._found):
            return Cell()
        span = self._found[row]
        if column == OFFSET:
            return mono(offset(self._start + span.start))
        if column == SIZE:
            return number(nbytes_of(span.length))
        if column == OWNER:
            return mono(self._owner(span.start), "muted")
        return mono(self._bytes(self._sides[column - HERE], span))

    def _bytes(self, source: ByteSource | None, span: Span) -> str:
        """The first bytes of a side; none where it has ended."""
        try:
            data = source.read(span.start, min(span.length, SHOWN)) if source is not None else b""
        except ViewerError:
            return ""
        return as_digits(data) + ("…" if len(data) == SHOWN < span.length else "")
