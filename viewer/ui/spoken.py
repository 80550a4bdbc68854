"""What is spoken by a screen reader when it happens: places, numbers and states that no focus comes to."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def speak(widget: QWidget, text: str) -> None:
    """Make the sentence the widget's description, and have it spoken where a screen reader runs."""
    widget.setAccessibleDescription(text)
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
