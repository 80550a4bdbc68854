"""The ends of runs: where a neighbour belongs to another run a cell is inset, and its corner is round.

Worked on all cells of a view at once, after they were gathered; the cells themselves need not know their neighbours.
"""

from __future__ import annotations

from math import ceil
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath

from viewer.ui.hexview import marks
from viewer.ui.hexview.atlas import Cells, Pixels, blend, pixels_of
from viewer.ui.hexview.grounds import Grounds
from viewer.ui.hexview.marks import ABOVE, BELOW, LEFT, RIGHT, Codes
from viewer.ui.theme import Theme

INSET: Final = 1
RADIUS: Final = 3
NEARLY_FULL: Final = 230
"""Coverage from which a pixel of a corner counts as inside."""


class Edges:
    """Cuts the edges of cells that are `row` pixels high, in the colours of a theme."""

    def __init__(self, theme: Theme, grounds: Grounds, row: int) -> None:
        pane = theme.color("pane")
        self._pane = np.uint32(pane.rgb())
        self._inset = max(1, round(INSET * row / 20))
        corner = _corner(RADIUS * row / 20)
        self._corner_y, self._corner_x = np.nonzero(corner < NEARLY_FULL)
        shares = corner[self._corner_y, self._corner_x]
        self._corners = blend(pane, [grounds.fill(style) for style in range(marks.STYLE_COUNT)], shares)

    def round_off(self, cells: Cells, codes: Codes) -> None:
        """Insets and round corners for hex cells, in place."""
        pixels, joined = _pixels(cells), _joined(codes)
        self._level(pixels, joined)
        rows, columns = np.nonzero(joined & LEFT == 0)
        pixels[rows, :, columns, : self._inset] = self._pane
        rows, columns = np.nonzero(joined & RIGHT == 0)
        pixels[rows, :, columns, -self._inset :] = self._pane
        self._round(pixels, codes, joined)

    def _round(self, pixels: Pixels, codes: Codes, joined: Codes) -> None:
        """Round the corners between two sides that are not joined."""
        _, height, count, width = pixels.shape
        line = count * width
        far_x, far_y = width - 1 - self._inset - self._corner_x, height - 1 - self._inset - self._corner_y
        near_x, near_y = self._inset + self._corner_x, self._inset + self._corner_y
        flat, styles = pixels.reshape(-1), codes >> marks.FLAG_BITS
        for flags, y, x in (
            (LEFT | ABOVE, near_y, near_x),
            (RIGHT | ABOVE, near_y, far_x),
            (LEFT | BELOW, far_y, near_x),
            (RIGHT | BELOW, far_y, far_x),
        ):
            rows, columns = np.nonzero(joined & flags == 0)
            first = rows * (height * line) + columns * width
            flat[first[:, None] + (y * line + x)] = self._corners[styles[rows, columns]]

    def level(self, cells: Cells, codes: Codes) -> None:
        """Insets above and below for text cells, in place."""
        self._level(_pixels(cells), _joined(codes))

    def bridge(self, cells: Cells, codes: Codes) -> None:
        """Gaps that no run crosses become empty, in place."""
        pixels = _pixels(cells)
        self._level(pixels, _joined(codes))
        rows, columns = np.nonzero(codes & RIGHT == 0)
        pixels[rows, :, columns] = self._pane

    def _level(self, pixels: Pixels, joined: Codes) -> None:
        rows, columns = np.nonzero(joined & ABOVE == 0)
        pixels[rows, : self._inset, columns] = self._pane
        rows, columns = np.nonzero(joined & BELOW == 0)
        pixels[rows, -self._inset :, columns] = self._pane


def _pixels(cells: Cells) -> Pixels:
    """The same memory as (rows, height, columns, width) pixels."""
    rows, height, columns = cells.shape
    return cells.view(np.uint32).reshape(rows, height, columns, cells.dtype.itemsize // 4)


def _joined(codes: Codes) -> Codes:
    """The neighbours' flags; marks that replace the fill are square, so all their sides count as joined."""
    kinds = (codes >> marks.FLAG_BITS) // len(marks.ROLES)
    square = (kinds >= marks.SELECTED) & (kinds <= marks.HIT)
    return codes | np.where(square, LEFT | RIGHT | ABOVE | BELOW, 0).astype(np.int32)


def _corner(radius: float) -> npt.NDArray[np.uint8]:
    """Coverage of the upper left corner of a rounded rectangle."""
    side = ceil(radius)
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    path = QPainterPath()
    path.addRoundedRect(QRectF(0, 0, 4 * side, 4 * side), radius, radius)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillPath(path, QColor(255, 255, 255))
    painter.end()
    return (pixels_of(image) >> 24).astype(np.uint8)
