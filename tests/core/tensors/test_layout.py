"""Arithmetic of strides, against numpy and against trying every index."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.core.tensors.layout import (
    column_major,
    index_of,
    is_row_major,
    place,
    plane_axes,
    reach,
    row_major,
    unravel,
)

SHAPES = st.lists(st.integers(0, 5), max_size=4).map(tuple)


@st.composite
def layouts(draw: st.DrawFn, lowest: int = -7) -> tuple[tuple[int, ...], tuple[int, ...]]:
    shape = draw(st.lists(st.integers(1, 5), max_size=4))
    stride = draw(st.lists(st.integers(lowest, 12), min_size=len(shape), max_size=len(shape)))
    return tuple(shape), tuple(stride)


@given(SHAPES)
def test_strides_are_those_of_numpy(shape: tuple[int, ...]) -> None:
    array = np.empty(shape, np.uint8)
    turned = np.empty(shape, np.uint8, order="F")
    if 0 not in shape:
        assert row_major(shape) == array.strides
        assert column_major(shape) == turned.strides
    assert is_row_major(shape, row_major(shape))
    assert is_row_major(shape, column_major(shape)) == turned.flags.c_contiguous


def test_sizes_of_zero_count_as_one() -> None:
    assert row_major((2, 0, 3)) == (3, 3, 1)


def test_axes_of_one_element_have_any_stride() -> None:
    assert is_row_major((1, 3), (99, 1))
    assert not is_row_major((2, 3), (99, 1))


@given(layouts())
def test_reach_is_that_of_all_indices(layout: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    shape, stride = layout
    places = [place(stride, index) for index in product(*map(range, shape))]
    assert reach(shape, stride) == (min(places), max(places))


def test_nothing_is_reached_without_elements() -> None:
    assert reach((3, 0), (1, 1)) == (0, -1)


@given(layouts(), st.data())
def test_the_smallest_index_of_a_place(layout: tuple[tuple[int, ...], tuple[int, ...]], data: st.DataObject) -> None:
    shape, stride = layout
    low, high = reach(shape, stride)
    target = data.draw(st.integers(low - 2, high + 2))
    fitting = [index for index in product(*map(range, shape)) if place(stride, index) == target]
    assert index_of(shape, stride, target) == (min(fitting) if fitting else None)


def test_a_place_in_a_huge_tensor_is_found_at_once() -> None:
    shape, stride = (10**6, 10**6, 10**6), (10**12, 1, 10**6)
    assert index_of(shape, stride, place(stride, (123456, 654321, 999999))) == (123456, 654321, 999999)


def test_windows_that_overlap() -> None:
    # What unfold gives over a 100 x 100 image: 98 x 98 windows of 3 x 3.
    shape, stride = (98, 98, 3, 3), (100, 1, 100, 1)
    assert index_of(shape, stride, 5 * 100 + 7) == (3, 5, 2, 2)


@given(SHAPES.filter(lambda shape: 0 not in shape), st.data())
def test_numbers_of_elements_become_indices(shape: tuple[int, ...], data: st.DataObject) -> None:
    flat = data.draw(st.integers(0, int(np.prod(shape)) - 1))
    assert unravel(shape, flat) == tuple(int(at) for at in np.unravel_index(flat, shape))


@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((), (-1, -1)),
        ((3,), (0, 0)),
        ((16, 6, 5, 5), (2, 3)),
        ((16, 6, 5, 1), (1, 2)),
        ((16, 6, 1, 1), (0, 1)),
        ((1, 256, 1, 1), (0, 1)),
        ((256, 1, 1, 1), (0, 1)),
        ((1, 1, 7, 1), (2, 3)),
        ((1, 1, 1), (1, 2)),
        ((0, 4), (0, 1)),
        ((5, 0, 4), (1, 2)),
    ],
)
def test_a_plane_is_of_axes_with_more_than_one_element(shape: tuple[int, ...], axes: tuple[int, int]) -> None:
    assert plane_axes(shape) == axes
