"""A list of rows of two lines: icon, name over a sentence, facts at the far end. Recent files and samples use it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyleOptionViewItem, QWidget
from typing_extensions import override

from viewer.ui.directions import upright
from viewer.ui.theme import Theme, pixmap
from viewer.ui.widgets.entering import QuietList
from viewer.ui.widgets.list_rows import ROW_ROLE, Index, ListDelegate, ListRows
from viewer.ui.words import joined, left_to_right, tip

ROW: Final = 48
ICON: Final = 20
INSET: Final = 10
PIN: Final = 16


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `mono`: the title is a name out of the file system. `facts`: short, from the outer edge inwards.

    `more`: follows the sentence, which gives way to it. `pinned`: None where a row cannot be pinned. `faded`: what it
    stands for is not there. `state`: these two in words.
    """

    target: str
    title: str
    sentence: str
    icon: str
    icon_color: str = "muted"
    facts: tuple[str, ...] = ()
    mono: bool = False
    more: str = ""
    tooltip: str = ""
    pinned: bool | None = None
    faded: bool = False
    state: str = ""


class RowModel(ListRows[Row]):
    """The rows, as they are."""

    @override
    def words(self, row: Row, role: int) -> str | None:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return joined(part for part in (row.title, row.sentence, row.more, row.state) if part)
        return tip(row.tooltip) if role == Qt.ItemDataRole.ToolTipRole else None


