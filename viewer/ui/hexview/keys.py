"""Which key asks for which move of the caret."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from viewer.ui.hexview.caret import Move

_NEAR: Final = {
    Qt.Key.Key_Left: Move.LEFT,
    Qt.Key.Key_Right: Move.RIGHT,
    Qt.Key.Key_Up: Move.UP,
    Qt.Key.Key_Down: Move.DOWN,
    Qt.Key.Key_Home: Move.ROW_START,
    Qt.Key.Key_End: Move.ROW_END,
    Qt.Key.Key_PageUp: Move.PAGE_UP,
    Qt.Key.Key_PageDown: Move.PAGE_DOWN,
}
_FAR: Final = {
    Qt.Key.Key_Left: Move.GROUP_LEFT,
    Qt.Key.Key_Right: Move.GROUP_RIGHT,
    Qt.Key.Key_Home: Move.FILE_START,
    Qt.Key.Key_End: Move.FILE_END,
}
_SCROLLS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_FAR_KEYS: Final = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


def move_of(event: QKeyEvent) -> Move | None:
    """The move of a key; Control or Alt goes to the group's edge, with Home and End to the file's."""
    far = bool(event.modifiers() & _FAR_KEYS)
    return (_FAR if far else _NEAR).get(Qt.Key(event.key()))


def rows_of(event: QKeyEvent) -> int:
    """Rows that a key scrolls without moving the caret: Control with up or down; else 0."""
    if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
        return 0
    return _SCROLLS.get(Qt.Key(event.key()), 0)


def extends(event: QKeyEvent) -> bool:
    """True when the selection grows: Shift is held."""
    return bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)


def is_copy(event: QKeyEvent) -> bool:
    """The platform's key for copying."""
    return event.matches(QKeySequence.StandardKey.Copy)


def is_select_all(event: QKeyEvent) -> bool:
    """The platform's key for selecting everything."""
    return event.matches(QKeySequence.StandardKey.SelectAll)


def is_menu(event: QKeyEvent) -> bool:
    """Shift+F10: as the menu key, which many keyboards lack."""
    return event.key() == Qt.Key.Key_F10 and bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
