"""Composes the rows of a view in one image: gutter, hex cells, text cells. Only the rows asked for are made."""

from __future__ import annotations

from functools import partial
from math import ceil
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QFont, QImage

from viewer.ui.hexview import atlas
from viewer.ui.hexview.atlas import BLANK, CAPACITY, Cells, Coverage, Face, Pixels, Tiles
from viewer.ui.hexview.grounds import Grounds
from viewer.ui.hexview.layout import GROUP, Layout, Side
from viewer.ui.theme import Theme

Cellwise = npt.NDArray[np.int32]
PAIR_BITS: Final = 8


class Canvas:
    """An image of `rows` rows for one theme, font and layout; `image` is what the view blits."""

    def __init__(self, theme: Theme, face: Face) -> None:
        self._theme = theme
        self._face = face
        self._pane = theme.color("pane").rgb()
        metrics = face.metrics
        grounds = Grounds(theme, metrics)
        ink = partial(_ink, face=face)
        self._hex = Tiles(metrics.cell, *ink(atlas.hex_labels(), metrics.cell), _only(0), grounds.hex_look)
        text = ink(atlas.text_labels(), metrics.text)
        self._text = Tiles(metrics.text, *text, _unprintable(), grounds.text_look)
        blank = np.zeros((atlas.VALUES, metrics.row, metrics.gap), np.uint8)
        self._gaps = Tiles(metrics.gap, blank, blank, _only(0), grounds.gap_look)
        self._pair = ceil(2 * metrics.digit)
        self._offsets = self._offset_cells(face.regular, "muted")
        self._current = self._offset_cells(face.bold, "text")
        self.resize(Layout(metrics, 0, GROUP), 1)

    def resize(self, layout: Layout, rows: int) -> None:
        """Make room for `rows` rows of a layout; all of them are empty afterwards."""
        self.layout = layout
        self.rows = max(1, rows)
        self._pixels = np.full((self.rows, layout.metrics.row, layout.width), self._pane, np.uint32)
        height = self.rows * layout.metrics.row
        self.image = QImage(self._pixels.data, layout.width, height, layout.width * 4, QImage.Format.Format_RGB32)

    def scroll(self, rows: int) -> None:
        """Move what is composed `rows` rows up (down when negative); the rows that come in are stale."""
        if 0 < rows < self.rows:
            self._pixels[:-rows] = self._pixels[rows:]
        elif 0 > rows > -self.rows:
            self._pixels[-rows:] = self._pixels[:rows].copy()

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
        """Draw the rows [first, last] counted from `top_row`. The arrays hold one item a cell of all rows of the view.

        `gaps` are the codes for what lies to the right of each cell.
        """
        width = self.layout.row_bytes
        step = max(1, CAPACITY // width)
        for start in range(first, last + 1, step):
            stop = min(start + step, last + 1)
            cells = slice(start * width, stop * width)
            here = values[cells].reshape(-1, width)
            in_hex = codes[Side.HEX][cells].reshape(-1, width)
            in_text = codes[Side.TEXT][cells].reshape(-1, width)
            self._place_hex(start, self._hex.gather(in_hex, here))
            self._place_gaps(start, gaps[cells].reshape(-1, width))
            self._place(start, self.layout.cell_x(0, Side.TEXT), self._text.gather(in_text, here))
        self._place_offsets(first, last, top_row, caret)

    def _place_hex(self, first: int, cells: Cells) -> None:
        for start in range(0, self.layout.row_bytes, GROUP):
            self._place(first, self.layout.cell_x(start, Side.HEX), cells[:, :, start : start + GROUP])

    def _place_gaps(self, first: int, codes: Cellwise) -> None:
        before = codes[:, GROUP - 1 : self.layout.row_bytes - 1 : GROUP]
        if before.shape[1] == 0:
            return
        gaps = self._gaps.gather(before, np.full(before.shape, BLANK, np.int32))
        for index in range(before.shape[1]):
            left = self.layout.cell_x((index + 1) * GROUP, Side.HEX) - self._gaps.width
            self._place(first, left, gaps[:, :, index : index + 1])

    def _place(self, first: int, left: int, cells: Cells) -> None:
        """Copy finished lines of cells side by side, from row `first` and pixel `left` on."""
        rows, height, columns = cells.shape
        size = cells.dtype.itemsize
        area: Cells = np.ndarray(
            (rows, height, columns),
            cells.dtype,
            self._pixels.data,
            first * self._pixels.strides[0] + left * 4,
            (self._pixels.strides[0], self._pixels.strides[1], size),
        )
        area[...] = cells

    def _place_offsets(self, first: int, last: int, top_row: int, caret: int) -> None:
        """Write the gutter, two digits at a time; rows behind the end of the file have none."""
        layout = self.layout
        shown = min(last, layout.rows - 1 - top_row)
        left, right = layout.gutter_x, layout.hex_x
        self._pixels[first : last + 1, :, left : right - 1] = self._pane
        if shown < first:
            return
        numbers = np.arange(top_row + first, top_row + shown + 1, dtype=np.int64) * layout.row_bytes
        current = layout.row_of(caret) - top_row if layout.size else -1
        for pair in range(layout.digits // 2):
            digits = (numbers >> (PAIR_BITS * (layout.digits // 2 - 1 - pair))) & 0xFF
            x = left + round(pair * 2 * layout.metrics.digit)
            self._pixels[first : shown + 1, :, x : x + self._pair] = self._offsets[digits]
            if first <= current <= shown:
                self._pixels[current, :, x : x + self._pair] = self._current[digits[current - first]]

    def _offset_cells(self, font: QFont, role: str) -> Pixels:
        ink = atlas.coverage(atlas.hex_labels(), font, self._pair, self._face.metrics.row)
        return atlas.blend_table(self._theme.color("pane"), self._theme.color(role))[ink]


def _ink(labels: list[str], width: int, *, face: Face) -> tuple[Coverage, Coverage]:
    height = face.metrics.row
    return atlas.coverage(labels, face.regular, width, height), atlas.coverage(labels, face.bold, width, height)


def _only(value: int) -> npt.NDArray[np.bool_]:
    only = np.zeros(atlas.VALUES, np.bool_)
    only[value] = True
    return only


def _unprintable() -> npt.NDArray[np.bool_]:
    values = np.arange(atlas.VALUES)
    return (values < 0x20) | (values >= 0x7F)
