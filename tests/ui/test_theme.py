"""The palette keeps what look.md promises: the figures here are those of its tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFontInfo, QGuiApplication, QIcon, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QDialogButtonBox,
    QProxyStyle,
    QPushButton,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QWidget,
)
from pytestqt.qtbot import QtBot
from typing_extensions import override

from tests.colour_vision import contrast
from viewer import resources
from viewer.session import bookmarks
from viewer.ui import theme as themes
from viewer.ui.hexview import overlay
from viewer.ui.theme import Theme

# (ink, ground, light, dark)
PAIRS = [
    ("text", "pane", 16.6, 13.3),
    ("text", "window", 14.9, 14.5),
    ("muted", "pane", 6.1, 6.7),
    ("muted", "window", 5.5, 7.3),
    ("accent", "pane", 6.1, 7.5),
    ("on_selection", "selection", 6.1, 5.2),
    ("text", "passive", 11.6, 8.3),
    ("text", "link_tint", 13.5, 10.3),
    ("muted", "link_tint", 5.0, 5.2),
    ("text", "hover_tint", 14.6, 11.4),
    ("text", "hit_fill", 12.9, 6.0),
    ("error", "pane", 6.6, 8.0),
    ("error", "error_bar", 5.7, 7.4),
    ("warning", "pane", 6.5, 9.7),
    ("warning", "warning_bar", 5.9, 8.3),
    ("note", "pane", 7.0, 8.5),
    ("note", "note_bar", 6.1, 7.5),
    ("done", "pane", 6.5, 8.9),
    ("done", "done_bar", 5.7, 7.7),
    ("text", "button_pressed", 13.6, 8.4),
]
LINES = [
    ("field_edge", "pane", 3.1, 3.7),
    ("faint", "pane", 3.1, 3.7),
    ("link_line", "pane", 6.1, 7.5),
    ("hover_line", "pane", 3.1, 4.3),
    ("hit_line", "hit_fill", 4.3, 4.4),
]
# kind: (text, zero, line) in light, the same in dark
REGIONS = {
    "protocol": ((8.2, 4.6, 3.7), (5.5, 4.7, 5.7)),
    "stack": ((13.3, 4.8, 3.6), (9.9, 4.9, 5.7)),
    "memo": ((13.5, 4.9, 3.8), (10.2, 5.1, 5.4)),
    "text": ((14.6, 5.3, 3.5), (10.1, 5.0, 5.9)),
    "number": ((10.1, 4.7, 3.7), (7.5, 4.6, 5.6)),
    "global": ((11.9, 4.7, 3.7), (5.3, 4.6, 5.7)),
    "call": ((8.0, 4.7, 3.9), (6.1, 4.7, 5.4)),
    "persistent_id": ((7.1, 4.6, 3.8), (4.7, 4.6, 5.9)),
    "stop": ((9.8, 9.8, 16.6), (11.4, 11.4, 16.4)),
    "zip_header": ((10.9, 4.6, 3.6), (8.2, 4.6, 5.7)),
    "zip_directory": ((7.6, 4.7, 3.6), (5.4, 4.6, 5.7)),
    "tar_header": ((11.2, 4.6, 3.7), (8.0, 4.6, 5.6)),
    "padding": ((14.8, 6.8, 3.6), (11.9, 8.4, 5.7)),
    "gap": ((13.5, 6.5, 3.7), (11.5, 8.3, 5.6)),
    "unknown": ((13.4, 6.7, 3.7), (11.4, 8.3, 5.6)),
    "float32": ((13.8, 5.0, 4.0), (10.7, 5.3, 5.7)),
    "float16": ((10.0, 4.7, 3.8), (7.1, 4.6, 5.5)),
    "float8": ((8.6, 4.7, 3.9), (8.5, 4.6, 5.3)),
    "integer": ((13.2, 4.8, 3.4), (5.6, 4.6, 6.0)),
    "bool": ((14.5, 5.3, 3.6), (6.7, 4.7, 5.8)),
    "complex": ((11.0, 4.7, 3.7), (5.4, 4.6, 5.5)),
    "quantised": ((7.7, 4.6, 3.6), (11.8, 5.9, 5.7)),
}
CODE = ("keyword", "string", "number", "comment", "def", "class", "builtin", "self")


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Theme:
    return themes.load_theme(request.param)


@pytest.fixture
def undressed(qapp: QApplication) -> Iterator[QApplication]:
    """The program, which gets its own looks back afterwards."""
    style, sheet, font = qapp.style().name() or "fusion", qapp.styleSheet(), qapp.font()
    yield qapp
    qapp.setStyleSheet(sheet)
    qapp.setStyle(style)
    qapp.setPalette(qapp.style().standardPalette())
    qapp.setFont(font)


def test_black_on_white_has_the_contrast_that_wcag_states() -> None:
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("white")) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(("ink", "ground", "light", "dark"), PAIRS)
def test_words_can_be_read(qapp: QApplication, ink: str, ground: str, light: float, dark: float) -> None:
    for name, expected in (("light", light), ("dark", dark)):
        theme = themes.load_theme(name)
        measured = contrast(theme.color(ink), theme.color(ground))
        assert measured == pytest.approx(expected, abs=0.051)
        assert measured >= 4.5


@pytest.mark.parametrize(("line", "ground", "light", "dark"), LINES)
def test_lines_can_be_seen(qapp: QApplication, line: str, ground: str, light: float, dark: float) -> None:
    for name, expected in (("light", light), ("dark", dark)):
        theme = themes.load_theme(name)
        measured = contrast(theme.color(line), theme.color(ground))
        assert measured == pytest.approx(expected, abs=0.051)
        assert measured >= 3


@pytest.mark.parametrize("kind", REGIONS)
def test_bytes_can_be_read_on_their_region(theme: Theme, kind: str) -> None:
    region = theme.region(kind)
    grounds = (contrast(region.text, region.fill), contrast(region.zero_ink, region.fill))
    line = contrast(region.line, theme.color("pane"))
    assert (*grounds, line) == pytest.approx(REGIONS[kind][theme.dark], abs=0.051)
    assert min(grounds) >= 4.5
    assert line >= 3


@pytest.mark.parametrize("kind", [kind for kind in REGIONS if kind != "stop"])
def test_bytes_can_be_read_on_the_argument_fill(theme: Theme, kind: str) -> None:
    region = theme.region(kind)
    assert contrast(region.text, region.argument_fill) >= 4.5
    assert contrast(region.zero_ink, region.argument_fill) >= 4.5


def test_code_can_be_read_on_the_pane_and_where_linked(theme: Theme) -> None:
    inks = [theme.color(f"code_{name}") for name in CODE]
    on_pane = min(contrast(ink, theme.color("pane")) for ink in inks)
    on_link = min(contrast(ink, theme.color("link_tint")) for ink in inks)
    assert (on_pane, on_link) == pytest.approx((6.5, 5.1) if theme.dark else (5.6, 4.6), abs=0.051)


def test_both_themes_have_the_same_roles_and_regions(qapp: QApplication) -> None:
    light, dark = themes.load_theme("light"), themes.load_theme("dark")
    assert set(light.colors) == set(dark.colors)
    assert set(light.regions) == set(dark.regions) == set(REGIONS)
    assert (light.dark, dark.dark) == (False, True)


def test_an_argument_has_62_percent_of_the_fill(qapp: QApplication) -> None:
    assert themes.load_theme("light").region("memo").argument_fill.name() == "#f9ecff"
    assert themes.mix(QColor("#FFFFFF"), QColor("#000000"), 0.62).name() == "#9e9e9e"


def test_patterns_tell_padding_gap_and_unknown(theme: Theme) -> None:
    patterns = {kind: theme.region(kind).pattern for kind in REGIONS}
    assert {kind: name for kind, name in patterns.items() if name != "none"} == {
        "padding": "hatch",
        "gap": "cross",
        "unknown": "dots",
    }


def test_an_unknown_kind_looks_unknown_and_an_unknown_role_raises(theme: Theme) -> None:
    assert theme.region("never heard of") is theme.region("unknown")
    with pytest.raises(KeyError):
        theme.color("never heard of")


def test_colours_cannot_be_changed_from_outside(theme: Theme) -> None:
    theme.color("text").setRed(99)
    assert theme.color("text").name() == ("#e4e8ec" if theme.dark else "#1b1f24")


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [
        ("float32", "float32"),
        ("float64", "float32"),
        ("torch.bfloat16", "float16"),
        ("float16", "float16"),
        ("float8_e4m3fn", "float8"),
        ("int64", "integer"),
        ("uint16", "integer"),
        ("int16", "integer"),
        ("bool", "bool"),
        ("complex64", "complex"),
        ("qint8", "quantised"),
        ("quint4x2", "quantised"),
        ("int4", "quantised"),
        ("bits8", "quantised"),
        ("strange", "unknown"),
    ],
)
def test_storages_are_coloured_by_dtype(dtype: str, kind: str) -> None:
    assert themes.region_of_dtype(dtype) == kind


def test_sizes_follow_the_text_size(qapp: QApplication) -> None:
    normal, large = themes.load_theme("light"), themes.load_theme("light", text_scale=1.5)
    assert large.scale == pytest.approx(normal.scale * 1.5)
    assert large.px(0) == 0
    assert large.px(20) == round(20 * large.scale)
    assert large.text().pixelSize() > normal.text().pixelSize()


def test_fonts_have_the_sizes_of_their_roles(theme: Theme) -> None:
    assert [theme.text(role).pixelSize() for role in ("text", "small", "caption", "heading", "title", "display")] == [
        theme.px(size) for size in (13, 12, 11, 15, 18, 26)
    ]
    assert [theme.mono(role).pixelSize() for role in ("mono", "small", "head")] == [theme.px(s) for s in (12, 11, 14)]
    assert theme.mono("head").bold()
    assert not theme.mono("mono").bold()
    assert theme.mono("mono", bold=True).bold()


def test_the_mono_font_is_of_fixed_pitch_without_ligatures(theme: Theme) -> None:
    font = theme.mono()
    assert QFontInfo(font).fixedPitch()
    assert {tag.toString().data().decode(): font.featureValue(tag) for tag in font.featureTags()} == {
        "liga": 0,
        "calt": 0,
    }


def test_the_first_family_that_is_there_and_fixed_is_taken(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(themes, "MONO_FAMILIES", ("No Such Family", "Noto Sans", themes.mono_family()))
    assert themes.mono_family() == themes.MONO_FAMILIES[2]


def test_without_any_of_them_the_system_says(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(themes, "MONO_FAMILIES", ("No Such Family",))
    assert themes.mono_family()


@pytest.mark.parametrize(
    ("scheme", "name"),
    [(Qt.ColorScheme.Dark, "dark"), (Qt.ColorScheme.Light, "light"), (Qt.ColorScheme.Unknown, "light")],
)
def test_the_theme_follows_the_system(monkeypatch: pytest.MonkeyPatch, scheme: Qt.ColorScheme, name: str) -> None:
    class Hints:
        def colorScheme(self) -> Qt.ColorScheme:  # noqa: N802 - Qt's own name
            return scheme

    monkeypatch.setattr(QGuiApplication, "styleHints", staticmethod(Hints))
    assert themes.system_theme_name() == name


def test_the_style_sheet_names_only_what_there_is(theme: Theme) -> None:
    sheet = themes.style_sheet(theme)
    assert "$" not in sheet
    assert theme.color("selection").name() in sheet
    for line in sheet.splitlines():
        if "url(" in line:
            path = line.split('url("')[1].split('"')[0]
            assert Path(path).is_file(), path


class WithSigns(QProxyStyle):
    """As desktops wish it."""

    @override
    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,
    ) -> int:
        if hint == QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons:
            return 1
        return super().styleHint(hint, option, widget, returnData)


def test_buttons_of_dialogs_have_no_signs_of_the_system(qtbot: QtBot, theme: Theme) -> None:
    """They are drawn for its own colours: black on dark."""
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    qtbot.addWidget(box)
    signs = WithSigns()
    box.setStyle(signs)
    box.setStyleSheet(themes.style_sheet(theme))
    assert not box.style().styleHint(QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons, None, box)


def test_a_wrong_name_in_the_style_sheet_raises(theme: Theme) -> None:
    with pytest.raises(KeyError):
        themes._Values(theme)["pane_of_glass"]
    with pytest.raises(KeyError):
        themes._Values(theme)["pxl"]
    assert themes._Values(theme)["p28"] == str(theme.px(28))


def test_the_program_wears_the_theme(theme: Theme, undressed: QApplication) -> None:
    themes.apply(undressed, theme)
    palette = undressed.palette()
    assert palette.color(QPalette.ColorRole.Base) == theme.color("pane")
    assert palette.color(QPalette.ColorRole.PlaceholderText) == theme.color("muted")
    assert palette.color(QPalette.ColorGroup.Inactive, QPalette.ColorRole.Highlight) == theme.color("passive")
    assert palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text) == theme.color("faint")
    assert undressed.font().pixelSize() == theme.px(13)
    assert undressed.styleSheet() == themes.style_sheet(theme)
    undressed.setStyleSheet("")
    assert undressed.style().name() == "fusion"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Icons of the test's own: a filled left half."""
    picture = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M0 0H8V16H0Z" fill="#000"/></svg>'
    real = resources.read_bytes

    def read_bytes(name: str) -> bytes:
        return picture if name in ("icons/half.svg", "icons/back.svg") else real(name)

    monkeypatch.setattr(resources, "read_bytes", read_bytes)
    themes.icon_image.cache_clear()


