"""How large a dialog may be: no larger than the screen of its window, whatever the size of its text."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QStyle


def fit(dialog: QDialog, wanted: QSize, least: QSize | None = None) -> None:
    """Give a dialog the size that is wanted, or as much of it as there is room for. `least`: what it keeps to."""
    room = room_of(dialog)
    if least is not None:
        dialog.setMinimumSize(least.boundedTo(room) if room is not None else least)
    dialog.resize(wanted.boundedTo(room) if room is not None else wanted)


def room_of(dialog: QDialog) -> QSize | None:
    """The room on the screen without the title bar, in pixels; that of the window where the screen does not hold it.

    None where the dialog stands alone.
    """
    parent = dialog.parentWidget()
    if parent is None:
        return None
    title = dialog.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    room, window = parent.screen().availableSize() - QSize(0, title), parent.window().size()
    return room if window.boundedTo(room) == window else window
