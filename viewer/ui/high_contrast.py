"""Colours of high contrast, made of those of a theme: words 7:1 on all that lies under them, lines and marks 4.5:1.

Grounds become white or black, and each ink goes as far towards the other end as it must, so hues stay: those of the
colours for colour-blind people too. What each ink stands on is told by `INKS` and `LINES`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from PySide6.QtGui import QColor

TEXT: Final = 7.0
LINE: Final = 4.5
FILL: Final = 10.0
"""Of the ink on a region: room for that of zeros, which is weaker and as legible as other words."""
STEPS: Final = 64
BASE: Final = ("window", "pane", "sunken", "button")
GROUNDS: Final[Mapping[bool, Mapping[str, str]]] = {
    False: {
        **dict.fromkeys(BASE, "#FFFFFF"),
        "text": "#000000",
        "on_selection": "#FFFFFF",
        "muted": "#333333",
        "button_hover": "#EDEDED",
        "hover_tint": "#EDEDED",
        "button_pressed": "#DCDCDC",
        "passive": "#D0D0D0",
        "track": "#DCDCDC",
    },
    True: {
        **dict.fromkeys(BASE, "#000000"),
        "text": "#FFFFFF",
        "on_selection": "#FFFFFF",
        "muted": "#D6D6D6",
        "button_hover": "#242424",
        "hover_tint": "#242424",
        "button_pressed": "#333333",
        "passive": "#3D3D3D",
        "track": "#333333",
        "link_tint": "#0B2447",
        "hit_fill": "#4A3800",
    },
}
"""By whether the theme is dark: what lies under others, and what is written on it."""
SHADES: Final = ("button_hover", "button_pressed", "hover_tint", "link_tint", "passive")
SEVERITIES: Final = ("error", "warning", "note", "done")
INKS: Final[Mapping[str, tuple[str, ...]]] = {
    "text": (*BASE, *SHADES, "hit_fill"),
    "muted": (*BASE, *SHADES),
    "accent": (*BASE, *SHADES),
    **{role: (*BASE, *SHADES, f"{role}_bar") for role in SEVERITIES},
    **{
        f"code_{name}": ("pane", "sunken", "link_tint", "hover_tint")
        for name in ("keyword", "string", "number", "comment", "def", "class", "builtin", "self")
    },
}
"""Colours of words, and what they are written on."""
LINES: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("border", "field_edge", "faint", "thumb", "link_line", "hover_line"), BASE),
    **dict.fromkeys(("differs", "plot_low", "plot_high", "plot_below", "plot_above"), ("pane",)),
    "hit_line": ("pane", "hit_fill"),
    **{f"{role}_edge": ("pane", f"{role}_bar") for role in SEVERITIES},
}
"""Colours of lines and marks, and what they are drawn on."""


def heightened(table: Mapping[str, Any]) -> dict[str, Any]:
    """A theme as its file has it, in high contrast."""
    dark = bool(table["dark"])
    colours = {role: QColor(value) for role, value in {**table["colours"], **GROUNDS[dark]}.items()}
    end = QColor("white" if dark else "black")
    for inks, ratio in ((INKS, TEXT), (LINES, LINE)):
        for role, grounds in inks.items():
            colours[role] = apart(colours[role], [colours[ground] for ground in grounds], ratio, end)
    # White words stand on it, whatever the theme is.
    colours["selection"] = apart(colours["selection"], [colours["on_selection"]], TEXT, QColor("black"))
    regions = {kind: _region(row, colours["pane"], end) for kind, row in table["regions"].items()}
    return {**table, "colours": {role: colour.name() for role, colour in colours.items()}, "regions": regions}


def _region(row: Mapping[str, str], pane: QColor, end: QColor) -> dict[str, str]:
    """A kind of bytes: its fill goes away from what is written on it, lines and the ink of zeros towards it."""
    is_turned = contrast(QColor(row["text"]), pane) < contrast(QColor(row["fill"]), pane)
    text = pane if is_turned else end
    fill = apart(QColor(row["fill"]), [text], FILL, end if is_turned else pane)
    return {
        **row,
        "text": text.name(),
        "fill": fill.name(),
        "zero": apart(QColor(row["zero"]), [fill, *([] if is_turned else [pane])], TEXT, text).name(),
        "line": apart(QColor(row["line"]), [pane], LINE, end).name(),
    }


def apart(colour: QColor, others: Iterable[QColor], ratio: float, end: QColor) -> QColor:
    """The colour, moved towards another one until its contrast with all others is at least `ratio`."""
    known = list(others)
    for step in range(STEPS + 1):
        found = _between(colour, end, step / STEPS)
        if all(contrast(found, other) >= ratio for other in known):
            return found
    return QColor(end)


def contrast(one: QColor, other: QColor) -> float:
    """The ratio of WCAG 2: 1 for two that are alike, 21 for black on white."""
    first, second = sorted((_luminance(one), _luminance(other)))
    return (second + 0.05) / (first + 0.05)


def _luminance(colour: QColor) -> float:
    shares = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _between(one: QColor, other: QColor, share: float) -> QColor:
    parts = zip((one.red(), one.green(), one.blue()), (other.red(), other.green(), other.blue()), strict=True)
    return QColor(*(round(a + (b - a) * share) for a, b in parts))
