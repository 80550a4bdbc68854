"""The picture of the view: which rows are in it, which of them a change touches, and how they come on the screen.

All lengths are device pixels. The widget tells what changed and asks for the parts that need paint; it keeps what was
painted, and moves it when the rows scroll.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter

from viewer.core.span import Span
from viewer.ui.hexview import atlas, layout, looks, marks, overlay, scroll
from viewer.ui.hexview.content import Columns, Content, Finder
from viewer.ui.hexview.layout import FORM, Layout, Side
from viewer.ui.hexview.looks import Looks, Rows
from viewer.ui.hexview.marks import Marks
from viewer.ui.hexview.painter import Canvas, Window

if TYPE_CHECKING:
    from viewer.ui.theme import Theme

MOST_HITS: Final = 4096
WHOLE: Final = 1024
"""Bytes of a row up to which all of it is read; of a wider one the columns in view, in steps of COLUMNS."""

COLUMNS: Final = 64


@dataclass(frozen=True, slots=True)
class Moment:
    """What passes: whether the caret is lit, and the row that a jump lights up."""

    caret_lit: bool = False
    flash_row: int | None = None


class Surface:
    """Rows of a file from `top_row` on, `shown` of them (the last may be cut), `whole` of them entire.

    `held`: offset of a byte whose row stays the top one, however wide rows become, until others are scrolled to.
    """

    def __init__(self, theme: Theme) -> None:
        self.content = Content()
        self.marks = Marks()
        self.fixed: int | None = None
        self.has_text = True
        self.form = FORM
        self.finder: Finder | None = None
        self.differences: Finder | None = None
        self.changed: Finder | None = None
        self.labels = ("", "")
        self.top_row = 0
        self.held: int | None = None
        self.shown = self.whole = 1
        self._width = self._height = self._shift = 0
        self._known: dict[Side, marks.Codes] | None = None
        self._underlined: tuple[Span, tuple[Span, ...]] | None = None
        self.layout = Layout(atlas.face(theme, 1.0).metrics, 0, layout.ROW_WIDTHS[0])
        self.dress(theme, 1.0, 1.0)

    def dress(self, theme: Theme, dpr: float, zoom: float) -> None:
        """Take the colours of a theme and the sizes of a device pixel ratio and zoom."""
        self.theme, self.dpr = theme, dpr
        self._header_of: tuple[object, ...] | None = None
        self.face = atlas.face(theme, dpr, zoom)
        self._canvas: Canvas | None = None
        self.arrange(self._width, self._height)

    @property
    def canvas(self) -> Canvas:
        """What draws the rows; made when it is first wanted, since many views are never seen."""
        if self._canvas is None:
            self._canvas = Canvas(self.theme, self.face, self.content.encoding, self.form)
            self._canvas.resize(self.layout)
        return self._canvas

    def arrange(self, width: int, height: int) -> None:
        """Fit the rows to a window, header included. The caret keeps its line if in view, else the first byte does."""
        before, anchor = self.layout, self._anchor()
        line = before.row_of(anchor) - self.top_row if anchor != self.held else 0
        self._width, self._height = width, height
        metrics, size = self.face.metrics, self.content.reader.size
        if self.fixed:
            self.layout = layout.fixed(metrics, size, self.fixed, self.form, has_text=self.has_text)
        else:
            self.layout = layout.fit(metrics, size, width, self.form, has_text=self.has_text)
        room = max(0, height - metrics.header)
        self.shown, self.whole = max(1, -(-room // metrics.row)), max(1, room // metrics.row)
        if self._canvas is not None:
            self._canvas.resize(self.layout)
        self.refresh()
        line = min(line, self.whole - 1)
        self.top_row = min(max(0, self.layout.row_of(anchor) - line), self.last_top)

    def _anchor(self) -> int:
        if self.held is not None:
            if self.top_row == min(self.layout.row_of(self.held), self.last_top):
                return self.held
            self.held = None
        caret_row = self.layout.row_of(self.marks.caret)
        if self.top_row <= caret_row < self.top_row + self.whole:
            return self.marks.caret
        return max(0, self.layout.grid.offset_of(self.top_row))

    def _shows(self, row: int) -> bool:
        """True for a row in view: only its pixels are small enough for Qt."""
        return self.top_row <= row < self.top_row + self.shown

    @property
    def width(self) -> int:
        """Width of the window."""
        return self._width

    @property
    def last_top(self) -> int:
        """The top row that shows the end of the file."""
        return scroll.last_top_row(self.layout.rows, self.whole)

    @property
    def visible(self) -> Span:
        """The bytes that are at least partly in view."""
        return self.layout.grid.rows_span(self.top_row, self.top_row + self.shown - 1)

    def refresh(self, *, bytes_too: bool = True) -> None:
        """Everything in view is another: bytes, regions or hits."""
        if bytes_too:
            self.content.forget()
        self._known = self._underlined = None

    def looks(self) -> Looks | None:
        """How what is in view looks; None where it was not drawn since something else has changed."""
        if self._known is None:
            return None
        content = self.content
        place = self.layout, content.first, content.columns, len(content.values), content.encoding
        tables = content.values, content.bytes_in_text, content.codes, *self._known.values()
        under = self._underlined[1] if self._underlined else ()
        lined = overlay.lined(self.marks.hits), under
        loose = content.letters.at, content.letters.points
        return Looks(place, content.width, tables, loose, tuple(map(frozenset, lined)))

    def others(self, before: Looks | None) -> list[Rows]:
        """The ranges [first, last] of rows in view that look another way than before `refresh`."""
        if before is not None:
            self.look()
            self.codes()
            if self.differences is not None:
                self._differing()
        after = self.looks()
        if after is None:
            return [(0, self.shown - 1)]
        return looks.other_rows(before, after, self.layout.grid, self.top_row, self.shown)

    def mark(self, after: Marks) -> list[Rows]:
        """Take other marks; gives the ranges [first, last] of rows in view that need paint."""
        before, self.marks = self.marks, after
        grid, cells = self.layout.grid, []
        if (before.side, before.focused) == (after.side, after.focused):
            cells += marks.changed_rows(before.selection, after.selection, grid)
        else:
            cells += [grid.rows_of(span) for span in (*before.chosen, *after.chosen)]
        if before.several != after.several:
            cells += [grid.rows_of(span) for span in (*before.chosen, *after.chosen)]
        if self.layout.row_of(before.caret) != self.layout.row_of(after.caret):
            cells += [grid.rows_of(Span(offset, offset + 1)) for offset in (before.caret, after.caret)]
        lines = [] if before.linked == after.linked else [*before.linked, *after.linked]
        if before.hover != after.hover:
            lines += [span for span in (before.hover, after.hover) if span]
        if before.highlights != after.highlights:
            lines += [span for span, _ in (*before.highlights, *after.highlights)]
        lines += [Span(offset, offset + 1) for offset in before.bookmarks ^ after.bookmarks]
        if before.caret != after.caret or before.side != after.side:
            lines += [Span(before.caret, before.caret + 1), Span(after.caret, after.caret + 1)]
        if cells:
            self._known = None
        return self._in_view(chain(cells, map(grid.rows_of, lines)))

    def _in_view(self, ranges: Iterable[Rows]) -> list[Rows]:
        """Counted from the top row; a row more on both sides, since lines stand on the edges."""
        counted = [(first - 1 - self.top_row, last + 1 - self.top_row) for first, last in ranges]
        return [
            (max(0, first), min(last, self.shown - 1)) for first, last in counted if last >= 0 and first < self.shown
        ]

    def rect(self, rows: Rows) -> QRect:
        """The rows [first, last], counted from the top row, in the window."""
        metrics = self.face.metrics
        return QRect(0, metrics.header + rows[0] * metrics.row, self._width, (rows[1] - rows[0] + 1) * metrics.row)

    def row_rect(self, row: int) -> QRect:
        """A row of the file in the window; empty when it is out of view."""
        return self.rect((row - self.top_row, row - self.top_row)) if self._shows(row) else QRect()

    def caret_rect(self, shift: int) -> QRect:
        """The byte that the caret stands on, scrolled `shift` to the left; empty when it is out of view."""
        if not self._shows(self.layout.row_of(self.marks.caret)):
            return QRect()
        stage = overlay.Stage(self.layout, self.top_row, 0, self.shown - 1, shift, shift + self._width)
        cell = stage.cell(self.marks.caret, self.marks.side)
        return cell.translated(-shift, self.face.metrics.header).toAlignedRect()

    @property
    def depends_on_view(self) -> bool:
        """True where a row may look another way for what else is in view: many hits have no lines."""
        return self.finder is not None

    def look(self) -> None:
        """Read what is in view."""
        columns = self._columns() if self.layout.row_bytes > WHOLE else None
        if self.content.load(self.layout, self.top_row, self.shown, columns):
            self._known = None

    def _columns(self) -> Columns:
        """Those in view, as bytes and as text, with some around them."""
        form, row_bytes = self.layout.form, self.layout.row_bytes
        step = max(1, COLUMNS // form.unit) * form.unit
        ranges = [
            (start - start % step, min(stop + -stop % step, row_bytes))
            for start, stop in self.canvas.in_view(self._shift, self._shift + self._width)
            if start < stop
        ]
        if len(ranges) == 2 and max(ranges)[0] <= min(ranges)[1]:
            ranges = [(min(ranges)[0], max(stop for _, stop in ranges))]
        return tuple(sorted(ranges)) or ((0, min(step, row_bytes)),)

    def codes(self) -> dict[Side, marks.Codes]:
        """The regions' codes with hits and selection laid over them, one array a column."""
        if self._known is not None:
            return self._known
        hits = self._find(self.finder)
        changed = self._find(self.changed)
        self.marks = replace(self.marks, hits=hits)
        self._known = {}
        for side in Side:
            cells = self.content.codes.copy()
            active = self.marks.focused and self.marks.side is side
            for hit in (*changed, *hits):
                self.content.mark(cells, hit, marks.HIT)
            for span in self.marks.chosen:
                selection = span.clipped(self.layout.size)
                self.content.mark(cells, selection, marks.SELECTED if active else marks.PASSIVE)
            self._known[side] = cells
        return self._known

    def _find(self, finder: Finder | None) -> tuple[Span, ...]:
        if finder is None:
            return ()
        spans = (span for span in self.content.spans(self.layout.size) if span.length)
        found = (Span(start, stop) for span in spans for start, stop in finder(span.start, span.stop))
        return tuple(hit for _, hit in zip(range(MOST_HITS), found, strict=False))

    def _differing(self) -> tuple[Span, ...]:
        """What of the bytes in view has a line under it."""
        view = self.visible
        if self._underlined is None or self._underlined[0] != view:
            found = self.differences(view.start, view.stop) if self.differences is not None else ()
            self._underlined = view, tuple(Span(start, stop) for start, stop in found)
        return self._underlined[1]

    def paint(self, painter: QPainter, area: QRect, shift: int, moment: Moment) -> None:
        """Paint what lies in `area` of the window; the rows are scrolled `shift` to the left."""
        self._shift = shift
        self.look()
        header, row = self.face.metrics.header, self.face.metrics.row
        right = self.layout.width - shift
        if right <= area.right():
            painter.fillRect(right, area.top(), area.right() + 1 - right, area.height(), self.theme.color("pane"))
        first = max(0, (area.top() - header) // row)
        last = min(self.shown - 1, (area.bottom() - header) // row)
        painter.save()
        painter.translate(-shift, 0)
        if area.top() < header:
            self._paint_header(painter, shift)
        if last >= first:
            top = max(header, area.top())
            painter.setClipRect(QRect(area.left() + shift, top, area.width(), area.bottom() + 1 - top))
            painter.translate(0, header)
            self._paint_rows(painter, area.translated(shift, 0), first, last, moment)
        painter.restore()
        if area.top() < header:
            line = max(1, round(self.face.metrics.pixel))
            painter.fillRect(0, header - line, self._width, line, self.theme.color("border"))

    def _paint_header(self, painter: QPainter, shift: int) -> None:
        column = self.layout.column_of(self.marks.caret) if self.layout.size else None
        wanted = (self.layout, column, shift, self._width)
        if self._header_of != wanted:
            metrics = self.face.metrics
            self._header = QImage(max(1, self._width), metrics.header, QImage.Format.Format_RGB32)
            self._header.fill(self.theme.color("pane"))
            inner = QPainter(self._header)
            inner.translate(-shift, 0)
            overlay.header(inner, self.theme, self.face, self.layout, column, self.labels, (shift, shift + self._width))
            inner.end()
            self._header_of = wanted
        painter.drawImage(shift, 0, self._header)

    def _paint_rows(self, painter: QPainter, area: QRect, first: int, last: int, moment: Moment) -> None:
        window = Window(self.content, self.top_row, self.codes(), self.marks.caret)
        self.canvas.draw(painter, first, last, area.left(), area.right(), window)
        stage = overlay.Stage(self.layout, self.top_row, first, last, self._shift, self._shift + self._width)
        if self.form.lines:
            overlay.separators(painter, self.theme, stage)
        if moment.flash_row is not None and self._shows(moment.flash_row):
            overlay.flash(painter, self.theme, stage, moment.flash_row)
        overlay.paint(painter, self.theme, stage, self.marks)
        if self.differences is not None:
            overlay.underline(painter, self.theme, stage, self._differing())
        if moment.caret_lit and self.layout.size and self._shows(self.layout.row_of(self.marks.caret)):
            overlay.caret(painter, self.theme, stage, self.marks)
