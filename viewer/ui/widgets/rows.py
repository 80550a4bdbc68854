"""Trees and tables as look.md wants them: one delegate that paints cells, full-width states, no frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QCursor, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTreeView,
    QWidget,
)
from typing_extensions import override

from viewer.ui.measures import keep_dressed, keep_lengths
from viewer.ui.models.cells import CELL_ROLE, Cell
from viewer.ui.models.table_model import RowsModel
from viewer.ui.theme import Theme, pixmap
from viewer.ui.widgets.cell_painter import CellPainter
from viewer.ui.widgets.entering import EntersQuietly
from viewer.ui.widgets.heads import scale_heads, turn_heads, with_head
from viewer.ui.words import written_plainly

if TYPE_CHECKING:
    from viewer.ui.models.tree_model import TreeModel

ROW = 24
LEAST = 20
"""Pixels below which no column is drawn; Qt's own least grows with the font and would widen columns by itself."""
CHEVRON = 12
BAR = 3
FIRST_MARGIN = 12
NOWHERE = QModelIndex()
BY_HAND = "sizedByHand"
"""Property of titles while a person has columns sized without a mouse: they are kept as if dragged."""

Index = QModelIndex | QPersistentModelIndex


class CellDelegate(QStyledItemDelegate):
    """Paints the Cell of an index."""

    first_margin = 2

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.cells = CellPainter(theme)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.cells.set_theme(theme)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        cell = index.data(CELL_ROLE)
        width = self.cells.wanted(cell) if isinstance(cell, Cell) else 2 * self.cells.margin
        return QSize(width, self.theme.px(ROW))

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell = index.data(CELL_ROLE)
        if not isinstance(cell, Cell):
            return
        view = self.parent()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        solid = selected and isinstance(view, QWidget) and view.hasFocus()
        painter.save()
        painter.setClipRect(option.rect)
        margin = self.cells.margin if index.column() else self.theme.px(self.first_margin)
        place = option.rect.left(), option.rect.top(), option.rect.width(), option.rect.height()
        self.cells.begin()
        mirrored = option.direction == Qt.LayoutDirection.RightToLeft
        self.cells.draw(painter, cell, place, margin, solid=solid, mirrored=mirrored)
        painter.restore()


class _Rows:
    """What trees and tables share: grounds of rows by state, across the full width."""

    theme: Theme

    def ground(
        self, painter: QPainter, rect: QRect, *, selected: bool, focused: bool, hovered: bool, mirrored: bool = False
    ) -> None:
        """Fill a row: solid where the keyboard is, tint and a bar where it is linked, tint under the mouse."""
        if selected and focused:
            painter.fillRect(rect, self.theme.color("selection"))
        elif selected:
            painter.fillRect(rect, self.theme.color("link_tint"))
            bar = QRect(rect.right() + 1 - BAR if mirrored else rect.left(), rect.top(), BAR, rect.height())
            painter.fillRect(bar, self.theme.color("link_line"))
        elif hovered:
            painter.fillRect(rect, self.theme.color("hover_tint"))


