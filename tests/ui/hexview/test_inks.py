"""Inks by the value of a byte: each can be read on every ground that may lie under it, in both themes."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from tests.ui.test_theme import contrast
from viewer.ui.hexview import atlas, inks, marks
from viewer.ui.hexview.grounds import STROKE_SHARE, Grounds
from viewer.ui.hexview.marks import ARGUMENT, DATA, KINDS, OPCODE, PLAIN, ROLES, style_of
from viewer.ui.theme import Theme, load_theme, mix


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Theme:
    return load_theme(request.param)


@pytest.fixture
def grounds(theme: Theme) -> Grounds:
    return Grounds(theme, atlas.face(theme, 1.0).metrics, shading=True)


def test_every_byte_has_one_class() -> None:
    classes = inks.classes()
    assert classes[0] == inks.DIM
    assert set(classes[1:0x20]) == {inks.CONTROL} == {classes[0x7F]}
    assert set(classes[0x20:0x7F]) == {inks.PRINTABLE}
    assert set(classes[0x80:0xFF]) == {inks.HIGH}
    assert (classes[0xFF], classes[atlas.BLANK]) == (inks.FULL, inks.INK)


@pytest.mark.parametrize("kind", range(PLAIN + 1))
def test_shaded_bytes_can_be_read_on_every_ground(theme: Theme, grounds: Grounds, kind: int) -> None:
    shades = grounds.shades(kind)
    assert len(shades) == len(inks.ROLES)
    roles = (OPCODE, DATA) if kind < PLAIN and KINDS[kind] == "stop" else range(len(ROLES))
    under = [grounds.fill(style_of(kind, role)) for role in roles]
    if kind < PLAIN and theme.region(KINDS[kind]).pattern != "none":
        region = theme.region(KINDS[kind])
        under.append(mix(region.line, region.fill, STROKE_SHARE))
    assert min(contrast(ink, ground) for ink in shades for ground in under) >= 4.5


def test_classes_are_told_apart_where_nothing_is_known(grounds: Grounds) -> None:
    hues = {ink.hslHue() // 20 for ink in grounds.shades(PLAIN)}
    assert len(hues) == len(inks.ROLES)


@pytest.mark.parametrize("kind", [marks.SELECTED, marks.PASSIVE, marks.HIT, marks.ODD, marks.MISSING])
def test_marks_keep_their_own_ink(grounds: Grounds, kind: int) -> None:
    assert grounds.shades(kind) == ()


def test_numbers_that_are_none_can_be_read(theme: Theme, grounds: Grounds) -> None:
    look = grounds.number_look(style_of(marks.ODD, ARGUMENT))
    assert look.bold, "and not by colour alone"
    assert contrast(look.ink, look.fill) >= 4.5


def test_without_shading_there_is_one_ink(theme: Theme) -> None:
    plain = Grounds(theme, atlas.face(theme, 1.0).metrics)
    assert {plain.hex_look(style).more for style in range(marks.STYLE_COUNT)} == {()}


def test_a_ground_that_no_hue_can_be_read_on_has_the_ink_of_the_text(qapp: QApplication) -> None:
    grey, white = QColor("#767676"), QColor("white")
    assert inks.readable(QColor("#8888FF"), white, [grey]) == white
    assert inks.readable(QColor("#00AA00"), QColor("black"), [white]).hslHue() == QColor("#00AA00").hslHue()


def test_contrast_is_that_of_wcag(qapp: QApplication) -> None:
    for one, other in (("black", "white"), ("#777777", "#ffffff"), ("#1F5FBF", "#DEE9FA")):
        assert inks.contrast(QColor(one), QColor(other)) == pytest.approx(
            contrast(QColor(one), QColor(other)), abs=0.01
        )
