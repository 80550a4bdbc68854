"""The colours for colour-blind readers can be read, and told apart without red, green or blue."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from tests.colour_vision import SIGHTS, contrast, distance, lab, nearest
from viewer import resources
from viewer.session import bookmarks
from viewer.session.settings import COLOURS, THEME, Settings
from viewer.ui.application import Appearance
from viewer.ui.hexview import overlay
from viewer.ui.theme import Theme, load_theme

GROUPS: Final = {
    "opcodes": ("protocol", "stack", "memo", "text", "number", "global", "call", "persistent_id", "stop"),
    "containers": ("zip_header", "zip_directory", "tar_header"),
    "storages": ("float32", "float16", "float8", "integer", "bool", "complex", "quantised"),
}
PATTERNS: Final = {"padding", "gap", "unknown"}
"""Kinds that their pattern tells."""
SEVERITIES: Final = ("error", "warning", "note", "done")
CODE: Final = ("keyword", "string", "number", "comment", "def", "class", "builtin", "self")


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Theme:
    return load_theme(request.param, distinct=True)


def fills(theme: Theme, group: str) -> list[QColor]:
    return [theme.region(kind).fill for kind in GROUPS[group]]


def test_distances_are_those_of_cielab() -> None:
    assert lab(QColor("white")) == pytest.approx([100, 0, 0], abs=0.01)
    assert lab(QColor("#FF0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    assert distance(QColor("black"), QColor("white")) == pytest.approx(100, abs=0.01)


def test_the_sights_lack_what_they_should() -> None:
    red, green = QColor("#B02020"), QColor("#5E5E0A")
    assert distance(red, green, "full") > 60
    assert distance(red, green, "deuteranopia") < distance(red, green, "full") / 2
    blue, teal = QColor("#2060C0"), QColor("#00706C")
    assert distance(blue, teal, "tritanopia") < distance(blue, teal, "full") / 2
    for sight in SIGHTS:
        grey = lab(QColor("#808080"), sight)
        assert abs(grey[1]) + abs(grey[2]) < 1


def test_every_kind_is_in_a_group(theme: Theme) -> None:
    assert {kind for kinds in GROUPS.values() for kind in kinds} | PATTERNS == set(theme.regions)
    assert {kind for kind in theme.regions if theme.region(kind).pattern != "none"} == PATTERNS


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("group", GROUPS)
def test_kinds_are_told_apart(theme: Theme, group: str, sight: str) -> None:
    assert nearest(fills(theme, group), sight) >= 16


@pytest.mark.parametrize("group", ["opcodes", "containers", "storages"])
def test_they_are_further_apart_than_usual(theme: Theme, group: str) -> None:
    usual = load_theme(theme.name)
    least = [min(nearest(fills(one, group), sight) for sight in SIGHTS) for one in (usual, theme)]
    assert least[1] > least[0]


@pytest.mark.parametrize("sight", SIGHTS)
def test_severities_are_told_apart_and_from_words(theme: Theme, sight: str) -> None:
    assert nearest([theme.color(role) for role in (*SEVERITIES, "text")], sight) >= 18


@pytest.mark.parametrize("sight", SIGHTS)
def test_differences_are_told_apart(theme: Theme, sight: str) -> None:
    """Lines that were changed, added and taken away have the grounds of these bars."""
    assert nearest([theme.color(role) for role in ("warning_bar", "done_bar", "error_bar", "pane")], sight) >= 7.5


@pytest.mark.parametrize("sight", SIGHTS)
def test_marks_at_the_bytes_are_told_apart(theme: Theme, sight: str) -> None:
    assert nearest([overlay.difference_ink(theme), theme.color("hit_line"), theme.color("link_line")], sight) >= 18
    assert nearest([overlay.line_of(theme, colour) for colour in bookmarks.COLOURS], sight) >= 18


def test_words_can_be_read(theme: Theme) -> None:
    pane = theme.color("pane")
    for severity in SEVERITIES:
        ink, bar = theme.color(severity), theme.color(f"{severity}_bar")
        assert min(contrast(ink, pane), contrast(ink, bar), contrast(theme.color("text"), bar)) >= 4.5
        # Code stands on these grounds where it is compared.
        assert min(contrast(theme.color(f"code_{name}"), bar) for name in CODE) >= 4.5


@pytest.mark.parametrize("kind", [kind for kinds in GROUPS.values() for kind in kinds])
def test_bytes_can_be_read_on_their_region(theme: Theme, kind: str) -> None:
    region = theme.region(kind)
    grounds = [region.fill] if kind == "stop" else [region.fill, region.argument_fill]
    for ground in grounds:
        assert contrast(region.text, ground) >= 4.5
        assert contrast(region.zero_ink, ground) >= 4.5
    # A zero is fainter than other bytes, whatever the ground.
    assert contrast(region.zero_ink, region.fill) <= contrast(region.text, region.fill)
    assert contrast(region.line, theme.color("pane")) >= 3


def test_marks_can_be_seen(theme: Theme) -> None:
    pane = theme.color("pane")
    assert contrast(overlay.difference_ink(theme), pane) >= 4.5
    assert contrast(theme.color("differs"), pane) >= 3
    assert min(contrast(overlay.line_of(theme, colour), pane) for colour in bookmarks.COLOURS) >= 3


def test_the_rest_of_the_theme_is_the_usual_one(theme: Theme) -> None:
    usual = load_theme(theme.name)
    other = {role for role in usual.colors if usual.color(role) != theme.color(role)}
    named = {f"{severity}{part}" for severity in SEVERITIES for part in ("", "_bar", "_edge")}
    assert other <= named | {"differs"}
    assert set(theme.colors) == set(usual.colors)
    assert (usual.distinct, theme.distinct) == (False, True)


def test_severity_is_never_told_by_colour_alone() -> None:
    """Each severity has a sign of its own; the same shape in other colours would be none."""
    signs = [resources.read_bytes(f"icons/{name}.svg") for name in SEVERITIES]
    assert all(one != other for one, other in pairwise(sorted(signs)))


def test_they_are_switched_without_a_restart(qapp: QApplication, settings: Settings) -> None:
    settings.set(THEME, "light")
    style, sheet, font = qapp.style().name() or "fusion", qapp.styleSheet(), qapp.font()
    appearance = Appearance(qapp, settings)
    try:
        told: list[Theme] = []
        appearance.changed.connect(told.append)
        settings.set(COLOURS, "distinct")
        assert [one.distinct for one in told] == [True]
        assert appearance.theme.color("error") == load_theme("light", distinct=True).color("error")
        settings.set(COLOURS, "usual")
        assert appearance.theme.color("error") == load_theme("light").color("error")
    finally:
        appearance.deleteLater()
        qapp.setStyleSheet(sheet)
        qapp.setStyle(style)
        qapp.setPalette(qapp.style().standardPalette())
        qapp.setFont(font)
