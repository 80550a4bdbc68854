"""Columns of cells as images: composed side by side without gaps, drawn in groups with gaps between them.

Cells are gathered straight into the image. One image for whole rows was tried: it saves calls, but the cells have to
be copied once more to leave the gaps free, which costs as much as it saves.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage, QPainter

from viewer.ui.hexview.atlas import Cells, Tiles
from viewer.ui.hexview.marks import Codes


class Strip:
    """`columns` cells of `width` pixels in each of `rows` rows, side by side: `pixels` (rows, height, all of them)."""

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


class Column:
    """`count` cells of `tiles` in each of `rows` rows, from pixel `x` on; behind each `group` a gap of `gap` pixels."""

    def __init__(self, rows: int, tiles: Tiles, x: int, count: int, group: int, gap: int) -> None:
        self.tiles, self.x, self.count = tiles, x, count
        self._group = max(1, min(group, count))
        self._pitch = self._group * tiles.width + gap
        self.strip = Strip(rows, count, tiles.height, tiles.width)

    def compose(self, first: int, codes: Codes, values: npt.NDArray[np.int32]) -> None:
        """Make the cells of the rows from `first` on: arrays of the shape (rows, count)."""
        if not self.count:
            return
        step = max(1, self.tiles.most // self.count)
        for start in range(0, len(codes), step):
            part = slice(start, start + step)
            into = self.strip.cells(first + start, first + min(start + step, len(codes)))
            self.tiles.gather(codes[part], values[part], into)

    def draw(self, painter: QPainter, rows: tuple[int, int], left: int, right: int) -> None:
        """Draw the groups of the rows [first, last] that lie between two pixels, at least in part."""
        low = max(0, (left - self.x) // self._pitch)
        high = min(-(-self.count // self._group), (right - self.x) // self._pitch + 1)
        for group in range(low, high):
            at = group * self._group
            x = self.x + group * self._pitch
            self.strip.blit(painter, x, rows, at, min(self._group, self.count - at))
