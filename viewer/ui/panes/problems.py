"""Problems: what is wrong with the file, worst first; a click selects the bytes."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Final

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.core.problem import Problem, Severity
from viewer.session.session import Session
from viewer.session.sums import SUMS
from viewer.ui.measures import keep_lengths
from viewer.ui.models.cells import Cell, Piece, mono, number
from viewer.ui.models.remedies import acting, remedies
from viewer.ui.models.table_model import RowsModel
from viewer.ui.pane import Pane
from viewer.ui.theme import Theme
from viewer.ui.widgets.problem_words import ProblemWords
from viewer.ui.widgets.rows import RowTable
from viewer.ui.widgets.split import Split
from viewer.ui.words import count, hexadecimal, named, of_problem, paragraph, severity_word

HELP_PAGE: Final = "problems"
IMPORTS: Final = "pane.imports"
CODE: Final = 2
WIDE: Final = 720
"""Width of the table below which the codes have no room."""
WORST_FIRST: Final = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


class ProblemsPane(Pane):
    """A table of findings, and the whole sentence of the chosen one."""

    key: ClassVar[str] = "problems"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._problems: list[tuple[int, Problem]] = []
        self.model = RowsModel(
            [self.tr("Problem"), self.tr("Offset"), self.tr("Code")], self._cell, frozenset({1}), self
        )
        self.pages = QStackedWidget(self)
        split = self.split = Split(Qt.Orientation.Horizontal, self.pages)
        self.table = RowTable(theme, split)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Problems"))
        self.table.horizontalHeader().setStretchLastSection(False)
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(1, theme.px(90))
        self.table.setColumnWidth(CODE, theme.px(180))
        self.table.selectionModel().currentRowChanged.connect(self._moved)
        self.details = ProblemWords(theme, split)
        self.details.explain_asked.connect(self.explain)
        self._add_explain_action()
        self.empty = QLabel(self.pages)
        keep_lengths(theme, self.empty.setMargin, 14)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.empty.setWordWrap(True)
        self.empty.linkActivated.connect(self.asks)
        split.addWidget(self.table)
        split.addWidget(self.details)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.splitterMoved.connect(self._fit)
        split.setSizes([theme.px(3000), theme.px(2000)])
        self.pages.addWidget(split)
        self.pages.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.pages)
        layout.addWidget(self._make_foot(theme))
        session.sums.changed.connect(self._sums_changed)
        self.show_document()

    @override
    def show_document(self) -> None:
        found = [(document.index, problem) for document in self.session.documents for problem in document.problems]
        found.sort(key=lambda row: WORST_FIRST[row[1].severity])
        self.badge_changed.emit(str(len(found)) if found else "")
        if found == self._problems and found:
            # Another document of the file is looked at: the row that led there stays chosen.
            self._tell(max(0, self.table.currentIndex().row()))
            return
        self._problems = found
        self.model.set_rows(len(found))
        self._tell(0)
        self.pages.setCurrentIndex(0 if found else 1)
        self.empty.setText(self._none_found() if self.session.documents else "")
        self._show_sums()

    def _none_found(self) -> str:
        """The words for no rows. Of a file with pickles they say that no damage is not the same as safe."""
        title = self.tr("No damage found")
        words = self.tr("Every byte has an owner and every tensor is whole.")
        if any(document.pickles for document in self.session.documents):
            link = f'<a href="{IMPORTS}" style="color: {self.theme.color("accent").name()}">{self.tr("Imports")}</a>'
            words += "<br>" + self.tr("What loading the file would run is another matter: see {0}.").format(link)
        return f"<b>{title}</b><br>{words}"

    def _make_foot(self, theme: Theme) -> QWidget:
        """The line on checksums: how they stand, and the button that reads them."""
        self.foot = QWidget(self)
        self.sums = QLabel(self.foot)
        self.check = QPushButton(self.tr("Check checksums"), self.foot)
        self.check.setToolTip(self.tr("Read the whole file and compare each record with its checksum"))
        self.check.clicked.connect(self._check_or_stop)
        row = QHBoxLayout(self.foot)
        keep_lengths(theme, row.setContentsMargins, 14, 4, 14, 4)
        row.addWidget(self.sums, 1)
        row.addWidget(self.check)
        return self.foot

    def _check_or_stop(self) -> None:
        if self.session.sums.running:
            self.session.cancel(SUMS)
        else:
            self.session.sums.begin()

    def _sums_changed(self) -> None:
        if self.session.sums.done and self.session.sums.bad:
            self.show_document()
        else:
            self._show_sums()

    def _show_sums(self) -> None:
        sums = self.session.sums
        self.foot.setVisible(sums.size > 0)
        self.check.setVisible(not sums.done)
        self.check.setText(self.tr("Stop") if sums.running else self.tr("Check checksums"))
        if sums.running:
            self.sums.setText(self.tr("Checksums are being read."))
        elif not sums.done:
            self.sums.setText(self.tr("Checksums were not read to the end: the file is large, or it was stopped."))
        else:
            self.sums.setText(self._sums_words())

    def _sums_words(self) -> str:
        sums = self.session.sums
        if sums.bad:
            return self.tr("Checksums were read; what does not fit is listed.")
        words = self.tr("Records that fit their checksums: {0}.").format(count(sums.good))
        none = self.tr("Records that state none: {0}.").format(count(sums.unstated))
        return paragraph(words, none) if sums.unstated else words

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.table.set_theme(theme)
        # The link has the colour of the theme in its text.
        self.empty.setText(self._none_found() if self.session.documents else "")

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Where room lacks, what is wrong goes before its code."""
        self.table.setColumnHidden(CODE, self.split.sizes()[0] < self.theme.px(WIDE))

    @override
    def focus_target(self) -> QWidget:
        return self.table

    def show_row(self, row: int) -> None:
        """Choose a row, as a click on it would."""
        if 0 <= row < len(self._problems):
            self.table.setCurrentIndex(self.model.index(row, 0))

    @override
    def topic(self) -> str:
        row = max(0, self.table.currentIndex().row())
        return f"{HELP_PAGE}/{self._problems[row][1].code}" if 0 <= row < len(self._problems) else ""

    def explain(self) -> None:
        """Open the help at the chosen problem."""
        if self.topic():
            self.asks.emit(f"explain.{self.topic()}")

    def _add_explain_action(self) -> None:
        """The menu of a row. Its key is the window's F1, which asks the pane for its topic."""
        self.what = QAction(self.tr("What is this"), self)
        self.what.triggered.connect(lambda: self.explain())
        self.table.addAction(self.what)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        if not current.isValid():
            return
        self._tell(current.row())
        document, problem = self._problems[current.row()]
        if problem.span is not None:
            self.session.select_bytes((problem.span,), self.key, document=document)

    def _tell(self, row: int) -> None:
        """The whole sentence of a row; of the first one, the worst, before any was chosen."""
        if row >= len(self._problems):
            self.details.show_problem(self.theme, None)
            return
        document, problem = self._problems[row]
        offered = remedies(self.session, self.session.documents[document], problem)
        told = [replace(one, act=acting(one, self.message.emit)) for one in offered]
        self.details.show_problem(self.theme, problem, told)

    def _cell(self, row: int, column: int) -> Cell:
        problem = self._problems[row][1]
        if column == 0:
            severity = str(problem.severity)
            title = of_problem(problem).title
            spoken = named(severity_word(severity), title)
            return Cell((Piece(title),), icon=severity, icon_color=severity, spoken=spoken)
        if column == 1:
            return number(hexadecimal(problem.span.start) if problem.span is not None else "", "muted")
        return mono(problem.code, "muted")
