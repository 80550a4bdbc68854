"""Elements and their places, against numpy's own striding."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.tensors.streams import over
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress, Step
from viewer.core.source import ByteSource, FileSource, MemorySource
from viewer.core.span import Span
from viewer.core.tensors import gather, window
from viewer.core.tensors.arrays import array_storage, array_tensor
from viewer.core.tensors.dtypes import numpy_type
from viewer.core.tensors.layout import reach
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import (
    IncompleteError,
    NoValuesError,
    available,
    blocks,
    complete,
    element_at,
    element_offset,
    extent,
    missing_bytes,
    nbytes,
    read,
    span,
)

NUMBERS = np.arange(400, dtype="<i4")
INDEX = st.integers(-6, 6)
KEYS = st.one_of(
    INDEX, st.builds(slice, st.none() | INDEX, st.none() | INDEX, st.none() | INDEX.filter(lambda step: step != 0))
)


@st.composite
def strided(draw: st.DrawFn, lowest: int = 0) -> Tensor:
    """A tensor of any layout that lies in NUMBERS."""
    shape = tuple(draw(st.lists(st.integers(0, 5), max_size=4)))
    stride = tuple(draw(st.lists(st.integers(lowest, 15), min_size=len(shape), max_size=len(shape))))
    low, _ = reach(shape, stride)
    offset = draw(st.integers(-low, -low + 20))
    return over(NUMBERS.tobytes(), "int32", shape, stride, offset, start=64)


def expected(tensor: Tensor) -> npt.NDArray[np.int32]:
    """The same by numpy."""
    steps = tuple(4 * step for step in tensor.stride)
    return np.lib.stride_tricks.as_strided(NUMBERS[tensor.storage_offset :], tensor.shape, steps)


@given(strided(-15), st.data())
def test_selections_are_those_of_numpy(tensor: Tensor, data: st.DataObject) -> None:
    key = tuple(data.draw(st.lists(KEYS, max_size=len(tensor.shape))))
    try:
        wanted = expected(tensor)[key]
    except IndexError:
        with pytest.raises(IndexError):
            read(tensor, key)
        return
    found = read(tensor, key)
    assert found.shape == np.shape(wanted)
    assert found.tolist() == wanted.tolist()


@given(strided(), st.integers(4, 60), st.integers(1, 64), st.integers(1, 64))
def test_blocks_are_all_elements_in_order(tensor: Tensor, block: int, budget: int, small: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(window, "BUDGET", budget)
        patch.setattr(gather, "SMALL", small)
        patch.setattr(gather, "LARGE", small)
        parts = list(blocks(tensor, block=block))
    assert all(0 < part.nbytes <= block for part in parts)
    assert [number for part in parts for number in part.tolist()] == expected(tensor).reshape(-1).tolist()


@given(strided(-15), st.data())
def test_places_of_elements(tensor: Tensor, data: st.DataObject) -> None:
    if 0 in tensor.shape:
        assert element_at(tensor, 64) is None
        return
    index = tuple(data.draw(st.integers(0, size - 1)) for size in tensor.shape)
    place = element_offset(tensor, index)
    assert place is not None
    assert place.length == 4
    assert (place.start - 64) // 4 == expected(tensor)[index]
    for byte in (place.start, place.stop - 1):
        owner = element_at(tensor, byte)
        assert owner is not None
        assert owner <= index
        assert element_offset(tensor, owner) == place


@given(strided(-15))
def test_the_span_holds_all_elements_and_no_more(tensor: Tensor) -> None:
    whole = span(tensor)
    assert whole is not None
    assert nbytes(tensor) == 4 * expected(tensor).size
    if not expected(tensor).size:
        assert whole.length == 0
        return
    places = (expected(tensor) * 4 + 64).tolist()
    flat = np.array(places).reshape(-1)
    assert (whole.start, whole.stop) == (flat.min(), flat.max() + 4)
    assert complete(tensor)
    assert available(tensor) == whole.length


def test_indices_outside_the_shape_have_no_place() -> None:
    tensor = over(NUMBERS.tobytes(), "int32", (2, 3))
    assert element_offset(tensor, (0, 3)) is None
    assert element_offset(tensor, (0, -1)) is None
    assert element_offset(tensor, (0,)) is None
    assert element_at(tensor, 24) is None
    assert element_at(tensor, 23) == (1, 2)


def test_bytes_before_the_storage_belong_to_no_element() -> None:
    tensor = over(NUMBERS.tobytes(), "int32", (2,), start=100)
    assert element_at(tensor, 99) is None
    assert element_at(tensor, 100) == (0,)


def test_the_byte_of_an_expanded_element_is_its_first() -> None:
    tensor = over(NUMBERS.tobytes(), "int32", (5, 3), (0, 1))
    assert element_at(tensor, 7) == (0, 1)
    assert element_offset(tensor, (4, 1)) == Span(4, 8)


def test_as_declared_even_beyond_the_end() -> None:
    tensor = over(bytes(100), "float32", (10, 10))
    assert span(tensor) == Span(0, 400)
    assert (available(tensor), complete(tensor), missing_bytes(tensor)) == (100, False, (300, 400))


def test_a_tensor_that_begins_beyond_the_end() -> None:
    tensor = over(bytes(8), "float32", (3,), offset=10)
    assert span(tensor) == Span(40, 52)
    assert (available(tensor), missing_bytes(tensor)) == (0, (12, 12))


def test_tensors_without_storage() -> None:
    tensor = Tensor(0, (), None, "tensor", "float16", (4,), (1,), 0, None, note="_rebuild_meta_tensor_no_storage")
    assert (span(tensor), extent(tensor), available(tensor), complete(tensor), nbytes(tensor)) == (
        None,
        None,
        0,
        True,
        8,
    )
    assert element_offset(tensor, (0,)) is None
    assert element_at(tensor, 0) is None
    with pytest.raises(NoValuesError, match="has no plain elements"):
        read(tensor)
    with pytest.raises(NoValuesError):
        blocks(tensor)


def test_types_without_numbers() -> None:
    with pytest.raises(NoValuesError):
        read(over(bytes(4), "int3", (4,), itemsize=1))


def test_storages_that_stand_nowhere_in_the_document() -> None:
    storage = Storage("0", "cpu", "float32", False, 2, 8, None, MemorySource(struct.pack("<2f", 1, 2)))
    tensor = Tensor(0, (), None, "tensor", "float32", (2,), (1,), 0, storage)
    assert (span(tensor), element_offset(tensor, (0,)), element_at(tensor, 0)) == (None, None, None)
    assert extent(tensor) == Span(0, 8)
    assert read(tensor).tolist() == [1.0, 2.0]


def test_missing_bytes_are_an_error_only_where_they_are_needed() -> None:
    tensor = over(NUMBERS.tobytes()[:100], "int32", (10, 5))
    assert read(tensor, (slice(0, 5),)).tolist() == np.arange(25).reshape(5, 5).tolist()
    with pytest.raises(IncompleteError, match=r"^w: 20 of 20 bytes are missing"):
        read(tensor, (5,))
    with pytest.raises(IncompleteError, match=r"^w: 100 of 200 bytes are missing"):
        blocks(tensor)


def test_a_file_that_is_cut_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "cut"
    path.write_bytes(bytes(3_000_000))
    source = FileSource(path)
    storage = Storage("0", "cpu", "uint8", False, 3_000_000, 3_000_000, Span(0, 3_000_000), source)
    tensor = Tensor(0, (), "w", "tensor", "uint8", (3_000_000,), (1,), 0, storage)
    parts = blocks(tensor)
    next(parts)
    os.truncate(path, 1_500_000)
    with pytest.raises(IncompleteError):
        list(parts)
    with pytest.raises(IncompleteError):
        read(tensor, (slice(1_400_000, 1_600_000),))
    source.close()


# -- types ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dtype", "raw", "values"),
    [
        ("float64", struct.pack("<d", -2.5), -2.5),
        ("float32", struct.pack("<f", 1.5), 1.5),
        ("float16", struct.pack("<e", 0.5), 0.5),
        ("bfloat16", b"\xc0\x3f", 1.5),
        ("int64", struct.pack("<q", -(2**60)), -(2**60)),
        ("int16", b"\xfe\xff", -2),
        ("uint16", b"\xfe\xff", 65534),
        ("uint64", b"\xff" * 8, 2**64 - 1),
        ("int8", b"\x80", -128),
        ("bool", b"\x02", True),
        ("complex64", struct.pack("<2f", 1, -2), 1 - 2j),
        ("complex32", struct.pack("<2e", 1, -2), (1.0, -2.0)),
        ("float8_e5m2", b"\x3c", 1.0),
        ("float8_e4m3fn", b"\x38", 1.0),
        ("float8_e5m2fnuz", b"\x40", 1.0),
        ("float8_e4m3fnuz", b"\x40", 1.0),
        ("float8_e8m0fnu", b"\x80", 2.0),
        ("float4_e2m1fn_x2", b"\x72", 0x72),
        ("bits8", b"\xa5", 0xA5),
        ("bits16", b"\x01\x02", 0x0201),
        ("qint32", struct.pack("<i", -5), -5),
    ],
)
def test_values_of_every_type(dtype: str, raw: bytes, values: object) -> None:
    found = read(over(raw, dtype, (), itemsize=len(raw)))
    assert found.shape == ()
    assert found.item() == values


@pytest.mark.parametrize(
    ("dtype", "raw", "values"),
    [
        ("float32", struct.pack(">2f", 1.5, -2), [1.5, -2.0]),
        ("bfloat16", b"\x3f\xc0\xbf\xc0", [1.5, -1.5]),
        ("complex64", struct.pack(">4f", 1, 2, 3, 4), [1 + 2j, 3 + 4j]),
        ("complex128", struct.pack(">4d", 1, 2, 3, 4), [1 + 2j, 3 + 4j]),
        ("complex32", struct.pack(">4e", 1, 2, 3, 4), [(1.0, 2.0), (3.0, 4.0)]),
        ("uint16", b"\x01\x02\x03\x04", [0x0102, 0x0304]),
        ("bits16", b"\x01\x02\x03\x04", [0x0102, 0x0304]),
        ("int8", b"\x01\xff", [1, -1]),
        ("bool", b"\x01\x00", [True, False]),
    ],
)
def test_big_endian_storages(dtype: str, raw: bytes, values: list[Any]) -> None:
    tensor = over(raw, dtype, (2,), itemsize=len(raw) // 2, byteorder="big")
    assert read(tensor).tolist() == values
    assert [number for part in blocks(tensor) for number in part.tolist()] == values
    assert read(tensor, (1,)).item() == values[1]


@pytest.mark.parametrize(
    ("dtype", "raw", "conj", "neg", "values"),
    [
        ("complex64", struct.pack("<2f", 1, 2), True, False, 1 - 2j),
        ("complex64", struct.pack("<2f", 1, 2), True, True, -1 + 2j),
        ("complex128", struct.pack("<2d", 1, 2), False, True, -1 - 2j),
        ("complex32", struct.pack("<2e", 1, 2), True, False, (1.0, -2.0)),
        ("float32", struct.pack("<f", 1), True, True, -1.0),
        ("bfloat16", b"\xc0\x3f", False, True, -1.5),
        ("int16", b"\x05\x00", False, True, -5),
        ("bool", b"\x01", True, True, True),
    ],
)
@pytest.mark.parametrize("byteorder", ["little", "big"])
def test_conj_and_neg(dtype: str, raw: bytes, conj: bool, neg: bool, values: object, byteorder: str) -> None:
    unit = len(raw) // 2 if dtype.startswith("complex") else len(raw)
    turned = b"".join(raw[at : at + unit][::-1] for at in range(0, len(raw), unit))
    tensor = over(raw if byteorder == "little" else turned, dtype, (1,), itemsize=len(raw), byteorder=byteorder)
    tensor.conj, tensor.neg = conj, neg
    assert read(tensor)[0].item() == values
    assert next(blocks(tensor))[0].item() == values


@pytest.mark.parametrize(
    ("kind", "order", "value"),
    [
        ("<u2", "little", 0x0201),
        ("<u2", "big", 0x0102),
        (">u2", "big", 0x0102),
        (">u2", "little", 0x0201),
        ("|u1", "big", 1),
        ("bfloat16", "little", 0x0201),
        ("[('a', '>u2')]", "little", (0x0102,)),
        ("[('a', '<u2')]", "big", (0x0102,)),
    ],
)
def test_the_order_of_an_array_is_that_of_its_storage(kind: str, order: str, value: object) -> None:
    storage = array_storage(numpy_type(kind), 1, Span(0, 2), MemorySource(b"\x01\x02"))
    storage.byteorder = order
    found = read(array_tensor(numpy_type(kind), (1,), False, storage))
    assert (found.view("<u2") if kind == "bfloat16" else found)[0].item() == value


def test_negating_zero_turns_its_sign() -> None:
    tensor = over(bytes(4), "float32", (1,))
    tensor.neg = True
    assert read(tensor).tobytes() == b"\0\0\0\x80"


def test_the_stored_bytes_are_left_alone() -> None:
    raw = struct.pack("<2f", 1, 2)
    tensor = over(raw, "float32", (2,))
    tensor.neg = True
    for _ in range(2):
        assert read(tensor).tolist() == [-1.0, -2.0]
    assert raw == struct.pack("<2f", 1, 2)


def test_blocks_keep_the_bytes_of_booleans() -> None:
    tensor = over(b"\x02\x00\x01", "bool", (3,), itemsize=1)
    assert next(blocks(tensor)).tobytes() == b"\x02\x00\x01"
    assert read(tensor).tobytes() == b"\x01\x00\x01"


def test_ml_types_keep_their_type() -> None:
    assert read(over(b"\xc0\x3f", "bfloat16", (1,), itemsize=2)).dtype == ml_dtypes.bfloat16


# -- how much is read -------------------------------------------------------------------------------


class Counted(ByteSource):
    """Zeros without end, that count what is read of them."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.reads: list[int] = []

    def read(self, offset: int, length: int) -> bytes:
        length = max(0, min(length, self.size - offset))
        self.reads.append(length)
        return bytes(length)


