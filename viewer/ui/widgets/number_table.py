"""A table of numbers in the mono font, rows of one height, as the previews of a tensor have them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from viewer.ui.measures import keep_lengths, keep_mono, keep_text
from viewer.ui.theme import Theme
from viewer.ui.widgets.entering import QuietTable
from viewer.ui.widgets.heads import with_head


class NumberTable(QuietTable):
    """Rows are selected whole. `widths`: of the columns."""

    def __init__(
        self, theme: Theme, model: QAbstractItemModel, name: str, widths: Sequence[int], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._widths = widths
        self.setModel(model)
        self.setAccessibleName(name)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        keep_lengths(theme, self.setMinimumHeight, 160)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._theme = theme
        self.set_theme(theme)
        model.modelReset.connect(self._fit)
        model.headerDataChanged.connect(self._fit)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        keep_mono(theme, self)
        keep_text(theme, self.horizontalHeader(), "caption")
        keep_mono(theme, self.verticalHeader(), "small")
        self.verticalHeader().setDefaultSectionSize(theme.px(22))
        self.setStyleSheet(f"QTableView::item {{ padding: 0 {theme.px(8)}px; }}")
        self._theme = theme
        self._fit()

    def _fit(self) -> None:
        """Columns have room for their titles, which may be other ones for another tensor."""
        theme = self._theme
        for column, width in enumerate(self._widths):
            self.setColumnWidth(column, with_head(self.horizontalHeader(), column, theme.px(width), theme))
