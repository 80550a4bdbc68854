"""Lists, tables and trees that the keyboard enters without choosing anything.

Qt makes the first row the current one when Tab comes to a view that has none: whoever listens to the current row would
take it for chosen, and the first press of Down would go to the second row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QTableView, QWidget
from typing_extensions import override

if TYPE_CHECKING:
    _View = QAbstractItemView
else:
    _View = object


class EntersQuietly(_View):
    """To be named before the view in the bases of a class."""

    _entering = False

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self._entering = True
        super().focusInEvent(event)
        self._entering = False

    @override
    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        return QModelIndex() if self._entering else super().moveCursor(action, modifiers)


class QuietList(EntersQuietly, QListView):
    """A list."""


class QuietTable(EntersQuietly, QTableView):
    """A table, which Tab leaves: arrow keys walk its cells."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabKeyNavigation(False)
