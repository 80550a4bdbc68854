"""Imports: every name that loading the file would import, the worst first: what is done with it, where, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QLabel,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.core.document import Document
from viewer.core.pickles.effects import Effects
from viewer.core.progress import Progress
from viewer.core.safety.imports import Key, import_key
from viewer.core.safety.rules import Severity
from viewer.core.summary.file_hash import file_sha256
from viewer.core.summary.import_facts import as_used
from viewer.core.summary.import_report import report_text
from viewer.core.tensors.tensor import ValueRef
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.session.torch_answers import torch_answers
from viewer.ui.measures import keep_lengths, keep_text
from viewer.ui.models.cells import Cell, Piece, mono, number, plain
from viewer.ui.models.import_rows import ICONS, ImportRow, UseRow, import_rows, use_rows
from viewer.ui.models.table_model import RowsModel
from viewer.ui.pane import Pane, kept_words
from viewer.ui.theme import Theme
from viewer.ui.widgets.filter_bar import FilterBar
from viewer.ui.widgets.import_alarm import LONGEST
from viewer.ui.widgets.import_details import ImportDetails
from viewer.ui.widgets.labels import ElidedLabel, IconButton
from viewer.ui.widgets.rows import RowTable
from viewer.ui.widgets.split import Split
from viewer.ui.words import count, hexadecimal, left_to_right, said
from viewer.wording.imports import LEGEND, SEVERITIES, WEIGHTS_ONLY

JOB: Final = "imports"
COPYING: Final = "imports report"
COPY, SAVE, ASK = "tools.copy_imports", "file.export_imports", "tools.ask_torch"
"""The commands of the menus."""
SUMMARY: Final = "pane.summary"
NAME, CALLED, COUNT, OFFSET, WEIGHTS = 1, 2, 3, 4, 5
ROOMY: Final = ((WEIGHTS, 620), (COUNT, 530))
"""Columns that the details repeat, and the width of the table below which they have no room."""
WIDTHS: Final = {0: 112, NAME: 184, COUNT: 50, OFFSET: 64, WEIGHTS: 92}


class ImportsPane(Pane):
    """A table of names with a filter, the chosen one in full beside it. The badge counts the dangerous ones."""

    key: ClassVar[str] = "imports"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.rows: list[ImportRow] = []
        self._documents: list[Document] = []
        self._by_key: dict[tuple[int, Key], int] = {}
        self._quiet = False
        headers = [self.tr("Severity"), self.tr("Name"), self.tr("Called with"), self.tr("Count")]
        headers += [self.tr("First at"), "weights_only"]
        self.model = RowsModel(headers, self._cell, frozenset({COUNT, OFFSET}), self)
        self.pages = QStackedWidget(self)
        self.split = Split(Qt.Orientation.Horizontal, self.pages)
        left = QWidget(self.split)
        self.table = RowTable(theme, left)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Imports"))
        self.table.horizontalHeader().setStretchLastSection(False)
        self.table.horizontalHeader().setSectionResizeMode(CALLED, QHeaderView.ResizeMode.Stretch)
        for column, width in WIDTHS.items():
            self.table.setColumnWidth(column, theme.px(width))
        self.table.selectionModel().currentRowChanged.connect(self._moved)
        self.details = ImportDetails(theme, self.split)
        self.details.use_chosen.connect(self._select_use)
        self.bar = FilterBar(
            theme, self.tr("Filter of the imports"), self.tr("Filter by name, severity or arguments"), left
        )
        self.bar.left.connect(lambda: self.table.setFocus(Qt.FocusReason.OtherFocusReason))
        self.filter = self.bar.field
        self.filter.textChanged.connect(self._apply_filter)
        self.notable = QToolButton(self)
        self.notable.setCheckable(True)
        self.notable.setText(self.tr("Hide known"))
        self.notable.setToolTip(self.tr("List dangerous and unknown names only"))
        self.notable.toggled.connect(self._apply_filter)
        self.notable.toggled.connect(self.kept_changed)
        self.filter.textChanged.connect(self.kept_changed)
        self.copy_button = IconButton(theme, "copy", self.tr("Copy report"), self)
        self.copy_button.clicked.connect(self.copy_report)
        self.save_button = IconButton(theme, "save", self.tr("Save report…"), self)
        self.save_button.clicked.connect(lambda: self.asks.emit(SAVE))
        self.ask_button = IconButton(theme, "flask", self.tr("Ask torch whether it loads this file"), self)
        self.ask_button.clicked.connect(self._ask_torch)
        self._build(theme, left)
        self.show_document()

    def _build(self, theme: Theme, left: QWidget) -> None:
        px = theme.px
        self.legend = ElidedLabel(parent=left)
        self.legend.setText(said(LEGEND))
        self.legend.setProperty("muted", True)
        keep_text(theme, self.legend, "small")
        keep_lengths(theme, self.legend.setContentsMargins, 12, 2, 12, 4)
        self.empty = QLabel(self.pages)
        self.empty.setWordWrap(True)
        keep_lengths(theme, self.empty.setMargin, 14)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.table, 1)
        column.addWidget(self.legend)
        split = self.split
        split.splitterMoved.connect(self._fit)
        split.addWidget(left)
        split.addWidget(self.details)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 1)
        split.setSizes([px(3300), px(1700)])
        self.pages.addWidget(split)
        self.pages.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.pages)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Where room lacks, what a name is called with goes before what the details say too."""
        for column, least in ROOMY:
            self.table.setColumnHidden(column, self.split.sizes()[0] < self.theme.px(least))

    @override
    def header_widgets(self) -> list[QWidget]:
        return [self.notable, self.ask_button, self.copy_button, self.save_button]

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        if self.session.root is None:
            return {}
        return {COPY: self.copy_report, ASK: self._ask_torch}

    @override
    def focus_target(self) -> QWidget:
        return self.table

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.bar.set_theme(theme)
        self.table.set_theme(theme)
        self.details.set_theme(theme)
        self.legend.setFont(theme.text("small"))
        for button in (self.ask_button, self.copy_button, self.save_button):
            button.set_theme(theme)

    @override
    def kept(self) -> Mapping[str, Any]:
        return {"filter": self.filter.text(), "notable": self.notable.isChecked()}

    @override
    def bring_back(self, kept: Mapping[str, Any]) -> None:
        self.filter.setText(kept_words(kept, "filter"))
        self.notable.setChecked(kept.get("notable") is True)

    # -- the report -------------------------------------------------------------------------------

    @override
    def show_document(self) -> None:
        documents = list(self.session.documents)
        if documents and documents == self._documents:
            return
        self._documents = documents
        self._show([])
        self.empty.setText("")
        if not documents:
            return
        encoding = self._encoding()

        def work(progress: Progress) -> list[ImportRow]:
            return import_rows(documents, encoding, progress)

        self.session.jobs.start(JOB, work, self._ready)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_selection(self.session.selection)

    @override
    def show_selection(self, selection: Selection) -> None:
        """Mark the row of the name that the selected opcode names, reads back or calls."""
        place, document = selection.opcode, self.session.document
        if selection.origin == self.key or place is None or document is None or not self.isVisible():
            return
        if place.pickle >= len(document.pickles):
            return
        values = document.pickles[place.pickle].values
        named = Effects(values).named(place.value)
        row = self._by_key.get((document.index, import_key(values, named)), -1) if named >= 0 else -1
        at = self.model.shown_row(row) if row >= 0 else -1
        if at >= 0:
            self._quiet = True
            self.show_row(at)
            self.table.scrollTo(self.model.index(at, 0))
            self._quiet = False

    def _ready(self, rows: list[ImportRow]) -> None:
        title, sentence = self.tr("Nothing is imported"), self.tr("Loading this file calls no code by name.")
        self.empty.setText(f"<b>{title}</b><br>{sentence}")
        self._show(rows)
        self.show_selection(self.session.selection)

    def _show(self, rows: list[ImportRow]) -> None:
        self.rows = rows
        found = ((row.document.index, row.found.row) for row in rows)
        self._by_key = {(at, (one.module, one.name, one.extension)): number for number, (at, one) in enumerate(found)}
        self.model.set_rows(len(rows))
        self._alarm([row for row in rows if row.found.severity is Severity.DANGEROUS])
        self.pages.setCurrentIndex(0 if rows else 1)
        self.details.show_import(rows[0] if rows else None, use_rows(rows[0], self._encoding()) if rows else ())
        self._apply_filter()

    def _alarm(self, dangerous: list[ImportRow]) -> None:
        """Count the dangerous names beside the title, and tell the first of them where this pane is behind others."""
        self.badge_changed.emit(count(len(dangerous)) if dangerous else "")
        if not dangerous:
            self.alarmed.emit("", "")
            return
        first = as_used(dangerous[0].name, dangerous[0].called_with)
        first = first if len(first) <= LONGEST else first[: LONGEST - 1] + "\u2026"
        advice = self.tr("Do not load this file unless you trust where it comes from.")
        title = self.tr("Imports: {0} dangerous").format(count(len(dangerous)))
        self.alarmed.emit(title, f"{left_to_right(first)} \u2013 {advice}")

    def _apply_filter(self) -> None:
        wanted, notable = self.filter.text().strip().lower(), self.notable.isChecked()
        if not wanted and not notable:
            self.model.set_order(None)
            self.bar.tell("")
            return
        hidden = Severity.KNOWN if notable else None
        order = [
            number_
            for number_, row in enumerate(self.rows)
            if row.found.severity is not hidden and wanted in row.searched
        ]
        self.model.set_order(order)
        self.bar.tell(self.tr("{0} of {1}").format(count(len(order)), count(len(self.rows))))

    def _encoding(self) -> str:
        return self.session.options.text_encoding

    # -- what the person does ---------------------------------------------------------------------

    def show_row(self, row: int) -> None:
        """Choose a row that is shown, as a click on it would."""
        if 0 <= row < self.model.rowCount():
            self.table.setCurrentIndex(self.model.index(row, 0))

    def copy_report(self) -> None:
        """The whole report as text, on the clipboard."""
        document, encoding = self.session.root, self._encoding()
        if document is None:
            return

        def work(progress: Progress) -> str:
            return "".join(report_text(document, encoding, file_sha256(document, progress), progress))

        self.session.start(COPYING, work, self._copied)

    def _copied(self, text: str) -> None:
        QApplication.clipboard().setText(text)
        self.message.emit("done", self.tr("The report is on the clipboard"), "")

    def _ask_torch(self) -> None:
        """Let torch say whether it loads the file; Summary shows the answer beside the predicted ones."""
        self.asks.emit(SUMMARY)
        torch_answers(self.session).ask()

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        if not current.isValid():
            return
        row = self.rows[self.model.source_row(current.row())]
        uses = use_rows(row, self._encoding())
        self.details.show_import(row, uses)
        if uses and not self._quiet:
            self._select(row, uses[0])

    def _select_use(self, use: UseRow) -> None:
        current = self.table.currentIndex()
        at = self.model.source_row(current.row()) if current.isValid() else 0
        self._select(self.rows[at], use)

    def _select(self, row: ImportRow, use: UseRow) -> None:
        """The opcode of a use, where its document is looked at; else its bytes."""
        index = row.document.index
        if self.session.document is row.document and self.session.links is not None:
            self.session.select_opcode(ValueRef(use.use.pickle, use.use.opcode), self.key)
        else:
            self.session.select_bytes((use.span,), self.key, use.source, document=index)

    # -- cells ------------------------------------------------------------------------------------

    def _cell(self, row: int, column: int) -> Cell:
        shown = self.rows[row]
        severity = shown.found.severity
        icon, color = ICONS[severity]
        if column == 0:
            words = Piece(said(SEVERITIES[severity]), color=color)
            return Cell((words,), icon=icon, icon_color=color)
        if column == NAME:
            return mono(shown.name)
        if column == CALLED:
            done = shown.called_with or (self.tr("called") if shown.found.row.called else self.tr("only named"))
            return mono(shown.called_with) if shown.called_with else plain(done, "muted")
        if column == COUNT:
            return number(count(shown.found.row.count))
        if column == OFFSET:
            return number(hexadecimal(shown.span.start), "muted")
        return plain(
            said(WEIGHTS_ONLY["accepted" if shown.found.accepted else "refused"]),
            "muted" if shown.found.accepted else "text",
        )
