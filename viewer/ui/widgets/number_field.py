"""A field for a whole number, with the room before its digits that style sheets do not give."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QValidator, QWheelEvent
from PySide6.QtWidgets import QSpinBox, QWidget
from typing_extensions import override

from viewer.ui.measures import keep

if TYPE_CHECKING:
    from viewer.ui.theme import Theme

BEFORE: Final = 6
GROUPED: Final = re.compile(r"[1-9]\d{0,2}([,.'\u2019\u00a0\u202f ])\d{3}(?:\1\d{3})*")
"""A whole number in groups of three digits, as tooltips have it."""
BROKEN: Final = re.compile(r"\d[\d,.'\u2019\u00a0\u202f ]*")


class NumberField(QSpinBox):
    """A field in which the comma of 0,5 stays as it was typed, and the whole number in front of it counts.

    Qt drops it as one between thousands, which makes 5 of it. The wheel counts only where the keyboard is: it scrolls
    the page below the mouse, and changes no number on its way.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    @override
    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        text = in_latin_digits(text)
        plain = text.strip()
        if plain.isdecimal() or not BROKEN.fullmatch(plain):
            return super().validate(text, position)
        if not GROUPED.fullmatch(plain) or self.valueFromText(text) > self.maximum():
            return QValidator.State.Intermediate, text, position
        return QValidator.State.Acceptable, text, position

    @override
    def fixup(self, text: str) -> str:
        """Nothing is dropped here either: what cannot be used is followed by the last number that could be."""
        return text

    @override
    def valueFromText(self, text: str) -> int:
        return int("".join(letter for letter in text if letter.isdecimal()) or 0)


def in_latin_digits(text: str) -> str:
    """Digits of any script as those that are shown in every language; a keyboard of Persian types its own."""
    return "".join(str(int(letter)) if letter.isdecimal() else letter for letter in text)


def number_field(theme: Theme, parent: QWidget | None = None) -> NumberField:
    """An empty field; its caller sets range and meaning."""
    field = NumberField(parent)
    # The padding of a style sheet does not reach the text of a number.
    keep(theme, field, "margins", lambda one, now: one.lineEdit().setTextMargins(now.px(BEFORE), 0, 0, 0))
    return field