class RowDelegate(ListDelegate):
    """Paints a row."""

    height = ROW

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, Row):
            return
        theme, rect = self.theme, QRect(option.rect)
        current = bool(option.state & QStyle.StateFlag.State_HasFocus)
        painter.save()
        self._ground(painter, rect, current=current, hovered=bool(option.state & QStyle.StateFlag.State_MouseOver))
        mirrored = option.direction == Qt.LayoutDirection.RightToLeft
        inner = rect.adjusted(theme.px(INSET), theme.px(5), -theme.px(INSET), -theme.px(5))
        side, gap = theme.px(ICON), theme.px(10)
        image = pixmap(theme, row.icon, row.icon_color, ICON, painter.device().devicePixelRatioF())
        at = inner.right() - side if mirrored else inner.left()
        painter.drawPixmap(QRect(at, inner.center().y() - side // 2, side, side), image)
        inner.adjust(0 if mirrored else side + gap, 0, -(side + gap) if mirrored else 0, 0)
        if row.pinned is not None:
            hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
            inner = self._pin(painter, inner, pinned=row.pinned, shown=hovered or current, mirrored=mirrored)
        inner = self._facts(painter, row, inner, mirrored=mirrored)
        self._lines(painter, row, inner, mirrored=mirrored)
        painter.restore()

    def _ground(self, painter: QPainter, rect: QRect, *, current: bool, hovered: bool) -> None:
        if not current and not hovered:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color("button_pressed" if current else "hover_tint"))
        painter.drawRoundedRect(rect, self.theme.px(6), self.theme.px(6))

    def pin_place(self, rect: QRect, *, mirrored: bool) -> QRect:
        """Where the pin of a row stands: at its far end."""
        side = self.theme.px(PIN)
        at = rect.left() if mirrored else rect.right() + 1 - side
        return QRect(at, rect.center().y() - side // 2, side, side)

    def _pin(self, painter: QPainter, rect: QRect, *, pinned: bool, shown: bool, mirrored: bool) -> QRect:
        """Draw the pin of a row that has one, or could get one; gives the room that is left."""
        place = self.pin_place(rect, mirrored=mirrored)
        if pinned or shown:
            image = pixmap(
                self.theme, "pin", "accent" if pinned else "muted", PIN, painter.device().devicePixelRatioF()
            )
            painter.save()
            if not pinned:
                # It lies until it is set: its colour is not all that tells.
                middle = QRectF(place).center()
                painter.translate(middle)
                painter.rotate(90)
                painter.translate(-middle)
            painter.drawPixmap(place, image)
            painter.restore()
        taken = place.width() + self.theme.px(10)
        return rect.adjusted(taken if mirrored else 0, 0, 0 if mirrored else -taken, 0)

    def _facts(self, painter: QPainter, row: Row, rect: QRect, *, mirrored: bool) -> QRect:
        """Draw the facts at the far end; gives the room that is left."""
        font = self.theme.text("small")
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(self.theme.color("muted"))
        for fact in row.facts:
            width = metrics.horizontalAdvance(fact)
            at = rect.left() if mirrored else rect.right() + 1 - width
            painter.drawText(QRect(at, rect.top(), width, rect.height()), int(Qt.AlignmentFlag.AlignCenter), fact)
            taken = width + self.theme.px(12)
            rect = rect.adjusted(taken if mirrored else 0, 0, 0 if mirrored else -taken, 0)
        return rect

    def _lines(self, painter: QPainter, row: Row, rect: QRect, *, mirrored: bool) -> None:
        theme, half = self.theme, rect.height() // 2
        side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        flags = int(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter)
        upper, lower = QRect(rect.left(), rect.top(), rect.width(), half), rect.adjusted(0, half, 0, 0)
        title = theme.mono() if row.mono else theme.text()
        painter.setFont(title)
        painter.setPen(theme.color("muted" if row.faded else "text"))
        mode = Qt.TextElideMode.ElideMiddle if row.mono else Qt.TextElideMode.ElideRight
        cut = QFontMetrics(title).elidedText(row.title, mode, upper.width())
        painter.drawText(upper, flags, left_to_right(cut) if row.mono else cut)
        small = theme.text("small")
        metrics = QFontMetrics(small)
        painter.setFont(small)
        painter.setPen(theme.color("muted"))
        more = f"    {upright(row.more)}" if row.more else ""
        room = max(0, lower.width() - metrics.horizontalAdvance(more))
        painter.drawText(lower, flags, upright(metrics.elidedText(row.sentence, mode, room)) + more)


class TwoLineList(QuietList):
    """Rows as high as their number: it never scrolls by itself.

    chosen: a row was clicked, or Enter pressed on it.
        Signal(target: str)
    pin_asked: the pin of a row was clicked.
        Signal(target: str)
    remove_asked: Delete was pressed on a row that can be pinned.
        Signal(target: str)
    menu_asked: the menu of such a row is wanted.
        Signal(row: Row, place: QPoint)   on the screen
    """

    chosen = Signal(str)
    pin_asked = Signal(str)
    remove_asked = Signal(str)
    menu_asked = Signal(object, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = RowModel(self)
        self._delegate = RowDelegate(theme, self)
        self.setModel(self._model)
        self.setItemDelegate(self._delegate)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setStyleSheet("QListView { background: transparent; }")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._choose)

    @property
    def rows(self) -> tuple[Row, ...]:
        """What is listed."""
        return self._model.rows

    def set_rows(self, rows: Sequence[Row]) -> None:
        """List other rows."""
        self._model.set_rows(rows)
        self.setFixedHeight(self._delegate.theme.px(ROW) * len(rows))

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._delegate.theme = theme
        self.setFixedHeight(theme.px(ROW) * len(self._model.rows))
        self.scheduleDelayedItemsLayout()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.currentIndex().isValid():
            self._choose(self.currentIndex())
        elif event.key() == Qt.Key.Key_Delete and (row := self._pinnable(self.currentIndex())) is not None:
            self.remove_asked.emit(row.target)
        else:
            super().keyPressEvent(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        row = self._pinnable(self.indexAt(at))
        if row is not None and event.button() == Qt.MouseButton.LeftButton and self._is_on_pin(at):
            self.pin_asked.emit(row.target)
            return
        super().mouseReleaseEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        row = self._pinnable(index)
        if row is not None:
            place = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
            self.menu_asked.emit(row, place)

    def pin_at(self, number: int) -> QRect:
        """Where the pin of a row stands."""
        rect, inset = self.visualRect(self._model.index(number)), self._delegate.theme.px(INSET)
        return self._delegate.pin_place(rect.adjusted(inset, 0, -inset, 0), mirrored=self.isRightToLeft())

    def _is_on_pin(self, at: QPoint) -> bool:
        """True for a place that is meant for the pin: all that is nearer to the edge, too."""
        pin = self.pin_at(self.indexAt(at).row())
        return at.x() <= pin.right() if self.isRightToLeft() else at.x() >= pin.left()

    @staticmethod
    def _pinnable(index: QModelIndex) -> Row | None:
        row = index.data(ROW_ROLE)
        return row if isinstance(row, Row) and row.pinned is not None else None

    def _choose(self, index: QModelIndex) -> None:
        row = index.data(ROW_ROLE)
        if isinstance(row, Row):
            self.chosen.emit(row.target)
