"""Composes the rows of a view in images, one a column: gutter, hex cells, gaps, text. Only rows asked for are made."""

from __future__ import annotations

from functools import partial
from math import ceil
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFont, QImage, QPainter

from viewer.ui.hexview import atlas
from viewer.ui.hexview.atlas import BLANK, LEAST_CELLS, Cells, Coverage, Face, Pixels, Tiles
from viewer.ui.hexview.edges import Edges
from viewer.ui.hexview.grounds import Grounds
from viewer.ui.hexview.layout import GROUP, Layout, Side
from viewer.ui.theme import Theme

Cellwise = npt.NDArray[np.int32]
PAIR_BITS: Final = 8
HEX: Final = 16


class Strip:
    """Cells side by side without gaps, `columns` of them in each of `rows` rows, as an image to blit from."""

    def __init__(self, rows: int, columns: int, height: int, width: int) -> None:
        self.width = width
        self._height = height
        self.pixels = np.zeros((rows, height, columns * width), np.uint32)
        self._cells: Cells = self.pixels.view(np.dtype((np.void, width * 4)))
        across = max(1, columns * width)
        data = self.pixels.data if self.pixels.size else np.zeros((rows, height, 1), np.uint32).data
        self._image = QImage(data, across, rows * height, across * 4, QImage.Format.Format_RGB32)

    def cells(self, first: int, stop: int) -> Cells:
        """The lines of the cells of some rows, to be written: shape (rows, height, columns)."""
        return self._cells[first:stop]

    def scroll(self, rows: int) -> None:
        """Move the rows up, or down when negative."""
        if rows > 0:
            self.pixels[:-rows] = self.pixels[rows:]
        else:
            self.pixels[-rows:] = self.pixels[:rows].copy()

    def blit(self, painter: QPainter, x: int, rows: tuple[int, int], column: int, count: int) -> None:
        """Draw `count` cells of the rows [first, last] from a column on, at pixel `x`."""
        top, height = rows[0] * self._height, (rows[1] - rows[0] + 1) * self._height
        painter.drawImage(QPoint(x, top), self._image, QRect(column * self.width, top, count * self.width, height))


