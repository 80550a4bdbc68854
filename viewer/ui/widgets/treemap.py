"""A treemap: areas as bytes, frames with names, walked by mouse and keyboard."""

from __future__ import annotations

from math import hypot
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget
from typing_extensions import override

from viewer.core.space.nodes import Kind, Node, Nodes
from viewer.core.space.treemap import Rect, Tile, tiles
from viewer.ui.models.space_words import color_of, spoken_of, tip_of, title_of
from viewer.ui.spoken import speak, tell_as
from viewer.ui.theme import Theme
from viewer.ui.words import count, left_to_right, tip

HEAD: Final = 20
GAP: Final = 2
PAD: Final = 6
LEAST_TEXT: Final = 26
STEPS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
ASIDE: Final = 3.0
"""How much more a step aside counts than one ahead."""


class Treemap(QWidget):
    """Shows what is in one node. A click chooses, a double click or Enter looks into a frame, Backspace out of it.

    chosen: a rectangle was chosen.
        Signal(node: Node)
    entered: look into this node.
        Signal(node: Node)
    left: look at what is around.
        Signal()
    hovered: the mouse is over a rectangle, None: over none.
        Signal(node: Node | None)
    """

    chosen = Signal(object)
    entered = Signal(object)
    left = Signal()
    hovered = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._nodes: Nodes | None = None
        self._top: Node | None = None
        self._tiles: list[Tile] | None = None
        self._image: QPixmap | None = None
        self._linked: tuple[Kind, int] | None = None
        self._current = self._under = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        tell_as(self, QAccessible.Role.Chart)
        self.setAccessibleName(self.tr("Map of the space"))

    # -- what is shown ----------------------------------------------------------------------------

    def show_node(self, nodes: Nodes | None, top: Node | None) -> None:
        """Show what is in a node; None: nothing."""
        self._nodes, self._top = nodes, top
        self._current = self._under = -1
        self._forget()

    def mark(self, linked: tuple[Kind, int] | None) -> None:
        """Put a line round the node of a kind and number: what is selected elsewhere."""
        self._linked = linked
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self._forget()

    @property
    def tiles(self) -> list[Tile]:
        """What is drawn, frames before what they hold."""
        if self._tiles is None:
            self._tiles = []
            if self._nodes is not None and self._top is not None and self.width() > 2 and self.height() > 2:
                room = Rect(0.0, 0.0, float(self.width()), float(self.height()))
                self._tiles = tiles(self._nodes, self._top, room, self._theme.px(HEAD), GAP)
        return self._tiles

    @property
    def current(self) -> Tile | None:
        """The rectangle that the keyboard is at."""
        return self.tiles[self._current] if 0 <= self._current < len(self.tiles) else None

    def tile_at(self, x: float, y: float) -> int:
        """The number of the innermost rectangle at a point, -1: none."""
        return next((at for at in range(len(self.tiles) - 1, -1, -1) if self.tiles[at].rect.contains(x, y)), -1)

    def _forget(self) -> None:
        self._tiles = self._image = None
        self.update()

    # -- the person -------------------------------------------------------------------------------

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self.tile_at(event.position().x(), event.position().y())
        if event.button() is Qt.MouseButton.LeftButton and at >= 0:
            self._go(at)
            self.chosen.emit(self.tiles[at].node)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        at = self.tile_at(event.position().x(), event.position().y())
        if at >= 0:
            self._look_into(at)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.tile_at(event.position().x(), event.position().y()))

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(-1)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in STEPS and self.tiles:
            self._step(*STEPS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current is not None:
            self._look_into(self._current)
        elif key == Qt.Key.Key_Space and self.current is not None:
            self.chosen.emit(self.current.node)
        elif key == Qt.Key.Key_Plus and self.current is not None:
            self._look_into(self._current)
        elif key in (Qt.Key.Key_Backspace, Qt.Key.Key_Minus):
            self.left.emit()
        else:
            super().keyPressEvent(event)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._nodes is not None:
            at = self.tile_at(event.pos().x(), event.pos().y())
            words = tip_of(self._nodes, self.tiles[at].node, self.tiles[at].merged) if at >= 0 else ""
            QToolTip.showText(event.globalPos(), tip(words), self)
            return True
        return super().event(event)

    def _look_into(self, at: int) -> None:
        """Of what cannot be opened look into the frame around it."""
        tile = self.tiles[at]
        while not tile.node.opens and tile.parent >= 0:
            tile = self.tiles[tile.parent]
        if tile.node.opens:
            self.entered.emit(tile.node)

    def _hover(self, at: int) -> None:
        if at != self._under:
            self._under = at
            self.update()
            self.hovered.emit(self.tiles[at].node if at >= 0 else None)

    def _go(self, at: int) -> None:
        self._current = at
        self.update()
        if self._nodes is not None:
            speak(self, spoken_of(self._nodes, self.tiles[at].node, self.tiles[at].merged))

    def _step(self, right: int, down: int) -> None:
        """To the nearest rectangle in a direction, among those that hold no others."""
        here = self.current
        if here is None or here.is_frame:
            first = next((at for at, tile in enumerate(self.tiles) if not tile.is_frame), 0)
            self._go(first)
            return
        x, y = _middle(here.rect)
        best, least = -1, 0.0
        for at, tile in enumerate(self.tiles):
            if tile.is_frame or at == self._current:
                continue
            dx, dy = _middle(tile.rect)[0] - x, _middle(tile.rect)[1] - y
            ahead, aside = dx * right + dy * down, abs(dx * down) + abs(dy * right)
            distance = hypot(ahead, ASIDE * aside)
            if ahead > 1 and (best < 0 or distance < least):
                best, least = at, distance
        if best >= 0:
            self._go(best)

    # -- painting ---------------------------------------------------------------------------------

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(400), self._theme.px(200))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._current = self._under = -1
        self._forget()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        if self._image is None:
            self._image = QPixmap(self.size() * ratio)
            self._image.setDevicePixelRatio(ratio)
            self._image.fill(self._theme.color("pane"))
            painter = QPainter(self._image)
            # A plot: it stands the same way in every language.
            painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
            for tile in self.tiles:
                self._paint(painter, tile)
            painter.end()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._image)
        self._paint_marks(painter)
        painter.end()

    def _paint(self, painter: QPainter, tile: Tile) -> None:
        rect = QRectF(*tile.rect).adjusted(0.5, 0.5, -GAP + 0.5, -GAP + 0.5)
        if tile.is_frame:
            painter.setPen(QPen(self._theme.color("border"), 1))
            painter.setBrush(self._theme.color("sunken"))
            painter.drawRect(rect)
            head = QRectF(rect.left(), rect.top(), rect.width(), self._theme.px(HEAD) - 1)
            self._write(painter, tile, head, self._theme.color("text").name(), numbers_right=True)
            return
        colors = self._theme.region(color_of(tile.node))
        painter.fillRect(rect, colors.fill)
        pattern = colors.brush
        if pattern is not None:
            painter.fillRect(rect, pattern)
        if min(rect.width(), rect.height()) >= self._theme.px(LEAST_TEXT) * 0.7:
            self._write(painter, tile, rect, colors.text.name(), numbers_right=False, ground=pattern is not None)

    def _write(
        self, painter: QPainter, tile: Tile, rect: QRectF, ink: str, *, numbers_right: bool, ground: bool = False
    ) -> None:
        """The name, and the bytes behind or below it where there is room."""
        text, is_data = title_of(tile.node)
        text = f"{count(tile.merged)} {text}" if tile.merged else text
        font = self._theme.mono("small") if is_data else self._theme.text("caption")
        font.setBold(numbers_right and tile.depth == 0)
        metrics = QFontMetrics(font)
        pad = self._theme.px(PAD)
        room = rect.width() - 2 * pad
        size = count(tile.node.nbytes)
        number_font = self._theme.mono("small")
        number_width = QFontMetrics(number_font).horizontalAdvance(size)
        if room < metrics.averageCharWidth() * 3 or rect.height() < metrics.height():
            return
        behind = numbers_right and room > metrics.horizontalAdvance(text) + number_width + 2 * pad
        below = not numbers_right and rect.height() >= 2 * metrics.height() + pad and number_width <= room
        name = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(room))
        if ground:
            wide = max(metrics.horizontalAdvance(name), number_width if below else 0) + pad
            high = metrics.height() * (2 if below else 1)
            painter.fillRect(QRectF(rect.left() + pad / 2, rect.top() + 2, wide, high), self._theme.color("pane"))
        painter.setPen(self._theme.color("text") if ground else ink)
        painter.setFont(font)
        place = QRectF(rect.left() + pad, rect.top() + 2, room, metrics.height())
        shown = left_to_right(name) if is_data else name
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        if behind or below:
            painter.setFont(number_font)
            side = Qt.AlignmentFlag.AlignRight if behind else Qt.AlignmentFlag.AlignLeft
            if below:
                place.translate(0, metrics.height())
            if behind:
                painter.setPen(self._theme.color("muted"))
            painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter, size)

    def _paint_marks(self, painter: QPainter) -> None:
        """Lines round what is hovered, selected elsewhere, and where the keyboard is."""
        if 0 <= self._under < len(self.tiles):
            pen = QPen(self._theme.color("text"), 1, Qt.PenStyle.DashLine)
            self._ring(painter, self.tiles[self._under], pen)
        for tile in self.tiles if self._linked is not None else ():
            if (tile.node.kind, tile.node.number) == self._linked and not tile.merged:
                self._ring(painter, tile, QPen(self._theme.color("pane"), 4))
                self._ring(painter, tile, QPen(self._theme.color("link_line"), 2))
        if self.current is not None and self.hasFocus():
            self._ring(painter, self.current, QPen(self._theme.color("pane"), 4))
            self._ring(painter, self.current, QPen(self._theme.color("accent"), 2))

    def _ring(self, painter: QPainter, tile: Tile, pen: QPen) -> None:
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(*tile.rect).adjusted(1, 1, -GAP - 0.5, -GAP - 0.5))


def _middle(rect: Rect) -> tuple[float, float]:
    point = QPointF(rect.x + rect.width / 2, rect.y + rect.height / 2)
    return point.x(), point.y()
