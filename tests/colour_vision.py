"""How far apart colours are without red, green or blue: simulated after Machado, Oliveira and Fernandes (2009)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

Triple = NDArray[np.float64]

SIGHTS: Final[dict[str, Triple]] = {
    "full": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""What each sight makes of linear sRGB, at full severity."""

XYZ: Final = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
"""Linear sRGB to CIE XYZ, white D65."""


def linear(color: QColor) -> Triple:
    """Linear sRGB, 0 to 1."""
    channels = np.array([color.redF(), color.greenF(), color.blueF()])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def lab(color: QColor, sight: str = "full") -> Triple:
    """CIELAB as the sight sees it: lightness 0 to 100, a, b."""
    seen = np.clip(SIGHTS[sight] @ linear(color), 0, 1)
    ratio = (XYZ @ seen) / (XYZ @ np.ones(3))
    root = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def distance(one: QColor, other: QColor, sight: str = "full") -> float:
    """In CIELAB; 2.3 is just seen side by side, 10 at a glance."""
    return float(np.linalg.norm(lab(one, sight) - lab(other, sight)))


def nearest(colors: Sequence[QColor], sight: str) -> float:
    """The distance of the two that are most alike."""
    return min(distance(one, other, sight) for one, other in combinations(colors, 2))


def luminance(color: QColor) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    return float(np.array([0.2126, 0.7152, 0.0722]) @ linear(color))


def contrast(one: QColor, other: QColor) -> float:
    """1 to 21, as WCAG 2.2 defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
