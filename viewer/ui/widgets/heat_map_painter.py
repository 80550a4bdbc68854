"""Paints a heat map: the cells, their numbers where there is room, axes, rings, two profiles, the colours' scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetrics, QImage, QPainter, QPen, QPixmap, QPolygonF

from viewer.core.tensors.sheet import Plane
from viewer.ui.models.value_text import short
from viewer.ui.theme import Theme
from viewer.ui.widgets.colour_map import STEPS, colours, ink_on, limits_of, steps_of
from viewer.ui.widgets.heat_map_view import Axis

TOP: Final = 18
PROFILE: Final = 44
SCALE: Final = 10
GAP: Final = 6
NUMBER_WIDTH: Final = 56
NUMBER_HEIGHT: Final = 16
BLOCK_LINE: Final = 6
"""Pixels of a cell from which on blocks are set apart."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What to paint. `have`: rows and columns of the plane; `spot`: the cell whose row and column are profiled."""

    rows: Axis
    columns: Axis
    have: tuple[range, range] | None
    plane: Plane | None
    limits: tuple[float, float]
    ring: tuple[int, int] | None
    spot: tuple[int, int] | None
    words: str


class HeatMapPainter:
    """Paints with the colours of one theme; keeps the last picture of the numbers."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._made_of: tuple[Plane | None, tuple[float, float]] = (None, (0.0, 0.0))
        self._image = QImage()
        self._holes = QImage()
        self._metrics = QFontMetrics(theme.mono("small"))

    def area(self, whole: QRect, rows: Axis, columns: Axis) -> QRectF:
        """Where cells stand; axes, profiles and the scale are around it."""
        px = self.theme.px
        left = self._metrics.horizontalAdvance(str(max(0, rows.count // rows.block - 1))) + px(GAP)
        below = px(PROFILE + SCALE + 2 * GAP) + self._metrics.height() + px(GAP)
        right = px(PROFILE + GAP)
        height = max(whole.height() - px(TOP) - below, 1)
        return QRectF(left, px(TOP), max(1, whole.width() - left - right), height)

    def paint(self, painter: QPainter, whole: QRect, drawing: Drawing) -> None:
        """All of it."""
        area = self.area(whole, drawing.rows, drawing.columns)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if drawing.plane is not None and drawing.have is not None:
            table = colours(self.theme, *drawing.limits)
            self._make(drawing.plane, drawing.limits, table)
            used = QRectF(area.left(), area.top(), drawing.columns.used, drawing.rows.used)
            painter.save()
            painter.setClipRect(used)
            target = self._target(area, drawing)
            painter.drawImage(target, self._image)
            self._paint_holes(painter, whole, target)
            self._paint_blocks(painter, area, drawing)
            self._paint_numbers(painter, area, drawing, table)
            painter.restore()
            self._paint_profiles(painter, area, drawing)
            self._paint_scale(painter, whole, area, drawing, table)
        self._paint_axes(painter, area, drawing)
        for cell, role in ((drawing.spot, "muted"), (drawing.ring, "text")):
            if cell is not None:
                self._paint_ring(painter, area, drawing, cell, role)
        self._paint_words(painter, whole, area, drawing)

    # -- cells ------------------------------------------------------------------------------------------

    def _make(self, plane: Plane, limits: tuple[float, float], table: npt.NDArray[np.uint32]) -> None:
        """The picture of a plane, made once."""
        if plane is self._made_of[0] and limits == self._made_of[1]:
            return
        # The plane itself: a later one may stand at the address of one that is gone.
        self._made_of = plane, limits
        pixels = np.ascontiguousarray(table[steps_of(plane, *limits_of(*limits))])
        height, width = pixels.shape
        self._image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32).copy()
        holes = np.isnan(plane)
        self._holes = QImage()
        if holes.any():
            mask = np.where(holes, np.uint32(0xFFFFFFFF), np.uint32(0))
            self._holes = QImage(mask.data, width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied).copy()

    def _target(self, area: QRectF, drawing: Drawing) -> QRectF:
        assert drawing.have is not None
        rows, columns = drawing.have
        left, top = drawing.columns.place(columns.start), drawing.rows.place(rows.start)
        return QRectF(
            area.left() + left,
            area.top() + top,
            len(columns) * columns.step * drawing.columns.size,
            len(rows) * rows.step * drawing.rows.size,
        )

    def _paint_holes(self, painter: QPainter, whole: QRect, target: QRectF) -> None:
        """Crossed hatch over pane where there is no number: the hatch is cut out by the mask of holes."""
        if self._holes.isNull():
            return
        sheet = QPixmap(whole.size())
        # With an alpha channel, that the stencil can cut: a pixmap filled with an opaque colour has none.
        sheet.fill(Qt.GlobalColor.transparent)
        over = QPainter(sheet)
        over.fillRect(whole, self.theme.color("pane"))
        over.fillRect(whole, QBrush(self.theme.color("muted"), Qt.BrushStyle.DiagCrossPattern))
        over.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
        stencil = QPixmap(whole.size())
        stencil.fill(Qt.GlobalColor.transparent)
        cutter = QPainter(stencil)
        cutter.drawImage(target, self._holes)
        cutter.end()
        over.drawPixmap(0, 0, stencil)
        over.end()
        painter.drawPixmap(0, 0, sheet)

    def _paint_blocks(self, painter: QPainter, area: QRectF, drawing: Drawing) -> None:
        """Lines of pane colour between small planes."""
        painter.setPen(QPen(self.theme.color("pane"), 2))
        rows, columns = drawing.rows, drawing.columns
        if rows.block > 1 and rows.block * rows.size >= BLOCK_LINE:
            for cell in rows.ticks(0):
                y = area.top() + rows.place(cell)
                painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        if columns.block > 1 and columns.block * columns.size >= BLOCK_LINE:
            for cell in columns.ticks(0):
                x = area.left() + columns.place(cell)
                painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))

    def _paint_numbers(self, painter: QPainter, area: QRectF, drawing: Drawing, table: npt.NDArray[np.uint32]) -> None:
        """The numbers themselves where cells are large enough."""
        rows, columns = drawing.rows, drawing.columns
        if drawing.have is None or drawing.plane is None or rows.size < self.theme.px(NUMBER_HEIGHT):
            return
        if columns.size < self.theme.px(NUMBER_WIDTH) or drawing.have[0].step > 1 or drawing.have[1].step > 1:
            return
        painter.setFont(self.theme.mono("small"))
        steps = steps_of(drawing.plane, *limits_of(*drawing.limits))
        for at, row in enumerate(drawing.have[0]):
            for beside, column in enumerate(drawing.have[1]):
                number = float(drawing.plane[at, beside])
                ink = self.theme.color("error") if np.isnan(number) else ink_on(int(table[steps[at, beside]]))
                painter.setPen(ink)
                place = self._cell(area, drawing, (row, column))
                if np.isnan(number):
                    painter.fillRect(place.adjusted(8, 2, -8, -2), self.theme.color("pane"))
                painter.drawText(place, int(Qt.AlignmentFlag.AlignCenter), short(number))

    def _cell(self, area: QRectF, drawing: Drawing, cell: tuple[int, int]) -> QRectF:
        rows, columns = drawing.rows, drawing.columns
        width, height = max(1.0, columns.size * columns.step), max(1.0, rows.size * rows.step)
        return QRectF(area.left() + columns.place(cell[1]), area.top() + rows.place(cell[0]), width, height)

    def _paint_ring(self, painter: QPainter, area: QRectF, drawing: Drawing, cell: tuple[int, int], role: str) -> None:
        """A line with a halo, never smaller than can be seen."""
        place = self._cell(area, drawing, cell)
        if not place.intersects(QRectF(area.left(), area.top(), drawing.columns.used, drawing.rows.used)):
            return
        grow = max(0.0, (self.theme.px(6) - min(place.width(), place.height())) / 2)
        place = place.adjusted(-grow, -grow, grow, grow)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.theme.color("pane"), 1.2))
        painter.drawRect(place.adjusted(-1.4, -1.4, 1.4, 1.4))
        painter.drawRect(place.adjusted(1.4, 1.4, -1.4, -1.4))
        painter.setPen(QPen(self.theme.color(role), 1.6))
        painter.drawRect(place)

    # -- around the cells ---------------------------------------------------------------------------------

    def _paint_axes(self, painter: QPainter, area: QRectF, drawing: Drawing) -> None:
        """Numbers of rows and columns, of blocks where there are."""
        rows, columns, metrics = drawing.rows, drawing.columns, self._metrics
        painter.setFont(self.theme.mono("small"))
        painter.setPen(self.theme.color("muted"))
        apart = metrics.horizontalAdvance("0" * (len(str(columns.count)) + 2))
        for cell in columns.ticks(apart) if columns.count else ():
            text = str(cell // columns.block)
            x = area.left() + columns.place(cell + columns.block / 2)
            wide = metrics.horizontalAdvance(text)
            if x + wide / 2 <= area.right() + self.theme.px(PROFILE):
                painter.drawText(QPointF(max(area.left(), x - wide / 2), area.top() - self.theme.px(5)), text)
        for cell in rows.ticks(metrics.height() * 1.5) if rows.count else ():
            text = str(cell // rows.block)
            y = area.top() + rows.place(cell + rows.block / 2) + metrics.ascent() / 2
            x = area.left() - self.theme.px(GAP) - metrics.horizontalAdvance(text)
            if y <= area.bottom() + metrics.ascent():
                painter.drawText(QPointF(max(0.0, x), max(area.top() + metrics.ascent() - 2, y)), text)

    def _paint_profiles(self, painter: QPainter, area: QRectF, drawing: Drawing) -> None:
        """The row of the spot below, its column at the right; of the numbers that were read."""
        if drawing.spot is None or drawing.have is None or drawing.plane is None:
            return
        rows, columns = drawing.have
        bottom = area.top() + drawing.rows.used + self.theme.px(GAP)
        right = area.left() + drawing.columns.used + self.theme.px(GAP)
        depth = self.theme.px(PROFILE)
        below = QRectF(area.left(), bottom, drawing.columns.used, depth)
        beside = QRectF(right, area.top(), depth, drawing.rows.used)
        row, column = drawing.spot
        at, aside = (row - rows.start) // rows.step, (column - columns.start) // columns.step
        low, high = limits_of(*drawing.limits)
        if 0 <= at < len(rows):
            places = [area.left() + drawing.columns.place(cell + columns.step / 2) for cell in columns]
            heights = _heights(drawing.plane[at], low, high)
            points = [QPointF(x, below.bottom() - y * depth) for x, y in zip(places, heights, strict=True)]
            self._paint_line(painter, below, points)
        if 0 <= aside < len(columns):
            places = [area.top() + drawing.rows.place(cell + rows.step / 2) for cell in rows]
            heights = _heights(drawing.plane[:, aside], low, high)
            points = [QPointF(beside.left() + x * depth, y) for y, x in zip(places, heights, strict=True)]
            self._paint_line(painter, beside, points)

    def _paint_line(self, painter: QPainter, place: QRectF, points: list[QPointF]) -> None:
        """A profile, broken where there is no number."""
        painter.save()
        painter.fillRect(place, self.theme.color("sunken"))
        painter.setClipRect(place.adjusted(0, -1, 1, 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.theme.region("float32").line, 1.2))
        run: list[QPointF] = []
        for point in [*points, None]:
            if point is not None and point.x() == point.x() and point.y() == point.y():
                run.append(point)
            elif run:
                painter.drawPolyline(QPolygonF(run)) if len(run) > 1 else painter.drawPoint(run[0])
                run = []
        painter.restore()

    def _paint_scale(
        self, painter: QPainter, whole: QRect, area: QRectF, drawing: Drawing, table: npt.NDArray[np.uint32]
    ) -> None:
        """The colours with the numbers that they stand for."""
        px, metrics = self.theme.px, self._metrics
        strip = QImage(np.ascontiguousarray(table).data, STEPS, 1, 4 * STEPS, QImage.Format.Format_RGB32).copy()
        top = whole.bottom() - metrics.height() - px(SCALE) - 2
        wide = min(px(180), area.width() / 2)
        painter.drawImage(QRectF(area.left(), top, wide, px(SCALE)), strip)
        low, high = limits_of(*drawing.limits)
        painter.setFont(self.theme.mono("small"))
        painter.setPen(self.theme.color("muted"))
        y = top + px(SCALE) + metrics.ascent() + 1
        painter.drawText(QPointF(area.left(), y), short(low))
        text = short(high)
        painter.drawText(QPointF(area.left() + wide - metrics.horizontalAdvance(text), y), text)
        if low == -high and low and wide > px(140):
            painter.drawText(QPointF(area.left() + wide / 2 - metrics.horizontalAdvance("0") / 2, y), "0")

    def _paint_words(self, painter: QPainter, whole: QRect, area: QRectF, drawing: Drawing) -> None:
        """What the mouse is over, or what is drawn; at the right of the scale."""
        if not drawing.words:
            return
        painter.setFont(self.theme.mono("small"))
        painter.setPen(self.theme.color("muted"))
        left = area.left() + min(self.theme.px(180), area.width() / 2) + self.theme.px(12)
        height = self._metrics.height() * 2
        place = QRectF(left, whole.bottom() - height, max(1.0, whole.width() - left), height)
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(place, int(flags), drawing.words)


def _heights(numbers: npt.NDArray[np.float64], low: float, high: float) -> list[float]:
    """Numbers as shares of the way from low to high; NaN stays."""
    half = high / 2 - low / 2
    if not half > 0:
        return [0.5] * len(numbers)
    with np.errstate(all="ignore"):
        found: list[float] = np.clip((numbers / 2 - low / 2) / half, 0, 1).tolist()
    return found
