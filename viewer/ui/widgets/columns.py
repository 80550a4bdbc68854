"""The columns of a table without a mouse: by which one its rows are sorted, which way, and how wide they are.

A menu, opened by a command or from the table's own menu. What was done is spoken.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

from viewer.ui.spoken import speak
from viewer.ui.widgets.rows import BY_HAND, RowTable, RowTree

UNSORTED: Final = -1
MOST: Final = 2
"""Part of the view that a column takes at most when it is fitted: its half."""

Columned = RowTable | RowTree


def has_columns(widget: QWidget | None) -> bool:
    """True for a table or a tree whose columns have titles and can be told apart."""
    return isinstance(widget, RowTable | RowTree) and len(shown_columns(widget)) > 1


def head_of(view: Columned) -> QHeaderView:
    """The titles of a table or tree."""
    return view.horizontalHeader() if isinstance(view, RowTable) else view.header()


def shown_columns(view: Columned) -> list[int]:
    """The columns that can be seen, as they stand; none where there are no titles."""
    head = head_of(view)
    if head.isHidden():
        return []
    return [head.logicalIndex(at) for at in range(head.count()) if not head.isSectionHidden(head.logicalIndex(at))]


def title_of(view: Columned, column: int) -> str:
    """The title of a column."""
    return str(view.model().headerData(column, Qt.Orientation.Horizontal) or "")


class ColumnMenu(QObject):
    """What can be done with the columns of one table, in a menu that is made anew each time."""

    def __init__(self, view: Columned) -> None:
        super().__init__(view)
        self._view = view

    def offer(self) -> None:
        """Have it in the table's own menu, and say what a click on a title does too."""
        action = QAction(self.tr("Columns…"), self._view)
        action.triggered.connect(self.ask)
        self._view.addAction(action)
        self._view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        if self._view.isSortingEnabled():
            head_of(self._view).sortIndicatorChanged.connect(self._tell)

    def ask(self) -> QMenu:
        """Open it below the titles, its first line chosen."""
        menu = QMenu(self._view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill(menu)
        head = head_of(self._view)
        menu.popup(head.mapToGlobal(QPoint(0, head.height())))
        menu.setActiveAction(menu.actions()[0])
        return menu

    def fill(self, menu: QMenu) -> None:
        """Give a menu its lines."""
        view = self._view
        if view.isSortingEnabled() and isinstance(view, RowTable):
            self._add_sorting(menu, view)
            menu.addSeparator()
        _add(menu, self.tr("Fit columns to their texts"), self.fit)

    def _add_sorting(self, menu: QMenu, table: RowTable) -> None:
        by = table.sorted_by()
        column, falls = by if by is not None else (UNSORTED, False)
        for at in shown_columns(table):
            words = self.tr("Sort by {column}").format(column=title_of(table, at))
            _add(menu, words, partial(table.sort_by, at, descending=falls), checked=at == column)
        menu.addSeparator()
        for words, way in ((self.tr("Smallest first"), False), (self.tr("Greatest first"), True)):
            line = _add(menu, words, partial(table.sort_by, column, descending=way), checked=falls is way)
            line.setEnabled(by is not None)
        line = _add(menu, self.tr("As it stands in the file"), partial(table.sort_by, UNSORTED, descending=False))
        line.setEnabled(by is not None)

    def fit(self) -> None:
        """Give each column the width of what stands in it, up to half of the view."""
        view, head = self._view, head_of(self._view)
        head.setProperty(BY_HAND, True)
        for column in shown_columns(view):
            if head.sectionResizeMode(column) == QHeaderView.ResizeMode.Interactive:
                wanted = max(view.sizeHintForColumn(column), head.sectionSizeHint(column))
                view.setColumnWidth(column, min(wanted, max(1, view.viewport().width() // MOST)))
        head.setProperty(BY_HAND, False)

    def _tell(self, column: int, order: Qt.SortOrder) -> None:
        """Sorted: by what, and which way."""
        if column < 0:
            speak(self._view, self.tr("As it stands in the file"))
            return
        falls = order == Qt.SortOrder.DescendingOrder
        words = (
            self.tr("Sorted by {column}, greatest first") if falls else self.tr("Sorted by {column}, smallest first")
        )
        speak(self._view, words.format(column=title_of(self._view, column)))


def _add(menu: QMenu, words: str, act: Callable[[], None], *, checked: bool | None = None) -> QAction:
    line = QAction(words.replace("&", "&&"), menu)
    if checked is not None:
        line.setCheckable(True)
        line.setChecked(checked)
    line.triggered.connect(lambda _=False: act())
    menu.addAction(line)
    return line
