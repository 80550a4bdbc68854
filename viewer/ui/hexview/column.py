"""Columns of cells on the screen: composed a few rows at a time, side by side in one picture, and drawn at once.

What is composed is not kept: the window keeps what was painted. So few rows stay in the processor's cache between
composing and drawing, and whole lines of pixels go out: half the time of composing all rows first, or of drawing group
by group.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage, QPainter

from viewer.ui.hexview.atlas import Cells, Pixels, Tiles

BAND: Final = 256 * 1024
"""Bytes of pixels that are composed at a time."""

Slots = npt.NDArray[np.int32]


class Band:
    """Pixels of a few rows from pixel `x` on: `pixels` (rows, height, width), a colour at first."""

    def __init__(self, x: int, width: int, rows: int, height: int, ground: int) -> None:
        self.x = x
        self.pixels: Pixels = np.full((rows, height, width), ground, np.uint32)
        self._image = QImage(self.pixels.data, width, rows * height, width * 4, QImage.Format.Format_RGB32)

    def draw(self, painter: QPainter, y: int, rows: int) -> None:
        """Draw the first rows."""
        _, height, width = self.pixels.shape
        painter.drawImage(QPoint(self.x, y), self._image, QRect(0, 0, width, rows * height))


class Column:
    """`count` cells of `tiles` in a row, from pixel `x` on; behind each `group` a gap of `gap` pixels.

    Without gaps, `grain` cells are drawn together or not at all.
    """

    def __init__(self, tiles: Tiles, x: int, count: int, group: int, gap: int, grain: int = 1) -> None:
        self.tiles, self.count = tiles, count
        self._x = x
        self._joined = gap == 0 or group >= count
        self.group = grain if self._joined else group
        self.pitch = self.group * tiles.width + (0 if self._joined else gap)

    def between(self, left: int, right: int) -> tuple[int, int]:
        """The cells [start, stop) of the groups that lie between two pixels, at least in part, with their gaps."""
        groups = -(-self.count // self.group)
        low = min(max(0, (left - self._x) // self.pitch), groups)
        high = max(low, min(groups, (right - self._x) // self.pitch + 1))
        return min(low * self.group, self.count), min(high * self.group, self.count)

    def x_of(self, group: int) -> int:
        """Left edge of a group."""
        return self._x + group * self.pitch


class Lane:
    """The cells [start, stop) of a column, whole groups of it, in the rows of a band."""

    def __init__(self, column: Column, band: Band, start: int, stop: int) -> None:
        rows, height, _ = band.pixels.shape
        width, group, pitch = column.tiles.width, column.group, column.pitch
        at = column.x_of(start // column.group) - band.x
        groups = 0 if pitch == group * width else (stop - start) // group
        self._tiles, self._shape = column.tiles, (groups, group)
        self._apart = groups * group
        rest = stop - start - self._apart
        behind = at + groups * pitch
        self._pixels = band.pixels[..., at : behind + rest * width]
        self._grouped = self._alone = lines(band.pixels[..., :0, None])
        if groups:
            apart = band.pixels[..., at:behind].reshape(rows, height, groups, pitch)[..., : group * width]
            self._grouped = lines(apart.reshape(rows, height, groups, group, width)).transpose(0, 2, 3, 1)
        if rest:
            alone = band.pixels[..., behind : behind + rest * width]
            self._alone = lines(alone.reshape(rows, height, rest, width)).transpose(0, 2, 1)

    def write(self, slots: Slots, over: Callable[[Pixels], None] | None = None) -> None:
        """Write the cells of as many rows as there are slots: shape (rows, cells)."""
        rows = len(slots)
        if self._grouped.size:
            self._grouped[:rows] = self._tiles.lines_of(slots[:, : self._apart].reshape(rows, *self._shape))
        if self._alone.size:
            self._alone[:rows] = self._tiles.lines_of(slots[:, self._apart :])
        if over is not None:
            over(self._pixels[:rows])


def lines(pixels: Pixels) -> Cells:
    """The same memory with one item for each line of pixels of a cell: copied at once."""
    return pixels.view(np.dtype((np.void, pixels.shape[-1] * 4)))[..., 0]
