"""What a screen reader hears of the bytes: where the caret stands, the byte there and what owns it.

The view keeps Qt's own accessible object; an interface written in Python would be owned by two sides at once.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def sentence(offset: int, data: bytes, owner: str) -> str:
    """`0x20DF: 52, R. REDUCE`: the offset, the byte, its character if it has one, its owner. `data` is that byte."""
    value = f"{data[0]:02X}" if data else QCoreApplication.translate("hexview", "no byte")
    character = chr(data[0]) if data and 0x20 < data[0] < 0x7F else ""
    byte = f"{value}, {character}" if character else value
    return f"0x{offset:X}: {byte}. {owner}" if owner else f"0x{offset:X}: {byte}"


def speak(widget: QWidget, text: str) -> None:
    """Make the sentence the widget's description, and have it spoken where a screen reader runs."""
    widget.setAccessibleDescription(text)
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
