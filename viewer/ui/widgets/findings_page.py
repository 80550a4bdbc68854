"""The findings of the scan of values: how far it came, the button that starts it, and a table that links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.tensors.health import Finding, Health
from viewer.core.tensors.tensor import Tensor
from viewer.ui.measures import keep_lengths
from viewer.ui.models.cells import Cell
from viewer.ui.models.table_model import RowsModel
from viewer.ui.models.tensor_cells import finding_cell
from viewer.ui.theme import Theme
from viewer.ui.widgets.rows import RowTable
from viewer.ui.words import count, said
from viewer.wording.health import HEALTH, SCANNED

FINDING: Final = 160
LEAST_NAME: Final = 120
MOST_NAME: Final = 260
SENTENCE: Final = 400
WORST_FIRST: Final = {"error": 0, "warning": 1, "note": 2}


class FindingsPage(QWidget):
    """One row a finding, worst first once the scan is over.

    chosen: a row was clicked.
        Signal(finding: Finding)
    scan_asked: the button was clicked: begin, or stop what runs.
        Signal()
    """

    chosen = Signal(object)
    scan_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tensors: Sequence[Tensor] = ()
        self._rows: list[Finding] = []
        self.words = QLabel(self)
        self.words.setWordWrap(True)
        self.button = QPushButton(self)
        self.button.clicked.connect(self.scan_asked)
        self.model = RowsModel([self.tr("Finding"), self.tr("Tensor"), self.tr("What it is")], self._cell, parent=self)
        self.table = RowTable(theme, self)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Findings"))
        self.table.setColumnWidth(0, theme.px(FINDING))
        self.table.selectionModel().currentRowChanged.connect(self._moved)
        head = QHBoxLayout()
        keep_lengths(theme, head.setContentsMargins, 12, 4, 12, 4)
        head.addWidget(self.words, 1)
        head.addWidget(self.button)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addWidget(self.table, 1)
        whole.addStretch(0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Names give way to the sentences as far as they can be told apart then."""
        super().resizeEvent(event)
        px = self._theme.px
        room = self.width() - px(FINDING) - px(SENTENCE)
        self.table.setColumnWidth(1, max(px(LEAST_NAME), min(px(MOST_NAME), room)))
        self.table.setColumnWidth(2, self._theme.px(SENTENCE))

    def show_health(self, tensors: Sequence[Tensor], health: Health | None, *, running: bool) -> None:
        """Show what was found up to now; None: nobody asked yet."""
        self._tensors = tensors
        found = list(health.findings) if health is not None else []
        if not running:
            found.sort(key=lambda finding: WORST_FIRST[HEALTH[finding.fault][1]])
        if found != self._rows:
            # What comes while the scan runs comes at the end: the chosen row stays.
            self._rows = found
            self.model.set_rows(len(found))
        self.table.setVisible(bool(found))
        self.words.setText(self._words(health, running))
        self.button.setText(self._act(health, running))
        self.button.setEnabled(len(tensors) > 0)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self.table.set_theme(theme)

    def _act(self, health: Health | None, running: bool) -> str:
        if running:
            return self.tr("Stop")
        return self.tr("Scan values") if health is None else self.tr("Scan again")

    def _words(self, health: Health | None, running: bool) -> str:
        if health is None:
            return self.tr(
                "Values were not scanned. A scan reads all of them once: NaN, infinities, zeros, constants, "
                "negative variances, denormals, tensors stored twice."
            )
        code = "running" if running else "part" if not health.done else "found" if self._rows else "good"
        params = {"count": count(health.scanned), "total": count(health.total), "found": count(len(self._rows))}
        return said(SCANNED[code], params)

    def _moved(self, current: QModelIndex) -> None:
        if current.isValid():
            self.chosen.emit(self._rows[current.row()])

    def _cell(self, row: int, column: int) -> Cell:
        return finding_cell(self._tensors, self._rows[row], column)
