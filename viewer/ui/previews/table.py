"""What the previews that are a table have in common: words above it where there are any, colours, the keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, QModelIndex
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.session.session import Session
from viewer.ui.measures import keep_lengths
from viewer.ui.previews.base import Preview
from viewer.ui.theme import Theme
from viewer.ui.widgets.number_table import NumberTable


class TablePreview(Preview):
    """A class that derives from it hands its model to `lay_out` and says what a row leads to."""

    words: QLabel
    table: NumberTable

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, self._column.setSpacing, 6)

    def lay_out(self, model: QAbstractItemModel, name: str, widths: Sequence[int], *, words: bool = True) -> None:
        """`name`: of the table, for screen readers. `words`: whether some stand above it."""
        self.words = QLabel(self)
        self.words.setWordWrap(True)
        self.words.setProperty("muted", True)
        self.words.setVisible(words)
        self.table = NumberTable(self.theme, model, name, widths, self)
        self.table.selectionModel().currentChanged.connect(self._chosen)
        self._column.addWidget(self.words)
        self._column.addWidget(self.table, 1)

    @override
    def focus_target(self) -> QWidget:
        return self.table

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.table.set_theme(theme)

    def _chosen(self, current: QModelIndex) -> None:
        """Another row is the current one; an index that is not valid: none is."""
        raise NotImplementedError
