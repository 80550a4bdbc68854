"""The next lower depth on either side, near and far, against a plain search."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.core.pickles.lows import Lows

# More than one level of minima, and none of a whole number of blocks.
SIZES = (0, 1, 5, 63, 64, 65, 130, 4095, 4097, 9000)


def lows(depths: list[int]) -> Lows:
    return Lows(np.array(depths, dtype=np.int32))


def plain_last(depths: list[int], before: int, depth: int) -> int:
    return max((at for at in range(before) if depths[at] < depth), default=-1)


def plain_first(depths: list[int], after: int, depth: int) -> int:
    return min((at for at in range(after + 1, len(depths)) if depths[at] < depth), default=len(depths))


def test_the_far_ends_of_a_nest() -> None:
    depths = [*range(1, 5001), *range(4999, -1, -1)]
    found = lows(depths)
    assert found.last(5000, 1) == -1
    assert found.last(9000, 3) == 1
    assert found.first(0, 1) == 9999
    assert found.first(2, 3) == 9997


def test_nothing_lower_is_before_the_first_and_behind_the_last() -> None:
    found = lows([5] * 700)
    assert found.last(650, 5) == -1
    assert found.first(3, 5) == 700
    assert lows([]).first(-1, 1) == 0


@pytest.mark.parametrize("size", SIZES)
def test_every_place_of_a_saw(size: int) -> None:
    depths = [(at * 37) % 101 + at // 64 for at in range(size)]
    found = lows(depths)
    for at in range(0, size, 1 + size // 97):
        for depth in (0, 3, depths[at], 90, 1000):
            assert found.last(at, depth) == plain_last(depths, at, depth)
            assert found.first(at, depth) == plain_first(depths, at, depth)


@given(st.lists(st.integers(0, 6), max_size=400), st.data())
def test_any_depths(depths: list[int], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(depths)))
    depth = data.draw(st.integers(0, 7))
    assert lows(depths).last(at, depth) == plain_last(depths, at, depth)
    assert lows(depths).first(at, depth) == plain_first(depths, at, depth)