@pytest.mark.usefixtures("drawn")
def test_an_icon_takes_the_colour_of_its_role(theme: Theme) -> None:
    image = themes.pixmap(theme, "half", "error", 16, 2.0).toImage()
    side = theme.px(16) * 2
    assert (image.width(), image.height(), image.devicePixelRatio()) == (side, side, 2.0)
    assert image.pixelColor(2, side // 2) == theme.color("error")
    assert image.pixelColor(side - 3, side // 2).alpha() == 0


@pytest.mark.usefixtures("drawn")
def test_an_icon_is_drawn_once_for_each_look(theme: Theme) -> None:
    for _ in range(3):
        themes.pixmap(theme, "half", "muted")
    themes.pixmap(theme, "half", "text")
    assert themes.icon_image.cache_info().misses == 2


@pytest.mark.usefixtures("drawn")
def test_icons_change_with_their_state(theme: Theme) -> None:
    icon = themes.icon(theme, "half")
    size = QSize(theme.px(16), theme.px(16))

    def color(mode: QIcon.Mode, state: QIcon.State) -> QColor:
        return icon.pixmap(size, 1.0, mode, state).toImage().pixelColor(2, 8)

    assert color(QIcon.Mode.Normal, QIcon.State.Off) == theme.color("muted")
    assert color(QIcon.Mode.Active, QIcon.State.Off) == theme.color("text")
    assert color(QIcon.Mode.Normal, QIcon.State.On) == theme.color("accent")
    assert color(QIcon.Mode.Disabled, QIcon.State.Off) == theme.color("faint")


@pytest.mark.usefixtures("drawn")
def test_only_arrows_turn_round_from_right_to_left(theme: Theme, qapp: QApplication) -> None:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        half, back = (themes.pixmap(theme, name, "text").toImage() for name in ("half", "back"))
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    assert half.pixelColor(2, 8).alpha() == 255
    assert back.pixelColor(2, 8).alpha() == 0


@pytest.mark.usefixtures("drawn")
def test_an_icon_that_nobody_drew_raises(theme: Theme) -> None:
    with pytest.raises(FileNotFoundError):
        themes.icon(theme, "nobody-drew-this")


def test_the_arrows_of_the_style_sheet_have_the_theme_s_colour(theme: Theme) -> None:
    for way in ("up", "down", "right"):
        picture = resources.read_text(f"themes/{theme.name}-{way}.svg")
        assert theme.color("muted").name().upper() in picture.upper()


def test_marks_at_the_bytes_can_be_seen(theme: Theme) -> None:
    """Lines stand on a halo of the pane's colour, bytes on the fill of the mark."""
    pane = theme.color("pane")
    assert contrast(overlay.difference_ink(theme), pane) >= 4.5
    assert contrast(theme.color("hit_line"), pane) >= 4.5
    for ink, fill in (("text", "hit_fill"), ("text", "passive"), ("on_selection", "selection")):
        assert contrast(theme.color(ink), theme.color(fill)) >= 4.5
    assert min(contrast(overlay.line_of(theme, colour), pane) for colour in bookmarks.COLOURS) >= 3


def test_an_icon_of_a_severity_keeps_its_colour_when_on(qapp: QApplication) -> None:
    theme = themes.load_theme("light")
    for role, on in (("error", "error"), ("warning", "warning"), ("muted", "accent")):
        shown = themes.icon(theme, "error", role).pixmap(16, 16, QIcon.Mode.Normal, QIcon.State.On)
        assert shown.toImage() == themes.pixmap(theme, "error", on).toImage()


def test_icons_of_buttons_grow_with_the_text(qapp: QApplication) -> None:
    button = QPushButton()
    sizes = []
    try:
        for scale in (1.0, 2.0):
            button.setStyleSheet(themes.style_sheet(themes.load_theme("light", text_scale=scale)))
            button.ensurePolished()
            sizes.append(button.iconSize())
    finally:
        button.deleteLater()
    assert sizes[1] == sizes[0] * 2
