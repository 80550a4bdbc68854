"""A field that takes keys instead of letters: what is pressed in it is told, and does nothing else."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from viewer.ui.command_keys import written

STANDING: Final = re.compile(r"(Meta\+|Shift\+)*(Ctrl\+|Alt\+|Meta\+|F\d+$)")
"""Keys without Ctrl, Alt or Meta write letters or move, but for the F keys."""
STRONG: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
HELD: Final = frozenset(
    (
        Qt.Key.Key_Control,
        Qt.Key.Key_Shift,
        Qt.Key.Key_Alt,
        Qt.Key.Key_AltGr,
        Qt.Key.Key_Meta,
        Qt.Key.Key_CapsLock,
        Qt.Key.Key_NumLock,
        Qt.Key.Key_unknown,
    )
)
LEAVING: Final = frozenset((Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape))


class KeyField(QLineEdit):
    """It stays empty. Tab goes on and Esc back, as elsewhere.

    pressed: keys, by their portable name.
        Signal(key: str)
    left: Esc.
        Signal()
    """

    pressed = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Not read-only: Qt draws no ring round such a field, and readers of the screen call it text.
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.setAcceptDrops(False)
        self._words = self.tr("Click here to add keys")
        self.setPlaceholderText(self._words)

    @override
    def event(self, event: QEvent) -> bool:
        # Before the shortcuts of the window and of the menus hear of it.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and not leaves(event):
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if leaves(event):
            if event.key() == Qt.Key.Key_Escape:
                self.left.emit()
            else:
                super().keyPressEvent(event)
            return
        if event.key() not in HELD:
            self.pressed.emit(written(keys_of(event)))

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self.setPlaceholderText(self.tr("Press the new keys"))
        super().focusInEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.setPlaceholderText(self._words)
        super().focusOutEvent(event)


def leaves(event: QKeyEvent) -> bool:
    """Tab, Shift+Tab and Esc without more keep their meaning."""
    return event.key() in LEAVING and not event.modifiers() & STRONG


def keys_of(event: QKeyEvent) -> QKeySequence:
    """The keys of a press; those of the number block are the same as the others."""
    modifiers = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.GroupSwitchModifier)
    key = Qt.Key.Key_Tab if event.key() == Qt.Key.Key_Backtab else Qt.Key(event.key())
    return QKeySequence(QKeyCombination(modifiers, key))


def stands(key: str) -> bool:
    """Whether keys, by their portable name, can belong to a command: with Ctrl, Alt or Meta, or one of the F keys."""
    return STANDING.match(key) is not None
