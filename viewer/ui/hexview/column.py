"""Columns of cells as images: composed side by side without gaps, drawn in groups with gaps between them.

Cells are gathered straight into the image. One image for whole rows was tried: it saves calls, but the cells have to
be copied once more to leave the gaps free, which costs as much as it saves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage, QPainter

if TYPE_CHECKING:
    from viewer.ui.hexview.atlas import Cells, Tiles
    from viewer.ui.hexview.marks import Codes

WINDOWS: Final = 2
"""Of which many the width is composed: scrolling sideways within it makes nothing new."""

AROUND: Final = 4
"""Cells beside the window that are composed too: what begins there may reach into it."""


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
    """`count` cells of `tiles` in each of `rows` rows, from pixel `x` on; behind each `group` a gap of `gap` pixels.

    Only the groups around a window of `width` pixels are composed: `shown` is a slice of the cells. Rows may be far
    wider than any window.
    """

    def __init__(self, rows: int, tiles: Tiles, x: int, count: int, group: int, gap: int, width: int) -> None:
        self.tiles, self.x, self.count = tiles, x, count
        self._joined = gap == 0 or group >= count
        self._group = 1 if self._joined else group
        self._pitch = self._group * tiles.width + (0 if self._joined else gap)
        self._groups = -(-count // self._group)
        self._around = AROUND if self._joined else 1
        most = max(width * WINDOWS // self._pitch, width // self._pitch + 2)
        self._room = min(self._groups, most + 2 * self._around)
        self._first = 0
        self.strip = Strip(rows, min(count, self._room * self._group), tiles.height, tiles.width)

    @property
    def shown(self) -> slice:
        """The cells of a row that are composed."""
        return slice(self._first * self._group, min(self.count, (self._first + self._room) * self._group))

    def cover(self, left: int, right: int) -> bool:
        """Move to where two pixels and all between them are composed; True where that is another place."""
        low, high = self._between(left, right)
        low, high = max(0, low - self._around), min(self._groups, high + self._around)
        if self._first <= low and high <= self._first + self._room:
            return False
        first = min(max(0, (low + high - self._room) // 2), self._groups - self._room)
        moved, self._first = first != self._first, first
        return moved

    def compose(self, first: int, codes: Codes, values: npt.NDArray[np.int32]) -> None:
        """Make the cells of the rows from `first` on: arrays of the shape (rows, count)."""
        shown = self.shown
        count = shown.stop - shown.start
        if not count:
            return
        step = max(1, self.tiles.most // count)
        for start in range(0, len(codes), step):
            part = slice(start, start + step)
            # The last group of a row may be a shorter one.
            into = self.strip.cells(first + start, first + min(start + step, len(codes)))[:, :, :count]
            self.tiles.gather(codes[part, shown], values[part, shown], into)

    def draw(self, painter: QPainter, rows: tuple[int, int], left: int, right: int) -> None:
        """Draw the groups of the rows [first, last] that lie between two pixels, at least in part."""
        low, high = self._between(left, right)
        low, high = max(low, self._first), min(high, self._first + self._room)
        if self._joined and low < high:
            self.strip.blit(painter, self.x + low * self.tiles.width, rows, low - self._first, high - low)
            return
        for group in range(low, high):
            at = group * self._group
            count = min(self._group, self.count - at)
            self.strip.blit(painter, self.x + group * self._pitch, rows, at - self.shown.start, count)

    def _between(self, left: int, right: int) -> tuple[int, int]:
        """The groups [low, high) that lie between two pixels, at least in part."""
        low = min(max(0, (left - self.x) // self._pitch), self._groups)
        return low, max(low, min(self._groups, (right - self.x) // self._pitch + 1))
