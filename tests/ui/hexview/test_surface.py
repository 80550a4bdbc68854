"""What is on the screen, pixel by pixel, without a widget."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from tests.ui.hexview.readers import Cut, Pattern, hits_of, regions
from viewer.core.source import MemorySource
from viewer.core.span import Span
from viewer.ui.hexview import atlas, column
from viewer.ui.hexview import marks as kinds
from viewer.ui.hexview import surface as surface_module
from viewer.ui.hexview.grounds import Grounds
from viewer.ui.hexview.layout import Form, Side
from viewer.ui.hexview.marks import Marks, RegionRun
from viewer.ui.hexview.numbers import BYTES, Cells
from viewer.ui.hexview.surface import Moment, Surface
from viewer.ui.theme import Theme, load_theme

RUNS = [
    RegionRun(0, 1, "global", "opcode"),
    RegionRun(1, 12, "global", "argument"),
    RegionRun(12, 13, "stop", "opcode"),
    RegionRun(16, 200, "float32"),
    RegionRun(200, 260, "padding"),
    RegionRun(260, 400, "gap"),
]
SIZE = 1000


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Theme:
    return load_theme(request.param)


@pytest.fixture
def make(theme: Theme) -> Callable[..., Surface]:
    def build(reader: object = None, dpr: float = 1.0, rows: int = 12, width: int = 620) -> Surface:
        surface = Surface(theme)
        surface.content.reader = reader or Pattern(SIZE)
        surface.content.regions = regions(RUNS)
        surface.dress(theme, dpr, 1.0)
        metrics = surface.face.metrics
        surface.arrange(round(width * dpr), metrics.header + rows * metrics.row)
        return surface

    return build


def picture(surface: Surface, moment: Moment | None = None) -> QImage:
    image = QImage(surface.width, surface.face.metrics.header + surface.shown * surface.face.metrics.row, FORMAT)
    image.fill(QColor("magenta"))
    brush = QPainter(image)
    surface.paint(brush, image.rect(), 0, moment or Moment())
    brush.end()
    return image


FORMAT = QImage.Format.Format_RGB32


def ground(surface: Surface, image: QImage, offset: int, side: Side = Side.HEX) -> str:
    """The colour of a cell where no ink is: near its right edge, in the middle of the row's upper part."""
    layout, metrics = surface.layout, surface.face.metrics
    row = layout.row_of(offset) - surface.top_row
    x = layout.cell_x(layout.column_of(offset), side) + layout.cell_width(side) - (4 if side is Side.HEX else 1)
    return image.pixelColor(x, metrics.header + row * metrics.row + 3).name()


def inks(surface: Surface, image: QImage, offset: int, side: Side = Side.HEX) -> set[str]:
    """All colours of a cell."""
    layout, metrics = surface.layout, surface.face.metrics
    left = layout.cell_x(layout.column_of(offset), side)
    top = metrics.header + (layout.row_of(offset) - surface.top_row) * metrics.row
    return {
        image.pixelColor(x, y).name()
        for x in range(left, left + layout.cell_width(side))
        for y in range(top, top + metrics.row)
    }


def test_regions_have_their_fill(make: Callable[..., Surface], theme: Theme) -> None:
    surface = make()
    surface.mark(Marks(caret=999))
    image = picture(surface)
    assert ground(surface, image, 5) == theme.region("global").argument_fill.name()
    assert ground(surface, image, 40) == theme.region("float32").fill.name()
    assert ground(surface, image, 40, Side.TEXT) == theme.region("float32").fill.name()
    assert ground(surface, image, 14) == theme.color("pane").name()


def test_an_opcode_has_its_leading_line_and_an_argument_has_none(make: Callable[..., Surface], theme: Theme) -> None:
    surface = make()
    surface.mark(Marks(caret=999))
    image = picture(surface)
    line = theme.region("global").line.name()
    assert line in inks(surface, image, 0)
    assert line not in inks(surface, image, 1)
    x = surface.layout.cell_x(0, Side.HEX)
    assert [image.pixelColor(x + step, surface.face.metrics.header + 8).name() for step in (1, 2)] == [line, line]


