"""A layout that puts widgets beside each other and goes on in the next line where there is no room."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget
from typing_extensions import override

Line = list[tuple[QLayoutItem, QSize]]


class FlowLayout(QLayout):
    """Widgets in their own size, hidden ones left out; lines mirror in right-to-left languages.

    What is wider than all of the room takes that, and the height that its words need then.
    A widget whose policy has a horizontal stretch takes what is left over in its line, its least width at least.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    @override
    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    @override
    def count(self) -> int:
        return len(self._items)

    @override
    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    @override
    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    @override
    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return self._lay_out(QRect(0, 0, width, 0), move=False)

    @override
    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._lay_out(rect, move=True)

    @override
    def sizeHint(self) -> QSize:
        return self.minimumSize()

    @override
    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def clear(self) -> None:
        """Take all widgets out and delete them."""
        while self._items:
            widget = self._items.pop().widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.invalidate()

    def _lay_out(self, rect: QRect, *, move: bool) -> int:
        """Place the widgets; gives the height that they take."""
        mirrored = QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft
        top, height = 0, 0
        for line in self._lines(rect.width()):
            left, tallest = 0, max(size.height() for _, size in line)
            for item, size in line:
                if move:
                    at = rect.width() - left - size.width() if mirrored else left
                    middle = rect.y() + top + (tallest - size.height()) // 2
                    item.setGeometry(QRect(QPoint(rect.x() + at, middle), size))
                left += size.width() + self.spacing()
            height, top = top + tallest, top + tallest + self.spacing()
        return height

    def _lines(self, width: int) -> list[Line]:
        """The widgets of each line with their sizes; what is left over in a line goes to the one that stretches."""
        lines: list[Line] = []
        left = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.minimumSize() if _stretches(item) else item.sizeHint()
            wide = min(size.width(), max(width, item.minimumSize().width()))
            wraps = wide < size.width() and item.hasHeightForWidth()
            size = QSize(wide, item.heightForWidth(wide) if wraps else item.sizeHint().height())
            if not lines or left + size.width() > width:
                lines.append([])
                left = 0
            lines[-1].append((item, size))
            left += size.width() + self.spacing()
        return [_stretched(line, width, self.spacing()) for line in lines]


def _stretches(item: QLayoutItem) -> bool:
    widget = item.widget()
    return widget is not None and widget.sizePolicy().horizontalStretch() > 0


def _stretched(line: Line, width: int, spacing: int) -> Line:
    spare = width - sum(size.width() for _, size in line) - spacing * (len(line) - 1)
    wide = next((item for item, _ in line if _stretches(item)), None)
    return [(item, size + QSize(max(0, spare) if item is wide else 0, 0)) for item, size in line]
