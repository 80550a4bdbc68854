"""The map beside the bytes: the whole file by region colour, where the view stands, and what is selected and wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QToolTip, QWidget
from typing_extensions import override

from viewer.ui.hexview.marks import KINDS
from viewer.ui.hexview.overlay import line_of
from viewer.ui.hexview.overview import NO_OVERVIEW, Overview, resampled
from viewer.ui.measures import keep_lengths
from viewer.ui.spoken import speak
from viewer.ui.theme import Theme, mix
from viewer.ui.words import hexadecimal

if TYPE_CHECKING:
    from viewer.core.span import Span
    from viewer.ui.hexview.view import HexView

WIDTH, NARROW = 64, 60
LEFT, TOP = 12, 8
STREAM_WIDTH: Final = 18
STORAGE_WIDTH: Final = 26
ENTROPY_LEFT: Final = LEFT + 29
ENTROPY_WIDTH: Final = 14
DOT_LEFT: Final = 56
FIRST_STORAGE: Final = KINDS.index("float32")
LINE_SHARE: Final = 0.35
"""Share of a region's line colour in its map colour; the fill alone is too pale for single pixels."""

FRAME_SHARE: Final = 0.1
LEAST_FRAME: Final = 8
FINE: Final = 2**30
STEPS: Final = 1000
LINE: Final = 1.6
HIT_LINE: Final = 2.0
TICK: Final = 6.0
FINER: Final = ((320, 1000), (160, 100), (40, 10))
"""Pixels to the left of the map from which a drag moves so many times less."""


@dataclass(frozen=True, slots=True)
class Flag:
    """A problem on the map: its offset and the theme's role for its severity: error, warning or note."""

    offset: int
    role: str


def shape_of(role: str, middle: QPointF) -> QPainterPath:
    """The mark of a flag: a square for an error, a triangle for a warning, a dot for a note. The colour comes last."""
    x, y, path = middle.x(), middle.y(), QPainterPath()
    if role == "error":
        path.addRect(QRectF(x - 3, y - 3, 6, 6))
    elif role == "warning":
        path.addPolygon(QPolygonF([QPointF(x - 3.5, y + 3), QPointF(x, y - 3.5), QPointF(x + 3.5, y + 3)]))
    else:
        path.addEllipse(middle, 3, 3)
    return path


