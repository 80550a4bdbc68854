from __future__ import annotations

from itertools import pairwise

import hypothesis.strategies as st
import pytest
from hypothesis import given

from viewer.core.span import Span
from viewer.ui.hexview.layout import Form, Layout, Metrics, Place, Side, digits_for, fit, fixed
from viewer.ui.hexview.numbers import BYTES, LETTERS, Cells

METRICS = Metrics(row=20, cell=21, gap=7, text=8, digit=7.21875, margin=12, between=14, header=26, pixel=1.0)
PIB = 2**50

widths = st.integers(1, 64)
sizes = st.integers(1, PIB)


@st.composite
def places(draw: st.DrawFn) -> tuple[Layout, int]:
    size = draw(sizes)
    cells = st.builds(Cells, st.sampled_from(sorted(LETTERS)), st.booleans())
    form = Form(
        draw(st.sampled_from((1, 2, 4, 8, 16, 1024))),
        phase=draw(st.integers(0, PIB)),
        cells=draw(st.just(BYTES) | cells),
    )
    return fixed(METRICS, size, draw(widths), form), draw(st.integers(0, size - 1))


def test_the_columns_stand_where_the_pictures_have_them() -> None:
    layout = Layout(METRICS, 57_437, 16)
    assert (layout.gutter_x, layout.hex_x, layout.text_x, layout.width) == (12, 84, 455, 595)
    assert layout.cell_x(3, Side.HEX) == 84 + 3 * 21
    assert layout.cell_x(4, Side.HEX) == 84 + 4 * 21 + 7
    assert layout.cell_x(15, Side.TEXT) == 455 + 15 * 8


@pytest.mark.parametrize(
    ("size", "digits"), [(0, 8), (1, 8), (2**32, 8), (2**32 + 1, 10), (2**40, 10), (2**40 + 1, 12), (2**50, 14)]
)
def test_the_gutter_has_as_many_digits_as_the_file_needs(size: int, digits: int) -> None:
    assert digits_for(size) == digits


@pytest.mark.parametrize(("width", "row_bytes"), [(10_000, 16), (595, 16), (594, 12), (478, 12), (470, 8), (10, 4)])
def test_the_row_snaps_to_the_width(width: int, row_bytes: int) -> None:
    assert fit(METRICS, 57_437, width).row_bytes == row_bytes


def test_four_bytes_with_their_letters_where_eight_have_no_room() -> None:
    eight = next(width for width in range(470, 0, -1) if fit(METRICS, 57_437, width).row_bytes < 8) + 1
    assert fit(METRICS, 57_437, eight).width <= eight
    narrow = fit(METRICS, 57_437, eight - 1)
    assert (narrow.row_bytes, narrow.has_text) == (4, True)
    assert narrow.width <= eight - 1
    assert fit(METRICS, 57_437, eight - 1, least=8).row_bytes == 8


def test_a_pane_of_660_with_its_map_shows_sixteen() -> None:
    assert fit(METRICS, 57_437, 660 - 64 - 1).row_bytes == 16
    assert fit(METRICS, 57_437, 659 - 64 - 1).row_bytes == 12


@given(places())
def test_an_offset_is_its_row_and_column(place: tuple[Layout, int]) -> None:
    layout, offset = place
    assert layout.grid.offset_of(layout.row_of(offset), layout.column_of(offset)) == offset
    assert 0 <= layout.row_of(offset) < layout.rows
    assert offset in layout.row_span(layout.row_of(offset))


@given(places(), st.sampled_from(Side), st.data())
def test_every_pixel_of_a_cell_leads_back_to_its_byte(
    place: tuple[Layout, int], side: Side, data: st.DataObject
) -> None:
    layout, offset = place
    top = max(0, layout.row_of(offset) - data.draw(st.integers(0, 80)))
    x = layout.cell_x(layout.column_of(offset), side) + data.draw(st.integers(0, layout.cell_width(side) - 1))
    y = (layout.row_of(offset) - top) * METRICS.row + data.draw(st.integers(0, METRICS.row - 1))
    first = Place(layout.grain(side).start(offset), side)
    assert layout.hit(x, y, top) == first
    assert layout.nearest(x, y, top) == first


