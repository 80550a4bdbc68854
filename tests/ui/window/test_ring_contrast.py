"""The ring round the keyboard's place can be seen: its own pixels against those beside it, in every palette."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.colour_vision import contrast
from viewer.ui.theme import load_theme
from viewer.ui.window.keyboard import Ring

PLACE = QRect(10, 10, 60, 40)
GROUNDS = ("window", "pane", "sunken", "button")


@pytest.mark.parametrize("strong", [False, True])
@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_the_ring_stands_out(qtbot: QtBot, name: str, ground: str, distinct: bool, strong: bool) -> None:
    theme = load_theme(name, distinct=distinct, strong=strong)
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(80, 60)
    colours = QPalette()
    colours.setColor(QPalette.ColorRole.Window, theme.color(ground))
    window.setPalette(colours)
    window.setAutoFillBackground(True)
    Ring(theme, window).enclose(PLACE)
    window.show()
    image = window.grab().toImage()
    middle, beside = PLACE.center(), image.pixelColor(2, 2)
    sides = (
        [image.pixelColor(middle.x(), y) for y in range(PLACE.top(), PLACE.top() + 2)],
        [image.pixelColor(middle.x(), y) for y in range(PLACE.bottom() - 1, PLACE.bottom() + 1)],
        [image.pixelColor(x, middle.y()) for x in range(PLACE.left(), PLACE.left() + 2)],
        [image.pixelColor(x, middle.y()) for x in range(PLACE.right() - 1, PLACE.right() + 1)],
    )
    assert image.pixelColor(middle) == beside
    for side in sides:
        assert max(contrast(ink, beside) for ink in side) >= 3
