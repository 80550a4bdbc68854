"""Pictures of how often bytes occur: a bar for each value, and a pixel for each pair of a byte and the one behind it.

Heights and ink go by the logarithm of the count. Text, numbers of each type and packed bytes look unlike each other in
the pairs: numbers have stripes, packed bytes are even.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QHelpEvent, QImage, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from viewer.ui.spoken import speak, tell_as
from viewer.ui.theme import Theme, mix
from viewer.ui.words import count, hexadecimal

VALUES: Final = 256
STEPS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Home: (-VALUES, 0),
    Qt.Key.Key_End: (VALUES, 0),
}
HEIGHT: Final = 44
MOST_HEIGHT: Final = 128
LEAST_BAR: Final = 1.0
SIDE: Final = 128
LEAST: Final = 64
"""Pixels below which nothing could be told from it: it is left out."""
FAINTEST: Final = 0.35
"""Share of the ink that a pair has which occurs once."""


class ByteCounts(QWidget):
    """A class that derives from it paints `counts`; their axes have VALUES each. From left to right in any language.

    `current`: where arrow keys, Home and End went, None before they were used: they begin at what occurs most often.
    """

    axes = 1
    role = QAccessible.Role.Chart

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.counts: npt.NDArray[np.int64] = np.zeros((VALUES,) * self.axes, np.int64)
        self.current: tuple[int, ...] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        tell_as(self, self.role)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    def set_theme(self, theme: Theme) -> None:
        """Colours or sizes changed."""
        self.theme = theme
        self.updateGeometry()
        self.update()

    def show_counts(self, counts: npt.NDArray[np.int64]) -> None:
        """Show other counts, as many as there are now."""
        self.counts, self.current = counts, None
        self.setAccessibleDescription(self.most())
        self.update()

    def most(self) -> str:
        """What occurs most often, in words."""
        raise NotImplementedError

    def told_at(self, point: QPoint) -> str:
        """What stands at a place, in words; empty where nothing does."""
        raise NotImplementedError

    def told_of(self, place: tuple[int, ...]) -> str:
        """What the count of a place is, in words."""
        raise NotImplementedError

    def spot(self, place: tuple[int, ...]) -> QRect:
        """Where the counts of a place are drawn; empty where nothing is."""
        raise NotImplementedError

    def paint_spot(self, painter: QPainter) -> None:
        """Put a ring round the place of the keyboard."""
        if self.current is not None and self.hasFocus():
            painter.setPen(QPen(self.theme.color("accent"), 2))
            painter.drawRect(self.spot(self.current).adjusted(-2, -2, 2, 2))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = STEPS.get(Qt.Key(event.key()), (0, 0))[: self.axes]
        if not any(steps):
            super().keyPressEvent(event)
            return
        if self.current is None:
            place = tuple(int(at) for at in np.unravel_index(int(self.counts.argmax()), self.counts.shape))
        else:
            place = tuple(min(max(0, at + by), VALUES - 1) for at, by in zip(self.current, steps, strict=True))
        if self.spot(place).isEmpty():
            return
        self.current, spot = place, self.spot(place)
        words = self.told_of(place)
        speak(self, words)
        QToolTip.showText(self.mapToGlobal(spot.bottomRight()), words, self)
        self.update()

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
        return self.told_of((self.value_at(point.x()),))

    @override
    def told_of(self, place: tuple[int, ...]) -> str:
        words = self.tr("{value}: {count} times")
        return words.format(value=hexadecimal(place[0], 2), count=count(int(self.counts[place[0]])))

    @override
    def spot(self, place: tuple[int, ...]) -> QRect:
        left, right = (at * self.width() // VALUES for at in (place[0], place[0] + 1))
        return QRect(left, 2, max(1, right - left), max(1, self.height() - 4))

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
        self.paint_spot(painter)
        painter.end()


class BytePairs(ByteCounts):
    """The picture: first bytes from left to right, what follows from top to bottom. The tooltip tells the pair.

    `counts`: the first byte of a pair is the row.
    """

    axes = 2
    role = QAccessible.Role.Graphic

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
        return self.told_of(pair) if pair is not None else ""

    @override
    def told_of(self, place: tuple[int, ...]) -> str:
        return self._told(self.tr("{first}, then {second}: {count} times"), place[0], place[1])

    @override
    def spot(self, place: tuple[int, ...]) -> QRect:
        area = self.area()
        corner = area.topLeft() + QPoint(place[0] * area.width() // VALUES, place[1] * area.height() // VALUES)
        return QRect(corner, QSize(1, 1)) if not area.isEmpty() else QRect()

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
        self.paint_spot(painter)
        painter.end()
