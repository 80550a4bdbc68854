"""Values: what the checkpoint holds beside weights, as tables: plain values, groups of optimizers, their state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFontMetrics, QShowEvent
from PySide6.QtWidgets import QHeaderView, QLabel, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.summary.value_tables import Entry, Table, Tables, rows_with, value_tables
from viewer.session.session import Session
from viewer.ui.measures import keep_lengths
from viewer.ui.models.cells import Cell, Piece, plain
from viewer.ui.models.table_model import RowsModel
from viewer.ui.pane import Pane, kept_words
from viewer.ui.theme import Theme
from viewer.ui.widgets.filter_bar import FilterBar
from viewer.ui.widgets.rows import RowTable
from viewer.ui.widgets.segments import Segment, Segments
from viewer.ui.widgets.when_seen import WhenSeen
from viewer.ui.words import as_written, count, said
from viewer.wording.value_tables import COLUMNS, FOUND_BY

JOB: Final = "value tables"
FILTERING: Final = "value filter"
AT_ONCE: Final = 2_000
"""Rows that are filtered at once; more in a thread."""
WIDE: Final = 260
NARROW: Final = 110
VALUE: Final = 400
LONGEST: Final = 28
ROOM: Final = 44
FIRST: Final = frozenset({"path", "parameter"})
FEW: Final = frozenset({"group", "parameters", "found", "type"})
KINDS: Final = ("values", "groups", "states")


class ValuesPane(Pane):
    """Three tables; a click selects the value, or the tensor that a cell stands for."""

    key: ClassVar[str] = "values"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._document: Document | None = None
        self._options = ""
        self.tables: Tables | None = None
        self._rows: list[int] | None = None
        self._quiet = False
        self._later = WhenSeen(self, self._work_out)
        self.kinds = Segments(
            (
                Segment("values", self.tr("Plain values"), self.tr("All that is no tensor, with its path")),
                Segment("groups", self.tr("Parameter groups"), self.tr("The settings of optimizers, a row a group")),
                Segment("states", self.tr("Optimizer state"), self.tr("What optimizers keep, joined to parameters")),
            ),
            self.tr("Which values are shown"),
            self,
        )
        self.kinds.chosen.connect(lambda: self._show_table())
        self.kinds.chosen.connect(self.kept_changed)
        self.bar = FilterBar(theme, self.tr("Filter values"), self.tr("Filter: lr, epoch, config"), self)
        self.bar.field.textChanged.connect(self._filter)
        self.bar.field.textChanged.connect(self.kept_changed)
        self.table = RowTable(theme, self)
        self.bar.left.connect(lambda: self.table.setFocus(Qt.FocusReason.OtherFocusReason))
        self.model = RowsModel((), self._cell, parent=self)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Values"))
        self.table.clicked.connect(self._clicked)
        self.table.activated.connect(self._clicked)
        self.empty = QLabel(self)
        keep_lengths(theme, self.empty.setMargin, 14)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.table)
        self.pages.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self.pages, 1)
        self.show_document()

    @override
    def header_widgets(self) -> list[QWidget]:
        return [self.kinds]

    @override
    def focus_target(self) -> QWidget:
        return self.table

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.table.set_theme(theme)
        self.bar.set_theme(theme)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._later.ask()

    @override
    def show_document(self) -> None:
        document, encoding = self.session.document, self.session.options.encoding
        if document is self._document and encoding == self._options and self.tables is not None:
            return
        if self.session.jobs.is_running(JOB):
            self.session.cancel(JOB)
        self._document, self._options = None, encoding
        self._show(None)
        self._later.ask()

    @override
    def kept(self) -> Mapping[str, Any]:
        return {"filter": self.bar.field.text(), "kind": self.kinds.current}

    @override
    def bring_back(self, kept: Mapping[str, Any]) -> None:
        self.bar.field.setText(kept_words(kept, "filter"))
        if kept.get("kind") in KINDS:
            self.kinds.set_current(kept_words(kept, "kind"))
            self._show_table()

    # -- the tables -------------------------------------------------------------------------------

    def _work_out(self) -> None:
        """Begin, once for each document; again where it was stopped."""
        document, encoding = self.session.document, self.session.options.encoding
        is_begun = self.tables is not None or self.session.jobs.is_running(JOB)
        if document is None or (document is self._document and is_begun):
            return
        self._document = document

        def work(progress: Progress) -> Tables:
            return value_tables(document, encoding, progress)

        self.session.start(JOB, work, self._show)

    def _show(self, tables: Tables | None) -> None:
        self.tables = tables
        if tables is not None and not self._current(tables).rows:
            found = (kind for kind in KINDS if getattr(tables, kind).rows)
            self.kinds.set_current(next(found, KINDS[0]))
        self._show_table()

    def _current(self, tables: Tables) -> Table:
        found: Table = getattr(tables, self.kinds.current)
        return found

    def _show_table(self) -> None:
        """The columns and rows of the table that is chosen."""
        table = self._current(self.tables) if self.tables is not None else Table([], 0)
        before, self._rows = self.model, None
        self.model = RowsModel([self._head(table, at) for at in range(len(table.columns))], self._cell, parent=self)
        self.table.setModel(self.model)
        before.deleteLater()
        self.model.set_rows(len(table.rows))
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for at, column in enumerate(table.columns):
            is_own = at < table.own
            width = WIDE if column in FIRST and is_own else NARROW if column in FEW and is_own else VALUE
            self.table.setColumnWidth(at, self.theme.px(width) if is_own else self._fitting(table, at))
        if "optimizer" in table.columns[: table.own]:
            several = len({row[0].text for row in table.rows}) > 1
            self.table.setColumnHidden(0, not several)
        title = self.tr("No such values in this file")
        words = self.tr("Plain values and optimizers stand in the pickle of a checkpoint; this file has none of these.")
        self.empty.setText(f"<b>{title}</b><br>{words}" if self.tables is not None else "")
        self.pages.setCurrentIndex(0 if table.rows or self.tables is None else 1)
        self.bar.setVisible(bool(table.rows))
        self._filter()

    def _fitting(self, table: Table, column: int) -> int:
        """The width of a setting: of its key, and of what the first rows have."""
        texts = [
            table.columns[column],
            *(self._entry(table, row, column).text for row in range(min(50, len(table.rows)))),
        ]
        longest = max(texts, key=len)[:LONGEST]
        return QFontMetrics(self.theme.mono()).horizontalAdvance(longest) + self.theme.px(ROOM)

    def _filter(self) -> None:
        """Leave the rows in which some cell holds the words."""
        if self.tables is None:
            return
        table, wanted = self._current(self.tables), self.bar.field.text().casefold().split()
        if self.session.jobs.is_running(FILTERING):
            self.session.cancel(FILTERING)
        if wanted and len(table.rows) > AT_ONCE:
            self.bar.tell(self.tr("Filtering"))
            self.session.start(
                FILTERING, lambda progress: (table, rows_with(table, wanted, progress)), self._filtered_later
            )
            return
        self._show_rows(table, rows_with(table, wanted, Progress()) if wanted else None)

    def _filtered_later(self, found: tuple[Table, list[int]]) -> None:
        table, rows = found
        if self.tables is not None and table is self._current(self.tables):
            self._show_rows(table, rows)

    def _show_rows(self, table: Table, rows: list[int] | None) -> None:
        """These rows of a table, None: all; and how many that are."""
        self._rows = rows
        self.model.set_order(rows)
        shown = len(table.rows) if self._rows is None else len(self._rows)
        more = self.tr("the first {0}").format(count(len(table.rows))) if table.cut else count(len(table.rows))
        self.bar.tell(self.tr("{0} of {1}").format(count(shown), more) if rows is not None or table.cut else more)

    def _head(self, table: Table, at: int) -> str:
        column = table.columns[at]
        return said(COLUMNS[column]) if at < table.own else column

    def _cell(self, row: int, column: int) -> Cell:
        if self.tables is None:
            return Cell()
        table = self._current(self.tables)
        entry = self._entry(table, row, column)
        if entry.code or (column < table.own and table.columns[column] == "found"):
            return plain(said(FOUND_BY[entry.code]), "muted")
        is_first = column < table.own and table.columns[column] in FIRST
        color = "text" if is_first or column >= table.own or table.columns[column] == "value" else "muted"
        shown = " ".join(as_written(entry.text).split())
        return Cell((Piece(shown, mono=True, color=color),), icon="tensor" if entry.tensor >= 0 else "")

    def _entry(self, table: Table, row: int, column: int) -> Entry:
        cells = table.rows[row]
        return cells[column] if column < len(cells) else Entry("")

    def _clicked(self, index: QModelIndex) -> None:
        """Select the tensor or value of a cell; where it has none that of its row."""
        document = self.session.document
        if self.tables is None or document is None or not index.isValid():
            return
        table, row = self._current(self.tables), self.model.source_row(index.row())
        cells = [self._entry(table, row, index.column()), *table.rows[row]]
        entry = next((cell for cell in cells if cell.tensor >= 0 or cell.value is not None), None)
        if entry is not None and 0 <= entry.tensor < len(document.tensors):
            self.session.select_tensor(document.tensors[entry.tensor], self.key)
        elif entry is not None and entry.value is not None:
            self.session.select_value(entry.value, self.key)
