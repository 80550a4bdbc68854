"""The caret that comes and goes: two pictures of its place, drawn by turns, so that a view at rest composes nothing."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QTimer
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import QApplication, QWidget

Draw = Callable[[QPainter, QRect], None]
"""Draws a part of the viewport, in logical pixels, with a painter that counts device pixels."""


class Blink(QObject):
    """Whether the caret is `lit` now, and the timer that turns it; wakes nobody up where it stands still.

    `place`: gives where the caret stands in `port`, in logical pixels, empty out of view. `draw`: as all is drawn.
    """

    def __init__(self, port: QWidget, place: Callable[[], QRect], draw: Draw) -> None:
        super().__init__(port)
        self._port: Final = port
        self._place, self._draw = place, draw
        self.lit = False
        self._turning: QRect | None = None
        self._pictures: dict[bool, QImage] = {}
        self.timer = QTimer(self)
        self.timer.timeout.connect(self.turn)

    def restart(self, *, focused: bool) -> None:
        """Lit at first where the view has the keyboard, and from then on by turns; else never."""
        self.lit = focused
        half = QApplication.cursorFlashTime() // 2
        if focused and half > 0:
            self.timer.start(half)
        else:
            self.timer.stop()
        self.forget()

    def forget(self) -> None:
        """What stands under the caret is, or will be, another."""
        self._pictures.clear()

    def turn(self) -> None:
        """Light the caret, or put it out, at once: to ask for paint would wake the program up a second time."""
        self.lit = not self.lit
        self._turning = self._place() & self._port.rect()
        if not self._turning.isEmpty():
            self._port.repaint(self._turning)
        self._turning = None

    def paint(self, event: QEvent) -> bool:
        """Of an event that asks for paint: True where nothing but the caret turns, and that was done."""
        place = self._turning
        if place is None or not isinstance(event, QPaintEvent) or event.region() != QRegion(place):
            self.forget()
            return False
        dpr = self._port.devicePixelRatioF()
        left, top = floor(place.left() * dpr), floor(place.top() * dpr)
        if self.lit not in self._pictures:
            wide, tall = ceil((place.right() + 1) * dpr) - left, ceil((place.bottom() + 1) * dpr) - top
            picture = QImage(wide, tall, QImage.Format.Format_RGB32)
            inner = QPainter(picture)
            inner.translate(-left, -top)
            self._draw(inner, place)
            inner.end()
            self._pictures[self.lit] = picture
        painter = QPainter(self._port)
        painter.scale(1 / dpr, 1 / dpr)
        painter.drawImage(left, top, self._pictures[self.lit])
        painter.end()
        return True
