"""Image: tensors that are pictures as pictures, kernels over three colours as tiles; a pixel leads to its element."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.progress import Progress
from viewer.core.tensors.images import Picture, Pixels, picture_of
from viewer.core.tensors.statistics import Statistics
from viewer.core.tensors.tensor import Tensor
from viewer.session.session import Session
from viewer.ui.measures import keep_lengths
from viewer.ui.previews.base import Preview
from viewer.ui.spoken import speak, tell_as
from viewer.ui.theme import Theme
from viewer.ui.widgets.heat_map import ARROWS
from viewer.ui.words import ended, of_failure, paragraph
from viewer.wording import QT_TRANSLATE_NOOP

JOB: Final = "image"
LARGEST_PIXEL: Final = 16
SMALLEST_RING: Final = 6
CHOOSING: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
Read = tuple[Pixels, npt.NDArray[np.bool_]]


class Canvas(QWidget):
    """A picture as large as there is room, pixels sharp. Arrow keys move a ring over it, Enter chooses its pixel.

    clicked: a pixel was clicked, or chosen by Enter.
        Signal(row: int, column: int)
    moved: the keyboard came to a pixel.
        Signal(row: int, column: int)
    """

    clicked = Signal(int, int)
    moved = Signal(int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.image = QImage()
        self.ring: tuple[int, int] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        tell_as(self, QAccessible.Role.Graphic)

    @property
    def place(self) -> QRectF:
        """Where the picture is."""
        if self.image.isNull():
            return QRectF()
        wide, tall = self.image.width(), self.image.height()
        size = min(self.width() / wide, self.height() / tall, LARGEST_PIXEL)
        return QRectF(0, 0, wide * size, tall * size)

    def pixel_at(self, point: QPointF) -> tuple[int, int] | None:
        """The row and column of the picture at a point."""
        place = self.place
        if not place.contains(point):
            return None
        size = place.width() / self.image.width()
        return int(point.y() / size), int(point.x() / size)

    def show_ring(self, pixel: tuple[int, int] | None) -> None:
        """Put the ring round a pixel; None: no ring."""
        self.ring = pixel
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(420), self.theme.px(300))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(120), self.theme.px(160))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.pixel_at(event.position())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            self.show_ring(found)
            self.clicked.emit(*found)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self.image.isNull() or (key not in ARROWS and key not in CHOOSING):
            super().keyPressEvent(event)
        elif key in ARROWS:
            down, right = ARROWS[key] if self.ring is not None else (0, 0)
            row, column = self.ring or (0, 0)
            row = min(max(0, row + down), self.image.height() - 1)
            column = min(max(0, column + right), self.image.width() - 1)
            self.show_ring((row, column))
            self.moved.emit(row, column)
        elif self.ring is not None:
            self.clicked.emit(*self.ring)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason and self.ring is None and not self.image.isNull():
            self.show_ring((0, 0))
            self.moved.emit(0, 0)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawImage(self.place, self.image)
        if self.ring is not None and not self.image.isNull():
            size = self.place.width() / self.image.width()
            row, column = self.ring
            # Of tiny pixels the ring is larger than what is in it: it must be seen.
            room = max(0.0, (SMALLEST_RING - size) / 2)
            ring = QRectF(column * size, row * size, size, size).adjusted(-room, -room, room, room)
            for width, color in ((3.0, "pane"), (1.5, "link_line")):
                painter.setPen(QPen(self.theme.color(color), width))
                painter.drawRect(ring)
        painter.end()


class ImagePreview(Preview):
    """The picture, with a line on what is drawn."""

    key: ClassVar[str] = "image"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("previews", "Image")
    stretch: ClassVar[int] = 1

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._picture: Picture | None = None
        self._range: tuple[float, float] | None = None
        self._element: tuple[int, ...] | None = None
        self.words = QLabel(self)
        self.words.setProperty("muted", True)
        self.words.setWordWrap(True)
        self.canvas = Canvas(theme, self)
        self.canvas.setAccessibleName(self.tr("Image"))
        self.canvas.clicked.connect(self._clicked)
        self.canvas.moved.connect(self._moved)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, column.setSpacing, 6)
        column.addWidget(self.words)
        column.addWidget(self.canvas, 1)

    @override
    def suits(self, tensor: Tensor) -> bool:
        return picture_of(tensor) is not None

    @override
    def show_tensor(self, tensor: Tensor | None) -> None:
        self.session.cancel(JOB)
        self._picture = picture_of(tensor) if tensor is not None else None
        self._range = self._element = None
        self.canvas.image = QImage()
        self.canvas.show_ring(None)
        self.words.setText("")
        self.canvas.update()

    @override
    def show_statistics(self, found: Statistics | None) -> None:
        self._range = found.range if found is not None else None
        self._read()

    @override
    def show_element(self, element: tuple[int, ...] | None) -> None:
        self._element = element
        if self._picture is not None and not self.canvas.image.isNull():
            self.canvas.show_ring(self._picture.pixel(element) if element is not None else None)

    @override
    def focus_target(self) -> QWidget:
        return self.canvas

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.canvas.theme = theme

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._read()

    def _read(self) -> None:
        picture, limits = self._picture, self._range
        if picture is not None and limits is not None and self.isVisible():
            self.session.start(JOB, partial(_pixels, picture, *limits), self._arrived, self._failed)

    def _arrived(self, read: Read) -> None:
        pixels, used = read
        height, width, _ = pixels.shape
        light = np.full((height, width, 4), 255, dtype=np.uint8)
        light[..., :3] = pixels
        light[~used] = 0
        made = QImage(light.data, width, height, 4 * width, QImage.Format.Format_RGBA8888_Premultiplied)
        self.canvas.image = made.copy()
        self.words.setText(self._told())
        self.canvas.setAccessibleDescription(self.words.text())
        self.show_element(self._element)
        self.canvas.update()

    def _told(self) -> str:
        picture = self._picture
        if picture is None:
            return ""
        if picture.tiles is not None:
            words = self.tr("{0} of {1} kernels, their three inputs as red, green and blue")
            return words.format(picture.count, picture.tensor.shape[picture.tiles])
        words = self.tr("Axis {0} as rows, {1} as columns, {2} as red, green and blue").format(*picture.axes)
        step = picture.step
        if step == 1:
            return words
        return paragraph(ended(words), self.tr("Every {0}th row and column is drawn").format(step))

    def _failed(self, failure: Exception) -> None:
        self.words.setText(of_failure(failure))

    def _clicked(self, row: int, column: int) -> None:
        index = self._picture.index(row, column) if self._picture is not None else None
        if index is not None:
            self.element_chosen.emit(index)
            self._moved(row, column)

    def _moved(self, row: int, column: int) -> None:
        """Name the element of a pixel."""
        index = self._picture.index(row, column) if self._picture is not None else None
        place = self.tr("between two kernels") if index is None else f"[{', '.join(map(str, index))}]"
        self.words.setText(paragraph(ended(self._told()), place))
        speak(self.canvas, place)


def _pixels(picture: Picture, low: float, high: float, progress: Progress) -> Read:
    progress.check()
    return picture.read(low, high)
