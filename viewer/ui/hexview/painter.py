"""Draws the rows of a view: gutter, hex cells or numbers, gaps, text. Only what is asked for is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QFont, QPainter

from viewer.ui.hexview import atlas, inks, marks, numbers, texts
from viewer.ui.hexview.atlas import Coverage, Face, Pixels, Tiles
from viewer.ui.hexview.column import BAND, Band, Column, Lane, lines
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
    """What is drawn: the rows of `content` from `top_row` on, in the codes of each column, one a byte."""

    content: Content
    top_row: int
    codes: dict[Side, Codes]
    caret: int


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Rows of cells of a column from `start` on: arrays of the shape (rows, cells).

    `over`: draws over the pixels of some rows, the first of which it is told.
    """

    column: Column
    start: int
    codes: Codes
    values: npt.NDArray[np.int32]
    over: Callable[[int, Pixels], None] | None = None

    @property
    def left(self) -> int:
        """Left edge of the first cell."""
        return self.column.x_of(self.start // self.column.group)

    @property
    def right(self) -> int:
        """Where the gap behind the last group of these cells ends."""
        return self.column.x_of((self.start + self.codes.shape[1] - 1) // self.column.group + 1)


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
        usual, current = self._offset_cells(face.regular, "muted"), self._offset_cells(face.bold, "text")
        self._offsets = lines(np.concatenate([usual[: atlas.BLANK], current]))
        self.resize(Layout(metrics, 0, GROUP, form))

    def _byte_tiles(self) -> Tiles:
        ink = _ink(atlas.hex_labels(), self._face.metrics.cell, self._face)
        return Tiles(self._face.metrics.cell, ink, self._classes, self._grounds.hex_look, self._edges.of_hex())

    def _number_tiles(self) -> Tiles:
        width = self._face.metrics.text
        ink = _ink(numbers.GLYPHS, width, self._face)
        return Tiles(
            width, ink, _only(numbers.ZERO), self._grounds.number_look, self._edges.of_hex(), most=MOST_LETTERS
        )

    def resize(self, layout: Layout) -> None:
        """Draw rows of another layout."""
        self._made: tuple[Band, list[Lane]]
        self.layout = layout
        self._made_for: tuple[object, ...] = ()
        self._gutter: Pixels = np.empty((0, 0, 0), np.uint32)
        form, gap = layout.form, layout.metrics.gap
        letters, cells = max(1, form.cells.letters), form.grouped // form.unit
        wide = cells * layout.cell
        self._in_hex = Column(self._hex, layout.hex_x, layout.cells * letters, cells * letters, gap, letters)
        gaps = (layout.row_bytes - 1) // form.grouped
        self._between = Column(self._gaps, layout.hex_x + wide, gaps, 1, wide)
        self._in_text = Column(self._text, layout.text_x, layout.letters, layout.row_bytes, 0)

    def in_view(self, left: int, right: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """The columns of bytes [start, stop) between two pixels: those of the hex cells, and those of the text."""
        start, stop = self._in_hex.between(left, right)
        letters, unit = max(1, self.layout.form.cells.letters), self.layout.form.unit
        # A letter of several bytes may reach into the window.
        first, after = self._in_text.between(left, right)
        around = texts.LONGEST - 1
        text = (max(0, first - around), min(after + around, self.layout.letters)) if first < after else (first, after)
        return (start // letters * unit, stop // letters * unit), text

    def draw(self, painter: QPainter, first: int, last: int, left: int, right: int, window: Window) -> None:
        """Draw what lies between two pixels of the rows [first, last], as far as rows reach."""
        if left >= self.layout.width:
            return
        rows = slice(first, last + 1)
        in_hex, in_text = self.in_view(left, right)
        drawn = self._hex_cells(rows, in_hex, window) if in_hex[0] < in_hex[1] else []
        drawn += self._letters_of_text(rows, in_text, window) if in_text[0] < in_text[1] else []
        drawn = [part for part in drawn if part.codes.size]
        offsets = self._offset_lines(rows, window) if left < self.layout.hex_x else None
        count, height = last - first + 1, self.layout.metrics.row
        band, lanes = self._band(count, left, min(right + 1, self.layout.width), drawn)
        step = len(band.pixels)
        most = max(1, min((part.column.tiles.most // part.codes.shape[1] for part in drawn), default=count))
        for begin in range(0, count, most):
            end = min(begin + most, count)
            slots = [part.column.tiles.slots(part.codes[begin:end], part.values[begin:end]) for part in drawn]
            for at in range(begin, end, step):
                stop = min(at + step, end)
                if offsets is not None:
                    x = self.layout.gutter_x - band.x
                    lines(band.pixels[: stop - at, :, x : x + offsets.shape[-1]])[...] = lines(offsets[at:stop])
                for part, lane, where in zip(drawn, lanes, slots, strict=True):
                    lane.write(where[at - begin : stop - begin], partial(part.over, at) if part.over else None)
                band.draw(painter, (first + at) * height, stop - at)

    def _band(self, rows: int, left: int, right: int, drawn: list[Drawn]) -> tuple[Band, list[Lane]]:
        """Room between two pixels for what is drawn, as many rows as stay in the cache; the last one where it fits."""
        if left < self.layout.hex_x:
            left, right = min(left, self.layout.gutter_x), max(right, self.layout.hex_x)
        x, right = min([left, *(part.left for part in drawn)]), max([right, *(part.right for part in drawn)])
        height = self.layout.metrics.row
        step = min(rows, max(1, BAND // (height * (right - x) * 4)))
        wanted = (x, right, step, *((part.start, part.codes.shape[1]) for part in drawn))
        if wanted != self._made_for:
            band = Band(x, right - x, step, height, self._pane.rgb())
            lanes = [Lane(part.column, band, part.start, part.start + part.codes.shape[1]) for part in drawn]
            self._made_for, self._made = wanted, (band, lanes)
        return self._made

    def _hex_cells(self, rows: slice, columns: tuple[int, int], window: Window) -> list[Drawn]:
        """Cells and the gaps between them."""
        start, stop = columns
        content, form = window.content, self.layout.form
        part = rows, content.place(start, stop)
        codes, values = _table(window.codes[Side.HEX], content)[part], _table(content.values, content)[part]
        lettered, shape = codes, (len(codes), -1)
        if content.numbers is not None:
            codes = marks.cell_codes(codes.reshape(-1), form.unit)
            cells = _table(np.arange(len(content.values)), content)[part][:, :: form.unit].reshape(-1) // form.unit
            codes = marks.odd_codes(codes, content.numbers.odd[cells])
            glyphs = numbers.lettered(content.numbers, cells)
            lettered, values = marks.letter_codes(codes, glyphs.shape[1]), glyphs.astype(np.int32)
            codes, lettered, values = codes.reshape(shape), lettered.reshape(shape), values.reshape(shape)
        drawn = Drawn(self._in_hex, start // form.unit * max(1, form.cells.letters), lettered, values)
        # What is marked goes on through a gap; where nothing does, the regions do.
        gap = start // form.grouped
        count = min(-(-stop // form.grouped), self._between.count) - gap
        step = form.grouped // form.unit
        before = codes[:, step - 1 :: step][:, :count]
        under = _table(content.codes, content)[part][:, form.grouped - 1 :: form.grouped][:, :count]
        shown = np.where(before & marks.RIGHT, before, under)
        return [drawn, Drawn(self._between, gap, shown, np.full(shown.shape, atlas.BLANK, np.int32))]

    def _letters_of_text(self, rows: slice, columns: tuple[int, int], window: Window) -> list[Drawn]:
        start, stop = columns
        content = window.content
        place = content.place(start, stop)
        codes = _table(window.codes[Side.TEXT], content)
        letters = content.letters

        def over(first: int, pixels: Pixels) -> None:
            here = slice(rows.start + first, rows.start + first + len(pixels))
            self._letters.lay(pixels, self._text, letters, codes, here, place)

        values = _table(content.bytes_in_text, content)[rows, place]
        return [Drawn(self._in_text, start, codes[rows, place], values, over if len(letters.at) else None)]

    def _offset_lines(self, rows: slice, window: Window) -> Pixels:
        """The gutter of some rows: shape (rows, height, width); rows behind the end of the file have no offset."""
        layout, count = self.layout, rows.stop - rows.start
        if len(self._gutter) != count:
            shape = (count, layout.metrics.row, layout.hex_x - layout.gutter_x)
            self._gutter = np.full(shape, self._pane.rgb(), np.uint32)
        top = window.top_row + rows.start
        shown = max(0, min(count, layout.rows - top))
        self._gutter[shown:] = self._pane.rgb()
        if shown:
            start = layout.grid.offset_of(top)
            offsets = start + np.arange(shown, dtype=np.int64) * layout.row_bytes
            # The first row may begin before the first byte.
            offsets[0] = max(0, start)
            current = layout.row_of(window.caret) - top if layout.size else -1
            self._write_offsets(self._gutter[:shown], offsets - layout.form.base, current)
        return self._gutter

    def _write_offsets(self, pixels: Pixels, offsets: npt.NDArray[np.int64], current: int) -> None:
        """Two digits at a time. That of the `current` row stands out, those below 0 are not told."""
        digits, radix = self.layout.digits, self.layout.form.radix
        for pair in range(digits // 2):
            tiles = _pair(offsets, digits // 2 - 1 - pair, radix)
            x = round(pair * 2 * self.layout.metrics.digit)
            into = lines(pixels[:, :, x : x + self._pair])
            into[...] = self._offsets[tiles[0] if (tiles == tiles[0]).all() else tiles]
            if 0 <= current < len(offsets):
                into[current] = self._offsets[tiles[current] + atlas.BLANK]
        if offsets[0] < 0:
            pixels[offsets < 0] = self._pane.rgb()

    def _offset_cells(self, font: QFont, role: str) -> Pixels:
        """Pairs of digits as tight as text: the hex column's cells without their margins."""
        width = self._face.metrics.cell
        ink = atlas.coverage(atlas.hex_labels(), font, width, self._face.metrics.row)
        left = (width - self._pair) // 2
        return atlas.blend_table(self._pane, self._theme.color(role))[ink[:, :, left : left + self._pair]]


def _table(array: npt.NDArray[Any], content: Content) -> npt.NDArray[Any]:
    """An array of a content with a row for each of the window."""
    return array.reshape(-1, content.width)


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
