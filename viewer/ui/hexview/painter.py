"""Composes the rows of a view: gutter, hex cells or numbers, gaps, text. Only rows asked for are made."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QFont, QPainter

from viewer.ui.hexview import atlas, inks, marks, numbers
from viewer.ui.hexview.atlas import Coverage, Face, Pixels, Tiles
from viewer.ui.hexview.column import Column, Strip
from viewer.ui.hexview.edges import Edges
from viewer.ui.hexview.grounds import Grounds
from viewer.ui.hexview.layout import FORM, GROUP, Form, Layout, Side
from viewer.ui.hexview.letter_ink import LetterInk
from viewer.ui.hexview.texts import ASCII

if TYPE_CHECKING:
    from viewer.ui.hexview.content import Content
    from viewer.ui.hexview.marks import Codes
    from viewer.ui.theme import Theme

PAIR_BITS: Final = 8
HEX: Final = 16
MOST_LETTERS: Final = 12 * 1024
"""Letters of the numbers in the widest row."""


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """What is composed: the rows of `content` from `top_row` on, in the codes of each column, one a byte."""

    content: Content
    top_row: int
    codes: dict[Side, Codes]
    caret: int


class Canvas:
    """The rows of a view for one theme, font and layout."""

    def __init__(self, theme: Theme, face: Face, encoding: str = ASCII, form: Form = FORM) -> None:
        self._theme = theme
        self._face = face
        self._pane = theme.color("pane")
        metrics = face.metrics
        self._grounds = Grounds(theme, metrics, shading=form.shading)
        self._edges = Edges(theme, self._grounds, metrics.row)
        self._classes = inks.classes() if form.shading else _only(0)
        self._hex = self._number_tiles() if form.cells.dtype else self._byte_tiles()
        letters = atlas.text_labels(encoding)
        classes = self._classes if form.shading else _dots(letters)
        ink = _ink(letters, metrics.text, face)
        small = atlas.KEPT_SMALL
        self._text = Tiles(metrics.text, ink, classes, self._grounds.text_look, self._edges.of_text(), kept=small)
        blank = np.zeros((atlas.VALUES, metrics.row, metrics.gap), np.uint8)
        self._gaps = Tiles(
            metrics.gap, (blank, blank), _only(0), self._grounds.gap_look, self._edges.of_gaps(), kept=small
        )
        self._letters = LetterInk(face)
        self._pair = ceil(2 * metrics.digit)
        self._offsets = self._offset_cells(face.regular, "muted")
        self._current = self._offset_cells(face.bold, "text")
        self.resize(Layout(metrics, 0, GROUP, form), 1, 0)

    def _byte_tiles(self) -> Tiles:
        ink = _ink(atlas.hex_labels(), self._face.metrics.cell, self._face)
        return Tiles(self._face.metrics.cell, ink, self._classes, self._grounds.hex_look, self._edges.of_hex())

    def _number_tiles(self) -> Tiles:
        width = self._face.metrics.text
        ink = _ink(numbers.GLYPHS, width, self._face)
        return Tiles(
            width, ink, _only(numbers.ZERO), self._grounds.number_look, self._edges.of_hex(), most=MOST_LETTERS
        )

    def resize(self, layout: Layout, rows: int, width: int) -> None:
        """Make room for `rows` rows of a layout in a window of a width; all of them are empty afterwards."""
        self.layout = layout
        self.rows = max(1, rows)
        metrics, form = layout.metrics, layout.form
        letters, cells, gap = max(1, form.cells.letters), form.grouped // form.unit, metrics.gap
        wide = cells * layout.cell
        self._gutter = Strip(self.rows, 1, metrics.row, layout.hex_x - layout.gutter_x)
        self._gutter.pixels.fill(self._pane.rgb())
        self._in_hex = Column(self.rows, self._hex, layout.hex_x, layout.cells * letters, cells * letters, gap, width)
        gaps = (layout.row_bytes - 1) // form.grouped
        self._between = Column(self.rows, self._gaps, layout.hex_x + wide, gaps, 1, wide, width)
        self._in_text = Column(self.rows, self._text, layout.text_x, layout.row_bytes, layout.row_bytes, 0, width)
        self._columns = (self._in_hex, self._between, self._in_text)

    def cover(self, left: int, right: int) -> bool:
        """Make sure that what lies between two pixels is composed; True where all rows are stale now."""
        moved = [column.cover(left, right) for column in self._columns]
        return True in moved

    def scroll(self, rows: int) -> None:
        """Move what is composed `rows` rows up (down when negative); the rows that come in are stale."""
        if rows and abs(rows) < self.rows:
            for strip in (self._gutter, *(column.strip for column in self._columns)):
                strip.scroll(rows)

    def compose(self, first: int, last: int, window: Window) -> None:
        """Make the rows [first, last] counted from the window's top row."""
        width, content = self.layout.row_bytes, window.content
        part = slice(first * width, (last + 1) * width)
        in_hex = self._compose_hex(first, part, window)
        self._compose_gaps(first, in_hex, content.codes[part])
        in_text = window.codes[Side.TEXT]
        self._in_text.compose(first, in_text[part].reshape(-1, width), content.bytes_in_text[part].reshape(-1, width))
        if len(content.letters.at):
            rows, codes = (first, last + 1), in_text.reshape(-1, width)
            self._letters.lay(self._in_text, content.letters, codes, rows)
        self._compose_offsets(first, last, window.top_row, window.caret)

    def draw(self, painter: QPainter, first: int, last: int, left: int, right: int) -> None:
        """Draw what lies between two pixels of the rows [first, last], with the ground around the bytes."""
        layout, rows = self.layout, (first, last)
        height = layout.metrics.row
        top, tall = first * height, (last - first + 1) * height
        painter.fillRect(0, top, layout.gutter_x, tall, self._pane)
        self._gutter.blit(painter, layout.gutter_x, rows, 0, 1)
        for column in self._columns:
            column.draw(painter, rows, left, right)
        between = layout.hex_x + layout.hex_width
        painter.fillRect(between, top, layout.text_x - between, tall, self._pane)

    def _compose_hex(self, first: int, part: slice, window: Window) -> Codes:
        """Write the cells; gives their codes."""
        content, unit = window.content, self.layout.form.unit
        codes, values = window.codes[Side.HEX][part], content.values[part]
        if content.numbers is not None:
            cells = slice(part.start // unit, part.stop // unit)
            codes = marks.odd_codes(marks.cell_codes(codes, unit), content.numbers.odd[cells])
            glyphs = numbers.lettered(content.numbers, cells)
            values = glyphs.reshape(-1).astype(np.int32)
            lettered = marks.letter_codes(codes, glyphs.shape[1])
        else:
            lettered = codes
        shape = (-1, self._in_hex.count)
        self._in_hex.compose(first, lettered.reshape(shape), values.reshape(shape))
        return codes

    def _compose_gaps(self, first: int, codes: Codes, regions: Codes) -> None:
        """What is marked goes on through a gap; where nothing does, the regions do."""
        if not self._between.count:
            return
        cells, unit = self.layout.cells, self.layout.form.unit
        step = self.layout.form.grouped // unit
        before = codes.reshape(-1, cells)[:, step - 1 : cells - 1 : step]
        under = regions.reshape(-1, cells, unit)[:, step - 1 : cells - 1 : step, unit - 1]
        shown = np.where(before & marks.RIGHT, before, under)
        self._between.compose(first, shown, np.full(shown.shape, atlas.BLANK, np.int32))

    def _compose_offsets(self, first: int, last: int, top_row: int, caret: int) -> None:
        """Write the gutter, two digits at a time; rows behind the end of the file have none."""
        layout, pixels = self.layout, self._gutter.pixels
        shown = min(last, layout.rows - 1 - top_row)
        pixels[max(first, shown + 1) : last + 1] = self._pane.rgb()
        if shown < first:
            return
        start = layout.grid.offset_of(top_row + first)
        offsets = start + np.arange(shown - first + 1, dtype=np.int64) * layout.row_bytes
        # The first row may begin before the first byte.
        offsets[0] = max(0, start)
        offsets -= layout.form.base
        told = offsets >= 0
        current = layout.row_of(caret) - top_row if layout.size else -1
        for pair in range(layout.digits // 2):
            digits = _pair(offsets, layout.digits // 2 - 1 - pair, layout.form.radix)
            x = round(pair * 2 * layout.metrics.digit)
            pixels[first : shown + 1, :, x : x + self._pair] = self._offsets[digits]
            if first <= current <= shown:
                pixels[current, :, x : x + self._pair] = self._current[digits[current - first]]
        if not told.all():
            pixels[first : shown + 1][~told] = self._pane.rgb()

    def _offset_cells(self, font: QFont, role: str) -> Pixels:
        """Pairs of digits as tight as text: the hex column's cells without their margins."""
        width = self._face.metrics.cell
        ink = atlas.coverage(atlas.hex_labels(), font, width, self._face.metrics.row)
        left = (width - self._pair) // 2
        return atlas.blend_table(self._pane, self._theme.color(role))[ink[:, :, left : left + self._pair]]


def _ink(labels: tuple[str, ...], width: int, face: Face) -> tuple[Coverage, Coverage]:
    height = face.metrics.row
    return atlas.coverage(labels, face.regular, width, height), atlas.coverage(labels, face.bold, width, height)


def _pair(offsets: npt.NDArray[np.int64], place: int, radix: int) -> npt.NDArray[np.int64]:
    """Two digits of each offset, counted in pairs from the right, as the byte that is written so in hexadecimal."""
    decimal = offsets // 100**place % 100
    pair: npt.NDArray[np.int64] = decimal // 10 * HEX + decimal % 10
    if radix == HEX:
        pair = (offsets >> (PAIR_BITS * place)) & 0xFF
    return pair


def _only(value: int) -> npt.NDArray[np.bool_]:
    only = np.zeros(atlas.VALUES, np.bool_)
    only[value] = True
    return only


def _dots(letters: tuple[str, ...]) -> npt.NDArray[np.bool_]:
    return np.array([*(letter == atlas.DOT for letter in letters), True])
