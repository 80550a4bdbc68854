"""Trees and tables as look.md wants them: one delegate that paints cells, full-width states, no frames."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPalette, QResizeEvent
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

from viewer.ui.models.cells import CELL_ROLE, Cell, Piece
from viewer.ui.theme import Theme, pixmap
from viewer.ui.widgets.marked import draw_marked, fitting

ROW = 24
MARGIN = 8
ICON = 16
CHEVRON = 12
GAP = 6
BAR = 3
LEAD = 2
MODES = {
    "end": Qt.TextElideMode.ElideRight,
    "middle": Qt.TextElideMode.ElideMiddle,
    "start": Qt.TextElideMode.ElideLeft,
}

Index = QModelIndex | QPersistentModelIndex


def cut(piece: Piece, metrics: QFontMetrics, room: int) -> str:
    """What there is room for of a piece."""
    return metrics.elidedText(piece.text, MODES[piece.cut], max(room, 1))


class CellDelegate(QStyledItemDelegate):
    """Paints the Cell of an index: icon, pieces, chips; elides the last piece."""

    first_margin = 2

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._fonts: dict[tuple[bool, bool, bool], tuple[QFont, QFontMetrics]] = {}

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self._fonts.clear()

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        cell = index.data(CELL_ROLE)
        width = 2 * self.theme.px(MARGIN)
        if isinstance(cell, Cell):
            width += self.theme.px(ICON + GAP) if cell.icon else 0
            pieces = [self._metrics(piece).horizontalAdvance(piece.text) + self.theme.px(GAP) for piece in cell.pieces]
            width += sum(pieces)
        return QSize(width, self.theme.px(ROW))

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell = index.data(CELL_ROLE)
        if not isinstance(cell, Cell):
            return
        rect, view = option.rect, self.parent()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        solid = selected and isinstance(view, QWidget) and view.hasFocus()
        painter.save()
        painter.setClipRect(rect)
        left = rect.left() + self.theme.px(MARGIN if index.column() else self.first_margin)
        if cell.icon:
            role = "on_selection" if solid else cell.icon_color
            size = self.theme.px(ICON)
            image = pixmap(self.theme, cell.icon, role, ICON, painter.device().devicePixelRatioF())
            painter.drawPixmap(QRect(left, rect.center().y() - size // 2 + 1, size, size), image)
            left += size + self.theme.px(GAP)
        inner = QRect(left, rect.top(), rect.right() - left - self.theme.px(MARGIN) + 1, rect.height())
        self._pieces(painter, cell, inner, solid)
        painter.restore()

    def _pieces(self, painter: QPainter, cell: Cell, rect: QRect, solid: bool) -> None:
        # One pixel more: advances are rounded, and a text in exactly its own width would be elided.
        widths = [self._metrics(piece).horizontalAdvance(piece.text) + 1 for piece in cell.pieces]
        gap = self.theme.px(GAP)
        left, right = rect.left(), rect.right() + 1
        if cell.right:
            left = max(left, right - sum(widths) - gap * (len(widths) - 1))
        for piece, width in zip(cell.pieces, widths, strict=True):
            room = right - left
            if room <= 4 or (piece.whole and width > room):
                return
            left -= gap if piece.role == "argument" else 0
            left += self._piece(painter, piece, QRect(left, rect.top(), min(width, room), rect.height()), room, solid)
            left += gap

    def _piece(self, painter: QPainter, piece: Piece, rect: QRect, room: int, solid: bool) -> int:
        """Draw one piece; gives the width it took."""
        font, metrics = self._font(piece)
        pad = self.theme.px(5) if piece.chip else 0
        if piece.chip:
            rect.setWidth(min(rect.width(), room - 2 * pad))
            self._ground(painter, piece, QRect(rect.left(), rect.top() + 4, rect.width() + 2 * pad, rect.height() - 8))
        painter.setFont(font)
        role = "on_selection" if solid and not piece.chip else piece.color
        ink = self.theme.region(piece.chip).text if piece.chip else self.theme.color(role)
        painter.setPen(ink)
        inner = rect.translated(pad, 0)
        if piece.mark[1] > piece.mark[0]:
            draw_marked(painter, inner, *fitting(piece.text, piece.mark, metrics, rect.width()), self.theme, ink)
            return rect.width() + 2 * pad
        text = cut(piece, metrics, rect.width())
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight if piece.mono else painter.layoutDirection())
        painter.drawText(inner, int(flags), text)
        return rect.width() + 2 * pad

    def _ground(self, painter: QPainter, piece: Piece, ground: QRect) -> None:
        """What lies behind a piece: a chip, or bytes as the hex view draws them."""
        colors = self.theme.region(piece.chip)
        if piece.role:
            painter.fillRect(ground, colors.argument_fill if piece.role == "argument" else colors.fill)
            if piece.role == "opcode":
                painter.fillRect(ground.left(), ground.top(), LEAD, ground.height(), colors.line)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.fill)
        painter.drawRoundedRect(ground, 4, 4)

    def _font(self, piece: Piece) -> tuple[QFont, QFontMetrics]:
        key = (piece.mono, piece.bold, piece.small)
        found = self._fonts.get(key)
        if found is None:
            if piece.mono:
                font = self.theme.mono("small" if piece.small else "mono", bold=piece.bold)
            else:
                font = self.theme.text("small" if piece.small else "text")
                font.setBold(piece.bold)
            found = self._fonts[key] = (font, QFontMetrics(font))
        return found

    def _metrics(self, piece: Piece) -> QFontMetrics:
        return self._font(piece)[1]


class _Rows:
    """What trees and tables share: grounds of rows by state, across the full width."""

    theme: Theme

    def ground(
        self, painter: QPainter, rect: QRect, *, selected: bool, focused: bool, hovered: bool, first: bool = True
    ) -> None:
        """Fill a row: solid where the keyboard is, tint and a bar where it is linked, tint under the mouse."""
        if selected and focused:
            painter.fillRect(rect, self.theme.color("selection"))
        elif selected:
            painter.fillRect(rect, self.theme.color("link_tint"))
            bar = QRect(rect.left(), rect.top(), BAR if first else 0, rect.height())
            painter.fillRect(bar, self.theme.color("link_line"))
        elif hovered:
            painter.fillRect(rect, self.theme.color("hover_tint"))


class RowTree(QTreeView, _Rows):
    """A tree of cells."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._delegate = CellDelegate(theme, self)
        _prepare(self, self._delegate)
        self.setUniformRowHeights(True)
        self.setIndentation(theme.px(14))
        self.setAllColumnsShowFocus(True)
        self.setExpandsOnDoubleClick(True)
        self.setAnimated(False)
        self.header().setHighlightSections(False)
        self.header().setStretchLastSection(False)
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

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        _scale(self.header(), self.theme, theme)
        self.theme = theme
        self._delegate.set_theme(theme)
        self.setIndentation(theme.px(14))
        self._fit()
        self.viewport().update()

    @override
    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect = QRect(0, option.rect.top(), self.viewport().width(), option.rect.height())
        selected = self.selectionModel() is not None and self.selectionModel().isSelected(index)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        self.ground(painter, rect, selected=selected, focused=self.hasFocus(), hovered=hovered)
        super().drawRow(painter, option, index)

    @override
    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        model = self.model()
        if not model.hasChildren(index):
            return
        selected = self.selectionModel().isSelected(index) and self.hasFocus()
        size = self.theme.px(CHEVRON)
        name = "chevron-down" if self.isExpanded(index) else "chevron-right"
        image = pixmap(self.theme, name, "on_selection" if selected else "muted", CHEVRON, self.devicePixelRatioF())
        left = rect.right() - self.indentation() + 1 + (self.indentation() - size) // 2
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            left = rect.left() + (self.indentation() - size) // 2
        painter.drawPixmap(QRect(left, rect.center().y() - size // 2 + 1, size, size), image)


class RowTable(QTableView, _Rows):
    """A table of cells with full-width rows."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._delegate = _TableDelegate(theme, self)
        _prepare(self, self._delegate)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(theme.px(ROW))
        self.verticalHeader().setMinimumSectionSize(theme.px(ROW))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setStretchLastSection(True)

    @override
    def setModel(self, model: QAbstractItemModel | None) -> None:
        super().setModel(model)
        if model is not None:
            # The header shows no selection; Qt's would ask each row for it at each change.
            self.horizontalHeader().setSelectionModel(QItemSelectionModel(model, self))

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        _scale(self.horizontalHeader(), self.theme, theme)
        self.theme = theme
        self._delegate.set_theme(theme)
        self.verticalHeader().setDefaultSectionSize(theme.px(ROW))
        self.viewport().update()

    @override
    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        # Rows are what is walked here: Home and End mean the first and the last of them, not a column.
        column = max(self.currentIndex().column(), 0)
        if action == QAbstractItemView.CursorAction.MoveHome:
            return self.model().index(0, column)
        if action == QAbstractItemView.CursorAction.MoveEnd:
            return self.model().index(self.model().rowCount() - 1, column)
        return super().moveCursor(action, modifiers)


class _TableDelegate(CellDelegate):
    """As CellDelegate; fills the ground too, since a table draws no rows of its own."""

    first_margin = 12

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        table = self.parent()
        state = option.state
        if isinstance(table, RowTable):
            table.ground(
                painter,
                option.rect,
                selected=bool(state & QStyle.StateFlag.State_Selected),
                focused=table.hasFocus(),
                hovered=bool(state & QStyle.StateFlag.State_MouseOver),
                first=index.column() == 0,
            )
        super().paint(painter, option, index)


def _scale(header: QHeaderView, before: Theme, after: Theme) -> None:
    """Columns grow with the text, else numbers would be cut."""
    if before.px(1000) == after.px(1000):
        return
    for column in range(header.count()):
        header.resizeSection(column, header.sectionSize(column) * after.px(1000) // before.px(1000))


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
    cell = index.data(CELL_ROLE)
    return cell.text if isinstance(cell, Cell) else ""


def copy_text(text: str) -> None:
    """Put a text on the clipboard."""
    QApplication.clipboard().setText(text)
