"""Rows of any width that begin anywhere: what stands where, and back."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from viewer.core.span import Span
from viewer.ui.hexview.grid import Grid

PIB = 2**50


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    return Grid(draw(st.integers(1, PIB)), draw(st.integers(1, 1024)), draw(st.integers(0, PIB)))


@st.composite
def places(draw: st.DrawFn) -> tuple[Grid, int]:
    grid = draw(grids())
    return grid, draw(st.integers(0, grid.size - 1))


def test_rows_begin_at_the_phase() -> None:
    grid = Grid(40, 16, 5)
    assert [grid.row_span(row) for row in range(grid.rows)] == [Span(0, 5), Span(5, 21), Span(21, 37), Span(37, 40)]
    assert (grid.lead, grid.row_of(4), grid.column_of(4), grid.row_of(5), grid.column_of(5)) == (11, 0, 15, 1, 0)
    assert (grid.offset_of(0), grid.offset_of(1), grid.offset_of(1, 3)) == (-11, 5, 8)


@pytest.mark.parametrize(("phase", "lead"), [(0, 0), (16, 0), (1, 15), (15, 1), (21, 11)])
def test_a_phase_counts_by_what_is_left_of_it(phase: int, lead: int) -> None:
    assert Grid(100, 16, phase).lead == lead


@given(places())
def test_an_offset_is_its_row_and_column(place: tuple[Grid, int]) -> None:
    grid, offset = place
    row, column = grid.row_of(offset), grid.column_of(offset)
    assert grid.offset_of(row, column) == offset == grid.nearest(row, column)
    assert 0 <= column < grid.width
    assert 0 <= row < grid.rows
    assert offset in grid.row_span(row)


@given(grids(), st.integers(-5, 5))
def test_some_row_begins_at_the_phase(grid: Grid, rows: int) -> None:
    at = grid.phase + rows * grid.width
    assert grid.column_of(at) == 0
    assert grid.offset_of(grid.row_of(at)) == at


@given(grids(), st.data())
def test_rows_tile_the_file(grid: Grid, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, grid.rows - 1))
    span = grid.row_span(row)
    assert 1 <= span.length <= grid.width
    assert (span.start == 0) == (row == 0)
    assert (span.stop == grid.size) == (row == grid.rows - 1)
    if row:
        assert grid.row_span(row - 1).stop == span.start


@given(places(), st.integers(0, 5000))
def test_the_rows_of_a_span_hold_it_and_no_more(place: tuple[Grid, int], length: int) -> None:
    grid, start = place
    span = Span(start, min(grid.size, start + length))
    first, last = grid.rows_of(span)
    held = grid.rows_span(first, last)
    assert held.start <= span.start
    assert span.stop <= held.stop
    assert span.start < grid.row_span(first).stop
    assert not span.length or span.stop > grid.row_span(last).start


@given(grids(), st.integers(-PIB, 2 * PIB), st.integers(0, 1023))
def test_the_nearest_is_a_byte_of_the_file(grid: Grid, row: int, column: int) -> None:
    assert 0 <= grid.nearest(row, column) < grid.size


def test_an_empty_file_has_no_row() -> None:
    assert Grid(0, 16, 5).rows == 0
    assert Grid(0, 16, 5).row_span(0) == Span(0, 0)
