"""What all bars of the window look like below their widgets: one colour, and a line along the lower edge."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget


def paint_bar(bar: QWidget, ground: QColor, edge: QColor) -> None:
    """Paint it; for the paint event of `bar`."""
    painter = QPainter(bar)
    painter.fillRect(bar.rect(), ground)
    painter.fillRect(0, bar.height() - 1, bar.width(), 1, edge)
    painter.end()
