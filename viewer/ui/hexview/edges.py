"""The ends of runs: where a neighbour belongs to another run a cell is inset, and its corner is round.

Worked on new cells of the atlas, many at once: which neighbours a cell is joined to is a part of its code.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath

from viewer.ui.hexview import marks
from viewer.ui.hexview.atlas import Ends, Pixels, blend, pixels_of
from viewer.ui.hexview.marks import ABOVE, BELOW, LEFT, RIGHT, Codes

if TYPE_CHECKING:
    from viewer.ui.hexview.grounds import Grounds
    from viewer.ui.theme import Theme

ALL_CODES: Final[Codes] = np.arange(marks.STYLE_COUNT << marks.FLAG_BITS, dtype=np.int32)
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

    def of_hex(self) -> Ends:
        """Insets and round corners."""
        return Ends(_joined(ALL_CODES), self._round_off)

    def of_text(self) -> Ends:
        """Insets above and below."""
        return Ends(_joined(ALL_CODES) | LEFT | RIGHT, self._level)

    def of_gaps(self) -> Ends:
        """Gaps that no run crosses are empty, whatever is marked around them."""
        square = _joined(ALL_CODES) & (ABOVE | BELOW)
        return Ends(ALL_CODES | square | LEFT, self._bridge)

    def _round_off(self, pixels: Pixels, joined: Codes) -> None:
        self._level(pixels, joined)
        rows, columns = np.nonzero(joined & LEFT == 0)
        pixels[rows, :, columns, : self._inset] = self._pane
        rows, columns = np.nonzero(joined & RIGHT == 0)
        pixels[rows, :, columns, -self._inset :] = self._pane
        self._round(pixels, joined)

    def _round(self, pixels: Pixels, joined: Codes) -> None:
        """Round the corners between two sides that are not joined."""
        _, height, count, width = pixels.shape
        line = count * width
        far_x, far_y = width - 1 - self._inset - self._corner_x, height - 1 - self._inset - self._corner_y
        near_x, near_y = self._inset + self._corner_x, self._inset + self._corner_y
        flat, styles = pixels.reshape(-1), joined >> marks.FLAG_BITS
        for flags, y, x in (
            (LEFT | ABOVE, near_y, near_x),
            (RIGHT | ABOVE, near_y, far_x),
            (LEFT | BELOW, far_y, near_x),
            (RIGHT | BELOW, far_y, far_x),
        ):
            rows, columns = np.nonzero(joined & flags == 0)
            first = rows * (height * line) + columns * width
            flat[first[:, None] + (y * line + x)] = self._corners[styles[rows, columns]]

    def _bridge(self, pixels: Pixels, joined: Codes) -> None:
        self._level(pixels, joined)
        rows, columns = np.nonzero(joined & RIGHT == 0)
        pixels[rows, :, columns] = self._pane

    def _level(self, pixels: Pixels, joined: Codes) -> None:
        rows, columns = np.nonzero(joined & ABOVE == 0)
        pixels[rows, : self._inset, columns] = self._pane
        rows, columns = np.nonzero(joined & BELOW == 0)
        pixels[rows, -self._inset :, columns] = self._pane


def _joined(codes: Codes) -> Codes:
    """The neighbours' flags; marks that replace the fill are square, so all their sides count as joined."""
    kinds = (codes >> marks.FLAG_BITS) // len(marks.ROLES)
    square = (kinds >= marks.SELECTED) & (kinds <= marks.ODD)
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
