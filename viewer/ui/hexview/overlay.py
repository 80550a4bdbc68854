"""What is painted over the cells: lines round spans, the caret, bookmarks, the flash of a jump, and the header."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from viewer.ui.hexview.layout import Layout, Side
from viewer.ui.words import hexadecimal

if TYPE_CHECKING:
    from viewer.core.span import Span
    from viewer.ui.hexview.atlas import Face
    from viewer.ui.hexview.marks import Marks
    from viewer.ui.theme import Theme

LINE: Final = 1.6
HALO: Final = 1.2
DASHES: Final = (3.0, 2.0)
FLASH_SHARE: Final = 0.28
CARET: Final = 2
FAR: Final = 2**14
"""Pixels beside the window from which on lines end: Qt draws none that are much longer."""

MOST_HIT_LINES: Final = 400
LINE_BYTES: Final = 64
PAGE: Final = 4096


@dataclass(frozen=True, slots=True)
class Stage:
    """Where to paint: the layout, the top row and the rows [first, last] counted from it that need paint.

    `left`, `right`: the pixels of the rows that the window shows.
    """

    layout: Layout
    top_row: int
    first: int
    last: int
    left: int
    right: int

    def paths(self, spans: Iterable[Span], side: Side) -> QPainterPath:
        """The outlines of spans in one column, as far as they are in view."""
        path = QPainterPath()
        for span in spans:
            for points in self.polygons(span, side):
                path.addPolygon(QPolygonF(points))
                path.closeSubpath()
        return path

    def polygons(self, span: Span, side: Side) -> list[list[QPointF]]:
        """The corners of what lies round a span."""
        low, high = self.top_row + self.first, self.top_row + self.last
        left, right = self.left - FAR, self.right + FAR
        outline = self.layout.outline(span, side, low, high, self.top_row)
        return [[QPointF(min(max(left, x), right), y) for x, y in polygon] for polygon in outline]

    def cell(self, offset: int, side: Side) -> QRectF:
        """The rectangle of one byte."""
        row = self.layout.metrics.row
        left = self.layout.cell_x(self.layout.column_of(offset), side)
        return QRectF(left, (self.layout.row_of(offset) - self.top_row) * row, self.layout.cell_width(side), row)


def paint(painter: QPainter, theme: Theme, stage: Stage, marks: Marks) -> None:
    """All lines over the rows of a stage; the painter's origin is the first row's upper left corner."""
    pixel = stage.layout.metrics.pixel
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    link = theme.color("link_line")
    for span, colour in marks.highlights:
        for side in Side:
            _outline(painter, theme, stage.paths([span], side), _pen(line_of(theme, colour), pixel))
    for side in Side:
        if marks.hover is not None:
            _dashes(painter, theme, stage, marks.hover, side)
        _outline(painter, theme, stage.paths(marks.linked, side), _pen(link, pixel))
        painter.setPen(_pen(link, pixel))
        painter.drawPath(stage.paths(marks.chosen, side))
    _hits(painter, theme, stage, marks.hits)
    _bookmarks(painter, theme, stage, marks.bookmarks)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def underline(painter: QPainter, theme: Theme, stage: Stage, spans: Iterable[Span]) -> None:
    """A line under bytes that differ from those of another file."""
    layout, pixel = stage.layout, stage.layout.metrics.pixel
    thick, halo = round(CARET * pixel), max(1, round(pixel))
    ink, ground = difference_ink(theme), theme.color("pane")
    for span in spans:
        start = span.start
        while start < span.stop:
            last = min(span.stop, layout.grid.offset_of(layout.row_of(start) + 1)) - 1
            for side in layout.sides:
                first, end = stage.cell(start, side), stage.cell(last, side)
                line = QRectF(first.left(), first.bottom() - thick, end.right() - first.left(), thick)
                painter.fillRect(line.adjusted(0, -halo, 0, 0), ground)
                painter.fillRect(line, ink)
            start = last + 1


def difference_ink(theme: Theme) -> QColor:
    """The colour of the line under bytes that differ. A strip of pane colour parts it from the fill above."""
    return theme.color("error")


def line_of(theme: Theme, colour: str) -> QColor:
    """The colour of a bookmark: the accent, or the line of a kind of region."""
    return theme.color(colour) if colour == "accent" else theme.region(colour).line


def caret(painter: QPainter, theme: Theme, stage: Stage, marks: Marks) -> None:
    """The caret: a bar under the byte in the column that takes the keys."""
    cell = stage.cell(marks.caret, marks.side)
    height = round(CARET * stage.layout.metrics.pixel)
    bar = QRectF(cell.left(), cell.bottom() - height, cell.width(), height)
    chosen = any(marks.caret in span for span in marks.chosen)
    painter.fillRect(bar, theme.color("on_selection" if chosen else "text"))


def separators(painter: QPainter, theme: Theme, stage: Stage) -> None:
    """Lines above the rows in which a multiple of 64 bytes, or a stronger one of 4 KiB, is reached."""
    layout = stage.layout
    pixel, right = max(1, round(layout.metrics.pixel)), layout.width - layout.metrics.margin
    for row in range(stage.first, stage.last + 1):
        start = layout.grid.offset_of(stage.top_row + row)
        for step, role in ((PAGE, "muted"), (LINE_BYTES, "border")):
            if start > 0 and (start - 1) // step < (start + layout.row_bytes - 1) // step:
                line = QRectF(layout.hex_x, row * layout.metrics.row, right - layout.hex_x, pixel)
                painter.fillRect(line, theme.color(role))
                break


def flash(painter: QPainter, theme: Theme, stage: Stage, row: int) -> None:
    """Light up the row that a jump led to."""
    color = theme.color("link_line")
    color.setAlphaF(FLASH_SHARE)
    height = stage.layout.metrics.row
    painter.fillRect(QRectF(0, (row - stage.top_row) * height, stage.layout.width, height), color)


def header(
    painter: QPainter,
    theme: Theme,
    face: Face,
    layout: Layout,
    caret_column: int | None,
    labels: tuple[str, str],
    window: tuple[int, int],
) -> None:
    """The line above the bytes: the words for offset and text, and the numbers of the columns between two pixels."""
    metrics = layout.metrics
    muted = theme.color("muted")
    caption = theme.text("caption")
    caption.setPixelSize(round(caption.pixelSize() * metrics.pixel / theme.scale))
    middle = Qt.AlignmentFlag.AlignVCenter
    # The words stand at the left of their columns in every language.
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    painter.setPen(muted)
    painter.setFont(caption)
    painter.drawText(QRectF(layout.gutter_x, 0, layout.hex_x - layout.gutter_x, metrics.header), middle, labels[0])
    if layout.has_text:
        text_width = layout.width - layout.text_x
        painter.drawText(QRectF(layout.text_x, 0, text_width, metrics.header), middle, labels[1])
    painter.setFont(face.regular)
    step = layout.numbered
    first, last = (layout.column_at(x) // step * step for x in window)
    for column in range(first, last + 1, step):
        current = caret_column is not None and column <= caret_column < column + step
        if current:
            painter.setPen(theme.color("accent"))
            painter.setFont(face.bold)
        _column_number(painter, layout, column)
        if current:
            painter.setPen(muted)
            painter.setFont(face.regular)


def _column_number(painter: QPainter, layout: Layout, column: int) -> None:
    """In the middle of its cell; one that needs several cells begins with the digits of the first."""
    cells = layout.numbered // layout.form.unit
    number = hexadecimal(column, 2) if layout.form.radix == 16 else f"{column:02}"
    rect = QRectF(layout.cell_x(column, Side.HEX), 0, cells * layout.cell, layout.metrics.header)
    align = Qt.AlignmentFlag.AlignCenter
    if cells > 1:
        rect.setLeft(rect.left() + (layout.cell - 2 * layout.metrics.digit) / 2)
        align = Qt.AlignmentFlag.AlignVCenter
    painter.drawText(rect, align, number)


def _pen(color: QColor, pixel: float) -> QPen:
    pen = QPen(color, LINE * pixel)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen


def _outline(painter: QPainter, theme: Theme, path: QPainterPath, pen: QPen) -> None:
    """A line with a halo of pane colour on both sides, so that it stands out on any fill."""
    if not path.isEmpty():
        _halo(painter, theme, path, pen)
        painter.setPen(pen)
        painter.drawPath(path)


def _halo(painter: QPainter, theme: Theme, path: QPainterPath, pen: QPen) -> None:
    halo = QPen(theme.color("pane"), pen.widthF() * (LINE + 2 * HALO) / LINE)
    halo.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(halo)
    painter.drawPath(path)


def _dashes(painter: QPainter, theme: Theme, stage: Stage, span: Span, side: Side) -> None:
    """A line of dashes round bytes. Each stands where it does in the file, whatever part of it is painted or moved."""
    pixel = stage.layout.metrics.pixel
    pen = _pen(theme.color("hover_line"), pixel)
    pen.setDashPattern([length / LINE for length in DASHES])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    _halo(painter, theme, stage.paths([span], side), pen)
    period = Fraction(sum(DASHES) * pixel)
    above = float(stage.top_row * stage.layout.metrics.row % period)
    for corners in stage.polygons(span, side):
        for one, other in pairwise([*corners, corners[0]]):
            begin, end = sorted((one, other), key=lambda corner: (corner.x(), corner.y()))
            along = begin.x() if begin.y() == end.y() else begin.y() + above
            pen.setDashOffset(along % float(period) / pen.widthF())
            painter.setPen(pen)
            painter.drawLine(begin, end)


def lined(hits: tuple[Span, ...]) -> tuple[Span, ...]:
    """The hits that have a line: of more than anyone could tell apart none, they keep their fill only."""
    return hits if len(hits) <= MOST_HIT_LINES else ()


def _hits(painter: QPainter, theme: Theme, stage: Stage, hits: tuple[Span, ...]) -> None:
    """A dark line round each hit."""
    hits = lined(hits)
    if not hits:
        return
    painter.setPen(_pen(theme.color("hit_line"), stage.layout.metrics.pixel))
    for side in Side:
        painter.drawPath(stage.paths(hits, side))


def _bookmarks(painter: QPainter, theme: Theme, stage: Stage, bookmarks: frozenset[int]) -> None:
    layout, unit = stage.layout, stage.layout.metrics.margin / 12
    low, high = stage.top_row + stage.first, stage.top_row + stage.last
    rows = {row - stage.top_row for row in map(layout.row_of, bookmarks) if low <= row <= high}
    painter.setPen(QPen(theme.color("accent"), 1.4 * unit))
    for row in rows:
        middle = (row + 0.5) * layout.metrics.row
        left, right = 3 * unit, 8.5 * unit
        corners = [(left, -5), (right, -5), (right, 5), ((left + right) / 2, 1.8), (left, 5), (left, -5)]
        points = [QPointF(x, middle + y * unit) for x, y in corners]
        painter.drawLines([QLineF(start, stop) for start, stop in pairwise(points)])
