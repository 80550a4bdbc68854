"""All keys in one list, made from the table of actions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from viewer.ui.theme import Theme
from viewer.ui.widgets.command_palette import Entry


class Shortcuts(QDialog):
    """A table of commands and keys with a filter."""

    def __init__(self, entries: Sequence[Entry], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.filter = QLineEdit()
        self.filter.setProperty("filter", True)
        self.filter.setPlaceholderText(self.tr("Filter"))
        self.filter.textChanged.connect(self._filter)
        rows = [(entry, keys(entry)) for entry in entries]
        self._rows = [(entry, text) for entry, text in rows if text]
        self.table = QTableWidget(len(self._rows), 3)
        self.table.setHorizontalHeaderLabels([self.tr("Command"), self.tr("Menu"), self.tr("Keys")])
        self.table.verticalHeader().setVisible(False)
        self.table.setShowGrid(False)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        for row, (entry, text) in enumerate(self._rows):
            for at, words in enumerate((entry.title, entry.place, text)):
                self.table.setItem(row, at, QTableWidgetItem(words))
        self.table.resizeColumnToContents(1)
        self.table.setColumnWidth(2, theme.px(190))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        for widget in (self.filter, self.table, buttons):
            column.addWidget(widget)
        self.resize(theme.px(620), theme.px(560))
        self.filter.setFocus(Qt.FocusReason.OtherFocusReason)

    def _filter(self, text: str) -> None:
        wanted = text.casefold()
        for row, (entry, shortcut) in enumerate(self._rows):
            self.table.setRowHidden(row, wanted not in f"{entry.title} {entry.place} {shortcut}".casefold())


def keys(entry: Entry) -> str:
    """All keys of a command, as the system writes them."""
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(sequence.toString(native) for sequence in entry.action.shortcuts())