class Canvas:
    """The rows of a view for one theme, font and layout."""

    def __init__(self, theme: Theme, face: Face, encoding: str = atlas.ASCII) -> None:
        self._theme = theme
        self._face = face
        self._pane = theme.color("pane")
        metrics = face.metrics
        grounds = Grounds(theme, metrics)
        edges = Edges(theme, grounds, metrics.row)
        ink = partial(_ink, face=face)
        self._hex = Tiles(metrics.cell, ink(atlas.HEX_LABELS, metrics.cell), _only(0), grounds.hex_look, edges.of_hex())
        letters = atlas.text_labels(encoding)
        text = ink(letters, metrics.text)
        self._text = Tiles(metrics.text, text, _dots(letters), grounds.text_look, edges.of_text())
        blank = np.zeros((atlas.VALUES, metrics.row, metrics.gap), np.uint8)
        self._gaps = Tiles(metrics.gap, (blank, blank), _only(0), grounds.gap_look, edges.of_gaps())
        self._pair = ceil(2 * metrics.digit)
        self._offsets = self._offset_cells(face.regular, "muted")
        self._current = self._offset_cells(face.bold, "text")
        self.resize(Layout(metrics, 0, GROUP), 1)

    def resize(self, layout: Layout, rows: int) -> None:
        """Make room for `rows` rows of a layout; all of them are empty afterwards."""
        self.layout = layout
        self.rows = max(1, rows)
        height, width = layout.metrics.row, layout.row_bytes
        self._hex_strip = Strip(self.rows, width, height, self._hex.width)
        self._text_strip = Strip(self.rows, width, height, self._text.width)
        self._gap_strip = Strip(self.rows, (width - 1) // layout.form.group, height, self._gaps.width)
        self._offset_strip = Strip(self.rows, 1, height, layout.hex_x - layout.gutter_x)
        self._strips = (self._hex_strip, self._text_strip, self._gap_strip, self._offset_strip)

    def scroll(self, rows: int) -> None:
        """Move what is composed `rows` rows up (down when negative); the rows that come in are stale."""
        if rows and abs(rows) < self.rows:
            for strip in self._strips:
                strip.scroll(rows)

    def compose(
        self,
        first: int,
        last: int,
        top_row: int,
        values: Cellwise,
        codes: dict[Side, Cellwise],
        gaps: Cellwise,
        caret: int,
    ) -> None:
        """Make the rows [first, last] counted from `top_row`. The arrays hold one item a cell of all rows of the view.

        `gaps` are the codes for what lies to the right of each cell.
        """
        width = self.layout.row_bytes
        step = max(1, LEAST_CELLS // width)
        for start in range(first, last + 1, step):
            stop = min(start + step, last + 1)
            cells = slice(start * width, stop * width)
            here = values[cells].reshape(-1, width)
            in_hex, in_text = (codes[side][cells].reshape(-1, width) for side in (Side.HEX, Side.TEXT))
            self._hex.gather(in_hex, here, self._hex_strip.cells(start, stop))
            self._text.gather(in_text, here, self._text_strip.cells(start, stop))
            self._compose_gaps(start, stop, gaps[cells].reshape(-1, width))
        self._compose_offsets(first, last, top_row, caret)

    def draw(self, painter: QPainter, first: int, last: int) -> None:
        """Draw the rows [first, last] with the ground around the bytes."""
        layout, rows = self.layout, (first, last)
        height = layout.metrics.row
        top, tall = first * height, (last - first + 1) * height
        painter.fillRect(0, top, layout.gutter_x, tall, self._pane)
        self._offset_strip.blit(painter, layout.gutter_x, rows, 0, 1)
        group = layout.form.group
        for column in range(0, layout.row_bytes, group):
            count = min(group, layout.row_bytes - column)
            self._hex_strip.blit(painter, layout.cell_x(column, Side.HEX), rows, column, count)
            if column:
                left = layout.cell_x(column, Side.HEX) - self._gaps.width
                self._gap_strip.blit(painter, left, rows, column // group - 1, 1)
        between = layout.hex_x + layout.hex_width
        painter.fillRect(between, top, layout.text_x - between, tall, self._pane)
        self._text_strip.blit(painter, layout.text_x, rows, 0, layout.row_bytes)

    def _compose_gaps(self, start: int, stop: int, codes: Cellwise) -> None:
        group = self.layout.form.group
        before = codes[:, group - 1 : self.layout.row_bytes - 1 : group]
        if before.shape[1]:
            blank = np.full(before.shape, BLANK, np.int32)
            self._gaps.gather(before, blank, self._gap_strip.cells(start, stop))

    def _compose_offsets(self, first: int, last: int, top_row: int, caret: int) -> None:
        """Write the gutter, two digits at a time; rows behind the end of the file have none."""
        layout, pixels = self.layout, self._offset_strip.pixels
        shown = min(last, layout.rows - 1 - top_row)
        pixels[first : last + 1] = self._pane.rgb()
        if shown < first:
            return
        numbers = np.arange(top_row + first, top_row + shown + 1, dtype=np.int64) * layout.row_bytes
        numbers -= layout.form.base
        told = numbers >= 0
        current = layout.row_of(caret) - top_row if layout.size else -1
        for pair in range(layout.digits // 2):
            digits = _pair(numbers, layout.digits // 2 - 1 - pair, layout.form.radix)
            x = round(pair * 2 * layout.metrics.digit)
            pixels[first : shown + 1, :, x : x + self._pair] = self._offsets[digits]
            if first <= current <= shown:
                pixels[current, :, x : x + self._pair] = self._current[digits[current - first]]
        pixels[first : shown + 1][~told] = self._pane.rgb()

    def _offset_cells(self, font: QFont, role: str) -> Pixels:
        """Pairs of digits as tight as text: the hex column's cells without their margins."""
        ink = atlas.coverage(atlas.HEX_LABELS, font, self._hex.width, self._face.metrics.row)
        left = (self._hex.width - self._pair) // 2
        return atlas.blend_table(self._pane, self._theme.color(role))[ink[:, :, left : left + self._pair]]


def _ink(labels: tuple[str, ...], width: int, *, face: Face) -> tuple[Coverage, Coverage]:
    height = face.metrics.row
    return atlas.coverage(labels, face.regular, width, height), atlas.coverage(labels, face.bold, width, height)


def _pair(numbers: npt.NDArray[np.int64], place: int, radix: int) -> npt.NDArray[np.int64]:
    """Two digits of each number, counted in pairs from the right, as the byte that is written so in hexadecimal."""
    decimal = numbers // 100**place % 100
    pair: npt.NDArray[np.int64] = decimal // 10 * HEX + decimal % 10
    if radix == HEX:
        pair = (numbers >> (PAIR_BITS * place)) & 0xFF
    return pair


def _only(value: int) -> npt.NDArray[np.bool_]:
    only = np.zeros(atlas.VALUES, np.bool_)
    only[value] = True
    return only


def _dots(letters: tuple[str, ...]) -> npt.NDArray[np.bool_]:
    return np.array([*(letter == atlas.DOT for letter in letters), True])
