"""Colours, fonts and sizes by role, read from `resources/themes`; the style sheet and icons made from them.

A widget asks the theme for a role ("muted", "link_line"), never for a colour. Sizes are given for a system font
of 13 px and grow with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import Template
from typing import Final

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QGuiApplication,
    QIcon,
    QImage,
    QPainter,
    QPalette,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from viewer import resources
from viewer.ui.fallbacks import fallbacks

NAMES: Final = ("light", "dark")
STYLE: Final = "fusion"
DRESSED: Final = "picklescopeStyle"
SYSTEM_TEXT: Final = 13
"""Pixels of the system font that the sizes are given for; a smaller system font is raised to it."""

ARGUMENT_SHARE: Final = 0.62
"""Share of the fill under an argument byte; the rest is the pane."""

TEXT_SIZES: Final[Mapping[str, tuple[int, bool]]] = {
    "text": (13, False),
    "small": (12, False),
    "caption": (11, False),
    "heading": (15, True),
    "title": (18, True),
    "display": (26, True),
}
MONO_SIZES: Final[Mapping[str, tuple[int, bool]]] = {"mono": (12, False), "small": (11, False), "head": (14, True)}
MONO_FAMILIES: Final = (
    "Cascadia Mono",
    "SF Mono",
    "Menlo",
    "Consolas",
    "JetBrains Mono",
    "DejaVu Sans Mono",
    "Noto Sans Mono",
    "Liberation Mono",
)
MIRRORED_ICONS: Final = frozenset({"back", "forward", "chevron-left", "chevron-right", "goto", "arrow"})
ICON_SCALES: Final = (1.0, 2.0, 3.0)
SEVERITIES: Final = frozenset({"error", "warning", "note", "done"})


PATTERNS: Final = {
    "hatch": Qt.BrushStyle.BDiagPattern,
    "cross": Qt.BrushStyle.DiagCrossPattern,
    "dots": Qt.BrushStyle.Dense6Pattern,
}


@dataclass(frozen=True, slots=True, eq=False)
class RegionColors:
    """How bytes of one kind look. `pattern` is none, hatch, cross or dots; `brush` draws it over the fill."""

    fill: QColor
    argument_fill: QColor
    line: QColor
    zero_ink: QColor
    text: QColor
    pattern: str

    @property
    def brush(self) -> QBrush | None:
        """The strokes of the pattern; None where there is none."""
        style = PATTERNS.get(self.pattern)
        return QBrush(self.line, style) if style is not None else None


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """One palette with its fonts. `scale` is 1 for a system font of 13 px.

    `fallbacks`: families for letters of the person's language that the two families lack. `distinct`: its colours are
    those for colour-blind people. `strong`: they are of high contrast.
    """

    name: str
    dark: bool
    scale: float
    colors: Mapping[str, QColor]
    regions: Mapping[str, RegionColors]
    text_family: str
    mono_family: str
    fallbacks: tuple[str, ...] = ()
    distinct: bool = False
    strong: bool = False

    def color(self, role: str) -> QColor:
        """The colour of a role of look.md, section 4. Raises KeyError for an unknown role."""
        return QColor(self.colors[role])

    def region(self, kind: str) -> RegionColors:
        """The colours of a region kind; a kind that has none looks like `unknown`."""
        return self.regions.get(kind) or self.regions["unknown"]

    def px(self, length: float) -> int:
        """A length that is `length` px beside a 13 px system font."""
        return max(1, round(length * self.scale)) if length else 0

    def text(self, role: str = "text", *, bold: bool | None = None) -> QFont:
        """The system's font for what the program says: text, small, caption, heading, title, display; as `mono`."""
        size, heavy = TEXT_SIZES[role]
        font = QFont([self.text_family, *self.fallbacks])
        font.setPixelSize(self.px(size))
        font.setBold(heavy if bold is None else bold)
        return font

    def mono(self, role: str = "mono", *, bold: bool | None = None) -> QFont:
        """The monospaced font for what stands in the file: mono, small, head. `bold` overrides the role's weight."""
        size, heavy = MONO_SIZES[role]
        font = QFont([self.mono_family, *self.fallbacks])
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setPixelSize(self.px(size))
        font.setBold(heavy if bold is None else bold)
        for tag in ("liga", "calt"):
            font.setFeature(QFont.Tag(tag), 0)
        return font


def mix(over: QColor, under: QColor, share: float) -> QColor:
    """`share` of the first colour laid over the second, both opaque."""

    def channel(above: int, below: int) -> int:
        return round(above * share + below * (1 - share))

    return QColor(
        channel(over.red(), under.red()), channel(over.green(), under.green()), channel(over.blue(), under.blue())
    )


