"""Headers of npy files against what numpy writes and reads."""

from __future__ import annotations

import io

import numpy as np
import pytest

from tests.builders.arrays import npy
from viewer.core.source import MemorySource
from viewer.core.tensors.literal import parse_literal
from viewer.core.tensors.npy_header import NpyHeaderError, make_dtype, read_npy_header

ARRAYS = (
    np.zeros((2, 3), "<f4"),
    np.asfortranarray(np.zeros((2, 3), ">i8")),
    np.zeros((), "?"),
    np.zeros((0, 4), "<f8"),
    np.zeros(3, "<M8[s]"),
    np.zeros(3, "<m8[25us]"),
    np.zeros(2, "S5"),
    np.zeros(2, "<U3"),
    np.zeros(2, [("a", "<i4"), ("b", "<f8", (2, 2)), ("c", [("d", "|u1"), ("h\u00f6he", "<U2")])]),
    np.zeros(2, np.dtype([("a", "|i1"), ("b", "<f8")], align=True)),
    np.zeros(2, np.dtype([(("title", "a"), "<i2")])),
)


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(array.dtype))
@pytest.mark.filterwarnings("ignore:Stored array in format:UserWarning")
def test_headers_of_numpy(array: np.ndarray) -> None:
    written = io.BytesIO()
    np.lib.format.write_array(written, array)
    header = read_npy_header(MemorySource(written.getvalue()))
    assert header.shape == array.shape
    assert header.fortran == (array.flags.f_contiguous and not array.flags.c_contiguous)
    expected = np.lib.format.descr_to_dtype(np.lib.format.dtype_to_descr(array.dtype))
    assert header.dtype == expected
    assert header.dtype.itemsize == array.dtype.itemsize
    assert header.size == len(written.getvalue()) - array.nbytes
    assert header.nbytes == array.nbytes


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_versions(version: tuple[int, int]) -> None:
    data = npy(bytes(24), (2, 3), version=version)
    assert read_npy_header(MemorySource(b"before" + data), 6).size == len(data) - 24


def test_python_2_on_windows() -> None:
    data = npy(bytes(24), (3,), header="{'descr': '<i8', 'fortran_order': False, 'shape': (3L,), }")
    header = read_npy_header(MemorySource(data))
    assert (header.shape, header.dtype) == ((3,), np.dtype("<i8"))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x93NUMPY", "npy-header-cut"),
        (b"\x93NUMPY\x01\x00\x76\x00{'descr'", "npy-header-cut"),
        (npy(b"", (1,), version=(9, 0)), "npy-version"),
        (npy(b"", (1,), header="{'descr': oops}"), "npy-header-broken"),
        (npy(b"", (1,), header="{'descr': '<f4'}"), "npy-header-broken"),
        (npy(b"", (1,), header="'descr'"), "npy-header-broken"),
        (npy(b"", (-1,)), "npy-shape"),
        (npy(b"", (2**60, 2)), "npy-shape"),
        (npy(b"", (1,), header="{'descr': '<f4', 'fortran_order': False, 'shape': (True,)}"), "npy-shape"),
        (npy(b"", (1,), descr="os.system"), "npy-dtype"),
        (npy(b"", (1,), descr="f4,i4"), "npy-dtype"),
        (npy(b"", (1,), descr=[("a", "<f4"), ("a", "<f4")]), "npy-dtype"),
        (npy(b"", (1,), descr="<f77"), "npy-dtype"),
        (npy(b"", (1,), descr=3), "npy-dtype"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\x7f" + bytes(2_000_000), "npy-header-long"),
    ],
)
def test_what_cannot_be_read(data: bytes, code: str) -> None:
    with pytest.raises(NpyHeaderError) as caught:
        read_npy_header(MemorySource(data))
    assert caught.value.code == code


def test_padding_fields_have_no_name() -> None:
    made = make_dtype(parse_literal("[('a', '|i1'), ('', '|V3'), ('b', '<f4')]"))
    assert made.names == ("a", "b")
    assert made.itemsize == 8
    assert made.fields is not None
    assert made.fields["b"][1] == 4
