"""A layout that puts widgets beside each other and goes on in the next line where there is no room."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget
from typing_extensions import override


class FlowLayout(QLayout):
    """Widgets in their own size, hidden ones left out; lines mirror in right-to-left languages."""

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
        left = top = tallest = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            if left and left + size.width() > rect.width():
                left, top, tallest = 0, top + tallest + self.spacing(), 0
            if move:
                at = rect.width() - left - size.width() if mirrored else left
                item.setGeometry(QRect(QPoint(rect.x() + at, rect.y() + top), size))
            left += size.width() + self.spacing()
            tallest = max(tallest, size.height())
        return top + tallest
