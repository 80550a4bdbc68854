from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from viewer.ui.hexview import atlas
from viewer.ui.hexview.atlas import BLANK, Ends, Look, Tiles
from viewer.ui.hexview.edges import ALL_CODES
from viewer.ui.hexview.grounds import Grounds
from viewer.ui.hexview.marks import ARGUMENT, FLAG_BITS, KINDS, STYLE_COUNT, style_of
from viewer.ui.theme import Theme, load_theme


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return load_theme("light")


@pytest.mark.parametrize(("dpr", "cell", "row", "gap", "text"), [(1.0, 21, 20, 7, 8), (2.0, 42, 40, 14, 16)])
def test_lengths_are_those_of_the_look(theme: Theme, dpr: float, cell: int, row: int, gap: int, text: int) -> None:
    if theme.mono_family != "DejaVu Sans Mono" or theme.scale != 1:
        pytest.skip("the pictures were drawn with DejaVu Sans Mono at 13 px")
    metrics = atlas.face(theme, dpr).metrics
    assert (metrics.cell, metrics.row, metrics.gap, metrics.text) == (cell, row, gap, text)


def test_zoom_changes_the_bytes_and_not_the_margins(theme: Theme) -> None:
    normal, large = atlas.face(theme, 1.0).metrics, atlas.face(theme, 1.0, 2.0).metrics
    assert large.cell > 1.8 * normal.cell
    assert large.row == 2 * normal.row
    assert (large.margin, large.header) == (normal.margin, normal.header)


def test_a_label_is_inked_in_the_middle_of_its_cell(theme: Theme) -> None:
    ink = atlas.coverage(atlas.hex_labels(), atlas.face(theme, 1.0).regular, 21, 20)
    assert ink.shape == (257, 20, 21)
    assert not ink[BLANK].any()
    columns = np.flatnonzero(ink[0x88].any(axis=0))
    assert abs((columns[0] + columns[-1]) / 2 - 10) <= 1
    assert (ink[:256].any(axis=(1, 2))).all()


def test_text_is_ascii_and_dots() -> None:
    labels = atlas.text_labels(atlas.ASCII)
    assert (labels[0x41], labels[0x20], labels[0x7E], labels[0x7F], labels[0x00], labels[0xFF]) == (*"A ~", *"···")


def test_colours_run_from_ground_to_ink() -> None:
    table = atlas.blend_table(QColor("#102030"), QColor("#F0E0D0"))
    assert (hex(table[0]), hex(table[255])) == ("0xff102030", "0xfff0e0d0")
    assert hex(table[51]) == "0xff3d4650"


UNCUT = Ends(ALL_CODES, lambda pixels, codes: None)
"""Cells that end nowhere."""


def plain_look(style: int, calls: list[int]) -> Look:
    calls.append(style)
    ground = np.full((4, 3), 0xFF000000 + style, np.uint32)
    return Look(ground, QColor.fromRgb(0xFF000000 + style), QColor("white"), QColor("red"), bold=style == 9)


@pytest.fixture
def tiles() -> tuple[Tiles, list[int]]:
    """Cells of 3 x 4 pixels: the middle pixel is full ink, bold inks the pixel beside it too; value 0 is dim."""
    regular, bold = np.zeros((257, 4, 3), np.uint8), np.zeros((257, 4, 3), np.uint8)
    regular[:256, 1, 1] = 255
    bold[:256, 1, 1:] = 255
    dim = np.arange(257) == 0
    calls: list[int] = []
    return Tiles(3, (regular, bold), dim, partial(plain_look, calls=calls), UNCUT), calls


def gathered(tiles: Tiles, styles: list[list[int]], values: list[list[int]]) -> np.ndarray:
    rows, columns = np.shape(styles)
    slots = tiles.slots(np.array(styles, np.int32) << FLAG_BITS, np.array(values, np.int32))
    pixels = tiles.lines_of(slots).view(np.uint32).reshape(rows, columns, tiles.height, tiles.width)
    return pixels.transpose(0, 2, 1, 3).reshape(rows, tiles.height, columns * tiles.width)


def test_cells_are_laid_side_by_side_in_their_colours(tiles: tuple[Tiles, list[int]]) -> None:
    pixels = gathered(tiles[0], [[1, 2], [3, 9]], [[7, 0], [BLANK, 7]])
    white, red, black = 0xFFFFFFFF, 0xFFFF0000, 0xFF000000
    assert pixels[0, 1].tolist() == [black + 1, white, black + 1, black + 2, red, black + 2]
    assert pixels[1, 1].tolist() == [black + 3] * 3 + [black + 9, white, white]
    assert pixels[1, 0].tolist() == [black + 3] * 3 + [black + 9] * 3


def test_bold_zeros_are_not_dim(tiles: tuple[Tiles, list[int]]) -> None:
    assert gathered(tiles[0], [[9]], [[0]])[0, 1, 1] == 0xFFFFFFFF


def test_a_look_is_asked_for_once(tiles: tuple[Tiles, list[int]]) -> None:
    for values in ([[1, 2]], [[2, 3]], [[3, 4]]):
        gathered(tiles[0], [[5, 5]], values)
    assert tiles[1] == [5]


def test_a_full_cache_begins_anew(tiles: tuple[Tiles, list[int]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles[0], "most", 4)
    for first in range(0, 40, 3):
        values = [[first, first + 1, first + 2]]
        pixels = gathered(tiles[0], [[1, 2, 3]], values)
        assert pixels[0, 0, ::3].tolist() == [0xFF000001, 0xFF000002, 0xFF000003]
    assert tiles[0]._count <= 4


def test_a_finished_cell_is_what_qt_would_draw(theme: Theme) -> None:
    face = atlas.face(theme, 1.0)
    metrics = face.metrics
    regular, bold = (
        atlas.coverage(atlas.hex_labels(), font, metrics.cell, metrics.row) for font in (face.regular, face.bold)
    )
    made = Tiles(metrics.cell, (regular, bold), np.arange(257) == 0, Grounds(theme, metrics).hex_look, UNCUT)
    style = style_of(KINDS.index("number"), ARGUMENT)
    pixels = gathered(made, [[style]], [[0x4B]])[0]
    region = theme.region("number")
    image = QImage(metrics.cell, metrics.row, QImage.Format.Format_RGB32)
    image.fill(region.argument_fill)
    measured = QFontMetricsF(face.regular)
    brush = QPainter(image)
    brush.setFont(face.regular)
    brush.setPen(region.text)
    baseline = round((metrics.row - measured.ascent() - measured.descent()) / 2 + measured.ascent())
    brush.drawText(QPointF((metrics.cell - measured.horizontalAdvance("4B")) / 2, baseline), "4B")
    brush.end()
    drawn = atlas.pixels_of(image).view(np.uint8).reshape(metrics.row, -1).astype(int)
    made_bytes = np.ascontiguousarray(pixels).view(np.uint8).reshape(metrics.row, -1).astype(int)
    assert np.abs(drawn - made_bytes).max() <= 2


@pytest.mark.parametrize("look", ["hex_look", "text_look", "gap_look"])
def test_every_style_has_a_look(theme: Theme, look: str) -> None:
    grounds = Grounds(theme, atlas.face(theme, 1.0).metrics)
    make: Callable[[int], Look] = getattr(grounds, look)
    for style in range(STYLE_COUNT):
        assert make(style).background.shape[0] == 20
