"""The rows of a surface as pixels, without what is painted over them."""

from __future__ import annotations

from PySide6.QtGui import QImage, QPainter

from viewer.ui.hexview import atlas
from viewer.ui.hexview.atlas import Pixels
from viewer.ui.hexview.painter import Window
from viewer.ui.hexview.surface import Surface


def rows_of(surface: Surface, left: int, right: int) -> Pixels:
    """What lies between two pixels of the rows in view: shape (rows, height, pixels)."""
    surface.look()
    height = surface.face.metrics.row
    image = QImage(right, surface.shown * height, QImage.Format.Format_RGB32)
    brush = QPainter(image)
    window = Window(surface.content, surface.top_row, surface.codes(), surface.marks.caret)
    surface.canvas.draw(brush, 0, surface.shown - 1, left, right - 1, window)
    brush.end()
    return atlas.pixels_of(image)[:, left:].reshape(surface.shown, height, -1)


def gutter_of(surface: Surface) -> Pixels:
    """The offsets."""
    return rows_of(surface, surface.layout.gutter_x, surface.layout.hex_x)


def text_of(surface: Surface) -> Pixels:
    """The letters."""
    left = surface.layout.text_x
    return rows_of(surface, left, left + surface.layout.row_bytes * surface.face.metrics.text)
