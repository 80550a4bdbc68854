"""Movement: bars slide in, overlays fade. Where the system wants reduced motion all is there at once."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QByteArray, QEasingCurve, QPropertyAnimation, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QStyle, QWidget

SLIDE_MS: Final = 120
FREE: Final = (1 << 24) - 1
"""Qt's largest height of a widget: no limit."""


class _Wish:
    """What holds now. `effects`: Qt slid or faded menus, choices and hints before this was first asked."""

    none: bool = False
    effects: bool | None = None


def allow_motion(*, allowed: bool) -> None:
    """What the person chose or the system wishes. It holds for Qt's own menus, choices and hints as well."""
    general = Qt.UIEffect.UI_General
    if _Wish.effects is None:
        _Wish.effects = QApplication.isEffectEnabled(general)
    QApplication.setEffectEnabled(general, allowed and _Wish.effects)
    _Wish.none = not allowed


def moves(widget: QWidget) -> bool:
    """False where the system or the person wants no motion, and where nobody sees the widget."""
    if _Wish.none or QGuiApplication.platformName() == "offscreen":
        return False
    hint = widget.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, widget)
    return hint > 0 and widget.window().isVisible()


def slide_in(widget: QWidget, height: int) -> None:
    """Show a widget by letting it grow to `height`; afterwards its height is what it was meant to be."""
    widget.setVisible(True)
    if not moves(widget):
        return
    least = widget.minimumHeight()
    widget.setMinimumHeight(0)

    def settle() -> None:
        widget.setMinimumHeight(least)
        widget.setMaximumHeight(FREE)

    animation = QPropertyAnimation(widget, QByteArray(b"maximumHeight"), widget)
    animation.setDuration(SLIDE_MS)
    animation.setEasingCurve(QEasingCurve.Type.OutCubic)
    animation.setStartValue(0)
    animation.setEndValue(height)
    animation.finished.connect(settle)
    animation.start(QPropertyAnimation.DeletionPolicy.DeleteWhenStopped)
