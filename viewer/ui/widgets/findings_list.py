"""Findings on the objects of a class, a row each; below them all that is to be said of the chosen one, and its fix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.core.code.findings import Finding
from viewer.core.source import printable
from viewer.ui.measures import keep_mono, keep_text
from viewer.ui.models.cells import Cell, Piece
from viewer.ui.models.table_model import RowsModel
from viewer.ui.theme import Theme
from viewer.ui.widgets.hidden import visible
from viewer.ui.widgets.rows import ROW, RowTable, copy_text
from viewer.ui.widgets.source_foot import link_icon
from viewer.ui.widgets.wrapped import WrappedLabel
from viewer.ui.words import count, in_words, named, paragraph, said, severity_word

MOST_ROWS: Final = 4
TITLE, LINE, OBJECTS = 0, 1, 2
NARROW: Final = 560
"""Columns beside the titles go below this width."""
LEAST: Final = 52
MOST: Final = 160
"""Height of what is said of one finding; more of it scrolls."""


def detail_of(found: Finding) -> str:
    """What follows from a finding and what can be done, in the person's language."""
    params = shown_params(found)
    return paragraph(*(said(part, params) for part in (found.words.detail, found.words.remedy) if part))


def title_of(found: Finding) -> str:
    """What is found."""
    return said(found.words.title, shown_params(found))


def shown_params(found: Finding) -> dict[str, object]:
    """The parameters with nothing hidden in what stands in the file."""
    return {
        name: printable(text) if isinstance(text := in_words(value), str) else text
        for name, value in found.params.items()
    }


class FindingsList(QWidget):
    """As high as its rows, up to four of them.

    chosen: a finding was clicked or walked to.
        Signal(finding: Finding)
    copied: the code that mends is on the clipboard.
        Signal()
    """

    chosen = Signal(object)
    copied = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.findings: Sequence[Finding] = ()
        self._quiet = False
        self.model = RowsModel([self.tr("Finding"), self.tr("Line"), self.tr("Objects")], self._cell, frozenset(), self)
        self.table = RowTable(theme, self)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Findings"))
        header = self.table.horizontalHeader()
        header.hide()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(TITLE, QHeaderView.ResizeMode.Stretch)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.clicked.connect(self._picked)
        self.table.installEventFilter(self)
        self.table.selectionModel().currentRowChanged.connect(self._picked)
        self.detail = WrappedLabel(parent=self)
        self.fix = QLabel(self)
        self.fix.setTextFormat(Qt.TextFormat.PlainText)
        self.fix.setWordWrap(True)
        self.fix.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.fix.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.more = QScrollArea(self)
        self.copy = QPushButton(self.tr("Copy fix"), self)
        self.copy.setProperty("link", True)
        self.copy.clicked.connect(self._copy)
        self._lay_out()
        self.set_theme(theme)
        self.set_findings(())

    def _lay_out(self) -> None:
        self._inner = QWidget()
        self._said = QVBoxLayout(self._inner)
        self._said.setContentsMargins(0, 0, 0, 0)
        self._said.addWidget(self.detail)
        self._said.addWidget(self.fix)
        self._said.addStretch(1)
        self.more.setWidgetResizable(True)
        self.more.setFrameShape(QScrollArea.Shape.NoFrame)
        self.more.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.more.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.more.setWidget(self._inner)
        self._below = QHBoxLayout()
        self._below.addWidget(self.more, 1)
        self._below.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.table)
        self._column.addLayout(self._below)

    def set_findings(self, findings: Sequence[Finding]) -> None:
        """List these; the one that is chosen stays where it is among them. Tells nobody."""
        before = self.finding
        self.findings = findings
        self._quiet = True
        self.model.set_rows(len(findings))
        at = next((at for at, found in enumerate(findings) if found == before), -1)
        if at >= 0:
            self.table.setCurrentIndex(self.model.index(at, 0))
        self._quiet = False
        self._fit()
        self._tell()

    @property
    def finding(self) -> Finding | None:
        """The chosen one."""
        at = self.table.currentIndex().row()
        return self.findings[at] if 0 <= at < len(self.findings) else None

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.table.set_theme(theme)
        self._said.setSpacing(theme.px(4))
        self.copy.setIcon(link_icon(theme, "copy", self.devicePixelRatioF()))
        self._below.setSpacing(theme.px(8))
        self._fit()

    def _cell(self, row: int, column: int) -> Cell:
        found = self.findings[row]
        if column == LINE:
            words = self.tr("line {0}").format(count(found.line)) if found.line is not None else ""
            return Cell((Piece(words, color="muted", small=True),), right=True)
        if column == OBJECTS:
            words = self.tr("1 object") if found.count == 1 else self.tr("{0} objects").format(count(found.count))
            return Cell((Piece(words, color="muted", small=True),), right=True)
        severity = str(found.severity)
        # Titles begin with the class, which may be long, and end with what matters.
        pieces = [Piece(title_of(found), cut="middle")]
        if found.count > 1 and self.table.isColumnHidden(OBJECTS):
            pieces.insert(0, Piece(f"{count(found.count)} \u00d7", color="muted", small=True))
        cell = Cell(tuple(pieces), icon=severity, icon_color=severity)
        cell.spoken = named(severity_word(severity), cell.text)
        return cell

    def _fit(self) -> None:
        rows = min(len(self.findings), MOST_ROWS)
        self.table.setFixedHeight(self.theme.px(ROW) * rows)
        for column, width in ((LINE, 64), (OBJECTS, 84)):
            self.table.setColumnWidth(column, self.theme.px(width))
            self.table.setColumnHidden(column, self.width() < self.theme.px(NARROW))
        self.setVisible(bool(self.findings))
        self._fit_words()

    def _fit_words(self) -> None:
        """As high as the words, within bounds."""
        room = self.more.viewport().width() if self.isVisible() else self.width()
        wanted = max(0, self._said.totalHeightForWidth(max(room, 1)))
        low, high = self.theme.px(LEAST), self.theme.px(MOST)
        self.more.setMinimumHeight(min(wanted, low))
        self.more.setMaximumHeight(min(wanted, high))

    def _tell(self) -> None:
        found = self.finding
        # A style sheet above takes fonts back that were set before the pane stood under it.
        keep_text(self.theme, self.detail, "small")
        keep_mono(self.theme, self.fix, "small")
        self.detail.setText(self._words(found) if found is not None else "")
        self.fix.setText(visible(found.fix) if found is not None else "")
        for widget in (self.fix, self.copy):
            widget.setVisible(found is not None and bool(found.fix))
        self.more.setVisible(found is not None)
        px = self.theme.px
        self._below.setContentsMargins(*((px(34), px(2), px(12), px(4)) if found is not None else (0, 0, 0, 0)))
        self._fit_words()

    def _words(self, found: Finding) -> str:
        """What is said below the rows: the title only where its row has no room for it."""
        title, detail = title_of(found), detail_of(found)
        room = self.table.columnWidth(TITLE) - self.theme.px(2 * ROW)
        is_cut = QFontMetrics(self.theme.text()).horizontalAdvance(title) > room
        return f"{title}. {detail}".strip() if is_cut or not detail else detail

    def _picked(self, index: QModelIndex) -> None:
        if self._quiet or not index.isValid():
            return
        self._tell()
        found = self.findings[index.row()]
        self.chosen.emit(found)

    def _copy(self) -> None:
        found = self.finding
        if found is not None:
            copy_text(found.fix)
            self.copied.emit()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        pressed = watched is self.table and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._picked(self.table.currentIndex())
            return True
        return super().eventFilter(watched, event)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self._tell()
