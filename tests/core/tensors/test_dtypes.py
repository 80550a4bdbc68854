"""The table of element types."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from viewer.core.tensors.dtypes import (
    DTYPES,
    STORAGE_CLASSES,
    dtype,
    numpy_type,
    shown_type,
    type_text,
)

SIZES = {
    "float64": 8,
    "float32": 4,
    "float16": 2,
    "bfloat16": 2,
    "int64": 8,
    "int32": 4,
    "int16": 2,
    "int8": 1,
    "uint8": 1,
    "bool": 1,
    "complex64": 8,
    "complex128": 16,
    "complex32": 4,
    "qint8": 1,
    "quint8": 1,
    "qint32": 4,
    "uint16": 2,
    "uint32": 4,
    "uint64": 8,
    "float8_e5m2": 1,
    "float8_e4m3fn": 1,
    "float8_e5m2fnuz": 1,
    "float8_e4m3fnuz": 1,
    "float8_e8m0fnu": 1,
    "float4_e2m1fn_x2": 1,
    "bits8": 1,
    "bits16": 2,
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes(name: str) -> None:
    found = dtype(f"torch.{name}")
    assert found is not None
    assert found.numpy is not None
    assert (found.name, found.itemsize, found.numpy.itemsize) == (name, SIZES[name], SIZES[name])


def test_packed_elements_share_bytes() -> None:
    assert [DTYPES["quint4x2"].nbytes(count) for count in (0, 1, 2, 3)] == [0, 1, 1, 2]
    assert [DTYPES["quint2x4"].nbytes(count) for count in (1, 4, 5)] == [1, 1, 2]


def test_names_that_are_no_types() -> None:
    assert dtype("float33") is None
    assert dtype("Tensor") is None


def test_other_names_of_torch() -> None:
    assert [found.name for name in ("half", "long", "cfloat", "bit") if (found := dtype(name))] == [
        "float16",
        "int64",
        "complex64",
        "uint1",
    ]


def test_storage_classes() -> None:
    assert STORAGE_CLASSES["FloatStorage"] == "float32"
    assert STORAGE_CLASSES["CharStorage"] == "int8"
    assert STORAGE_CLASSES["ByteStorage"] == "uint8"
    assert STORAGE_CLASSES["QUInt4x2Storage"] == "quint4x2"
    assert STORAGE_CLASSES["_UntypedStorage"] == "uint8"
    assert len(STORAGE_CLASSES) == 19


@pytest.mark.parametrize(
    ("kind", "text", "shown"),
    [
        (np.dtype(">i4"), ">i4", "int32"),
        (np.dtype("?"), "|b1", "bool"),
        (np.dtype("<M8[25s]"), "<M8[25s]", "datetime64[25s]"),
        (np.dtype(ml_dtypes.bfloat16), "bfloat16", "bfloat16"),
        (np.dtype(ml_dtypes.float8_e5m2), "float8_e5m2", "float8_e5m2"),
        (
            np.dtype([("a", "<i4"), ("b", ">f8", (2,))]),
            "[('a', '<i4'), ('b', '>f8', (2,))]",
            "[('a', '<i4'), ('b', '>f8', (2,))]",
        ),
    ],
)
def test_numpy_types_as_text(kind: np.dtype[np.generic], text: str, shown: str) -> None:
    assert type_text(kind) == text
    assert shown_type(kind) == shown
    assert numpy_type(text) == kind


def test_padded_structures_come_back() -> None:
    kind = np.dtype({"names": ["a", "b"], "formats": ["<i2", "<f8"], "offsets": [0, 8], "itemsize": 16})
    assert numpy_type(type_text(kind)) == kind


def test_fields_that_overlap_become_raw_bytes() -> None:
    kind = np.dtype({"names": ["a", "b"], "formats": ["<i4", "<i2"], "offsets": [0, 0], "itemsize": 12})
    assert type_text(kind) == "|V12"
