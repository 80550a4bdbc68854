"""How often each value of a byte is followed by each other: a picture of 256 by 256, the ink by the logarithm of it.

Text, numbers of each type and packed bytes look unlike each other in it: numbers have stripes, packed bytes are even.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QHelpEvent, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from viewer.ui.theme import Theme, mix
from viewer.ui.words import count, hexadecimal

VALUES: Final = 256
SIDE: Final = 128
LEAST: Final = 64
"""Pixels below which nothing could be told from it: it is left out."""
FAINTEST: Final = 0.35
"""Share of the ink that a pair has which occurs once."""


class BytePairs(QWidget):
    """The picture: first bytes from left to right, what follows from top to bottom. The tooltip tells the pair."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._counts: npt.NDArray[np.int64] = np.zeros((VALUES, VALUES), np.int64)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(self.tr("How often one byte follows another"))

    def set_theme(self, theme: Theme) -> None:
        """Colours or sizes changed."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def show_counts(self, counts: npt.NDArray[np.int64]) -> None:
        """Show other counts: shape (256, 256), the first byte of a pair is the row."""
        self._counts = counts
        first, second = divmod(int(counts.argmax()), VALUES)
        words = self.tr("Most often {first} {second}, {count} times")
        words = words.format(
            first=hexadecimal(first, 2), second=hexadecimal(second, 2), count=count(int(counts[first, second]))
        )
        self.setAccessibleDescription(words)
        self.update()

    def shades(self) -> npt.NDArray[np.uint8]:
        """0 for pairs that do not occur, up to 255 for that which occurs most; rows from top to bottom."""
        logs = np.log2(1 + self._counts.T)
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
        ground, ink = self._theme.color("pane"), self._theme.color("text")
        image = QImage(shades.data, pixels, pixels, pixels, QImage.Format.Format_Indexed8).copy()
        image.setColorTable([mix(ink, ground, shade / 255).rgb() for shade in range(256)])
        return image

    def area(self) -> QRect:
        """Where the picture stands: a square; empty where there is no room."""
        side = min(self.width(), self.height(), self._theme.px(SIDE))
        return QRect(self.width() - side, 0, side, side) if side >= self._theme.px(LEAST) else QRect()

    def pair_at(self, point: QPoint) -> tuple[int, int] | None:
        """First and second byte of the pair at a place; None beside the picture."""
        area = self.area()
        if not area.contains(point):
            return None
        at = point - area.topLeft()
        return at.x() * VALUES // area.width(), at.y() * VALUES // area.height()

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(SIDE), self._theme.px(SIDE))

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
        painter.setPen(self._theme.color("border"))
        painter.drawRect(area.adjusted(0, 0, -1, -1))
        painter.end()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            pair = self.pair_at(event.pos())
            words = self.tr("{first}, then {second}: {count} times")
            if pair is not None:
                words = words.format(
                    first=hexadecimal(pair[0], 2), second=hexadecimal(pair[1], 2), count=count(int(self._counts[pair]))
                )
            QToolTip.showText(event.globalPos(), words if pair is not None else "", self)
            return True
        return super().event(event)
