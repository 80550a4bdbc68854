"""A field for a whole number, with the room before its digits that style sheets do not give."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QSpinBox, QWidget

from viewer.ui.theme import Theme

BEFORE: Final = 6


def number_field(theme: Theme, parent: QWidget | None = None) -> QSpinBox:
    """An empty field; its caller sets range and meaning."""
    field = QSpinBox(parent)
    # The padding of a style sheet does not reach the text of a number.
    field.lineEdit().setTextMargins(theme.px(BEFORE), 0, 0, 0)
    return field
