"""Stream: all opcodes in the order in which they stand, or those that a filter left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.document import Document, Pickle
from viewer.core.tensors.tensor import ValueRef
from viewer.session.session import Session
from viewer.ui.models.cells import Cell
from viewer.ui.models.opcode_break import break_cell, break_spoken, is_break, rows_of
from viewer.ui.models.opcode_cells import (
    ARGUMENT,
    BYTES,
    DEPTH,
    MAKES,
    MEMO,
    NAME,
    OFFSET,
    headers,
    opcode_cell,
    spoken,
)
from viewer.ui.models.table_model import RowsModel
from viewer.ui.opcode_views.base import OpcodeView
from viewer.ui.theme import Theme
from viewer.ui.widgets.rows import RowTable
from viewer.wording import QT_TRANSLATE_NOOP

WIDTHS: Final = {OFFSET: 84, BYTES: 110, NAME: 130, ARGUMENT: 220, MAKES: 120, DEPTH: 56, MEMO: 64}
NEEDS: Final = {BYTES: 480, MAKES: 640}
"""Widths of the view below which columns give their room to the arguments."""


class StreamView(OpcodeView):
    """A flat table; rows are numbered through all pickles of the document."""

    key: ClassVar[str] = "stream"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("opcodes", "Stream")
    hint: ClassVar[str] = QT_TRANSLATE_NOOP("opcodes", "List all opcodes in the order of the stream")

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._document: Document | None = None
        self._pickles: list[Pickle] = []
        self._starts: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self._asked, self._found, self._is_break = -1, ValueRef(0, 0), False
        self._quiet = False
        self._encoding = "utf-8"
        self.model = RowsModel(headers(), self._cell, frozenset({OFFSET, DEPTH, MEMO}), self)
        self.model.speak(self._spoken)
        self.table = RowTable(theme, self)
        # A column of code and offsets: from left to right in every language.
        self.table.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.table.setModel(self.model)
        for column, width in WIDTHS.items():
            self.table.setColumnWidth(column, theme.px(width))
        self.table.selectionModel().currentRowChanged.connect(self._moved)
        self.table.setAccessibleName(self.tr("Opcodes in the order of the stream"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)

    @property
    @override
    def rows(self) -> QAbstractItemView:
        return self.table

    @override
    def show_document(self) -> None:
        document = self._document = self.session.document
        self._pickles = list(document.pickles) if document is not None else []
        self._starts = np.cumsum([0, *map(rows_of, self._pickles)])
        self._encoding = self.session.options.text_encoding
        self._asked = -1
        self._quiet = True
        self.model.set_rows(int(self._starts[-1]))
        self._quiet = False

    def set_found(self, rows: Sequence[int] | None) -> None:
        """List some of the rows only, or all again."""
        self._quiet = True
        self.model.set_order(rows)
        self._quiet = False

    @override
    def reveal(self, opcode: ValueRef) -> None:
        if opcode.pickle >= len(self._pickles):
            return
        row = int(self._starts[opcode.pickle]) + opcode.value
        order = self.model.order
        if order is not None:
            row = int(np.searchsorted(np.asarray(order), row))
            if row >= len(order):
                return
        self._quiet = True
        index = self.model.index(row, 0)
        self.table.setCurrentIndex(index)
        self.table.scrollTo(index)
        self._quiet = False

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.table.set_theme(theme)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for column, needed in NEEDS.items():
            self.table.setColumnHidden(column, self.width() < self.theme.px(needed))

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        if not self._quiet and current.isValid():
            self.chosen.emit(self._place(self.model.source_row(current.row())))

    def _place(self, row: int) -> ValueRef:
        """The opcode of a row; that of the last one is kept, since all cells of a row ask."""
        if row != self._asked:
            pickle = int(self._starts.searchsorted(row, side="right")) - 1
            self._asked, self._found = row, ValueRef(pickle, row - int(self._starts[pickle]))
            self._is_break = is_break(self._pickles[pickle], self._found.value)
        return self._found

    def _cell(self, row: int, column: int) -> Cell:
        place = self._place(row)
        pickle = self._pickles[place.pickle]
        if self._is_break:
            return break_cell(self._document, pickle, column)
        return opcode_cell(pickle, place.value, column, self._encoding)

    def _spoken(self, row: int, column: int) -> str:
        """What a screen reader is told in the column of the name."""
        place = self._place(row)
        pickle = self._pickles[place.pickle]
        if column != NAME:
            return ""
        if self._is_break:
            return break_spoken(self._document, pickle)
        return spoken(pickle, place.value, self._encoding)