def test_an_opcode_is_bolder_than_an_argument(make: Callable[..., Surface], theme: Theme) -> None:
    def weight(kind: str, role: str) -> int:
        surface = make(MemorySource(b"\x58" * 16))
        surface.content.regions = regions([RegionRun(0, 1, kind, role)])
        surface.mark(Marks(caret=15))
        image, metrics = picture(surface), surface.face.metrics
        left = surface.layout.cell_x(0, Side.HEX)
        fill = ground(surface, image, 0)
        area = [(x, y) for x in range(left + 3, left + 20) for y in range(metrics.header + 4, metrics.header + 16)]
        return sum(image.pixelColor(x, y).name() != fill for x, y in area)

    assert weight("stack", "opcode") > weight("stack", "data") > 0


def test_zeros_are_dim(make: Callable[..., Surface], theme: Theme) -> None:
    surface = make(MemorySource(b"\x01\x00\xff\x00" * 64))
    surface.mark(Marks(caret=255))
    image = picture(surface)
    region = theme.region("float32")

    def distance(color: QColor) -> int:
        return abs(color.green() - region.fill.green())

    zero, other = (max(distance(QColor(name)) for name in inks(surface, image, offset)) for offset in (37, 38))
    assert zero <= distance(region.zero_ink) < other


def test_the_selection_is_solid_only_where_the_keys_go(make: Callable[..., Surface], theme: Theme) -> None:
    surface = make()
    selection, passive = theme.color("selection").name(), theme.color("passive").name()
    for marks, in_hex, in_text in (
        (Marks(Span(40, 44), 40, Side.HEX, focused=True), selection, passive),
        (Marks(Span(40, 44), 40, Side.TEXT, focused=True), passive, selection),
        (Marks(Span(40, 44), 40, Side.HEX, focused=False), passive, passive),
    ):
        surface.mark(marks)
        image = picture(surface)
        assert ground(surface, image, 41) == in_hex
        assert ground(surface, image, 41, Side.TEXT) == in_text
        assert ground(surface, image, 45) == theme.region("float32").fill.name()


def test_linked_bytes_keep_their_fill_and_get_a_line(make: Callable[..., Surface], theme: Theme) -> None:
    surface = make()
    surface.mark(Marks(caret=999, linked=(Span(40, 60),)))
    image = picture(surface)
    assert ground(surface, image, 41) == theme.region("float32").fill.name()
    layout, metrics = surface.layout, surface.face.metrics
    x = layout.cell_x(9, Side.HEX) + 10
    edge = metrics.header + layout.row_of(40) * metrics.row
    shades = [image.pixelColor(x, edge + step) for step in (-2, -1, 0, 1)]
    assert shades[1] == shades[2]
    blue, pane = theme.color("link_line"), theme.color("pane")
    assert abs(shades[1].blue() - blue.blue()) < abs(shades[1].blue() - pane.blue()) or shades[1] != pane
    assert shades[0].name() != theme.region("float32").fill.name(), "the line has a halo"


def test_hits_are_lit_up(make: Callable[..., Surface], theme: Theme) -> None:
    surface = make()
    surface.finder = hits_of(np.array([[41, 44], [900, 903]]))
    surface.mark(Marks(caret=999))
    surface.refresh(bytes_too=False)
    image = picture(surface)
    assert ground(surface, image, 42) == theme.color("hit_fill").name()
    assert ground(surface, image, 40) == theme.region("float32").fill.name()


def test_missing_bytes_are_hatched_and_blank(make: Callable[..., Surface], theme: Theme) -> None:
    surface = make(Cut(SIZE, 100))
    surface.mark(Marks(caret=5))
    image = picture(surface)
    seen = inks(surface, image, 120)
    assert theme.color("error_bar").name() in seen
    assert len(seen) > 1
    assert theme.color("text").name() not in seen


@pytest.mark.parametrize(("offset", "kind"), [(230, "padding"), (300, "gap")])
def test_containers_have_a_pattern_beside_their_colour(
    make: Callable[..., Surface], theme: Theme, offset: int, kind: str
) -> None:
    surface = make(MemorySource(bytes([0x20]) * SIZE), rows=30)
    surface.mark(Marks(caret=999))
    image = picture(surface)
    layout, metrics = surface.layout, surface.face.metrics
    top = metrics.header + layout.row_of(offset) * metrics.row
    left = layout.cell_x(layout.column_of(offset), Side.TEXT)
    seen = {image.pixelColor(x, y).name() for x in range(left, left + 8) for y in range(top + 2, top + 18)}
    assert theme.region(kind).fill.name() in seen
    assert len(seen) > 3


