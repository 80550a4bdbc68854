"""Pictures of how often bytes occur: a bar for each value, and a pixel for each pair of a byte and the one behind it.

Heights and ink go by the logarithm of the count. Text, numbers of each type and packed bytes look unlike each other in
the pairs: numbers have stripes, packed bytes are even.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from viewer.ui.theme import Theme, mix
from viewer.ui.words import count, hexadecimal

VALUES: Final = 256
HEIGHT: Final = 44
MOST_HEIGHT: Final = 128
LEAST_BAR: Final = 1.0
SIDE: Final = 128
LEAST: Final = 64
"""Pixels below which nothing could be told from it: it is left out."""
FAINTEST: Final = 0.35
"""Share of the ink that a pair has which occurs once."""


class ByteCounts(QWidget):
    """A class that derives from it paints `counts`; their axes have VALUES each. From left to right in any language."""

    axes = 1

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.counts: npt.NDArray[np.int64] = np.zeros((VALUES,) * self.axes, np.int64)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    def set_theme(self, theme: Theme) -> None:
        """Colours or sizes changed."""
        self.theme = theme
        self.updateGeometry()
        self.update()

    def show_counts(self, counts: npt.NDArray[np.int64]) -> None:
        """Show other counts, as many as there are now."""
        self.counts = counts
        self.setAccessibleDescription(self.most())
        self.update()

    def most(self) -> str:
        """What occurs most often, in words."""
        raise NotImplementedError

    def told_at(self, point: QPoint) -> str:
        """What stands at a place, in words; empty where nothing does."""
        raise NotImplementedError

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.told_at(event.pos()), self)
            return True
        return super().event(event)


class ByteHistogram(ByteCounts):
    """The bars; the tooltip tells the value and the count below the mouse."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(self.tr("How often each value of a byte occurs"))

    @override
    def most(self) -> str:
        value = int(self.counts.argmax())
        words = self.tr("Most often {value}, {count} times")
        return words.format(value=hexadecimal(value, 2), count=count(int(self.counts[value])))

    @override
    def told_at(self, point: QPoint) -> str:
        value = self.value_at(point.x())
        words = self.tr("{value}: {count} times")
        return words.format(value=hexadecimal(value, 2), count=count(int(self.counts[value])))

    def heights(self) -> list[float]:
        """Heights of the bars, 0 to 1; a value that occurs is seen."""
        logs = np.log2(1 + self.counts)
        tallest = logs.max()
        return (logs / tallest).tolist() if tallest else [0.0] * VALUES

    def value_at(self, x: float) -> int:
        """The value whose bar stands at a place."""
        return min(max(0, int(x * VALUES / max(1, self.width()))), VALUES - 1)

    @override
    def sizeHint(self) -> QSize:
        return QSize(VALUES, self.theme.px(MOST_HEIGHT))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.theme.px(HEIGHT))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        step, room = self.width() / VALUES, self.height() - 1
        painter.fillRect(QRectF(0, room, self.width(), 1), self.theme.color("border"))
        color = self.theme.color("link_line")
        for value, height in enumerate(self.heights()):
            if height:
                tall = max(LEAST_BAR, height * room)
                painter.fillRect(QRectF(value * step, room - tall, max(LEAST_BAR, step - 0.5), tall), color)
        painter.end()


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
