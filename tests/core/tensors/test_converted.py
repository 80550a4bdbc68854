"""Storages turned into another floating-point type as they are read: the values, the place of each, what is lost."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.builders.torch_values import DTYPES, Storage, state_dict, tensor
from tests.builders.torch_zip import torch_zip
from viewer.core.opening import open_document
from viewer.core.source import MemorySource
from viewer.core.tensors.converted import Conversion
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import read

VALUES = [0.0, -1.5, 65504.0, 65520.0, 1e-8, 6e-8, float("inf"), float("nan")]


def tensors(**values: object) -> dict[str, Tensor]:
    document = open_document(MemorySource(torch_zip(state_dict(values))))
    return {str(one.name): one for one in document.tensors}


def numbers(dtype: str, values: object, shape: tuple[int, ...], stride: tuple[int, ...], offset: int = 0) -> object:
    return tensor(Storage(dtype, np.asarray(values, dtype).tobytes()), shape, stride, offset)


def test_halves_are_rounded_and_their_loss_is_counted_once() -> None:
    conversion = Conversion("float16")
    found = conversion(tensors(w=numbers("float32", VALUES, (8,), (1,)))["w"])
    with np.errstate(over="ignore"):
        expected = np.array(VALUES, "f4").astype("f2")
    for _ in range(2):
        np.testing.assert_array_equal(read(found), expected, strict=True)
        # 65520 lies half-way to what would be the next number; 1e-8 is less than half of the smallest.
        assert (conversion.lost, conversion.vanished) == (1, 1)
    assert (found.dtype, found.shape, found.stride) == ("float16", (8,), (1,))


def test_loss_is_counted_once_in_whatever_order_the_numbers_are_read() -> None:
    conversion = Conversion("float16")
    storage = Storage("float32", np.array([1e6, 1, 1e-9, 1e7, 1e8, 2, 1e-10, 3], "f4").tobytes())
    views = {"end": tensor(storage, (2,), (1,), 6), "middle": tensor(storage, (3,), (1,), 2)}
    found = [conversion(one) for one in tensors(**views, whole=tensor(storage, (8,), (1,))).values()]
    counts = []
    for one in (*found, *found):
        read(one)
        counts.append((conversion.lost, conversion.vanished))
    assert counts == [(0, 1), (2, 2), (3, 2), (3, 2), (3, 2), (3, 2)]


def test_bfloat16_is_rounded_to_even() -> None:
    values = np.array([1 + 2**-8, 1 + 3 * 2**-8, 3.4e38], "f4")
    found = Conversion("bfloat16")(tensors(w=numbers("float32", values, (3,), (1,)))["w"])
    assert read(found).astype("f4").tolist() == [1.0, 1.015625, float("inf")]


def test_views_keep_their_places_and_their_storage() -> None:
    shared = Storage("float64", np.arange(6, dtype="f8").tobytes())
    found = tensors(whole=tensor(shared, (2, 3), (3, 1)), column=tensor(shared, (2,), (3,), 1))
    conversion = Conversion("float32")
    whole, column = conversion(found["whole"]), conversion(found["column"])
    assert whole.storage is column.storage
    assert (column.stride, column.storage_offset) == ((3,), 1)
    assert read(column).tolist() == [1.0, 4.0]
    assert whole.storage is not None
    assert whole.storage.source is not None
    assert (whole.storage.nbytes, whole.storage.count, whole.storage.source.size) == (24, 6, 24)


@pytest.mark.parametrize("dtype", ["int64", "bool", "complex64", "uint8"])
def test_other_types_stay(dtype: str) -> None:
    (one,) = tensors(w=tensor(Storage(dtype, bytes(DTYPES[dtype][1])), (), ())).values()
    assert Conversion("float16")(one) is one


def test_the_same_type_stays() -> None:
    (one,) = tensors(w=numbers("float16", [1], (1,), (1,))).values()
    assert Conversion("float16")(one) is one


def test_big_endian_elements_are_turned_round() -> None:
    value = tensor(Storage("float32", np.array([1.5, -2], ">f4").tobytes()), (2,), (1,))
    document = open_document(MemorySource(torch_zip(state_dict({"w": value}), byteorder="big")))
    assert read(Conversion("float16")(document.tensors[0])).tolist() == [1.5, -2.0]


def test_every_float8_code_has_its_value() -> None:
    for name in ("float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"):
        value = tensor(Storage(name, bytes(range(256))), (256,), (1,))
        found = read(Conversion("float32")(tensors(w=value)["w"]))
        with np.errstate(all="ignore"):
            expected = np.arange(256, dtype="u1").view(getattr(ml_dtypes, name)).astype("f4")
        np.testing.assert_array_equal(found, expected, strict=True)


def test_any_part_of_the_bytes_can_be_read() -> None:
    found = Conversion("float16")(tensors(w=numbers("float32", range(9), (9,), (1,)))["w"])
    assert found.storage is not None
    source = found.storage.source
    assert source is not None
    whole = np.arange(9, dtype="f2").tobytes()
    for start in range(20):
        for length in (0, 1, 2, 5, 99):
            assert source.read(start, length) == whole[start : start + length]
    assert source.read(-1, 5) == b""


def test_cut_elements_are_absent() -> None:
    data = torch_zip(state_dict({"w": numbers("float32", range(4), (4,), (1,))}))
    at = data.index(np.arange(4, dtype="f4").tobytes())
    document = open_document(MemorySource(data[: at + 10]))
    found = Conversion("float16")(document.tensors[0])
    assert found.storage is not None
    assert (found.storage.nbytes, found.storage.available, found.storage.complete) == (8, 4, False)
