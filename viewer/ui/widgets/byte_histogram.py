"""How often each of the 256 values of a byte occurs: a bar each, their heights by the logarithm of the count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPoint, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from viewer.ui.widgets.byte_counts import VALUES, ByteCounts
from viewer.ui.words import count, hexadecimal

if TYPE_CHECKING:
    from viewer.ui.theme import Theme

HEIGHT: Final = 44
MOST_HEIGHT: Final = 128
LEAST_BAR: Final = 1.0


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
