"""How often each of the 256 values of a byte occurs: a bar each, their heights by the logarithm of the count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from viewer.ui.words import count, hexadecimal

if TYPE_CHECKING:
    from viewer.ui.theme import Theme

VALUES: Final = 256
HEIGHT: Final = 44
MOST_HEIGHT: Final = 128
LEAST_BAR: Final = 1.0


class ByteHistogram(QWidget):
    """The bars; the tooltip tells the value and the count below the mouse."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._counts: npt.NDArray[np.int64] = np.zeros(VALUES, np.int64)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(self.tr("How often each value of a byte occurs"))

    def set_theme(self, theme: Theme) -> None:
        """Colours or sizes changed."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def show_counts(self, counts: npt.NDArray[np.int64]) -> None:
        """Show other counts: 256 of them."""
        self._counts = counts
        most = int(counts.argmax())
        words = self.tr("Most often {value}, {count} times")
        self.setAccessibleDescription(words.format(value=hexadecimal(most, 2), count=count(int(counts[most]))))
        self.update()

    def heights(self) -> list[float]:
        """Heights of the bars, 0 to 1; a value that occurs is seen."""
        logs = np.log2(1 + self._counts)
        tallest = logs.max()
        return (logs / tallest).tolist() if tallest else [0.0] * VALUES

    def value_at(self, x: float) -> int:
        """The value whose bar stands at a place."""
        return min(max(0, int(x * VALUES / max(1, self.width()))), VALUES - 1)

    @override
    def sizeHint(self) -> QSize:
        return QSize(VALUES, self._theme.px(MOST_HEIGHT))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._theme.px(HEIGHT))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        step, room = self.width() / VALUES, self.height() - 1
        painter.fillRect(QRectF(0, room, self.width(), 1), self._theme.color("border"))
        color = self._theme.color("link_line")
        for value, height in enumerate(self.heights()):
            if height:
                tall = max(LEAST_BAR, height * room)
                painter.fillRect(QRectF(value * step, room - tall, max(LEAST_BAR, step - 0.5), tall), color)
        painter.end()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            value = self.value_at(event.pos().x())
            words = self.tr("{value}: {count} times").format(
                value=hexadecimal(value, 2), count=count(int(self._counts[value]))
            )
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)
