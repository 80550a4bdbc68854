"""What lies under a byte, by kind and role out of the theme: fill, leading line, pattern. Edges come afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from viewer.ui.hexview import inks, marks
from viewer.ui.hexview.atlas import Look, pixels_of
from viewer.ui.hexview.marks import ARGUMENT, KINDS, OPCODE
from viewer.ui.theme import Theme, mix

if TYPE_CHECKING:
    from viewer.ui.hexview.layout import Metrics

LINE_LEFT: Final = 1
LINE_WIDTH: Final = 2
LINE_INSET: Final = 3
STROKES: Final = 3
"""Strokes of a pattern in one cell's width and height, so that they meet at the seams."""

STROKE_SHARE: Final = 0.32


class Grounds:
    """Draws the ground of whole cells for one theme and one set of lengths. A style is kind and role in one number."""

    def __init__(self, theme: Theme, metrics: Metrics, *, shading: bool = False) -> None:
        """`shading`: bytes of a class have an ink of their own."""
        self._theme = theme
        self._shading = shading
        self._metrics = metrics
        self._unit = metrics.row / 20

    def hex_look(self, style: int) -> Look:
        """A cell of the hex column."""
        kind, role = marks.parts(style)
        bold = kind in (marks.SELECTED, marks.PASSIVE) or (role == OPCODE and kind < marks.MISSING)
        image = self._ground(self._metrics.cell, style)
        if kind < len(KINDS) and role == OPCODE:
            self._leading_line(image, self._theme.region(KINDS[kind]).line)
        return self._look(image, style, bold=bold)

    def text_look(self, style: int) -> Look:
        """A cell of the text column, bold only where selected."""
        kind, _ = marks.parts(style)
        return self._look(self._ground(self._metrics.text, style), style, bold=kind == marks.SELECTED)

    def gap_look(self, style: int) -> Look:
        """The gap between two cells of one run: behind an opcode its argument begins."""
        kind, role = marks.parts(style)
        style = marks.style_of(kind, ARGUMENT if role == OPCODE else role)
        return self._look(self._ground(self._metrics.gap, style), style, bold=False)

    def fill(self, style: int) -> QColor:
        """The main colour of a style."""
        kind, role = marks.parts(style)
        if kind < len(KINDS):
            region = self._theme.region(KINDS[kind])
            return region.argument_fill if role == ARGUMENT else region.fill
        roles = {
            marks.SELECTED: "selection",
            marks.PASSIVE: "passive",
            marks.HIT: "hit_fill",
            marks.ODD: "error_bar",
            marks.MISSING: "error_bar",
        }
        return self._theme.color(roles.get(kind, "pane"))

    def number_look(self, style: int) -> Look:
        """A letter of a cell that shows an element, bold where selected and where it is no finite number."""
        kind, _ = marks.parts(style)
        bold = kind in (marks.SELECTED, marks.PASSIVE, marks.ODD)
        return self._look(self._ground(self._metrics.text, style), style, bold=bold)

    def grounds(self, kind: int) -> tuple[QColor, ...]:
        """All that may lie under a byte of a kind: fill, that of an argument, the strokes of a pattern."""
        if kind >= len(KINDS):
            return (self.fill(marks.style_of(kind, ARGUMENT)),)
        region = self._theme.region(KINDS[kind])
        strokes = () if region.pattern == "none" else (mix(region.line, region.fill, STROKE_SHARE),)
        # An argument of a kind whose text is light stands on the light pane: no such kind has arguments.
        return (region.fill, region.argument_fill, *strokes) if KINDS[kind] != "stop" else (region.fill,)

    def shades(self, kind: int) -> tuple[QColor, ...]:
        """The inks of the classes of bytes on a kind; none where a mark gives the ink."""
        if not self._shading or kind > marks.PLAIN:
            return ()
        return inks.inks(self._theme, self._inks(kind)[0], self.grounds(kind))

    def _look(self, image: QImage, style: int, *, bold: bool) -> Look:
        kind, _ = marks.parts(style)
        ink, dim = self._inks(kind)
        return Look(pixels_of(image), self.fill(style), ink, dim, bold, self.shades(kind))

    def _inks(self, kind: int) -> tuple[QColor, QColor]:
        if kind < len(KINDS):
            region = self._theme.region(KINDS[kind])
            return region.text, region.zero_ink
        if kind == marks.SELECTED:
            white = self._theme.color("on_selection")
            return white, white
        if kind == marks.ODD:
            return self._theme.color("error"), self._theme.color("error")
        text = self._theme.color("text")
        return text, self._theme.color("muted") if kind == marks.PLAIN else text

    def _ground(self, width: int, style: int) -> QImage:
        image = QImage(width, self._metrics.row, QImage.Format.Format_RGB32)
        image.fill(self.fill(style))
        kind, _ = marks.parts(style)
        if kind == marks.MISSING:
            self._pattern(image, "cross", self._theme.color("error_edge"))
        elif kind < len(KINDS):
            region = self._theme.region(KINDS[kind])
            self._pattern(image, region.pattern, QColor(region.line))
        return image

    def _pattern(self, image: QImage, name: str, color: QColor) -> None:
        if name == "none":
            return
        color.setAlphaF(STROKE_SHARE)
        width, height = image.width(), image.height()
        step_x = width / (STROKES if width >= self._metrics.cell else 1)
        step_y = height / STROKES
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if name == "dots":
            pen = QPen(color, 1.5 * self._unit)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawPoints(list(_dots(width, height, step_x, step_y)))
        else:
            painter.setPen(QPen(color, max(1.0, self._unit)))
            painter.drawLines(list(_strokes(width, height, step_x, step_y, crossed=name == "cross")))
        painter.end()

    def _leading_line(self, image: QImage, color: QColor) -> None:
        left, inset, width = (round(length * self._unit) for length in (LINE_LEFT, LINE_INSET, LINE_WIDTH))
        painter = QPainter(image)
        painter.fillRect(QRectF(left, inset, width, self._metrics.row - 2 * inset), color)
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