class RowTree(EntersQuietly, QTreeView, _Rows):
    """A tree of cells."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._delegate = CellDelegate(theme, self)
        _prepare(self, self._delegate)
        self.setUniformRowHeights(True)
        keep_lengths(theme, self.setIndentation, 14)
        keep_dressed(self)
        self.setAllColumnsShowFocus(True)
        self.setExpandsOnDoubleClick(True)
        self.setAnimated(False)
        self.header().setHighlightSections(False)
        self.header().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.header().setStretchLastSection(False)
        scale_heads(self.header(), theme, theme)
        self.header().setMinimumSectionSize(LEAST)
        self._deepest = 0
        self._room = 0
        self.expanded.connect(self._widen)

    def keep_room(self, room: int) -> None:
        """The first column takes the width that the others leave, and at least `room` px behind the deepest indent.

        Deep rows scroll sideways instead of losing their names.
        """
        self._room = room
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self._fit()

    def show_node(self, model: TreeModel, node: int) -> None:
        """Make a node the current row, and open what is above it."""
        if model.tree is None:
            return
        for above in model.tree.path_to(node)[:-1]:
            self.expand(model.index_of(above))
        index = model.index_of(node)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def forget_depth(self) -> None:
        """Other rows: the deepest one that was opened counts no more."""
        self._deepest = 0
        self._fit()

    def _widen(self, index: Index) -> None:
        depth = 2
        while (index := index.parent()).isValid():
            depth += 1
        if depth > self._deepest:
            self._deepest = depth
            self._fit()

    def _fit(self) -> None:
        if not self._room:
            return
        others = sum(self.columnWidth(column) for column in range(1, self.header().count()))
        left = self.viewport().width() - others
        self.setColumnWidth(0, max(left, self._deepest * self.indentation() + self.theme.px(self._room)))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def setModel(self, model: QAbstractItemModel | None) -> None:
        super().setModel(model)
        turn_heads(self)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            turn_heads(self)

    @override
    def setColumnWidth(self, column: int, width: int) -> None:
        super().setColumnWidth(column, with_head(self.header(), column, width, self.theme))

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        scale_heads(self.header(), self.theme, theme)
        self.theme = theme
        self._delegate.set_theme(theme)
        self.setIndentation(theme.px(14))
        # Qt keeps the height that rows had when the style changed, which comes first.
        self.scheduleDelayedItemsLayout()
        self._fit()
        self.viewport().update()

    @override
    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect = QRect(0, option.rect.top(), self.viewport().width(), option.rect.height())
        selected = self.selectionModel() is not None and self.selectionModel().isSelected(index)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        mirrored = self.isRightToLeft()
        self.ground(painter, rect, selected=selected, focused=self.hasFocus(), hovered=hovered, mirrored=mirrored)
        super().drawRow(painter, option, index)

    @override
    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        model = self.model()
        if not model.hasChildren(index):
            return
        selected = self.selectionModel().isSelected(index) and self.hasFocus()
        size = self.theme.px(CHEVRON)
        name = "chevron-down" if self.isExpanded(index) else "chevron-right"
        color, ratio, upright = (
            "on_selection" if selected else "muted",
            self.devicePixelRatioF(),
            not self.isRightToLeft(),
        )
        image = pixmap(self.theme, name, color, CHEVRON, ratio, upright=upright)
        left = rect.right() - self.indentation() + 1 + (self.indentation() - size) // 2
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            left = rect.left() + (self.indentation() - size) // 2
        painter.drawPixmap(QRect(left, rect.center().y() - size // 2 + 1, size, size), image)


class RowTable(EntersQuietly, QTableView, _Rows):
    """A table of cells with full-width rows. Shows a RowsModel."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._delegate = CellDelegate(theme, self)
        _prepare(self, self._delegate)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(theme.px(ROW))
        self.verticalHeader().setMinimumSectionSize(theme.px(ROW))
        keep_dressed(self)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.horizontalHeader().setStretchLastSection(True)
        scale_heads(self.horizontalHeader(), theme, theme)
        self.horizontalHeader().setMinimumSectionSize(LEAST)

    @override
    def setModel(self, model: QAbstractItemModel | None) -> None:
        super().setModel(model)
        if model is not None:
            # The header shows no selection; Qt's would ask each row for it at each change.
            self.horizontalHeader().setSelectionModel(QItemSelectionModel(model, self))
        turn_heads(self)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            turn_heads(self)

    @override
    def setColumnWidth(self, column: int, width: int) -> None:
        super().setColumnWidth(column, with_head(self.horizontalHeader(), column, width, self.theme))

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        scale_heads(self.horizontalHeader(), self.theme, theme)
        self.theme = theme
        self._delegate.set_theme(theme)
        self.verticalHeader().setMinimumSectionSize(theme.px(ROW))
        self.verticalHeader().setDefaultSectionSize(theme.px(ROW))
        self.viewport().update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        """All cells by one painter: Qt would make an option and an index for each, which takes longer than drawing.

        Only rows that are to be painted: the row that was left and the one that is chosen may lie a screen apart.
        """
        model, rect, dirty = self.model(), event.rect(), event.region()
        first, last = self.rowAt(rect.top()), self.rowAt(rect.bottom())
        if not isinstance(model, RowsModel) or first < 0:
            return
        last = last if last >= 0 else model.rowCount() - 1
        columns = self._columns_in(rect)
        hovered = self.rowAt(self.viewport().mapFromGlobal(QCursor.pos()).y()) if self.viewport().underMouse() else -1
        focused, height = self.hasFocus(), self.verticalHeader().defaultSectionSize()
        chosen, mirrored = self.selectionModel(), self.isRightToLeft()
        has_selection = chosen.hasSelection()
        painter = QPainter(self.viewport())
        cells = self._delegate.cells
        cells.begin()
        for row in range(first, last + 1):
            top = self.rowViewportPosition(row)
            if not dirty.intersects(QRect(rect.left(), top, rect.width(), height)):
                continue
            selected = has_selection and chosen.isRowSelected(row, NOWHERE)
            whole = QRect(0, top, self.viewport().width(), height)
            self.tint(painter, whole, row)
            if selected or row == hovered:
                hover = row == hovered
                self.ground(painter, whole, selected=selected, focused=focused, hovered=hover, mirrored=mirrored)
            for column, left, width, margin in columns:
                place, solid = (left, top, width, height), selected and focused
                cells.draw(painter, model.cell(row, column), place, margin, solid=solid, mirrored=mirrored)
        painter.end()

    def sorted_by(self) -> tuple[int, bool] | None:
        """The column that rows are sorted by, and whether the greatest comes first; None: as they stand."""
        header = self.horizontalHeader()
        column = header.sortIndicatorSection()
        return (column, header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder) if column >= 0 else None

    def sort_by(self, column: int, descending: bool) -> None:
        """Sort, as a click on the title would."""
        self.sortByColumn(column, Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder)

    def tint(self, painter: QPainter, rect: QRect, row: int) -> None:
        """Lay a ground under a row that is to be told from others, below those of its states; none here."""

    def _columns_in(self, rect: QRect) -> list[tuple[int, int, int, int]]:
        """The columns that lie in a part of the view: number, left edge, width, margin before the first piece."""
        header, margins = self.horizontalHeader(), (self.theme.px(FIRST_MARGIN), self._delegate.cells.margin)
        found = []
        for column in range(header.count()):
            left, width = header.sectionViewportPosition(column), header.sectionSize(column)
            if not header.isSectionHidden(column) and left <= rect.right() and left + width > rect.left():
                found.append((column, left, width, margins[column > 0]))
        return found

    @override
    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        # Rows are what is walked here: Home and End mean the first and the last of them, not a column.
        column = max(self.currentIndex().column(), 0)
        if action == QAbstractItemView.CursorAction.MoveHome:
            return self.model().index(0, column)
        if action == QAbstractItemView.CursorAction.MoveEnd:
            return self.model().index(self.model().rowCount() - 1, column)
        return super().moveCursor(action, modifiers)


def sorting(kept: object, columns: int) -> tuple[int, bool] | None:
    """What `sorted_by` gave, out of what was kept; None for what makes no sense among so many columns."""
    if not isinstance(kept, list | tuple) or len(kept) != 2:
        return None
    column, descending = kept
    return (column, descending is True) if type(column) is int and 0 <= column < columns else None


def _prepare(view: QAbstractItemView, delegate: CellDelegate) -> None:
    view.setItemDelegate(delegate)
    view.setFrameShape(view.Shape.NoFrame)
    view.setMouseTracking(True)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
    view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    palette = QPalette(view.palette())
    palette.setBrush(QPalette.ColorRole.Highlight, Qt.GlobalColor.transparent)
    view.setPalette(palette)


def text_of(index: Index) -> Any:
    """The text of a row's cell, for copying."""
    with written_plainly():
        cell = index.data(CELL_ROLE)
        return cell.text if isinstance(cell, Cell) else ""


def copy_text(text: str) -> None:
    """Put a text on the clipboard."""
    QApplication.clipboard().setText(text)
