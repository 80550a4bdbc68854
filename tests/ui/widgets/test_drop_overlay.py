"""What lies over the window in a drag: names stand there whole, signs of direction or not."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from viewer.ui.theme import load_theme
from viewer.ui.widgets.drop_overlay import DropOverlay, Offer


def inked(image: QImage, part: QRect, paper: QColor) -> int:
    """Pixels of a part that are not the paper."""
    places = ((x, y) for y in range(part.top(), part.bottom()) for x in range(part.left(), part.right()))
    return sum(image.pixelColor(x, y) != paper for x, y in places)


def test_what_hangs_below_the_line_is_not_cut(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(400, 300)
    overlay = DropOverlay(load_theme("light"), window)
    overlay.appear(Offer("", "______"))
    window.show()
    image = overlay.grab().toImage()
    middle = QRect(100, 150, 200, 60)  # the line of the name, with nothing above and below it
    assert inked(image, middle, image.pixelColor(40, 200)) > 0