def region_of_dtype(dtype: str) -> str:
    """The region kind of a storage by torch's or numpy's name of its dtype; `unknown` where none fits."""
    name = dtype.removeprefix("torch.")
    if name.startswith(("q", "bits", "int4", "uint4", "int2", "uint2", "int1", "uint1")) and name[-2:] != "16":
        return "quantised"
    if name.startswith("float8"):
        return "float8"
    kinds = {"float32": "float32", "float64": "float32", "float16": "float16", "bfloat16": "float16", "bool": "bool"}
    if name in kinds:
        return kinds[name]
    if name.startswith("complex"):
        return "complex"
    return "integer" if name.startswith(("int", "uint")) else "unknown"


def load_theme(
    name: str, *, text_scale: float = 1.0, mono: str = "", distinct: bool = False, strong: bool = False
) -> Theme:
    """The theme `light` or `dark` beside the system's font; `text_scale` is the person's text size, 1 = 100 %.

    `mono`: the family of fixed pitch that the person chose; one that is not there is passed over. `distinct`: with
    colours that colour-blind people tell apart. `strong`: in high contrast.
    """
    table = json.loads(resources.read_text(f"themes/{name}.json"))
    if distinct:
        for part, other in json.loads(resources.read_text(f"themes/{name}-distinct.json")).items():
            table[part].update(other)
    if strong:
        # Few want it: the others start without.
        from viewer.ui.high_contrast import heightened

        table = heightened(table)
    colors = {role: QColor(value) for role, value in table["colours"].items()}
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    pixels = max(SYSTEM_TEXT, QFontInfo(system).pixelSize())
    return Theme(
        name=table["name"],
        dark=table["dark"],
        scale=pixels / SYSTEM_TEXT * text_scale,
        colors=colors,
        regions={kind: _region(row, colors["pane"]) for kind, row in table["regions"].items()},
        text_family=system.family(),
        mono_family=mono if mono and QFontDatabase.hasFamily(mono) else mono_family(),
        fallbacks=fallbacks(),
        distinct=distinct,
        strong=strong,
    )


def _region(row: Mapping[str, str], pane: QColor) -> RegionColors:
    fill = QColor(row["fill"])
    return RegionColors(
        fill=fill,
        argument_fill=mix(fill, pane, ARGUMENT_SHARE),
        line=QColor(row["line"]),
        zero_ink=QColor(row["zero"]),
        text=QColor(row["text"]),
        pattern=row["pattern"],
    )


def mono_family() -> str:
    """The first family of the list that is installed and of fixed pitch, else the system's own."""
    for family in MONO_FAMILIES:
        if QFontDatabase.hasFamily(family) and QFontInfo(QFont(family)).fixedPitch():
            return family
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()


def system_theme_name() -> str:
    """`dark` where the system says so, else `light`."""
    dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return "dark" if dark else "light"


def system_wants_contrast() -> bool:
    """True where the system says so; before Qt 6.10 nothing is heard of it."""
    hints = getattr(QGuiApplication.styleHints(), "accessibility", None)
    return hints is not None and hints().contrastPreference() == Qt.ContrastPreference.HighContrast


def apply(app: QApplication, theme: Theme) -> None:
    """Give the whole program the theme: Fusion, its palette, its font and the one style sheet."""
    # Under a style sheet the style no longer tells its name; setting it again would polish every widget twice.
    if app.property(DRESSED) is None:
        app.setStyle(STYLE)
        app.setProperty(DRESSED, STYLE)
    # Qt takes a sheet off and puts another one on in a third of the time that it takes to exchange them.
    app.setStyleSheet("")
    app.setPalette(palette(theme))
    app.setFont(theme.text())
    QToolTip.setFont(theme.text("small"))
    app.setStyleSheet(style_sheet(theme))


def palette(theme: Theme) -> QPalette:
    """Qt's own roles out of the table, so that what the style sheet leaves out fits as well."""
    made = QPalette()
    role = QPalette.ColorRole
    pairs = (
        (role.Window, "window"),
        (role.WindowText, "text"),
        (role.Base, "pane"),
        (role.AlternateBase, "sunken"),
        (role.Text, "text"),
        (role.PlaceholderText, "muted"),
        (role.Button, "button"),
        (role.ButtonText, "text"),
        (role.BrightText, "on_selection"),
        (role.ToolTipBase, "pane"),
        (role.ToolTipText, "text"),
        (role.Highlight, "selection"),
        (role.HighlightedText, "on_selection"),
        (role.Link, "accent"),
        (role.LinkVisited, "accent"),
        (role.Accent, "selection"),
        (role.Mid, "border"),
    )
    for target, source in pairs:
        made.setColor(target, theme.color(source))
    group = QPalette.ColorGroup
    made.setColor(group.Inactive, role.Highlight, theme.color("passive"))
    made.setColor(group.Inactive, role.HighlightedText, theme.color("text"))
    for target in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(group.Disabled, target, theme.color("faint"))
    return made


