"""The path to what is selected: file, then the nodes down to it. What does not fit is left out of the middle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QFocusEvent, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from viewer.ui.spoken import speak, tell_as
from viewer.ui.theme import Theme, pixmap
from viewer.ui.words import left_to_right, tip

GAP: Final = 6
CHEVRON: Final = 12
LEFT_OUT: Final = "…"


@dataclass(frozen=True, slots=True)
class Crumb:
    """One part of the path. `target`: what is selected by a click, None: nothing. `own`: a word of the program's."""

    text: str
    target: object = None
    own: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """A crumb where it is drawn; `index` in the path, -1 for what stands for the crumbs left out."""

    index: int
    text: str
    rect: QRect


class Breadcrumb(QWidget):
    """Draws the path; each crumb can be clicked, or chosen with the arrow keys and Enter.

    chosen: a crumb was clicked.
        Signal(target: object)
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._crumbs: tuple[Crumb, ...] = ()
        self._placed: list[Placed] = []
        self._hovered = -1
        self._current = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        tell_as(self, QAccessible.Role.List)
        self.setAccessibleName(self.tr("Path to the selection"))

    @property
    def crumbs(self) -> tuple[Crumb, ...]:
        """The whole path."""
        return self._crumbs

    @property
    def placed(self) -> tuple[Placed, ...]:
        """What of it is on the screen."""
        return tuple(self._placed)

    def set_crumbs(self, crumbs: Sequence[Crumb]) -> None:
        """Show another path."""
        if tuple(crumbs) == self._crumbs:
            return
        self._crumbs = tuple(crumbs)
        self._hovered = self._current = -1
        self._tell_path()
        self._place()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self._place()

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(320), self._theme.px(26))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(60), self._theme.px(26))

    @override
    def resizeEvent(self, event: QEvent) -> None:
        self._place()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        last = len(self._crumbs) - 1
        chevron = pixmap(self._theme, "chevron-right", "muted", CHEVRON, self.devicePixelRatioF())
        for placed in self._placed:
            lit = placed.index >= 0 and placed.index in (self._hovered, self._current)
            color = "text" if lit or placed.index == last else "muted"
            painter.setPen(self._theme.color(color))
            painter.setFont(self._font(placed.index))
            painter.drawText(placed.rect, int(Qt.AlignmentFlag.AlignCenter), left_to_right(placed.text))
            if lit:
                line = QRect(placed.rect.left(), placed.rect.bottom() - self._theme.px(3), placed.rect.width(), 1)
                painter.fillRect(line, self._theme.color("text"))
            if placed.index != last:
                painter.drawPixmap(self._chevron_at(placed.rect), chevron)
        if self.hasFocus() and self._current >= 0:
            painter.setPen(self._theme.color("accent"))
            for placed in self._placed:
                if placed.index == self._current:
                    painter.drawRect(placed.rect.adjusted(-2, 2, 1, -3))
        painter.end()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._at(event.position().toPoint()))

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = self._at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and at >= 0:
            self._choose(at)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        shown = [placed.index for placed in self._placed if placed.index >= 0]
        forward = Qt.Key.Key_Right if self.layoutDirection() == Qt.LayoutDirection.LeftToRight else Qt.Key.Key_Left
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and shown:
            at = shown.index(self._current) if self._current in shown else len(shown) - 1
            at += 1 if event.key() == forward else -1
            self._current = shown[min(max(at, 0), len(shown) - 1)]
            speak(self, self._crumbs[self._current].text)
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._current >= 0:
            self._choose(self._current)
        else:
            super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self._current = len(self._crumbs) - 1
        self.update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._current = -1
        self._tell_path()
        self.update()

    def _tell_path(self) -> None:
        self.setAccessibleDescription(" › ".join(crumb.text for crumb in self._crumbs))

    def _choose(self, index: int) -> None:
        target = self._crumbs[index].target
        if target is not None:
            self.chosen.emit(target)

    def _hover(self, index: int) -> None:
        if index == self._hovered:
            return
        self._hovered = index
        can = index >= 0 and self._crumbs[index].target is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if can else Qt.CursorShape.ArrowCursor)
        self.setToolTip(tip(self._crumbs[index].text) if index >= 0 else "")
        self.update()

    def _at(self, point: QPoint) -> int:
        return next((placed.index for placed in self._placed if placed.rect.contains(point)), -1)

    def _font(self, index: int) -> QFont:
        own = index < 0 or index == 0 or self._crumbs[index].own
        return self._theme.text() if own else self._theme.mono()

    def _chevron_at(self, rect: QRect) -> QPoint:
        size, gap = self._theme.px(CHEVRON), self._theme.px(GAP)
        top = rect.center().y() - size // 2 + 1
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            return QPoint(rect.left() - gap // 2 - size, top)
        return QPoint(rect.right() + 1 + gap // 2, top)

    def _place(self) -> None:
        """Choose the crumbs that fit, the file and the last two before all others, and give each its rectangle."""
        widths = [QFontMetrics(self._font(at)).horizontalAdvance(crumb.text) for at, crumb in enumerate(self._crumbs)]
        step = self._theme.px(CHEVRON + GAP)
        kept = fitting(widths, step, self.width())
        shown = [(at, self._crumbs[at].text, widths[at]) for at in kept]
        if len(kept) < len(widths):
            dots = QFontMetrics(self._theme.text()).horizontalAdvance(LEFT_OUT)
            shown.insert(1, (-1, LEFT_OUT, dots))
        self._placed = []
        room = self.width()
        left = 0
        for at, text, wide in shown:
            if left + wide > room:
                mode = Qt.TextElideMode.ElideMiddle if at == 0 else Qt.TextElideMode.ElideRight
                wide = max(0, room - left)
                text = QFontMetrics(self._font(at)).elidedText(text, mode, wide)
            rect = QRect(left, 0, wide, self.height())
            if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
                rect.moveRight(self.width() - 1 - left)
            self._placed.append(Placed(at, text, rect))
            left += wide + step
        self.update()


def fitting(widths: Sequence[int], step: int, room: int) -> list[int]:
    """Indices of the crumbs to show: all, or the first and as many of the last as fit beside …, two at least."""
    if sum(widths) + step * (len(widths) - 1) <= room or len(widths) <= 3:
        return list(range(len(widths)))
    used = widths[0] + step + 2 * step
    last: list[int] = []
    for at in range(len(widths) - 1, 0, -1):
        used += widths[at] + step
        if used > room and len(last) >= 2:
            break
        last.insert(0, at)
    return [0, *last]