@given(places(), st.integers(-5000, 5000), st.integers(-5000, 5000))
def test_the_nearest_byte_is_always_one_of_the_file(place: tuple[Layout, int], x: int, y: int) -> None:
    layout, offset = place
    near = layout.nearest(x, y, layout.row_of(offset))
    assert near is not None
    assert 0 <= near.offset < layout.size


@given(places(), st.integers(-100, 3000), st.integers(-100, 3000))
def test_a_hit_is_also_the_nearest(place: tuple[Layout, int], x: int, y: int) -> None:
    layout, offset = place
    hit = layout.hit(x, y, layout.row_of(offset))
    assert hit is None or hit == layout.nearest(x, y, layout.row_of(offset))


@given(places())
def test_rows_and_gaps_hold_whole_cells(place: tuple[Layout, int]) -> None:
    layout, offset = place
    grain, unit = layout.grain(Side.HEX), layout.form.unit
    cell = Span(grain.start(offset), grain.stop(offset))
    assert offset in cell
    assert cell.length == unit or cell.start == 0
    assert {layout.row_of(at) for at in (cell.start, cell.stop - 1)} == {layout.row_of(offset)}
    edges = [layout.cell_x(column, Side.HEX) for column in range(0, layout.row_bytes, unit)]
    steps = {right - left for left, right in pairwise(edges)}
    assert steps <= {layout.cell, layout.cell + METRICS.gap}
    assert edges[-1] + layout.cell == layout.hex_x + layout.hex_width
    assert layout.cell_x(layout.column_of(offset), Side.HEX) == layout.cell_x(layout.column_of(cell.stop - 1), Side.HEX)


@pytest.mark.parametrize(
    ("cells", "asked", "row_bytes"),
    [
        (BYTES, 10, 10),
        (Cells("float32"), 10, 8),
        (Cells("float64"), 12, 8),
        (Cells("float64"), 3, 8),
        (Cells("int8"), 3, 3),
    ],
)
def test_a_width_that_was_asked_for_is_one_of_whole_cells(cells: Cells, asked: int, row_bytes: int) -> None:
    assert fixed(METRICS, 1000, asked, Form(cells=cells)).row_bytes == row_bytes
    assert fit(METRICS, 1000, 10_000, Form(most=asked + 8, cells=cells)).row_bytes % cells.unit == 0


def test_the_cells_of_a_storage_begin_where_it_does() -> None:
    layout = Layout(METRICS, 1000, 16, Form(phase=0x43, cells=Cells("float32")))
    row, x = layout.row_of(0x43), layout.cell_x(4, Side.HEX)
    assert layout.hit(x, 5, row) == Place(0x47, Side.HEX)
    assert layout.hit(x + layout.cell - 1, 5, row) == Place(0x47, Side.HEX)
    (box,) = layout.outline(Span(0x47, 0x4B), Side.HEX, row, row + 9, row)
    assert box == [(x, 0), (x + layout.cell, 0), (x + layout.cell, 20), (x, 20)]


def test_cells_before_the_first_byte_are_empty() -> None:
    layout = Layout(METRICS, 1000, 16, Form(phase=3))
    assert layout.hit(layout.cell_x(12, Side.HEX), 5, 0) is None
    assert layout.hit(layout.cell_x(13, Side.HEX), 5, 0) == Place(0, Side.HEX)
    assert layout.nearest(layout.cell_x(2, Side.HEX), 5, 0) == Place(0, Side.HEX)
    assert layout.row_span(1) == Span(3, 19)


def test_there_is_nothing_beside_the_bytes() -> None:
    layout = Layout(METRICS, 20, 16)
    assert layout.hit(layout.hex_x - 1, 5, 0) is None
    assert layout.hit(layout.width - METRICS.margin, 5, 0) is None
    assert layout.hit(layout.hex_x, -1, 0) is None
    assert layout.hit(layout.cell_x(4, Side.HEX), 25, 0) is None
    assert layout.hit(layout.cell_x(3, Side.HEX), 25, 0) == Place(19, Side.HEX)


