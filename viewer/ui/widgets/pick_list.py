"""A list to pick from, with a filter above it: it stands in a pane or drops down from a button."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QPainter, QPaintEvent, QPalette, QShowEvent
from PySide6.QtWidgets import QApplication, QHeaderView, QLabel, QLineEdit, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.ui.measures import keep_lengths, keep_mono
from viewer.ui.models.cells import Cell
from viewer.ui.models.table_model import RowsModel
from viewer.ui.theme import Theme
from viewer.ui.widgets.field_icons import clearable
from viewer.ui.widgets.rows import ROW, RowTable

FEW: Final = 8
"""Rows that need no filter."""
LEAST: Final = 300
MOST_ROWS: Final = 14
_WALKING: Final = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)


class PickList(QWidget):
    """Rows by number; derive from it and say what a row shows (`cell`) and holds (`words`).

    chosen: a row was clicked, or Enter pressed on it; where the list `follows`, also walked to by the keys.
        Signal(row: int)
    """

    chosen = Signal(object)
    follows = False

    def __init__(
        self, headers: Sequence[str], theme: Theme, right: frozenset[int] = frozenset(), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self._rows: Sequence[int] = ()
        self._shown: Sequence[int] = ()
        self._quiet = False
        self.filter = QLineEdit(self)
        self.filter.setProperty("filter", True)
        keep_mono(theme, self.filter)
        self.filter.setPlaceholderText(self.tr("Filter"))
        clearable(self.filter)
        self.filter.setAccessibleName(self.tr("Filter"))
        self.filter.textChanged.connect(self._filter)
        self.filter.installEventFilter(self)
        self.nothing = QLabel(self)
        self.nothing.setTextFormat(Qt.TextFormat.PlainText)
        self.nothing.setWordWrap(True)
        self.nothing.setProperty("muted", True)
        self.nothing.hide()
        self.model = RowsModel(headers, self._cell_of, right, self)
        self.table = RowTable(theme, self)
        self.table.setModel(self.model)
        self.table.horizontalHeader().setStretchLastSection(False)
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.clicked.connect(self._picked)
        self.table.installEventFilter(self)
        self.table.selectionModel().currentRowChanged.connect(self._walked)
        self._lay_out()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        above = QVBoxLayout()
        keep_lengths(self.theme, above.setContentsMargins, 8, 6, 8, 6)
        keep_lengths(self.theme, above.setSpacing, 6)
        above.addWidget(self.filter)
        above.addWidget(self.nothing)
        column.addLayout(above)
        column.addWidget(self.table, 1)

    # -- what derived lists say -------------------------------------------------------------------

    def cell(self, row: int, column: int) -> Cell:
        """What a row shows in a column."""
        raise NotImplementedError

    def words(self, row: int) -> str:
        """What the filter looks at."""
        raise NotImplementedError

    def arranged(self, rows: Sequence[int]) -> Sequence[int]:
        """The rows that are left, as they are shown; numbers below 0 are lines between them."""
        return rows

    # -- rows -------------------------------------------------------------------------------------

    def set_rows(self, count: int) -> None:
        """List other rows."""
        self._rows = range(count)
        self.filter.setVisible(count > FEW)
        self._filter()

    def show_row(self, row: int) -> None:
        """Mark a row as the chosen one; tells nobody."""
        self._quiet = True
        at = next((at for at, one in enumerate(self._shown) if one == row), -1)
        if at < 0:
            self.table.clearSelection()
        else:
            index = self.model.index(at, 0)
            self.table.setCurrentIndex(index)
            self.table.scrollTo(index)
        self._quiet = False

    @property
    def shown(self) -> Sequence[int]:
        """The rows that the filter leaves."""
        return self._shown

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.table.set_theme(theme)

    def _filter(self) -> None:
        wanted = self.filter.text().casefold()
        left = [row for row in self._rows if wanted in self.words(row).casefold()] if wanted else self._rows
        self._quiet = True
        self._shown = self.arranged(left)
        self.model.set_rows(len(self._shown))
        self._quiet = False
        self.nothing.setText(self.tr('Nothing matches "{text}"').format(text=self.filter.text()))
        self.nothing.setVisible(bool(wanted) and not left)

    def _cell_of(self, at: int, column: int) -> Cell:
        return self.cell(self._shown[at], column)

    def _picked(self, index: QModelIndex) -> None:
        if index.isValid() and self._shown[index.row()] >= 0:
            self.chosen.emit(self._shown[index.row()])

    def _walked(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        if self.follows and not self._quiet:
            self._picked(current)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if watched is self.filter and (event.key() in _WALKING or enter):
                self._leave_filter(pick=enter)
                return True
            if watched is self.table and enter:
                self._picked(self.table.currentIndex())
                return True
        return super().eventFilter(watched, event)

    def _leave_filter(self, *, pick: bool) -> None:
        """From the filter on to the rows; Enter takes the first of them."""
        first = next((at for at, row in enumerate(self._shown) if row >= 0), -1)
        if first < 0:
            return
        if pick:
            self._picked(self.model.index(first, 0))
            return
        self.table.setFocus()
        if not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.model.index(first, 0))


class DropDown(QWidget):
    """A list that drops down from a button, over the window, and goes when something was chosen, or by Esc or a click.

    No window of its own: those take the keyboard of the whole desktop.
    """

    def __init__(self, inner: PickList, parent: QWidget) -> None:
        super().__init__(parent)
        self.inner = inner
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.addWidget(inner)
        inner.chosen.connect(self.close)
        # while it is open it belongs to the window, which outlives the pane
        parent.destroyed.connect(self.deleteLater)
        self.hide()

    def drop_from(self, button: QWidget, row: int = -1) -> None:
        """Open under a button, or over it where there is more room; `row` is the chosen one."""
        window, px = button.window(), self.inner.theme.px
        self.inner.filter.clear()
        self.setParent(window)
        rows = min(len(self.inner.shown), MOST_ROWS) + 1
        above = px(40) if self.inner.filter.isVisibleTo(self) else px(12)
        wanted = QSize(max(px(LEAST), button.width()), px(ROW) * rows + above + px(12))
        place = button.mapTo(window, QPoint(0, button.height()))
        room_below, room_above = window.height() - place.y(), place.y() - button.height()
        height = min(wanted.height(), max(room_below, room_above))
        top = place.y() if height <= room_below else place.y() - button.height() - height
        left = max(0, min(place.x(), window.width() - wanted.width()))
        self.setGeometry(left, top, min(wanted.width(), window.width()), height)
        self.show()
        self.raise_()
        self.inner.show_row(row)
        front = self.inner.filter if self.inner.filter.isVisible() else self.inner.table
        front.setFocus(Qt.FocusReason.PopupFocusReason)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        application = QApplication.instance()
        if application is not None:
            application.installEventFilter(self)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        application = QApplication.instance()
        if application is not None:
            application.removeEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A press anywhere else closes the list, and so does the keyboard going elsewhere."""
        kind = event.type()
        if kind == QEvent.Type.Resize:
            leave = watched is self.window()
        elif kind in (QEvent.Type.MouseButtonPress, QEvent.Type.FocusIn):
            leave = isinstance(watched, QWidget) and watched is not self and not self.isAncestorOf(watched)
        else:
            leave = False
        if leave:
            self.close()
        return False

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.inner.theme.color("field_edge"))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()
