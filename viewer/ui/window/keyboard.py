"""The keyboard shows where it is only to those who use it: a ring round the focus after a key, none after a click."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget
from typing_extensions import override

KEYS = (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)
CLICKS = (QEvent.Type.MouseButtonPress, QEvent.Type.TouchBegin)


class FocusRing(QObject):
    """Sets the property `keyboard` of the widget that has the focus; the style sheet draws the ring.

    key_coming: a key has reached the window, and nobody has looked yet whether it is a shortcut.
        Signal()
    """

    key_coming = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._by_key = False
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._moved)

    def watch(self, handle: QObject | None) -> None:
        """Look at what reaches a native window. Far fewer events pass there than through the application."""
        if handle is not None:
            handle.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in KEYS:
            self._by_key = True
            self.key_coming.emit()
        elif event.type() in CLICKS:
            self._by_key = False
        return False

    def _moved(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None and old.property("keyboard"):
            _mark(old, ring=False)
        if new is not None and self._by_key:
            _mark(new, ring=True)


def _mark(widget: QWidget, *, ring: bool) -> None:
    widget.setProperty("keyboard", ring)
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)
    widget.update()
