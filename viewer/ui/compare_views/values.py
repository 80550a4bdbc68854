"""Plain values: hyperparameters, groups of an optimizer, counters; their place, what A has there and what B has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtWidgets import QCheckBox, QLabel, QVBoxLayout, QWidget

from viewer.core.comparing.plain import EQUAL, ValueRow, listed_values
from viewer.core.comparing.report import value_text
from viewer.core.progress import Progress
from viewer.session.comparing import Comparing
from viewer.session.session import Session
from viewer.ui.models.cells import Cell, mono
from viewer.ui.models.table_model import RowsModel
from viewer.ui.theme import Theme
from viewer.ui.widgets.filter_bar import FilterBar
from viewer.ui.widgets.rows import RowTable
from viewer.ui.words import as_written, count

WIDTHS: Final = (220, 150, 150)
LISTING: Final = "listing the compared values"
MANY: Final = 1_000
"""Rows that are listed at once; more are in a thread."""


class ValuesView(QWidget):
    """A filter, a switch for those that are equal, the table."""

    def __init__(self, session: Session, comparing: Comparing, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.comparing, self.theme = session, comparing, theme
        self._rows: Sequence[ValueRow] = ()
        self.filter = FilterBar(theme, self.tr("Filter places"), self.tr("Filter places"), self)
        self.all = QCheckBox(self.tr("Equal ones too"), self)
        self.model = RowsModel([self.tr("Place"), self.tr("In A"), self.tr("In B")], self._cell, parent=self)
        self.table = RowTable(theme, self)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Values that are compared"))
        for column, width in enumerate(WIDTHS):
            self.table.setColumnWidth(column, theme.px(width))
        self.note = QLabel(self)
        self.note.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.filter, self.all, self.note):
            layout.addWidget(widget)
        layout.addWidget(self.table, 1)
        self.all.toggled.connect(lambda _: self.arrange())
        self.filter.field.textChanged.connect(lambda _: self.arrange())
        self.filter.left.connect(self.table.setFocus)
        comparing.began.connect(self.show_comparison)
        comparing.changed.connect(self.show_comparison)
        self._space()
        self.show_comparison()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.table.set_theme(theme)
        self.filter.set_theme(theme)
        self._space()

    def _space(self) -> None:
        px = self.theme.px
        self.note.setContentsMargins(px(12), px(4), px(12), px(4))
        self.all.setStyleSheet(f"margin-left: {px(12)}px")

    def show_comparison(self) -> None:
        """Another comparison."""
        found = self.comparing.found
        rows: Sequence[ValueRow] = found.values if found is not None else ()
        if rows is not self._rows:
            self._rows = rows
            self.model.set_rows(len(rows))
            self.arrange()
        else:
            self._tell()

    def arrange(self) -> None:
        """List those that differ, or all, with this text in their place; many of them in a thread."""
        rows, text, is_all = self._rows, self.filter.field.text(), self.all.isChecked()

        def work(progress: Progress) -> tuple[Sequence[ValueRow], list[int]]:
            return rows, listed_values(rows, text, is_all=is_all, progress=progress)

        if len(rows) <= MANY:
            self.session.jobs.cancel(LISTING)
            self._arranged(work(Progress()))
        else:
            self.session.jobs.start(LISTING, work, self._arranged)

    def _arranged(self, found: tuple[Sequence[ValueRow], list[int]]) -> None:
        if found[0] is self._rows:
            self.model.set_order(found[1])
            self._tell()

    def _tell(self) -> None:
        found = self.comparing.found
        if found is None:
            words = self.tr("Nothing is compared yet.")
        elif not self._rows:
            words = self.tr("Neither file holds plain values.")
        else:
            differ, unknown = found.values_differ, found.values_unknown
            words = self.tr("{0} differ, {1} are equal.")
            if unknown:
                words = self.tr("{0} differ, {1} are equal, {2} could not be read.")
            words = words.format(count(differ), count(len(self._rows) - differ - unknown), count(unknown))
        self.note.setText(words)

    def _cell(self, at: int, column: int) -> Cell:
        row = self._rows[at]
        color = "muted" if row.status == EQUAL else "text"
        if column == 0:
            return mono(row.name, color)
        value = row.a if column == 1 else row.b
        return mono(as_written(value_text(value)), color if value is not None else "muted")
