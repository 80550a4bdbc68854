"""Cells that show elements: each type in both byte orders, as numpy reads it."""

from __future__ import annotations

import math
import struct

import hypothesis.strategies as st
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given

from viewer.core.tensors.dtypes import DTYPES
from viewer.ui.hexview.numbers import GLYPHS, LETTERS, NO_BYTE, PART, ZERO, Cells, decoded, lettered

SMALL = [name for name in LETTERS if DTYPES[name].itemsize <= 2]


def values(data: bytes) -> npt.NDArray[np.int32]:
    return np.frombuffer(data, np.uint8).astype(np.int32)


def shown(cells: Cells, data: npt.NDArray[np.int32]) -> list[str]:
    numbers = decoded(cells, data)
    return ["".join(GLYPHS[code] for code in row).strip() for row in lettered(numbers, slice(None))]


@pytest.mark.parametrize(
    ("cells", "data", "texts"),
    [
        (Cells("float32"), struct.pack("<4f", 1.5, -0.11340, 1e-9, 0), ["1.500", "−0.1134", "1.000e−9", "0"]),
        (Cells("float32", big=True), struct.pack(">2f", 1.5, -2e8), ["1.500", "−2.000e8"]),
        (Cells("float64"), struct.pack("<2d", math.pi, -1.25e-300), ["3.142", "−1.250e−300"]),
        (Cells("float16"), struct.pack("<3e", 1.0, -65504, 6e-8), ["1.000", "−65504", "5.960e−8"]),
        (Cells("bfloat16"), b"\x80\x3f\x00\xc0", ["1.000", "−2.000"]),
        (Cells("bfloat16", big=True), b"\x3f\x80\xc0\x00", ["1.000", "−2.000"]),
        (Cells("int8"), b"\x00\x7f\x80\xff", ["0", "127", "−128", "−1"]),
        (Cells("uint8"), b"\x00\x7f\x80\xff", ["0", "127", "128", "255"]),
        (Cells("int16"), b"\xff\xff\x00\x80", ["−1", "−32768"]),
        (Cells("uint16", big=True), b"\x01\x00\xff\xfe", ["256", "65534"]),
        (Cells("int32"), struct.pack("<2i", -(2**31), 1701), ["−2147483648", "1701"]),
        (Cells("int64"), struct.pack("<2q", -(2**63), 7), ["−9223372036854775808", "7"]),
        (Cells("uint64", big=True), struct.pack(">Q", 2**64 - 1), ["18446744073709551615"]),
        (Cells("float8_e4m3fn"), b"\x38\x7e\x7f\x01", ["1.000", "448.0", "NaN", "0.001953"]),
        (Cells("float8_e5m2"), b"\x3c\x7c\xfc\x01", ["1.000", "inf", "−inf", "1.526e−5"]),
        (Cells("float8_e8m0fnu"), b"\x7f\x00\xff", ["1.000", "5.877e−39", "NaN"]),
        (Cells("float32"), struct.pack("<2f", math.nan, -math.inf), ["NaN", "−inf"]),
        (Cells("float32"), struct.pack("<f", -0.0), ["−0"]),
    ],
)
def test_elements_are_the_numbers_that_they_say(cells: Cells, data: bytes, texts: list[str]) -> None:
    assert shown(cells, values(data)) == texts


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("big", [False, True])
def test_no_number_of_a_small_type_is_longer_than_its_cell(name: str, big: bool) -> None:
    size = DTYPES[name].itemsize
    raw = np.arange(256**size, dtype=f"{'>' if big else '<'}u{size}")
    numbers = decoded(Cells(name, big), values(raw.tobytes()))
    texts = lettered(numbers, slice(None))
    assert not texts[:, 0].any(), "a blank parts a cell from the one before"
    assert texts[:, 1].any(), "and the longest number fills its cell"
    assert np.array_equal(numbers.raw, np.arange(256**size))


@pytest.mark.parametrize("name", [name for name in LETTERS if name not in SMALL])
@given(data=st.binary(min_size=64, max_size=64))
def test_no_number_of_a_large_type_is_longer_than_its_cell(name: str, data: bytes) -> None:
    numbers = decoded(Cells(name), values(data))
    texts = lettered(numbers, slice(None))
    assert texts.shape == (64 // DTYPES[name].itemsize, LETTERS[name] + 1)
    assert not texts[:, 0].any()


@given(st.sampled_from(["float16", "float32", "float64"]), st.booleans(), st.binary(min_size=32, max_size=32))
def test_what_is_no_finite_number_is_odd(name: str, big: bool, data: bytes) -> None:
    kind = np.dtype(name).newbyteorder(">" if big else "<")
    with np.errstate(invalid="ignore"):
        finite = np.isfinite(np.frombuffer(data, kind).astype(np.float64))
    assert decoded(Cells(name, big), values(data)).odd.tolist() == (~finite).tolist()


def test_a_number_that_is_zero_is_told_from_the_zeros_in_others() -> None:
    codes = lettered(decoded(Cells("int16"), values(b"\0\0\x64\0")), slice(None))
    assert codes[0].tolist() == [0] * 6 + [ZERO]
    assert codes[1].tolist() == [0] * 4 + list(b"100")


def test_a_part_of_an_element_is_no_number() -> None:
    data = np.array([NO_BYTE, 1, 2, 3, *[NO_BYTE] * 4, 0, 0, 128, 63], np.int32)
    numbers = decoded(Cells("float32"), data)
    assert shown(Cells("float32"), data) == ["…", "", "1.000"]
    assert numbers.whole.tolist() == [False, False, True]
    assert numbers.some.tolist() == [True, False, False]
    assert not numbers.odd.any()
    assert lettered(numbers, slice(0, 1))[0, -1] == PART


def test_bytes_are_cells_of_one() -> None:
    assert (Cells().unit, Cells().letters) == (1, 0)
    assert (Cells("float64").unit, Cells("float64").letters) == (8, 12)
