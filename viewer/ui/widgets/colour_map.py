"""Colours for numbers: blue, grey, orange for data with both signs, cividis for all else."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor

from viewer.ui.theme import Theme, mix

STEPS: Final = 256
GREY: Final = 0.07
"""Share of the text's colour in the middle of the diverging map; the rest is the pane's."""

CIVIDIS: Final = (
    *("#00204D", "#002C69", "#06366E", "#2D426C", "#414D6B", "#52596C", "#61646F", "#6F7073", "#7D7C78"),
    *("#8B8779", "#9B9477", "#ACA174", "#BCAF6F", "#CEBC68", "#E0CB5E", "#F2DA50", "#FFEA46"),
)
"""Seventeen of the 256 colours of Nunez, Anderton and Renslow (2018), evenly spread."""

Colours = npt.NDArray[np.uint32]


def has_both_signs(low: float, high: float) -> bool:
    """Whether numbers of a range are better drawn around zero."""
    return low < 0 < high


def limits_of(low: float, high: float) -> tuple[float, float]:
    """The numbers at both ends of the colours for data of a range: as far below zero as above where both occur."""
    if has_both_signs(low, high):
        far = max(-low, high)
        return -far, far
    return low, high


def colours(theme: Theme, low: float, high: float) -> Colours:
    """The 256 colours of a range, as pixels 0xffRRGGBB."""
    if not has_both_signs(low, high):
        return _between([QColor(name) for name in CIVIDIS])
    middle = mix(theme.color("text"), theme.color("pane"), GREY)
    roles = ("plot_low", "plot_below", "", "plot_above", "plot_high")
    return _between([theme.color(role) if role else middle for role in roles])


def steps_of(numbers: npt.NDArray[np.float64], low: float, high: float) -> npt.NDArray[np.uint8]:
    """The number of the colour of each number; NaN gets 0, what lies beyond the ends theirs."""
    # Halves: the difference of two numbers may be larger than any number.
    half = high / 2 - low / 2
    with np.errstate(all="ignore"):
        if not half > 0:
            return np.full(numbers.shape, STEPS // 2, dtype=np.uint8)
        part = (numbers / 2 - low / 2) / half
    return (np.clip(np.nan_to_num(part, nan=0.0), 0, 1) * (STEPS - 1) + 0.5).astype(np.uint8)


def ink_on(pixel: int) -> QColor:
    """Black or white, whichever is easier to read on a pixel of a map."""
    red, green, blue = pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255
    return QColor("#15181C") if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else QColor("#FFFFFF")


def _between(anchors: list[QColor]) -> Colours:
    at = np.linspace(0, STEPS - 1, len(anchors))
    found = np.full(STEPS, 255, dtype=np.uint32)
    for channel in ("red", "green", "blue"):
        given = [getattr(anchor, channel)() for anchor in anchors]
        found = found << np.uint32(8) | np.rint(np.interp(np.arange(STEPS), at, given)).astype(np.uint32)
    return found
