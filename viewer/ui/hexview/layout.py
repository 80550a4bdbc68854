"""Where each byte stands: offset to row, column and pixel, and back. Arithmetic only, in device pixels.

Offsets and rows are Python ints without a bound; only what is inside the window becomes a pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Final

from viewer.core.span import Span
from viewer.ui.hexview.grid import Grid
from viewer.ui.hexview.numbers import BYTES, Cells
from viewer.ui.words import hexadecimal

GROUP: Final = 4
"""Bytes between two gaps."""

ROW_WIDTHS: Final = (16, 12, 8)
"""Bytes in a row that a view without a fixed width may have, widest first."""

LEAST_ROW: Final = 4
"""Bytes in a row where not even the narrowest of those fits with its letters: all of it can be seen then."""

LEAST_DIGITS: Final = 8
SPARE_DIGIT: Final = 0.5
"""Room beside the number of a column, in digits."""

Point = tuple[float, float]


class Side(Enum):
    """Which of the two columns of the same bytes."""

    HEX = "hex"
    TEXT = "text"

    @property
    def other(self) -> Side:
        """The twin column."""
        return Side.TEXT if self is Side.HEX else Side.HEX


@dataclass(frozen=True, slots=True)
class Metrics:
    """Lengths of one font at one device pixel ratio; `pixel` is how many device pixels a logical one has."""

    row: int
    cell: int
    gap: int
    text: int
    digit: float
    margin: int
    between: int
    header: int
    pixel: float


@dataclass(frozen=True, slots=True)
class Place:
    """One byte under the pointer."""

    offset: int
    side: Side


@dataclass(frozen=True, slots=True)
class Grain:
    """Cells of `unit` bytes, one of which begins at `phase`."""

    unit: int = 1
    phase: int = 0

    def start(self, offset: int) -> int:
        """The first byte of the cell that a byte is in; the cell before the first whole one begins with byte 0."""
        return max(0, offset - (offset - self.phase) % self.unit)

    def stop(self, offset: int) -> int:
        """The end of that cell; may lie beyond the end of the file."""
        return offset - (offset - self.phase) % self.unit + self.unit


BYTE: Final = Grain()


@dataclass(frozen=True, slots=True)
class Form:
    """How rows look. `group`: bytes between two gaps. `most`: bytes in a row that fits the window, at most.

    `radix`: of the offsets, 16 or 10. `base`: the offset that is counted from; those before it are not told.
    `lines`: between rows, at multiples of 64 bytes and of 4 KiB. `phase`: an offset at which a row begins.
    `cells`: what the hex column shows. `shading`: ink by the class of a byte.
    """

    group: int = GROUP
    most: int = ROW_WIDTHS[0]
    radix: int = 16
    base: int = 0
    lines: bool = False
    phase: int = 0
    cells: Cells = BYTES
    shading: bool = False

    @property
    def unit(self) -> int:
        """Bytes in a cell."""
        return self.cells.unit

    @property
    def grouped(self) -> int:
        """Bytes between two gaps: whole cells, one at least."""
        return max(1, self.group // self.unit) * self.unit

    def snapped(self, row_bytes: int) -> int:
        """The row of whole cells that is nearest below; one cell at least."""
        return max(1, row_bytes // self.unit) * self.unit


FORM: Final = Form()


@dataclass(frozen=True)
class Layout:
    """A file of `size` bytes in rows of `row_bytes`. x counts from the left edge of the content, y from the header.

    `has_text`: there is a column of letters beside the digits.
    """

    metrics: Metrics
    size: int
    row_bytes: int
    form: Form = FORM
    has_text: bool = True

    @cached_property
    def digits(self) -> int:
        """Digits of an offset in the gutter: eight, or more when the file needs them; always even."""
        return digits_for(self.size, self.form.radix)

    @cached_property
    def grid(self) -> Grid:
        """Which byte stands in which row and column."""
        return Grid(self.size, self.row_bytes, self.form.phase)

    @property
    def rows(self) -> int:
        """Number of rows that hold a byte."""
        return self.grid.rows

    @cached_property
    def cell(self) -> int:
        """Width of a cell of the hex column."""
        letters = self.form.cells.letters
        return letters * self.metrics.text if letters else self.metrics.cell

    @property
    def cells(self) -> int:
        """Cells of the hex column in a row."""
        return self.row_bytes // self.form.unit

    @property
    def letters(self) -> int:
        """Cells of the text column in a row."""
        return self.row_bytes if self.has_text else 0

    @property
    def sides(self) -> tuple[Side, ...]:
        """The columns that there are."""
        return (Side.HEX, Side.TEXT) if self.has_text else (Side.HEX,)

    @property
    def gutter_x(self) -> int:
        """Left edge of the offsets."""
        return self.metrics.margin

    @cached_property
    def hex_x(self) -> int:
        """Left edge of the first hex cell."""
        return self.gutter_x + round(self.digits * self.metrics.digit) + self.metrics.between

    @cached_property
    def hex_width(self) -> int:
        """Width of all hex cells with the gaps between their groups."""
        return self.cells * self.cell + (self.row_bytes - 1) // self.form.grouped * self.metrics.gap

    @cached_property
    def text_x(self) -> int:
        """Left edge of the first text cell, or where the hex cells end."""
        return self.hex_x + self.hex_width + (self.metrics.between if self.has_text else 0)

    @cached_property
    def width(self) -> int:
        """Width of a whole row with its margins."""
        return self.text_x + self.letters * self.metrics.text + self.metrics.margin

    @cached_property
    def numbered(self) -> int:
        """Bytes from one number over the columns to the next: one cell, or so many that the widest number fits."""
        last = max(0, self.row_bytes - 1)
        digits = len(hexadecimal(last, 2) if self.form.radix == 16 else f"{last:02}")
        cells = 1
        while cells * self.cell < (digits + SPARE_DIGIT) * self.metrics.digit:
            cells *= 2
        return cells * self.form.unit

    def row_of(self, offset: int) -> int:
        """The row that an offset stands in."""
        return self.grid.row_of(offset)

    def column_of(self, offset: int) -> int:
        """The column that an offset stands in."""
        return self.grid.column_of(offset)

    def row_span(self, row: int) -> Span:
        """The bytes of a row that exist."""
        return self.grid.row_span(row)

    def step(self, side: Side) -> int:
        """Bytes that the caret covers in a column."""
        return self.form.unit if side is Side.HEX else 1

    def grain(self, side: Side) -> Grain:
        """The cells that are selected whole in a column."""
        return Grain(self.step(side), self.form.phase)

    def cell_x(self, column: int, side: Side) -> int:
        """Left edge of a cell."""
        if side is Side.TEXT:
            return self.text_x + column * self.metrics.text
        return self.hex_x + column // self.form.unit * self.cell + column // self.form.grouped * self.metrics.gap

    def cell_width(self, side: Side) -> int:
        """Width of one cell without the gap after a group."""
        return self.metrics.text if side is Side.TEXT else self.cell

    def hit(self, x: int, y: int, top_row: int) -> Place | None:
        """The byte whose cell or row gap lies under a point; None beside the bytes."""
        if y < 0:
            return None
        side = self._side_at(x)
        left = self.cell_x(0, side)
        right = self.cell_x(self.row_bytes - 1, side) + self.cell_width(side)
        if not left <= x < right:
            return None
        offset = self.grid.offset_of(top_row + y // self.metrics.row, self._column_at(x, side))
        cell = Span(max(0, offset), max(0, offset + self.step(side))).clipped(self.size)
        return Place(cell.start, side) if cell.length else None

    def nearest(self, x: int, y: int, top_row: int, side: Side | None = None) -> Place | None:
        """The byte nearest to a point, on one side if it is given; None for an empty file."""
        if self.size == 0:
            return None
        side = side if side in self.sides else self._side_at(x)
        row = min(max(0, top_row + y // self.metrics.row), self.rows - 1)
        offset = self.grid.nearest(row, self._column_at(x, side))
        return Place(self.grain(side).start(offset), side)

    def outline(self, span: Span, side: Side, first_row: int, last_row: int, top_row: int) -> list[list[Point]]:
        """Closed polygons round the bytes of a span that lie in the rows [first_row, last_row].

        Where the span goes on beyond these rows its line leaves through the edge: rows are cut one further out.
        """
        span = self._cut(span, first_row - 1, last_row + 1)
        if span.length == 0 or side not in self.sides:
            return []
        first, last = self.row_of(span.start), self.row_of(span.stop - 1)
        start, stop = self.column_of(span.start), self.column_of(span.stop - 1) + 1
        left, right = self._edges(0, self.row_bytes, side)
        top = (first - top_row) * self.metrics.row
        bottom = (last - top_row + 1) * self.metrics.row
        begin, end = self._edges(start, stop, side)
        if first == last:
            return [_box(begin, top, end, bottom)]
        second = top + self.metrics.row
        if last == first + 1 and end <= begin:
            return [_box(begin, top, right, second), _box(left, second, end, bottom)]
        above = bottom - self.metrics.row
        shape = [(begin, top), (right, top), (right, above), (end, above), (end, bottom), (left, bottom)]
        return [[*shape, (left, second), (begin, second)]]

    def _edges(self, start: int, stop: int, side: Side) -> tuple[float, float]:
        """Where lines round the columns [start, stop) run; a pixel outside of the first and the last column."""
        out = self.metrics.pixel
        step = self.step(side)
        begin = self.cell_x(start, side) - (out if start < step else 0)
        end = self.cell_x(stop - 1, side) + self.cell_width(side) + (out if stop > self.row_bytes - step else 0)
        return begin, end

    def _cut(self, span: Span, first_row: int, last_row: int) -> Span:
        rows = self.grid.rows_span(first_row, last_row)
        start = max(span.start, rows.start)
        return Span(start, max(start, min(span.stop, rows.stop)))

    def column_at(self, x: int) -> int:
        """The first byte of the hex cell that is nearest to a pixel."""
        return self._column_at(x, Side.HEX)

    def _side_at(self, x: int) -> Side:
        return Side.TEXT if self.has_text and x >= self.text_x - self.metrics.between // 2 else Side.HEX

    def _column_at(self, x: int, side: Side) -> int:
        x -= self.cell_x(0, side)
        if side is Side.TEXT:
            column = x // self.metrics.text
        else:
            unit = self.form.unit
            wide = self.form.grouped // unit
            group, within = divmod(x, wide * self.cell + self.metrics.gap)
            column = (group * wide + min(within // self.cell, wide - 1)) * unit
            return min(max(0, column), self.row_bytes - unit)
        return min(max(0, column), self.row_bytes - 1)


def _box(left: float, top: float, right: float, bottom: float) -> list[Point]:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def digits_for(size: int, radix: int = 16) -> int:
    """Digits for the last offset of a file: eight at least, an even number."""
    last = max(0, size - 1)
    digits = max(LEAST_DIGITS, len(hexadecimal(last) if radix == 16 else str(last)))
    return digits + digits % 2


def fit(
    metrics: Metrics, size: int, width: int, form: Form = FORM, *, has_text: bool = True, least: int = LEAST_ROW
) -> Layout:
    """The layout with the widest row that a view of `width` device pixels can hold; `least` bytes, or a cell."""
    step = form.group if form.group in (8, 16) else GROUP
    usual = range(form.most, ROW_WIDTHS[-1] - 1, -step)
    widths = (form.snapped(row_bytes) for row_bytes in (*usual, least))
    layouts = [Layout(metrics, size, row_bytes, form, has_text) for row_bytes in widths]
    return next((layout for layout in layouts if layout.width <= width), layouts[-1])


def fixed(metrics: Metrics, size: int, row_bytes: int, form: Form, *, has_text: bool = True) -> Layout:
    """The layout with rows of a width that was asked for, as far as it is one of whole cells."""
    return Layout(metrics, size, form.snapped(row_bytes), form, has_text)