class HexMap(QAbstractSlider):
    """Shows where the view stands in the file; a click or drag takes the view there. `hovered`: offset or None.

    For the keyboard and for screen readers it is a slider of `STEPS` steps, or a step a row.
    """

    hovered = Signal(object)

    def __init__(self, view: HexView, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._theme = theme
        self._overview = NO_OVERVIEW
        self._image: QImage | None = None
        self._flags: tuple[Flag, ...] = ()
        self._linked: tuple[Span, ...] = ()
        self._hits: tuple[int, ...] = ()
        self._bookmarks: tuple[tuple[int, str], ...] = ()
        self._cut = False
        self._scrub = 0
        self._scrubbed_y = 0.0
        self.setMouseTracking(True)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        keep_lengths(theme, self.setFixedWidth, WIDTH)
        self.setAccessibleName(self.tr("Map of the file"))
        self.setOrientation(Qt.Orientation.Vertical)
        self.setInvertedControls(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._telling = False
        self.valueChanged.connect(self._keyed)
        view.scrolled.connect(self._moved)
        view.marks_changed.connect(self.update)
        self._moved()

    def set_theme(self, theme: Theme) -> None:
        """Wear other colours."""
        self._theme = theme
        self._image = None
        self.setFixedWidth(theme.px(WIDTH))
        self.update()

    def set_overview(self, overview: Overview) -> None:
        """Show the regions of the whole file."""
        self._overview = overview
        self._image = None
        self._moved()

    def set_linked(self, spans: Iterable[Span]) -> None:
        """Box what is selected elsewhere."""
        self._linked = tuple(spans)
        self.update()

    def set_hits(self, counts: Iterable[int]) -> None:
        """Lines where a search found something: how many hits stand in each of so many equal parts of the file."""
        counts = tuple(counts)
        if counts != self._hits:
            self._hits = counts
            self.update()

    def set_bookmarks(self, marks: Iterable[tuple[int, str]]) -> None:
        """Ticks at the near edge: offset and colour of each bookmark."""
        self._bookmarks = tuple(marks)
        self.update()

    def set_problems(self, flags: Iterable[Flag], *, cut: bool = False) -> None:
        """Dots at the far edge; `cut` draws the line where a file stops too early."""
        self._flags, self._cut = tuple(flags), cut
        self.update()

    def y_of(self, offset: int) -> float:
        """The height at which an offset stands."""
        size = max(1, self._view.surface.layout.size)
        return TOP + self._room * (offset / size)

    def offset_at(self, y: float) -> int:
        """The offset that stands at a height, inside the file."""
        size = self._view.surface.layout.size
        share = round(min(max(0.0, (y - TOP) / self._room), 1.0) * FINE)
        return min(size * share // FINE, max(0, size - 1))

    @property
    def _room(self) -> int:
        return max(1, self.height() - 2 * TOP)

    def _moved(self, _: object = None) -> None:
        self.update()
        last = self._view.surface.last_top
        row = min(self._view.top_row, last)
        steps = max(1, min(STEPS, last))
        self._telling = True
        self.setRange(0, steps)
        self.setSingleStep(max(1, steps // 100))
        self.setPageStep(max(1, steps // 10))
        near = (row * steps + last // 2) // max(1, last)
        # Only at its ends is it at an end, else a key could not go there.
        self.setValue(min(max(near, row > 0), steps - (row < last)))
        self._telling = False
        if self.hasFocus():
            self._speak()

    def _keyed(self, value: int) -> None:
        """A key moved the slider."""
        if not self._telling:
            self._view.set_top_row(value * self._view.surface.last_top // self.maximum())

    def _speak(self) -> None:
        """Say what stands at the top of the view."""
        start = self._view.visible_span().start
        speak(self, f"0x{hexadecimal(start)}  {self._view.describe(start)}".rstrip())

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._speak()
        self.update()

    def _frame(self) -> QRectF:
        """Where the view stands."""
        span = self._view.visible_span()
        top = self.y_of(span.start)
        height = max(float(LEAST_FRAME), self.y_of(span.stop) - top)
        top = min(top, TOP + self._room - height + LEAST_FRAME / 2)
        return QRectF(LEFT - 3.5, top, self._scaled(DOT_LEFT - LEFT), height)

    def _scaled(self, length: float) -> float:
        return length * self._theme.scale

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(WIDTH), self._theme.px(200))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.color("pane"))
        painter.fillRect(0, 0, 1, self.height(), self._theme.color("border"))
        if self._view.surface.layout.size:
            self._paint_overview(painter)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_marks(painter)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.end()

    def _paint_overview(self, painter: QPainter) -> None:
        if self._image is None or self._image.height() != self._room:
            self._image = self._draw(self._room)
        painter.drawImage(QPointF(self._scaled(LEFT), TOP), self._image)

    def _draw(self, rows: int) -> QImage:
        """Regions and entropy, one pixel row a row."""
        width = round(self._scaled(ENTROPY_LEFT - LEFT + ENTROPY_WIDTH))
        pixels = np.full((rows, width), self._theme.color("pane").rgb(), np.uint32)
        columns = np.arange(width)
        shares = resampled(self._overview.shares, rows)
        storage = shares[:, FIRST_STORAGE:].sum(axis=1) > shares[:, :FIRST_STORAGE].sum(axis=1)
        across = np.where(storage, self._scaled(STORAGE_WIDTH), self._scaled(STREAM_WIDTH))
        edges = np.concatenate([np.zeros((rows, 1)), np.cumsum(shares, axis=1)], axis=1) * across[:, None]
        for kind in np.flatnonzero(shares.any(axis=0)):
            low, high = np.round(edges[:, kind, None]), np.round(edges[:, kind + 1, None])
            pixels[(columns >= low) & (columns < high)] = self._color(KINDS[kind]).rgb()
        entropy = resampled(self._overview.entropy, rows)[:, None] * self._scaled(ENTROPY_WIDTH)
        start = round(self._scaled(ENTROPY_LEFT - LEFT))
        pixels[(columns >= start) & (columns < start + entropy)] = self._theme.color("track").rgb()
        return QImage(pixels.data, width, rows, width * 4, QImage.Format.Format_RGB32).copy()

    def _color(self, kind: str) -> QColor:
        region = self._theme.region(kind)
        return mix(region.line, region.fill, LINE_SHARE)

    def _paint_hits(self, painter: QPainter) -> None:
        color, edge = self._theme.color("hit_fill"), self._theme.color("hit_line")
        left, width = self._scaled(ENTROPY_LEFT), self._scaled(ENTROPY_WIDTH)
        step = self._room / max(1, len(self._hits))
        for part, number in enumerate(self._hits):
            if number:
                line = QRectF(left, TOP + part * step, width, max(HIT_LINE, step))
                painter.fillRect(line, edge)
                painter.fillRect(line.adjusted(0, 0, 0, -1), color)

    def _paint_marks(self, painter: QPainter) -> None:
        self._paint_hits(painter)
        link = self._theme.color("link_line")
        for span in self._linked:
            top, bottom = self.y_of(span.start), self.y_of(span.stop)
            box = QRectF(self._scaled(LEFT) - 1.5, top, self._scaled(STORAGE_WIDTH) + 3, max(3.0, bottom - top))
            painter.setPen(QPen(link, LINE))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box)
        for offset, colour in self._bookmarks:
            tick = QRectF(self._scaled(LEFT) - TICK, self.y_of(offset) - 1, TICK, 2)
            painter.fillRect(tick, line_of(self._theme, colour))
        self._paint_frame(painter)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(link)
        y = self.y_of(self._view.selected_span().start)
        painter.drawPolygon(QPolygonF([QPointF(2, y - 4), QPointF(7, y), QPointF(2, y + 4)]))
        for flag in self._flags:
            painter.setBrush(self._theme.color(flag.role))
            painter.drawPath(shape_of(flag.role, QPointF(self._scaled(DOT_LEFT) + 3, self.y_of(flag.offset))))
        if self._cut:
            y = TOP + self._room
            painter.setPen(QPen(self._theme.color("error"), 2))
            painter.drawLine(QPointF(self._scaled(LEFT), y), QPointF(self._scaled(DOT_LEFT), y))

    def _paint_frame(self, painter: QPainter) -> None:
        ink = self._theme.color("text")
        inside = QColor(ink)
        inside.setAlphaF(FRAME_SHARE)
        painter.setPen(QPen(ink, LINE))
        painter.setBrush(inside)
        painter.drawRoundedRect(self._frame(), 3, 3)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._scrub = self.offset_at(event.position().y())
            self._scrubbed_y = event.position().y()
            self._show(self._scrub)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The slider that this is would move itself."""

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._drag(event.position())
        self.hovered.emit(self.offset_at(event.position().y()))

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        self._view.wheelEvent(event)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.words_at(event.pos().y()), self)
            return True
        return super().event(event)

    def words_at(self, y: float) -> str:
        """What stands at a height: offset and owner."""
        if not self._view.surface.layout.size:
            return ""
        offset = self.offset_at(y)
        return f"0x{hexadecimal(offset)}  {self._view.describe(offset)}".rstrip()

    def _drag(self, point: QPointF) -> None:
        """Follow the mouse; the farther it is beside the map, the finer."""
        moved, self._scrubbed_y = point.y() - self._scrubbed_y, point.y()
        size = self._view.surface.layout.size
        finer = next((share for away, share in FINER if -point.x() >= away), 1)
        if finer == 1:
            self._scrub = self.offset_at(point.y())
        else:
            self._scrub += round(moved * FINE) * size // (self._room * finer * FINE)
            self._scrub = min(max(0, self._scrub), max(0, size - 1))
        self._show(self._scrub)

    def _show(self, offset: int) -> None:
        """Put a byte in the middle of the view."""
        surface = self._view.surface
        row = surface.layout.row_of(offset)
        self._view.set_top_row(row - surface.whole // 2)
