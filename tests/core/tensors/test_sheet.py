"""Planes of tensors against numpy's own indexing."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np
import pytest

from tests.core.tensors.streams import over
from viewer.core.tensors.sheet import TensorSheet, can_draw, kernels
from viewer.core.tensors.tensor import Tensor


def of(array: np.ndarray, dtype: str = "float32") -> Tensor:
    """A tensor of these elements."""
    steps = tuple(step // array.itemsize for step in array.strides)
    return over(array.tobytes("A"), dtype, array.shape, steps, itemsize=array.itemsize)


CUBE = np.arange(2 * 5 * 7, dtype="<f4").reshape(2, 5, 7)


@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (2, 1), (0, 2), (2, 0)])
def test_two_axes_of_three(rows: int, columns: int) -> None:
    (left,) = {0, 1, 2} - {rows, columns}
    sheet = TensorSheet(of(CUBE), (rows,), (columns,), (1, 1, 1))
    wanted = CUBE.take(1, left)
    wanted = wanted if rows < columns else wanted.T
    assert (sheet.rows, sheet.columns, sheet.block) == (*wanted.shape, (1, 1))
    found = sheet.read(range(sheet.rows), range(0, sheet.columns, 2))
    assert np.array_equal(found, wanted[:, ::2])
    for row, column in ((0, 0), (sheet.rows - 1, 1)):
        index = sheet.index(row, column)
        assert CUBE[index] == wanted[row, column]
        assert sheet.cell(index) == (row, column)


def test_an_element_of_another_plane_has_no_cell() -> None:
    assert TensorSheet(of(CUBE), (1,), (2,), (1, 0, 0)).cell((0, 2, 3)) is None


def test_one_axis_is_one_row_and_a_scalar_one_cell() -> None:
    row = TensorSheet(of(CUBE.reshape(-1)), (), (0,), (0,))
    assert (row.rows, row.columns) == (1, 70)
    assert row.read(range(1), range(3, 9, 2)).tolist() == [[3, 5, 7]]
    assert row.index(0, 4) == (4,)
    one = TensorSheet(of(np.array(5, "<f4")), (), (), ())
    assert one.read(range(1), range(1)).tolist() == [[5]]


def test_kernels_stand_side_by_side() -> None:
    weight = np.arange(4 * 3 * 2 * 5, dtype="<f4").reshape(4, 3, 2, 5)
    sheet = kernels(of(weight))
    assert sheet is not None
    assert (sheet.rows, sheet.columns, sheet.block) == (6, 20, (2, 5))
    whole = weight.transpose(1, 2, 0, 3).reshape(6, 20)
    assert np.array_equal(sheet.read(range(6), range(20)), whole)
    assert np.array_equal(sheet.read(range(1, 4), range(7, 13)), whole[1:4, 7:13])
    # where a pixel holds several kernels one element of each is drawn
    assert np.array_equal(sheet.read(range(0, 6, 2), range(0, 20, 10)), whole[::2, ::10])
    assert sheet.index(3, 12) == (2, 1, 1, 2)
    assert sheet.cell((2, 1, 1, 2)) == (3, 12)


def test_what_has_no_kernels() -> None:
    assert kernels(of(CUBE)) is None
    assert kernels(of(np.zeros((2, 2, 1, 1), "<f4"))) is None
    assert kernels(of(np.zeros((2, 2, 3, 400), "<f4"))) is None


def test_missing_bytes_are_holes_and_the_others_are_shown() -> None:
    tensor = over(struct.pack("<5f", *range(5)), "float32", (4, 2))
    found = TensorSheet(tensor, (0,), (1,), (0, 0)).read(range(4), range(2))
    assert found[:2].tolist() == [[0, 1], [2, 3]]
    assert found[2, 0] == 4
    assert np.isnan(found[2, 1])
    assert np.isnan(found[3]).all()


@pytest.mark.parametrize(("dtype", "raw", "wanted"), [
    ("complex64", struct.pack("<4f", 3, 4, 0, 2), [[5, 2]]),
    ("complex32", struct.pack("<4e", 3, 4, 0, 2), [[5, 2]]),
    ("bool", b"\x00\x07", [[0, 1]]),
    ("float8_e5m2", b"\x3c\xbc", [[1, -1]]),
    ("bfloat16", b"\x80\x3f\x00\xc0", [[1, -2]]),
    ("int64", struct.pack("<2q", -1, 9), [[-1, 9]]),
    ("float4_e2m1fn_x2", bytes([0x72, 0xF1]), [[1, 0.5]]),
])  # fmt: skip
def test_any_type_as_real_numbers(dtype: str, raw: bytes, wanted: list[list[float]]) -> None:
    tensor = over(raw, dtype, (2,), itemsize=len(raw) // 2)
    assert can_draw(tensor)
    assert TensorSheet(tensor, (), (0,), (0,)).read(range(1), range(2)).tolist() == wanted


def test_packed_elements_are_unpacked() -> None:
    tensor = over(bytes([0x21, 0x43]), "quint4x2", (4,), itemsize=1)
    assert TensorSheet(tensor, (), (0,), (0,)).read(range(1), range(4)).tolist() == [[1, 2, 3, 4]]


def test_what_cannot_be_drawn() -> None:
    assert not can_draw(replace(of(CUBE), storage=None))
    assert not can_draw(of(np.zeros((0, 3), "<f4")))
