"""A list of rows of two lines: icon, name over a sentence, facts at the far end. Recent files and samples use it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyleOptionViewItem, QWidget
from typing_extensions import override

from viewer.ui.theme import Theme, pixmap
from viewer.ui.widgets.list_rows import ROW_ROLE, Index, ListDelegate, ListRows
from viewer.ui.words import joined, left_to_right, tip

ROW: Final = 48
ICON: Final = 20
INSET: Final = 10


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `mono`: the title is a name out of the file system. `facts`: short, from the outer edge inwards.

    `more`: follows the sentence, which gives way to it.
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


class RowModel(ListRows[Row]):
    """The rows, as they are."""

    @override
    def words(self, row: Row, role: int) -> str | None:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return joined(part for part in (row.title, row.sentence, row.more) if part)
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
        painter.setPen(theme.color("text"))
        mode = Qt.TextElideMode.ElideMiddle if row.mono else Qt.TextElideMode.ElideRight
        cut = QFontMetrics(title).elidedText(row.title, mode, upper.width())
        painter.drawText(upper, flags, left_to_right(cut) if row.mono else cut)
        small = theme.text("small")
        metrics = QFontMetrics(small)
        painter.setFont(small)
        painter.setPen(theme.color("muted"))
        more = f"    {row.more}" if row.more else ""
        room = max(0, lower.width() - metrics.horizontalAdvance(more))
        painter.drawText(lower, flags, metrics.elidedText(row.sentence, mode, room) + more)


class TwoLineList(QListView):
    """Rows as high as their number: it never scrolls by itself.

    chosen: a row was clicked, or Enter pressed on it.
        Signal(target: str)
    """

    chosen = Signal(str)

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
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        row = index.data(ROW_ROLE)
        if isinstance(row, Row):
            self.chosen.emit(row.target)
