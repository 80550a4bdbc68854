"""How often each value of a byte is followed by each other: a picture of 256 by 256, the ink by the logarithm of it.

Text, numbers of each type and packed bytes look unlike each other in it: numbers have stripes, packed bytes are even.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from viewer.ui.theme import Theme, mix
from viewer.ui.widgets.byte_counts import VALUES, ByteCounts
from viewer.ui.words import count, hexadecimal

SIDE: Final = 128
LEAST: Final = 64
"""Pixels below which nothing could be told from it: it is left out."""
FAINTEST: Final = 0.35
"""Share of the ink that a pair has which occurs once."""


class BytePairs(ByteCounts):
    """The picture: first bytes from left to right, what follows from top to bottom. The tooltip tells the pair.

    `counts`: the first byte of a pair is the row.
    """

    axes = 2

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(self.tr("How often one byte follows another"))

    @override
    def most(self) -> str:
        first, second = divmod(int(self.counts.argmax()), VALUES)
        return self._told(self.tr("Most often {first} {second}, {count} times"), first, second)

    @override
    def told_at(self, point: QPoint) -> str:
        pair = self.pair_at(point)
        return self._told(self.tr("{first}, then {second}: {count} times"), *pair) if pair is not None else ""

    def _told(self, words: str, first: int, second: int) -> str:
        times = count(int(self.counts[first, second]))
        return words.format(first=hexadecimal(first, 2), second=hexadecimal(second, 2), count=times)

    def shades(self) -> npt.NDArray[np.uint8]:
        """0 for pairs that do not occur, up to 255 for that which occurs most; rows from top to bottom."""
        logs = np.log2(1 + self.counts.T)
        most = logs.max()
        if not most:
            return np.zeros((VALUES, VALUES), np.uint8)
        shares = np.where(logs > 0, FAINTEST + (1 - FAINTEST) * logs / most, 0)
        return np.ascontiguousarray(np.round(shares * 255).astype(np.uint8))

    def picture(self, side: int = VALUES) -> QImage:
        """The pairs, a pixel each; where that is too fine for `side` pixels four share one, the strongest is seen."""
        shades = self.shades()
        if side < VALUES:
            shades = np.ascontiguousarray(shades.reshape(VALUES // 2, 2, VALUES // 2, 2).max(axis=(1, 3)))
        pixels = len(shades)
        ground, ink = self.theme.color("pane"), self.theme.color("text")
        image = QImage(shades.data, pixels, pixels, pixels, QImage.Format.Format_Indexed8).copy()
        image.setColorTable([mix(ink, ground, shade / 255).rgb() for shade in range(256)])
        return image

    def area(self) -> QRect:
        """Where the picture stands: a square; empty where there is no room."""
        side = min(self.width(), self.height(), self.theme.px(SIDE))
        return QRect(self.width() - side, 0, side, side) if side >= self.theme.px(LEAST) else QRect()

    def pair_at(self, point: QPoint) -> tuple[int, int] | None:
        """First and second byte of the pair at a place; None beside the picture."""
        area = self.area()
        if not area.contains(point):
            return None
        at = point - area.topLeft()
        return at.x() * VALUES // area.width(), at.y() * VALUES // area.height()

    @override
    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(SIDE), self.theme.px(SIDE))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        area = self.area()
        if area.isEmpty():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(area, self.picture(round(area.width() * self.devicePixelRatioF())))
        painter.setPen(self.theme.color("border"))
        painter.drawRect(area.adjusted(0, 0, -1, -1))
        painter.end()
