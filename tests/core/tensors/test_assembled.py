"""A tensor in pieces: the bytes of the whole, where pieces are missing, strided, overlapping."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.core.source import MemorySource
from viewer.core.tensors import window
from viewer.core.tensors.assembled import AssembledSource, are_apart, overlapping
from viewer.core.tensors.layout import Shape, row_major
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor


def piece(values: npt.NDArray[np.int32], offsets: Shape, *, turned: bool = False) -> Tensor:
    """A piece of a tensor of int32; `turned`: stored column by column."""
    data = (values.T if turned else values).tobytes()
    storage = Storage("0", "cpu", "int32", False, values.size, len(data), None, MemorySource(data))
    stride = row_major(values.shape[::-1])[::-1] if turned else row_major(values.shape)
    tensor = Tensor(0, (), None, "tensor", "int32", values.shape, stride, 0, storage)
    tensor.offsets = offsets
    return tensor


def whole(source: AssembledSource) -> Tensor:
    """The tensor whose elements a source assembles."""
    count = source.size // source.itemsize
    storage = Storage("", "cpu", "int32", False, count, source.size, None, source, absent=source.absent)
    return Tensor(0, (), "w", "tensor", "int32", source.shape, row_major(source.shape), 0, storage)


@st.composite
def grids(draw: st.DrawFn) -> tuple[npt.NDArray[np.int32], list[Tensor]]:
    """A tensor cut along its axes at any places, some pieces stored column by column."""
    shape = tuple(draw(st.lists(st.integers(1, 7), min_size=0, max_size=3)))
    values = np.arange(np.prod(shape, dtype=int), dtype=np.int32).reshape(shape)
    boxes: list[tuple[slice, ...]] = [()]
    for size in shape:
        cuts = sorted({0, size, *draw(st.lists(st.integers(0, size), max_size=2))})
        parts = [slice(low, high) for low, high in pairwise(cuts)]
        boxes = [(*box, part) for box in boxes for part in parts]
    return values, [
        piece(values[box], tuple(part.start for part in box), turned=draw(st.booleans()))
        for box in draw(st.permutations(boxes))
    ]


@given(grids(), st.data())
def test_any_part_of_the_whole(grid: tuple[npt.NDArray[np.int32], list[Tensor]], data: st.DataObject) -> None:
    values, pieces = grid
    source = AssembledSource(values.shape, 4, pieces)
    start = data.draw(st.integers(0, source.size))
    length = data.draw(st.integers(0, source.size))
    assert source.absent == 0
    assert source.read(start, length) == values.tobytes()[start : start + length]


def test_values_of_the_whole() -> None:
    values = np.arange(24, dtype=np.int32).reshape(4, 6)
    tensor = whole(AssembledSource((4, 6), 4, [piece(values[:, :2], (0, 0)), piece(values[:, 2:], (0, 2))]))
    assert window.complete(tensor)
    assert window.read(tensor, (slice(1, 3), 3)).tolist() == [9, 15]
    assert np.concatenate(list(window.blocks(tensor, block=20))).tolist() == list(range(24))


def test_a_missing_piece_ends_the_reading_there() -> None:
    values = np.arange(12, dtype=np.int32).reshape(4, 3)
    source = AssembledSource((4, 3), 4, [piece(values[:1], (0, 0)), piece(values[2:], (2, 0))])
    tensor = whole(source)
    assert (source.absent, window.missing_bytes(tensor)) == (12, (12, 48))
    assert source.read(0, 48) == values[:1].tobytes()
    assert source.read(24, 24) == values[2:].tobytes()
    assert window.read(tensor, (3,)).tolist() == [9, 10, 11]
    with pytest.raises(window.IncompleteError):
        window.read(tensor, (1,))
    with pytest.raises(window.IncompleteError):
        window.blocks(tensor)


def test_a_piece_that_is_cut_counts_as_missing() -> None:
    values = np.arange(4, dtype=np.int32)
    cut = piece(values[2:], (2,))
    assert cut.storage is not None
    cut.storage = Storage("0", "cpu", "int32", False, 2, 8, None, MemorySource(values[2:3].tobytes()))
    source = AssembledSource((4,), 4, [piece(values[:2], (0,)), cut])
    assert source.absent == 8
    assert source.read(0, 16) == values[:2].tobytes()


def test_the_later_of_overlapping_pieces_counts() -> None:
    low, high = np.full(3, 1, dtype=np.int32), np.full(3, 2, dtype=np.int32)
    pieces = [piece(low, (0,)), piece(high, (1,))]
    assert overlapping(pieces)
    assert np.frombuffer(AssembledSource((4,), 4, pieces).read(0, 16), dtype=np.int32).tolist() == [1, 2, 2, 2]


def test_pieces_side_by_side_do_not_overlap() -> None:
    values = np.zeros((2, 2), dtype=np.int32)
    assert not overlapping([piece(values, (0, 0)), piece(values, (0, 2)), piece(values, (2, 0)), piece(values, (2, 2))])


def box(offsets: tuple[int, ...], shape: tuple[int, ...]) -> Tensor:
    """A piece without bytes."""
    found = Tensor(0, (), None, "tensor", "uint8", shape, (1,) * len(shape), 0, None)
    found.offsets = offsets
    return found


@pytest.mark.parametrize(
    ("boxes", "apart"),
    [
        ([], True),
        ([((), ())], True),
        ([((), ()), ((), ())], False),
        ([((0,), (2,)), ((2,), (2,))], True),
        ([((0,), (3,)), ((2,), (2,))], False),
        ([((0,), (0,)), ((0,), (2,))], True),
        ([((0, 0), (3, 1)), ((0, 1), (1, 2)), ((1, 1), (2, 2))], True),
        ([((0, 0), (3, 3)), ((1, 1), (1, 1))], False),
        ([((2**61,), (5,)), ((0,), (2**61,))], True),
    ],
)
def test_whether_pieces_share_an_element(boxes: list[tuple[tuple[int, ...], tuple[int, ...]]], apart: bool) -> None:
    pieces = [box(*one) for one in boxes]
    assert are_apart(pieces) is apart
    assert overlapping(pieces) is not apart


def test_thousands_of_columns_are_told_apart_at_once() -> None:
    pieces = [box((0, column), (4, 1)) for column in range(20_000)]
    assert are_apart(pieces) is True
    assert are_apart([*pieces, box((3, 7), (1, 1))]) is False


def test_of_too_many_pieces_that_form_no_grid_it_is_not_told() -> None:
    pieces = [box((2 * row, 2 * row), (1, 1)) for row in range(3000)]
    assert are_apart(pieces) is None
    assert not overlapping(pieces)