def test_ends_of_runs_are_round_and_inset(make: Callable[..., Surface], theme: Theme) -> None:
    surface = make()
    surface.mark(Marks(caret=999))
    image, metrics = picture(surface), surface.face.metrics
    left, pane = surface.layout.cell_x(12, Side.HEX), theme.color("pane").name()
    top = metrics.header
    fill = theme.region("stop").fill.name()
    assert image.pixelColor(left, top + 10).name() == pane
    assert image.pixelColor(left + 10, top).name() == pane
    assert image.pixelColor(left + 10, top + 1).name() == fill
    corner = image.pixelColor(left + 1, top + 1).name()
    assert corner not in (fill,)


def test_the_gap_of_a_group_is_filled_where_the_run_goes_on(make: Callable[..., Surface], theme: Theme) -> None:
    surface = make()
    surface.mark(Marks(Span(23, 24), 23, Side.HEX, focused=True))
    image, layout, metrics = picture(surface), surface.layout, surface.face.metrics
    y = metrics.header + metrics.row + 10
    in_gap = [image.pixelColor(layout.cell_x(column, Side.HEX) - 3, y).name() for column in (4, 12)]
    assert in_gap == [theme.region("float32").fill.name()] * 2
    behind_selection = image.pixelColor(layout.cell_x(8, Side.HEX) - 3, y).name()
    assert behind_selection == theme.region("float32").fill.name()
    empty = image.pixelColor(layout.cell_x(12, Side.HEX) - 3, metrics.header + 10).name()
    assert empty == theme.color("pane").name(), "the argument ends before the gap"


def test_the_caret_row_is_named_in_the_gutter(make: Callable[..., Surface], theme: Theme) -> None:
    surface = make()
    surface.mark(Marks(caret=40))
    image, layout, metrics = picture(surface), surface.layout, surface.face.metrics

    def gutter(row: int) -> set[str]:
        top = metrics.header + row * metrics.row
        xs, ys = range(layout.gutter_x, layout.hex_x - 2), range(top, top + metrics.row)
        return {image.pixelColor(x, y).name() for x in xs for y in ys}

    assert theme.color("text").name() in gutter(2)
    assert theme.color("text").name() not in gutter(3)
    assert len(gutter(3)) > 3


def test_offsets_beyond_32_bits_are_written_whole(make: Callable[..., Surface], theme: Theme) -> None:
    surface = make(Pattern(2**50), width=700)
    surface.top_row = 0x123456789A
    assert surface.layout.digits == 14
    image = picture(surface)
    metrics = surface.face.metrics
    ink = atlas.coverage(atlas.hex_labels(), surface.face.regular, metrics.cell, metrics.row)[:, :, 3:18]
    cells = atlas.blend_table(theme.color("pane"), theme.color("muted"))[ink]
    second_row = atlas.pixels_of(image)[metrics.header + metrics.row : metrics.header + 2 * metrics.row]
    for index, byte in enumerate((0x00, 0x01, 0x23, 0x45, 0x67, 0x89, 0xB0)):
        x = surface.layout.gutter_x + round(index * 2 * metrics.digit)
        assert np.array_equal(second_row[:, x + 1 : x + 14], cells[byte][:, 1:14]), hex(byte)


@pytest.mark.parametrize("steps", [(1,), (5,), (3, -2), (20,), (-1,), (11, 1, -7)])
@pytest.mark.parametrize("dpr", [1.0, 2.0])
def test_scrolling_shows_what_a_fresh_view_shows(
    make: Callable[..., Surface], steps: tuple[int, ...], dpr: float
) -> None:
    marks = Marks(Span(300, 420), 300, Side.HEX, focused=True, linked=(Span(350, 500),))
    moving, fresh = make(dpr=dpr), make(dpr=dpr)
    for surface in (moving, fresh):
        surface.mark(marks)
        surface.top_row = 20
    picture(moving)
    for step in steps:
        moving.top_row += step
        fresh.top_row = moving.top_row
        picture(moving)
    assert picture(moving) == picture(fresh)


