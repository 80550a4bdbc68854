from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from viewer.ui.hexview.scroll import MOST_STEPS, Projection, last_top_row, revealed

rows = st.integers(0, 2**60)


@given(rows)
def test_both_ends_are_exact(last: int) -> None:
    projection = Projection(last)
    assert (projection.to_bar(0), projection.to_row(0)) == (0, 0)
    assert projection.to_bar(last) == projection.steps
    assert projection.to_row(projection.steps) == last
    assert projection.steps <= MOST_STEPS


@given(st.integers(0, MOST_STEPS), st.data())
def test_a_bar_that_can_count_the_rows_counts_them(last: int, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, last))
    assert Projection(last).to_row(Projection(last).to_bar(row)) == row


@given(st.integers(MOST_STEPS + 1, 2**60), st.data())
def test_only_the_ends_show_as_ends(last: int, data: st.DataObject) -> None:
    projection = Projection(last)
    row = data.draw(st.integers(1, last - 1))
    assert 0 < projection.to_bar(row) < projection.steps


@given(st.integers(MOST_STEPS + 1, 2**60), st.data())
def test_the_bar_goes_with_the_row(last: int, data: st.DataObject) -> None:
    projection = Projection(last)
    low, high = sorted(data.draw(st.tuples(st.integers(0, last), st.integers(0, last))))
    assert projection.to_bar(low) <= projection.to_bar(high)
    value = data.draw(st.integers(0, projection.steps))
    assert abs(projection.to_bar(projection.to_row(value)) - value) <= 1


def test_rows_and_values_beyond_the_ends_are_the_ends() -> None:
    projection = Projection(100)
    assert (projection.to_bar(-5), projection.to_bar(500)) == (0, 100)
    assert (projection.to_row(-5), projection.to_row(500)) == (0, 100)


@pytest.mark.parametrize(("count", "visible", "last"), [(0, 10, 0), (10, 10, 0), (11, 10, 1), (5, 0, 4)])
def test_the_last_top_row_shows_the_end(count: int, visible: int, last: int) -> None:
    assert last_top_row(count, visible) == last


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (100, 100),
        (119, 100),
        (120, 101),
        (139, 120),
        (140, 130),
        (99, 99),
        (80, 80),
        (79, 69),
        (0, 0),
        (999, 980),
    ],
)
def test_a_near_row_scrolls_least_and_a_far_one_comes_to_the_middle(row: int, expected: int) -> None:
    assert revealed(row, top=100, visible=20, last=980) == expected


@given(rows, rows, st.integers(1, 200))
def test_a_revealed_row_is_in_view(row: int, top: int, visible: int) -> None:
    count = row + 1 + visible
    last = last_top_row(count, visible)
    new = revealed(row, min(top, last), visible, last)
    assert new <= row < new + visible