def counted(shape: tuple[int, ...], stride: tuple[int, ...]) -> tuple[Tensor, Counted]:
    """A float32 tensor over 10 GiB."""
    source = Counted(10 * 2**30)
    storage = Storage("0", "cpu", "float32", False, source.size // 4, source.size, Span(0, source.size), source)
    return Tensor(0, (), None, "tensor", "float32", shape, stride, 0, storage), source


def test_a_slice_of_a_huge_tensor_reads_only_its_rows() -> None:
    tensor, source = counted((50_000, 50_000), (50_000, 1))
    assert read(tensor, (slice(40_000, 40_030), slice(100, 120))).shape == (30, 20)
    assert source.reads == [80] * 30


def test_a_slice_of_a_huge_transposed_tensor_reads_runs_of_its_columns() -> None:
    tensor, source = counted((50_000, 50_000), (1, 50_000))
    assert read(tensor, (slice(40_000, 40_030), slice(100, 120))).shape == (30, 20)
    assert source.reads == [120] * 20


def test_small_tensors_are_read_at_once_in_any_layout() -> None:
    tensor, source = counted((100, 150), (1, 100))
    read(tensor)
    assert source.reads == [60_000]


def test_blocks_of_a_huge_transposed_tensor_stay_within_their_memory() -> None:
    tensor, source = counted((50_000, 50_000), (1, 50_000))
    parts = blocks(tensor)
    assert next(parts).nbytes == 2**20
    assert len(source.reads) == 50_000
    assert sum(source.reads) <= window.BUDGET


def test_an_expanded_tensor_is_read_once() -> None:
    tensor, source = counted((1000, 10), (0, 1))
    assert read(tensor).shape == (1000, 10)
    assert source.reads == [40]


# -- progress ---------------------------------------------------------------------------------------


def test_work_can_be_stopped_at_any_block() -> None:
    progress = Progress()
    parts = blocks(over(NUMBERS.tobytes(), "int32", (400,)), progress, block=400)
    next(parts)
    progress.cancel()
    with pytest.raises(CancelledError):
        next(parts)


def test_progress_counts_bytes() -> None:
    steps: list[Step] = []
    list(blocks(over(NUMBERS.tobytes(), "int32", (400,)), Progress(steps.append), block=400))
    assert (steps[0].done, steps[0].total) == (0, 1600)


def test_no_elements_behind_the_end_are_none_and_not_missing() -> None:
    empty = over(bytes(4), "float32", (0, 3), offset=9)
    assert read(empty).shape == (0, 3)
    assert read(over(bytes(1), "quint4x2", (0,), offset=9, itemsize=1)).shape == (0,)
