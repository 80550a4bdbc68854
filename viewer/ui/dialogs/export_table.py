"""The table of an export: old and new names before anything is written, clashes first; types that change; a report."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QPlainTextEdit, QStackedWidget, QTabBar, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.ui.dialogs.export_losses import LossRow
from viewer.ui.measures import keep, keep_dressed, keep_lengths, keep_text
from viewer.ui.models.cells import Cell
from viewer.ui.models.export_cells import NOW, TITLES, Column, ExportCells, translate
from viewer.ui.models.export_types import TypeRow, type_cell
from viewer.ui.models.table_model import RowsModel
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import lead_lines
from viewer.ui.widgets.rows import BAR, RowTable
from viewer.ui.words import count

ROW: Final = 30
TICK_WIDTH: Final = 36
LEAST_NAME, LEAST_NOTE, NO_NOTE = 120, 200, 84
ENOUGH_NAME: Final = 240
"""Names that are longer than this may be cut before other columns go."""
ARROW_WIDTH: Final = 22
CELL: Final = 20
"""The margins of a cell, both together, and a little air."""
FIXED: Final = {Column.DTYPE: 90, Column.SHAPE: 116, Column.BYTES: 100}
WIDE_DTYPE: Final = 176
AFTER: Final = sys.maxsize
"""The number of what comes after all items: the check of the result."""
FIRST_GONE: Final = (Column.SHAPE, Column.DTYPE, Column.BYTES)
"""The columns that go where room lacks, in this order: names and what is said of them stay."""
ALL, CLASHES, CHANGED, LEFT, TYPES, REPORT = range(6)


class NamesTable(RowTable):
    """Rows of 30 px with a box to tick; those that stand against the export are tinted.

    ticked: the box of a row was clicked, or Space pressed on it.
        Signal(row: int)
    """

    ticked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.cells: ExportCells | None = None
        keep(theme, self, "rows", lambda one, now: one.verticalHeader().setDefaultSectionSize(now.px(ROW)))
        self.clicked.connect(self._clicked)

    @override
    def tint(self, painter: QPainter, rect: QRect, row: int) -> None:
        model = self.model()
        if self.cells is None or not isinstance(model, RowsModel):
            return
        at = model.source_row(row)
        if self.cells.state(at) == NOW:
            painter.fillRect(rect, self.theme.color("link_tint"))
            painter.fillRect(QRect(rect.left(), rect.top(), BAR, rect.height()), self.theme.color("accent"))
        if not self.cells.is_fault(at):
            return
        painter.fillRect(rect, self.theme.color("error_bar"))
        painter.fillRect(QRect(rect.left(), rect.top(), BAR, rect.height()), self.theme.color("error"))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            self.ticked.emit(self.currentIndex().row())
            return
        super().keyPressEvent(event)

    def _clicked(self, index: QModelIndex) -> None:
        if index.column() == Column.TICK:
            self.ticked.emit(index.row())


class ExportTable(QWidget):
    """The table under tabs that say how many rows each leaves; the last ones are the types and the report in words.

    ticked: a name is to be written, or not any more.
        Signal(name: str, on: bool)
    """

    ticked = Signal(str, bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._cells: ExportCells | None = None
        self._types: Sequence[TypeRow] = ()
        self._has_names = True
        self.tabs = QTabBar()
        self.tabs.setAccessibleName(self.tr("Rows that are shown"))
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        for _ in range(REPORT + 1):
            self.tabs.addTab("")
        self.tabs.currentChanged.connect(self._turned)
        right = frozenset({int(Column.BYTES)})
        self.model = RowsModel(
            [translate("export", title) if title else "" for title in TITLES], self._cell, right, self
        )
        keep_dressed(self)
        self.table = NamesTable(theme)
        self.table.setAccessibleName(self.tr("Names in the file and in the export"))
        self.table.setModel(self.model)
        self.table.ticked.connect(self._ticked)
        header = self.table.horizontalHeader()
        keep_lengths(theme, header.setMinimumSectionSize, TICK_WIDTH)
        header.setSectionResizeMode(Column.TICK, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(Column.NOTE, QHeaderView.ResizeMode.Stretch)
        headers = [self.tr("From"), self.tr("To"), self.tr("Tensors"), self.tr("Bytes before"), self.tr("Bytes after")]
        self.type_model = RowsModel([*headers, self.tr("What it means")], self._type_cell, frozenset({2, 3, 4}), self)
        self.types = RowTable(theme)
        self.types.setAccessibleName(self.tr("Types that change"))
        self.types.setModel(self.type_model)
        self.report = QPlainTextEdit()
        self.report.setReadOnly(True)
        self.report.setTabChangesFocus(True)
        self.report.setAccessibleName(self.tr("What will be written"))
        keep_text(theme, self.report, "small")
        keep_lengths(theme, self.report.document().setDocumentMargin, 12)
        lead_lines(self.report)
        self.losses = LossRow(theme)
        self.type_page = QWidget()
        held = QVBoxLayout(self.type_page)
        held.setContentsMargins(0, 0, 0, 0)
        held.setSpacing(0)
        held.addWidget(self.types, 1)
        held.addWidget(self.losses)
        self.pages = QStackedWidget()
        for page in (self.table, self.type_page, self.report):
            self.pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(self.pages, 1)
        self._name_tabs()

    @property
    def cells(self) -> ExportCells | None:
        """What the rows show."""
        return self._cells

    def set_has_names(self, has_names: bool) -> None:
        """Show the tabs of a form that takes names, or only the report of one that takes none."""
        if has_names != self._has_names:
            self._has_names = has_names
            self._name_tabs()
            self.tabs.setCurrentIndex(ALL if has_names else REPORT)

    def fields(self) -> list[QWidget]:
        """All that takes the keyboard, from the top down."""
        return [self.tabs, self.table, self.types, self.losses.button, self.report]

    def show_names(self, cells: ExportCells | None, types: Sequence[TypeRow]) -> None:
        """Show other names, or what the form makes of them; None: not known yet."""
        self._cells = self.table.cells = cells
        self._types = types
        self._fit()
        self.type_model.set_rows(len(types))
        self._name_tabs()
        if not self.tabs.isTabVisible(self.tabs.currentIndex()):
            self.tabs.setCurrentIndex(ALL if self._has_names else REPORT)
        self._fill()

    def show_writing(self, at: int | None) -> None:
        """Show how far the writing is. `at`: the number of the item it is at, None: nothing is written any more."""
        if self._cells is not None and self._cells.at != at:
            self._cells.at = at
            self.table.viewport().update()

    def show_clashes(self) -> None:
        """Show the next row that stands against the export."""
        cells = self._cells
        if cells is None or not cells.clashing:
            return
        rows = cells.clashing
        current = self.table.currentIndex()
        at = self.model.source_row(current.row()) if current.isValid() and self.tabs.currentIndex() == ALL else -1
        self.tabs.setCurrentIndex(ALL)
        row = next((one for one in rows if one > at), rows[0])
        index = self.model.index(row, Column.NAME)
        self.table.setCurrentIndex(index)
        self.table.scrollTo(index)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self._fit()

    def _fit(self) -> None:
        """Share the width out; where room lacks, names and notes stay."""
        px = self._theme.px
        widths = {column: px(width) for column, width in FIXED.items()}
        if self._types:
            widths[Column.DTYPE] = px(WIDE_DTYPE)
        note = px(LEAST_NOTE if self._cells is not None and self._cells.has_notes else NO_NOTE)
        wishes = self._wishes()
        least = px(TICK_WIDTH) + sum(min(wish, px(ENOUGH_NAME)) for wish in wishes) + note
        for column in FIRST_GONE:
            if least + sum(widths.values()) > self.width():
                widths.pop(column)
        for column in FIXED:
            self.table.setColumnHidden(column, column not in widths)
            self.table.setColumnWidth(column, widths.get(column, 0))
        room = (
            self.width()
            - px(TICK_WIDTH)
            - sum(widths.values())
            - note
            - self.table.verticalScrollBar().sizeHint().width()
        )
        name, result = shared_out(room, wishes, px(LEAST_NAME))
        self.table.setColumnWidth(Column.TICK, px(TICK_WIDTH))
        self.table.setColumnWidth(Column.NAME, name)
        self.table.setColumnWidth(Column.RESULT, result)

    def _wishes(self) -> tuple[int, int]:
        """How wide the two columns of names are where no name is cut."""
        px, cells = self._theme.px, self._cells
        metrics, titles = QFontMetrics(self._theme.mono()), QFontMetrics(self._theme.text("caption"))
        heads = [
            titles.horizontalAdvance(translate("export", TITLES[column])) for column in (Column.NAME, Column.RESULT)
        ]
        names = [metrics.horizontalAdvance(name) for name in cells.longest] if cells is not None else [0, 0]
        bold = px(ARROW_WIDTH) + names[1] // 12
        return max(heads[0], names[0]) + px(CELL), max(heads[1], names[1]) + px(CELL) + bold

    def _rows_of(self, tab: int) -> Sequence[int] | None:
        """The rows that a tab leaves; None: all."""
        cells = self._cells
        if cells is None or tab == ALL:
            return None
        if tab == CLASHES:
            return cells.clashing
        if tab == LEFT:
            return cells.left
        return cells.changed

    def _name_tabs(self) -> None:
        cells = self._cells
        numbers = (
            (ALL, self.tr("Tensors"), cells.rows if cells is not None else 0, True),
            (CLASHES, self.tr("Clashes"), len(cells.clashing) if cells is not None else 0, False),
            (CHANGED, self.tr("Changed"), len(cells.changed) if cells is not None else 0, True),
            (LEFT, self.tr("Left out"), len(cells.left) if cells is not None else 0, True),
            (TYPES, self.tr("Types"), len(self._types), False),
        )
        for tab, title, number, always in numbers:
            self.tabs.setTabText(tab, f"{title}  {count(number)}" if cells is not None else title)
            self.tabs.setTabVisible(tab, self._has_names and (always or number > 0))
        self.tabs.setTabText(REPORT, self.tr("Report"))

    def _turned(self, tab: int) -> None:
        self.pages.setCurrentIndex(0 if tab < TYPES else tab - TYPES + 1)
        self._fill()

    def _fill(self) -> None:
        tab = self.tabs.currentIndex()
        if tab >= TYPES:
            return
        top = self.table.verticalScrollBar().value()
        current = self.table.currentIndex()
        self.model.set_rows(self._cells.rows if self._cells is not None else 0)
        rows = self._rows_of(tab)
        if rows is not None:
            self.model.set_order(rows)
        self.table.verticalScrollBar().setValue(top)
        if current.isValid() and current.row() < self.model.rowCount():
            self.table.setCurrentIndex(self.model.index(current.row(), current.column()))

    def _ticked(self, row: int) -> None:
        cells = self._cells
        at = self.model.source_row(row)
        if cells is not None and at < len(cells.names.names):
            self.ticked.emit(cells.names.names[at], not cells.is_in(at))

    def _cell(self, row: int, column: int) -> Cell:
        return self._cells.cell(row, column) if self._cells is not None else Cell()

    def _type_cell(self, row: int, column: int) -> Cell:
        return type_cell(self._types[row], column)


def shared_out(room: int, wishes: tuple[int, int], least: int) -> tuple[int, int]:
    """Two widths for two wishes: as wished where there is room, else none gets less than half for the other's sake."""
    first, second = (max(wish, least) for wish in wishes)
    half = max(room // 2, least)
    if first + second <= room:
        return first, second
    if first <= half:
        return first, max(room - first, least)
    if second <= half:
        return max(room - second, least), second
    return half, half
