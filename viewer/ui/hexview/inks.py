"""Inks by the class of a byte: a colour of each class, made as dark or light as the ground under it asks for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor

if TYPE_CHECKING:
    from viewer.ui.theme import Theme

INK, DIM, PRINTABLE, CONTROL, HIGH, FULL = range(6)
"""Classes of bytes: without one of its own, zero, 20 to 7E, other ASCII, 80 to FE, FF."""

ROLES: Final = ("code_string", "code_class", "code_keyword", "error")
"""Roles of the theme whose colours the classes from PRINTABLE on begin with."""

LEAST: Final = 4.5
SPARE: Final = 0.05
"""Contrast beyond the least, for what rounding to whole channels takes away."""

STEPS: Final = 48


def classes() -> npt.NDArray[np.uint8]:
    """The class of each value, that of no byte last."""
    found = np.full(257, HIGH, np.uint8)
    found[:0x80] = CONTROL
    found[0x20:0x7F] = PRINTABLE
    found[[0, 0xFF, 256]] = DIM, FULL, INK
    return found


def inks(theme: Theme, text: QColor, grounds: Sequence[QColor]) -> tuple[QColor, ...]:
    """The inks of PRINTABLE, CONTROL, HIGH and FULL on some grounds that `text` can be read on."""
    return tuple(readable(theme.color(role), text, grounds) for role in ROLES)


def readable(color: QColor, text: QColor, grounds: Sequence[QColor]) -> QColor:
    """The colour of a hue that is nearest to the one given and has the least contrast; `text` where none has.

    It goes the way of `text`: darker where that is darker than the grounds, else lighter.
    """
    hue, saturation, lightness = color.hslHueF(), color.hslSaturationF(), color.lightnessF()
    end = 0.0 if luminance(text) < luminance(grounds[0]) else 1.0
    for step in range(STEPS):
        share = step / STEPS
        tried = QColor.fromHslF(hue, saturation, lightness + (end - lightness) * share)
        if _least(tried, grounds) >= LEAST + SPARE:
            return tried
    return QColor(text)


def _least(ink: QColor, grounds: Iterable[QColor]) -> float:
    return min(contrast(ink, ground) for ground in grounds)


def contrast(one: QColor, other: QColor) -> float:
    """The ratio of WCAG 2.1: 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(color: QColor) -> float:
    """The relative luminance of WCAG 2.1."""

    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF())