def test_an_empty_file_has_no_byte_and_no_row() -> None:
    layout = Layout(METRICS, 0, 16)
    assert (layout.rows, layout.hit(100, 5, 0), layout.nearest(100, 5, 0)) == (0, None, None)


def test_the_nearest_byte_may_be_asked_of_one_side() -> None:
    layout = Layout(METRICS, 160, 16)
    assert layout.nearest(0, 25, 0, Side.TEXT) == Place(16, Side.TEXT)
    assert layout.nearest(9999, 25, 0, Side.HEX) == Place(31, Side.HEX)


def test_the_line_round_a_part_of_one_row_is_a_box() -> None:
    layout = Layout(METRICS, 1000, 16)
    (box,) = layout.outline(Span(34, 38), Side.HEX, 0, 9, 0)
    left, right = layout.cell_x(2, Side.HEX), layout.cell_x(5, Side.HEX) + 21
    assert box == [(left, 40), (right, 40), (right, 60), (left, 60)]


def test_the_line_round_whole_rows_stands_a_pixel_outside() -> None:
    layout = Layout(METRICS, 1000, 16)
    (box,) = layout.outline(Span(16, 48), Side.TEXT, 0, 9, 0)
    assert {x for x, _ in box} == {layout.text_x - 1, layout.text_x + 16 * 8 + 1}
    assert {y for _, y in box} == {20, 40, 60}


def test_two_parts_that_do_not_touch_are_two_boxes() -> None:
    layout = Layout(METRICS, 1000, 16)
    first, second = layout.outline(Span(30, 34), Side.HEX, 0, 9, 0)
    assert first[0] == (layout.cell_x(14, Side.HEX), 20)
    assert second[2] == (layout.cell_x(1, Side.HEX) + 21, 60)


def test_the_line_of_a_long_span_leaves_through_the_edges() -> None:
    layout = Layout(METRICS, PIB, 16)
    top = 2**45
    (shape,) = layout.outline(Span(0, PIB), Side.HEX, top, top + 9, top)
    assert min(y for _, y in shape) == -20
    assert max(y for _, y in shape) == 11 * 20


@given(places(), st.integers(0, 5000), st.sampled_from(Side))
def test_outlines_stay_near_the_window(place: tuple[Layout, int], length: int, side: Side) -> None:
    layout, offset = place
    top = layout.row_of(offset)
    for polygon in layout.outline(Span(offset, offset + length), side, top, top + 30, top):
        assert all(layout.hex_x - 1 <= x <= layout.width for x, _ in polygon)
        assert all(-20 <= y <= 32 * 20 for _, y in polygon)


def test_a_span_out_of_view_or_empty_has_no_line() -> None:
    layout = Layout(METRICS, 1000, 16)
    assert layout.outline(Span(500, 510), Side.HEX, 0, 9, 0) == []
    assert layout.outline(Span(20, 20), Side.HEX, 0, 9, 0) == []


def test_without_letters_there_is_one_column() -> None:
    whole = fixed(METRICS, 1000, 16, Form())
    bare = fixed(METRICS, 1000, 16, Form(), has_text=False)
    assert bare.sides == (Side.HEX,)
    assert whole.width - bare.width == 16 * METRICS.text + METRICS.between
    assert bare.cell_x(15, Side.HEX) == whole.cell_x(15, Side.HEX)
    assert bare.hit(bare.width - 1, 3, 0) is None
    for x in (0, bare.cell_x(15, Side.HEX) + 2, bare.width, whole.width):
        place = bare.nearest(x, 3, 0, Side.TEXT)
        assert place is not None
        assert place.side is Side.HEX
    assert bare.outline(Span(3, 40), Side.TEXT, 0, 5, 0) == []
    assert bare.outline(Span(3, 40), Side.HEX, 0, 5, 0) == whole.outline(Span(3, 40), Side.HEX, 0, 5, 0)