@pytest.mark.parametrize(
    "marks",
    [
        Marks(Span(100, 101), 100, focused=True),
        Marks(Span(90, 200), 90, focused=True),
        Marks(Span(64, 65), 64, Side.TEXT, focused=True),
        Marks(Span(64, 65), 64, focused=False),
        Marks(Span(64, 65), 64, focused=True, linked=(Span(10, 90),)),
        Marks(Span(64, 65), 64, focused=True, hover=Span(33, 77)),
        Marks(Span(64, 65), 64, focused=True, bookmarks=frozenset({17})),
    ],
)
def test_rows_named_for_paint_hold_all_that_changed(make: Callable[..., Surface], marks: Marks) -> None:
    surface = make()
    surface.mark(Marks(Span(64, 65), 64, focused=True))
    before = picture(surface)
    rows = surface.mark(marks)
    after = atlas.pixels_of(picture(surface))
    changed = np.flatnonzero((after != atlas.pixels_of(before)).any(axis=1))
    metrics = surface.face.metrics
    named = {row for first, last in rows for row in range(first, last + 1)}
    assert {int(y - metrics.header) // metrics.row for y in changed if y >= metrics.header} <= named


def test_only_rows_that_are_asked_for_are_composed(
    make: Callable[..., Surface], monkeypatch: pytest.MonkeyPatch
) -> None:
    surface = make()
    surface.mark(Marks(Span(64, 65), 64, focused=True))
    image = picture(surface)
    cells: list[int] = []
    slots = atlas.Tiles.slots

    def spy(self: atlas.Tiles, codes: kinds.Codes, values: kinds.Codes) -> np.ndarray:
        cells.append(codes.size)
        return slots(self, codes, values)

    monkeypatch.setattr(atlas.Tiles, "slots", spy)
    row = surface.layout.row_bytes
    brush = QPainter(image)
    surface.paint(brush, surface.rect((4, 5)), 0, Moment())
    assert cells == [2 * row, 2 * (row // 4 - 1), 2 * row], "cells, gaps, letters of two rows"
    cells.clear()
    surface.paint(brush, surface.caret_rect(0), 0, Moment(caret_lit=True))
    brush.end()
    assert max(cells) < row, "the cells around the caret"


def test_a_part_that_is_painted_alone_looks_as_in_the_whole(make: Callable[..., Surface]) -> None:
    surface = make()
    surface.mark(Marks(Span(64, 90), 64, focused=True, linked=(Span(30, 120),), hover=Span(80, 85)))
    whole = picture(surface)
    part = QImage(whole.size(), FORMAT)
    part.fill(QColor("magenta"))
    area = QRect(100, surface.face.metrics.header + 85, 200, 30)
    brush = QPainter(part)
    brush.setClipRect(area)
    surface.paint(brush, area, 0, Moment())
    brush.end()
    assert part.copy(area) == whole.copy(area)


def test_nothing_in_the_window_is_left_unpainted(make: Callable[..., Surface]) -> None:
    for reader in (Pattern(SIZE), Pattern(20), Pattern(0)):
        for width in (300, 620, 900):
            surface = make(reader, width=width)
            image = atlas.pixels_of(picture(surface))
            assert not (image == QColor("magenta").rgb()).any()


def test_a_flash_tints_its_row_only(make: Callable[..., Surface]) -> None:
    surface = make()
    plain, lit = picture(surface), picture(surface, Moment(flash_row=3))
    changed = np.flatnonzero((atlas.pixels_of(plain) != atlas.pixels_of(lit)).any(axis=1))
    metrics = surface.face.metrics
    assert {int(y - metrics.header) // metrics.row for y in changed} == {3}


def test_the_caret_bar_is_in_its_cell_only(make: Callable[..., Surface]) -> None:
    surface = make()
    surface.mark(Marks(Span(40, 41), 40, Side.TEXT, focused=True))
    plain, lit = atlas.pixels_of(picture(surface)), atlas.pixels_of(picture(surface, Moment(caret_lit=True)))
    ys, xs = np.nonzero(plain != lit)
    cell = surface.caret_rect(0)
    assert len(ys) > 0
    assert all(cell.contains(int(x), int(y)) for x, y in zip(xs, ys, strict=True))


def test_the_place_is_kept_when_the_width_changes(make: Callable[..., Surface]) -> None:
    surface = make(Pattern(100_000))
    surface.top_row = 1000
    surface.mark(Marks(Span(16_100, 16_101), 16_100))
    line = 16_100 // 16 - 1000
    metrics = surface.face.metrics
    surface.arrange(480, metrics.header + 12 * metrics.row)
    assert surface.layout.row_bytes == 12
    assert 16_100 // 12 - surface.top_row == line


def test_a_caret_in_view_stays_in_view_when_the_window_gets_lower(make: Callable[..., Surface]) -> None:
    surface = make(Pattern(100_000))
    surface.top_row = 1000
    row = 1000 + surface.whole - 1
    surface.mark(Marks(Span(16 * row, 16 * row + 1), 16 * row))
    metrics = surface.face.metrics
    surface.arrange(surface.width, metrics.header + 3 * metrics.row)
    assert (surface.whole, surface.top_row) == (3, row - 2)


def test_without_a_caret_in_view_the_first_byte_stays(make: Callable[..., Surface]) -> None:
    surface = make(Pattern(100_000))
    surface.top_row = 1000
    metrics = surface.face.metrics
    surface.arrange(480, metrics.header + 12 * metrics.row)
    assert surface.top_row == 16_000 // 12


@pytest.mark.parametrize("dpr", [1.0, 1.25, 1.5, 2.0, 3.0])
def test_a_finer_screen_keeps_the_layout(make: Callable[..., Surface], dpr: float) -> None:
    surface = make(dpr=dpr, width=596)
    assert surface.layout.row_bytes == 16
    assert surface.layout.width <= 596 * dpr


@pytest.mark.parametrize("row_bytes", [surface_module.WHOLE, surface_module.WHOLE + 1, 2**20])
def test_of_wide_rows_only_what_is_in_view_is_read(make: Callable[..., Surface], row_bytes: int) -> None:
    reader = Pattern(row_bytes * 100)
    surface = make(reader)
    surface.fixed = row_bytes
    metrics = surface.face.metrics
    surface.arrange(620, metrics.header + 20 * metrics.row)
    picture(surface)
    assert sum(length for _, length in reader.reads) <= 20 * surface_module.WHOLE
    assert surface.content.values.reshape(20, -1)[19, 5] == (19 * row_bytes + 5) % 251


@pytest.fixture
def numbers(make: Callable[..., Surface]) -> Surface:
    """Floats behind an odd offset: 1.5, NaN, 0, infinity and two more in each row."""
    data = b"\xff" * 3 + struct.pack("<4f", 1.5, math.nan, 0, -math.inf) * 8 + b"\0\0"
    surface = make(MemorySource(data))
    surface.content.regions = regions([RegionRun(3, len(data), "float32")])
    surface.form = Form(group=8, phase=3, cells=Cells("float32"))
    surface.fixed = 16
    surface.dress(surface.theme, 1.0, 1.0)
    surface.mark(Marks(Span(0, 1), 0, focused=True))
    return surface


def test_cells_that_are_no_numbers_are_marked(numbers: Surface, theme: Theme) -> None:
    image = picture(numbers)
    fill, odd = theme.region("float32").fill.name(), theme.color("error_bar").name()
    grounds = [ground_left(numbers, image, 3 + 4 * element) for element in range(4)]
    assert grounds == [fill, odd, fill, odd]
    assert drawn_in(numbers, image, 7, theme.color("error_bar"), theme.color("error"))


def test_zeros_among_numbers_are_dim(numbers: Surface, theme: Theme) -> None:
    image = picture(numbers)
    region = theme.region("float32")
    assert drawn_in(numbers, image, 11, region.fill, region.zero_ink)
    assert not drawn_in(numbers, image, 3, region.fill, region.zero_ink)
    assert drawn_in(numbers, image, 3, region.fill, region.text)


def test_a_cell_is_selected_whole(numbers: Surface, theme: Theme) -> None:
    numbers.mark(Marks(Span(20, 21), 20, focused=True))
    image = picture(numbers)
    assert ground_left(numbers, image, 19) == theme.color("selection").name()
    assert ground_left(numbers, image, 27) == theme.region("float32").fill.name()


def test_scrolled_numbers_are_those_of_a_fresh_view(numbers: Surface) -> None:
    before = picture(numbers)
    numbers.top_row = 2
    picture(numbers)
    numbers.top_row = 0
    assert picture(numbers) == before


def drawn_in(surface: Surface, image: QImage, offset: int, fill: QColor, ink: QColor, side: Side = Side.HEX) -> bool:
    """True where the upper part of a cell holds nothing but a ground and an ink over it, in whatever share."""
    layout, metrics = surface.layout, surface.face.metrics
    left = layout.cell_x(layout.column_of(offset), side)
    top = metrics.header + (layout.row_of(offset) - surface.top_row) * metrics.row
    pixels = atlas.pixels_of(image)[top + 4 : top + 16, left + 3 : left + layout.cell_width(side) - 1]
    return bool(np.isin(pixels, atlas.blend_table(fill, ink)).all() and len(np.unique(pixels)) > 3)


def ground_left(surface: Surface, image: QImage, offset: int) -> str:
    """The colour of a cell before its first letter."""
    layout, metrics = surface.layout, surface.face.metrics
    y = metrics.header + (layout.row_of(offset) - surface.top_row) * metrics.row + 9
    return image.pixelColor(layout.cell_x(layout.column_of(offset), Side.HEX) + 3, y).name()


def test_bytes_have_the_ink_of_their_class(make: Callable[..., Surface], theme: Theme) -> None:
    surface = make(MemorySource(bytes([0x41, 0x0A, 0x9C, 0xFF, 0x00]) * 40))
    surface.content.regions = None
    surface.form = Form(shading=True)
    surface.dress(theme, 1.0, 1.0)
    surface.mark(Marks(caret=199))
    image = picture(surface)
    shades = Grounds(theme, surface.face.metrics, shading=True).shades(kinds.PLAIN)
    pane = theme.color("pane")
    for offset, shade in enumerate((*shades, theme.color("muted"))):
        found = [ink for ink in (*shades, theme.color("muted")) if drawn_in(surface, image, offset, pane, ink)]
        assert found == [shade]
    assert drawn_in(surface, image, 5, pane, shades[0], Side.TEXT)


def test_only_groups_in_view_are_composed(make: Callable[..., Surface], monkeypatch: pytest.MonkeyPatch) -> None:
    surface = make(Pattern(100_000))
    surface.fixed = 512
    metrics = surface.face.metrics
    surface.arrange(620, metrics.header + 3 * metrics.row)
    widths: list[int] = []
    band = column.Band.__init__

    def spy(self: column.Band, x: int, width: int, *rest: int) -> None:
        widths.append(width)
        band(self, x, width, *rest)

    monkeypatch.setattr(column.Band, "__init__", spy)
    height = metrics.header + 3 * metrics.row
    for shift in (0, 3001, surface.layout.width - 620):
        widths.clear()
        part = QImage(620, height, FORMAT)
        brush = QPainter(part)
        surface.paint(brush, part.rect(), shift, Moment())
        brush.end()
        assert len(widths) == 1
        assert widths[0] < 800
        assert not (atlas.pixels_of(part) == QColor("magenta").rgb()).any()


@pytest.mark.parametrize("cells", [BYTES, Cells("int16")])
@pytest.mark.parametrize(("group", "fixed"), [(4, 300), (4, 302), (16, 309), (1024, 301)])
def test_rows_wider_than_the_window_look_alike_however_they_are_scrolled(
    make: Callable[..., Surface], cells: Cells, group: int, fixed: int
) -> None:
    """Sideways in steps and jumps, beside a surface that is as wide as its rows."""
    data = "aé漢𝄞".encode() * 900
    whole, part = make(MemorySource(data), rows=3), make(MemorySource(data), rows=3)
    for surface, wide in ((whole, 0), (part, 300)):
        surface.fixed, surface.content.encoding = fixed, "utf-8"
        surface.form = Form(group=group, cells=cells)
        surface.dress(surface.theme, 1.0, 1.0)
        surface.mark(Marks(Span(150, 420), 150, focused=True))
        surface.arrange(wide or surface.layout.width, surface.face.metrics.header + 3 * surface.face.metrics.row)
    expected = picture(whole)
    right = part.layout.width - 300
    for shift in (0, 40, 170, 700, 2000, 1500, right, right - 90, right - 1000, 0):
        image = QImage(300, expected.height(), FORMAT)
        brush = QPainter(image)
        part.paint(brush, image.rect(), shift, Moment())
        brush.end()
        assert image == expected.copy(QRect(shift, 0, 300, expected.height())), shift


def narrow(surface: Surface, shift: int, height: int) -> QImage:
    """A part of 300 pixels of rows."""
    image = QImage(300, height, FORMAT)
    brush = QPainter(image)
    surface.paint(brush, image.rect(), shift, Moment(caret_lit=True))
    brush.end()
    return image


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
@pytest.mark.parametrize("form", [Form(), Form(group=1, phase=3), Form(cells=Cells("int32")), Form(group=2**20)])
def test_rows_of_which_a_part_is_read_look_as_if_all_were(
    make: Callable[..., Surface], monkeypatch: pytest.MonkeyPatch, encoding: str, form: Form
) -> None:
    """Also where digits and letters are both in view, at the seam between, and behind the end."""
    data = "aé漢𝄞b".encode() * 900
    pictures: list[list[QImage]] = []
    for whole in (2000, 100):
        monkeypatch.setattr(surface_module, "WHOLE", whole)
        surface = make(MemorySource(data), rows=6)
        surface.form, surface.content.encoding, surface.fixed = form, encoding, 1800
        surface.dress(surface.theme, 1.0, 1.0)
        surface.mark(Marks(Span(1700, 3700), 1700, focused=True, linked=(Span(30, 5000),), hover=Span(1795, 1806)))
        surface.finder = hits_of(np.array([[at, at + 7] for at in range(5, 9000, 90)]))
        metrics, layout = surface.face.metrics, surface.layout
        surface.arrange(300, metrics.header + 6 * metrics.row)
        seam = layout.text_x - 150
        shifts = (0, 40, 5000, seam, layout.cell_x(1700, Side.HEX), layout.width - 300, layout.width - 350, seam)
        pictures.append([narrow(surface, shift, metrics.header + 6 * metrics.row) for shift in shifts])
    assert pictures[0] == pictures[1]


def test_columns_of_the_widest_rows_have_numbers_that_fit(make: Callable[..., Surface]) -> None:
    for row_bytes, cells in ((256, 1), (257, 2), (4096, 2), (4097, 2), (2**16 + 1, 2), (2**20, 2)):
        surface = make(Pattern(2**22))
        surface.fixed = row_bytes
        surface.arrange(620, 300)
        layout = surface.layout
        digits = len(f"{row_bytes - 1:X}")
        assert layout.numbered * layout.cell >= digits * layout.metrics.digit
        assert layout.numbered >= cells


def test_lines_round_bytes_reach_across_the_widest_rows(make: Callable[..., Surface], theme: Theme) -> None:
    surface = make(Pattern(2**22), rows=6)
    surface.fixed = 2**20
    height = surface.face.metrics.header + 6 * surface.face.metrics.row
    surface.arrange(300, height)
    plain = narrow(surface, 10_000_000, height)
    surface.mark(Marks(caret=2**22 - 1, linked=(Span(2**20, 2**21),)))
    lined = narrow(surface, 10_000_000, height)
    rows = np.flatnonzero((atlas.pixels_of(plain) != atlas.pixels_of(lined)).all(axis=1)) - surface.face.metrics.header
    row = surface.face.metrics.row
    assert {round(int(y) / row) for y in rows} == {1, 2}, "above the second row and below it"


def test_memory_follows_the_window_not_the_row(make: Callable[..., Surface]) -> None:
    sizes = []
    for fixed in (256, 2**20):
        surface = make(Pattern(2**22), rows=40)
        surface.fixed = fixed
        surface.arrange(620, surface.face.metrics.header + 40 * surface.face.metrics.row)
        picture(surface)
        band, _ = surface.canvas._made
        sizes.append(band.pixels.nbytes + surface.content.values.nbytes)
    assert sizes[1] <= sizes[0]
