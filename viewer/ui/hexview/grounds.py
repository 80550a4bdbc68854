"""What lies under a byte: fill, rounded ends, leading line and pattern of one code, out of the theme."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from viewer.ui.hexview import marks
from viewer.ui.hexview.atlas import Look, pixels_of
from viewer.ui.hexview.layout import Metrics
from viewer.ui.hexview.marks import ABOVE, ARGUMENT, BELOW, KINDS, LEFT, OPCODE, RIGHT
from viewer.ui.theme import Theme

RADIUS: Final = 3
INSET: Final = 1
LINE_WIDTH: Final = 2
LINE_INSET: Final = 3
STROKES: Final = 3
"""Strokes of a pattern in one cell's width and height, so that they meet at the seams."""

STROKE_SHARE: Final = 0.32


class Grounds:
    """Draws the background of cells for one theme and one set of lengths."""

    def __init__(self, theme: Theme, metrics: Metrics) -> None:
        self._theme = theme
        self._metrics = metrics
        self._unit = metrics.row / 20

    def hex_look(self, code: int) -> Look:
        """A cell of the hex column."""
        kind, role, flags = marks.unpack(code)
        bold = kind in (marks.SELECTED, marks.PASSIVE) or (role == OPCODE and kind < marks.MISSING)
        fill = self._fill(kind, role)
        image = self._blank(self._metrics.cell)
        if kind in (marks.SELECTED, marks.PASSIVE, marks.HIT):
            image.fill(fill)
        elif fill != self._theme.color("pane"):
            self._paint(image, kind, fill, flags, rounded=True)
            if kind < len(KINDS) and role == OPCODE:
                self._leading_line(image, self._theme.region(KINDS[kind]).line)
        ink, dim = self._inks(kind)
        return Look(pixels_of(image), fill, ink, dim, bold)

    def text_look(self, code: int) -> Look:
        """A cell of the text column: plain fill, bold only where selected."""
        kind, role, flags = marks.unpack(code)
        fill = self._fill(kind, role)
        image = self._blank(self._metrics.text)
        if kind in (marks.SELECTED, marks.PASSIVE, marks.HIT):
            image.fill(fill)
        elif fill != self._theme.color("pane"):
            self._paint(image, kind, fill, flags | LEFT | RIGHT, rounded=False)
        ink, dim = self._inks(kind)
        return Look(pixels_of(image), fill, ink, dim, kind == marks.SELECTED)

    def gap_look(self, code: int) -> Look:
        """The gap to the right of a cell: filled where the run goes on behind it."""
        kind, role, flags = marks.unpack(code)
        image = self._blank(self._metrics.gap)
        fill = self._fill(kind, ARGUMENT if role == OPCODE else role)
        if flags & RIGHT and kind in (marks.SELECTED, marks.PASSIVE, marks.HIT):
            image.fill(fill)
        elif flags & RIGHT and fill != self._theme.color("pane"):
            self._paint(image, kind, fill, flags | LEFT, rounded=False)
        return Look(pixels_of(image), fill, fill, fill, bold=False)

    def _fill(self, kind: int, role: int) -> QColor:
        if kind < len(KINDS):
            region = self._theme.region(KINDS[kind])
            return region.argument_fill if role == ARGUMENT else region.fill
        roles = {
            marks.PLAIN: "pane",
            marks.SELECTED: "selection",
            marks.PASSIVE: "passive",
            marks.HIT: "hit_fill",
            marks.MISSING: "error_bar",
            marks.ABSENT: "pane",
        }
        return self._theme.color(roles[kind])

    def _inks(self, kind: int) -> tuple[QColor, QColor]:
        if kind < len(KINDS):
            region = self._theme.region(KINDS[kind])
            return region.text, region.zero_ink
        if kind == marks.SELECTED:
            white = self._theme.color("on_selection")
            return white, white
        text = self._theme.color("text")
        return text, self._theme.color("muted") if kind == marks.PLAIN else text

    def _blank(self, width: int) -> QImage:
        image = QImage(width, self._metrics.row, QImage.Format.Format_RGB32)
        image.fill(self._theme.color("pane"))
        return image

    def _paint(self, image: QImage, kind: int, fill: QColor, flags: int, *, rounded: bool) -> None:
        inset, radius = round(INSET * self._unit), RADIUS * self._unit
        left = 0 if flags & LEFT else inset
        right = image.width() - (0 if flags & RIGHT else inset)
        top = 0 if flags & ABOVE else inset
        bottom = image.height() - (0 if flags & BELOW else inset)
        shape = QRectF(left, top, right - left, bottom - top)
        painter = QPainter(image)
        painter.setClipRect(shape)
        beyond = 2 * radius
        body = shape.adjusted(
            -beyond if flags & LEFT else 0,
            -beyond if flags & ABOVE else 0,
            beyond if flags & RIGHT else 0,
            beyond if flags & BELOW else 0,
        )
        path = QPainterPath()
        path.addRoundedRect(body, radius if rounded else 0, radius if rounded else 0)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillPath(path, fill)
        self._pattern(painter, kind, image.width(), path)
        painter.end()

    def _pattern(self, painter: QPainter, kind: int, width: int, within: QPainterPath) -> None:
        name, color = "none", QColor()
        if kind < len(KINDS):
            region = self._theme.region(KINDS[kind])
            name, color = region.pattern, region.line
        elif kind == marks.MISSING:
            name, color = "cross", self._theme.color("error_edge")
        if name == "none":
            return
        color.setAlphaF(STROKE_SHARE)
        painter.setClipPath(within, Qt.ClipOperation.IntersectClip)
        pen = QPen(color, max(1.0, self._unit))
        if name == "dots":
            pen.setWidthF(1.5 * self._unit)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        step_x, step_y = self._steps(width)
        if name == "dots":
            painter.drawPoints(list(_dots(width, self._metrics.row, step_x, step_y)))
        else:
            painter.drawLines(list(_strokes(width, self._metrics.row, step_x, step_y, crossed=name == "cross")))

    def _steps(self, width: int) -> tuple[float, float]:
        """Distance of strokes: a third of a hex cell, the whole of a narrower one."""
        across = STROKES if width >= self._metrics.cell else 1
        return width / across, self._metrics.row / STROKES

    def _leading_line(self, image: QImage, color: QColor) -> None:
        inset = round(LINE_INSET * self._unit)
        painter = QPainter(image)
        painter.fillRect(
            QRectF(round(INSET * self._unit), inset, round(LINE_WIDTH * self._unit), self._metrics.row - 2 * inset),
            color,
        )
        painter.end()


def _strokes(width: float, height: float, step_x: float, step_y: float, *, crossed: bool) -> Iterator[QLineF]:
    """Rising lines through a cell, falling ones too when crossed; they continue in the cells around."""
    rise = width / step_x * step_y
    count = round(width / step_x) + round(height / step_y) + 1
    for index in range(count):
        start = index * step_y
        yield QLineF(0, start, width, start - rise)
        if crossed:
            yield QLineF(0, height - start, width, height - start + rise)


def _dots(width: float, height: float, step_x: float, step_y: float) -> Iterator[QPointF]:
    """One dot in the middle of each step."""
    for column in range(round(width / step_x)):
        for row in range(round(height / step_y)):
            yield QPointF((column + 0.5) * step_x, (row + 0.5) * step_y)