class _Values(dict[str, str]):
    """What the style sheet may name: every colour role, `p28` for a scaled length, `images` for the folder."""

    def __init__(self, theme: Theme) -> None:
        super().__init__({role: color.name() for role, color in theme.colors.items()})
        self["name"] = theme.name
        self["images"] = resources.folder("themes").as_posix()
        self._theme = theme

    def __missing__(self, key: str) -> str:
        if key.startswith("p") and key[1:].isdigit():
            return str(self._theme.px(int(key[1:])))
        raise KeyError(key)


def style_sheet(theme: Theme) -> str:
    """`resources/themes/style.qss` with the theme's colours and lengths. Raises KeyError for a wrong name in it."""
    sheet = Template(resources.read_text("themes/style.qss")).substitute(_Values(theme))
    return turned(sheet, theme) if QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft else sheet


def turned(sheet: str, theme: Theme) -> str:
    """A style sheet for languages from right to left: Qt turns sub-controls round, but not the room beside them.

    A choice among names of the file keeps its direction in any language; it has the property `upright`.
    """
    sides = {"left": "right", "right": "left"}
    one_side = re.sub(r"padding-(left|right):", lambda found: f"padding-{sides[found[1]]}:", sheet)
    four = re.sub(r"padding: ([^\s;]+) ([^\s;]+) ([^\s;]+) ([^\s;]+);", r"padding: \1 \4 \3 \2;", one_side)
    return four + f'QComboBox[upright="true"] {{ padding: 0 {theme.px(22)}px 0 {theme.px(8)}px; }}\n'


@lru_cache(maxsize=512)
def _shape(name: str, side: int) -> QImage:
    """The icon as it is drawn, in pixels: read and rendered once for all colours."""
    renderer = QSvgRenderer(QByteArray(resources.read_bytes(f"icons/{name}.svg")))
    image = QImage(QSize(side, side), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, side, side))
    painter.end()
    return image


@lru_cache(maxsize=2048)
def icon_image(name: str, rgba: int, size: int, dpr: float, mirrored: bool) -> QImage:
    """The icon in one colour, `size` px square at `dpr`. Raises FileNotFoundError where none is drawn."""
    image = _shape(name, round(size * dpr)).copy()
    painter = QPainter(image)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(image.rect(), QColor.fromRgba(rgba))
    painter.end()
    if mirrored:
        image = image.flipped(Qt.Orientation.Horizontal)
    image.setDevicePixelRatio(dpr)
    return image


def paint_bar(bar: QWidget, ground: QColor, edge: QColor) -> None:
    """What all bars look like below their widgets: one colour, and a line along the lower edge. For a paint event."""
    painter = QPainter(bar)
    painter.fillRect(bar.rect(), ground)
    painter.fillRect(0, bar.height() - 1, bar.width(), 1, edge)
    painter.end()


def pixmap(
    theme: Theme, name: str, role: str = "muted", size: int = 16, dpr: float = 1.0, *, upright: bool = False
) -> QPixmap:
    """One icon in a role's colour, for delegates; `size` is scaled. Arrows turn round in right-to-left languages.

    `upright`: it stands where nothing turns round, as beside code.
    """
    is_turned = not upright and QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft
    mirrored = name in MIRRORED_ICONS and is_turned
    return QPixmap.fromImage(icon_image(name, theme.color(role).rgba(), theme.px(size), dpr, mirrored))


def icon(theme: Theme, name: str, role: str = "muted", size: int = 16) -> QIcon:
    """An icon for buttons and menus: the role at rest, text under the mouse, accent when on, faint when off.

    Icons of a severity keep its colour when on.
    """
    return _icon(theme, name, role, size, QGuiApplication.layoutDirection())


@lru_cache(maxsize=512)
def _icon(theme: Theme, name: str, role: str, size: int, direction: Qt.LayoutDirection) -> QIcon:
    """Made once: every header of every file has the same ones, and each is drawn in seven looks and three scales."""
    del direction
    made = QIcon()
    mode, state = QIcon.Mode, QIcon.State
    on = role if role in SEVERITIES else "accent"
    looks = (
        (mode.Normal, state.Off, role),
        (mode.Active, state.Off, "text" if role == "muted" else role),
        (mode.Disabled, state.Off, "faint"),
        (mode.Selected, state.Off, role),
        (mode.Normal, state.On, on),
        (mode.Active, state.On, on),
        (mode.Disabled, state.On, "faint"),
    )
    for dpr in ICON_SCALES:
        drawn = {color: pixmap(theme, name, color, size, dpr) for color in {color for _, _, color in looks}}
        for in_mode, in_state, color in looks:
            made.addPixmap(drawn[color], in_mode, in_state)
    return made
