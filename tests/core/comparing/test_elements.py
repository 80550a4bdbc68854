"""Elements of two tensors against each other: by bytes, by numbers, exactly where integers are, and never an error."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.core.tensors.streams import over
from viewer.core.comparing import sparse as by_index
from viewer.core.comparing.elements import compare_elements, count_nans
from viewer.core.comparing.meter import Meter
from viewer.core.comparing.outcome import Differences, Refused
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.tensor import Quantizer, Tensor

NAN, INF = math.nan, math.inf


def of(array: np.ndarray[Any, Any], dtype: str = "") -> Tensor:
    """A tensor of these elements, in their layout."""
    steps = tuple(step // array.itemsize for step in array.strides)
    return over(array.tobytes("A"), dtype or array.dtype.name, array.shape, steps, itemsize=array.itemsize)


def floats(*numbers: float, dtype: str = "float32") -> Tensor:
    return of(np.array(numbers, dtype=DTYPES[dtype].numpy), dtype)


def found(first: Tensor, second: Tensor) -> Differences:
    outcome = compare_elements(first, second, Meter())
    assert isinstance(outcome, Differences), outcome
    return outcome


def refused(first: Tensor, second: Tensor) -> Refused:
    outcome = compare_elements(first, second, Meter())
    assert isinstance(outcome, Refused), outcome
    return outcome


def test_equal_bytes_are_equal() -> None:
    outcome = found(floats(1, 2, 3), floats(1, 2, 3))
    assert outcome == Differences(3, same_bytes=True)


def test_numbers_of_a_difference() -> None:
    first = of(np.array([[1, 2], [3, 4]], "<f4"))
    second = of(np.array([[1, 2.5], [3, 1]], "<f4"))
    outcome = found(first, second)
    assert (outcome.differing, outcome.elements, outcome.largest, outcome.mean) == (2, 4, 3.0, 0.875)
    assert (outcome.place, outcome.first, outcome.same_bytes) == ((1, 1), (0, 1), False)
    assert outcome.relative == pytest.approx(math.sqrt(9.25) / math.sqrt(30))
    assert outcome.cosine == pytest.approx(19 / math.sqrt(30 * 17.25))


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16", "float8_e5m2"])
def test_nan_at_the_same_place_is_equal_and_told(dtype: str) -> None:
    first, second = floats(NAN, 1, 2, dtype=dtype), floats(NAN, 1, 2, dtype=dtype)
    assert found(first, second) == Differences(3, nans=1, same_bytes=True)
    outcome = found(first, floats(NAN, 1, 4, dtype=dtype))
    assert (outcome.nans, outcome.nans_a, outcome.nans_b, outcome.differing, outcome.largest) == (1, 0, 0, 1, 2)


def test_nan_that_meets_a_number_differs() -> None:
    outcome = found(floats(NAN, 1, 2), floats(0, NAN, 2.5))
    assert (outcome.nans, outcome.nans_a, outcome.nans_b, outcome.differing) == (0, 1, 1, 3)
    assert (outcome.largest, outcome.place, outcome.first, outcome.mean) == (0.5, (2,), (0,), 0.5)


def test_integers_with_and_without_a_sign_are_subtracted_exactly() -> None:
    first = of(np.array([2**60, -(2**63), 7], np.int64))
    second = of(np.array([2**60 + 1, 2**63 - 1, 7], np.uint64))
    outcome = found(first, second)
    assert (outcome.differing, outcome.largest, outcome.place, outcome.first) == (2, 2**64 - 1, (1,), (0,))
    assert found(of(np.array([2**60])), of(np.array([2**60 + 1], np.uint64))).largest == 1
    assert found(of(np.array([-1])), of(np.array([2**64 - 1], np.uint64))).largest == 2.0**64


def test_infinities() -> None:
    assert found(floats(INF, -INF, 1), floats(INF, -INF, 1)).same_bytes
    outcome = found(floats(INF, INF, 1, 5), floats(INF, -INF, 1, 4))
    assert (outcome.differing, outcome.largest, outcome.place) == (2, INF, (1,))
    assert outcome.mean == pytest.approx(1 / 3)


def test_signs_of_zero_are_other_bytes_and_equal_numbers() -> None:
    outcome = found(floats(0.0, 1), floats(-0.0, 1))
    assert (outcome.differing, outcome.largest, outcome.same_bytes) == (0, 0, False)


def test_wide_integers_are_exact() -> None:
    low, high = -(2**63), 2**63 - 1
    outcome = found(of(np.array([low, 2**53, 7])), of(np.array([high, 2**53 + 1, 7])))
    assert (outcome.differing, outcome.largest, outcome.place) == (2, 2**64 - 1, (0,))
    assert isinstance(outcome.largest, int)
    outcome = found(of(np.array([2**53, 7], "<u8")), of(np.array([2**53 + 1, 7])))
    assert (outcome.differing, outcome.note) == (1, "")


def test_integers_against_floats_lose_nothing() -> None:
    whole, wide = of(np.array([2**53 + 1, 2**62])), of(np.array([2.0**53, 2.0**62]))
    for first, second in ((whole, wide), (wide, whole)):
        outcome = found(first, second)
        assert (outcome.differing, outcome.largest, outcome.place, outcome.note) == (1, 1, (0,), "float64")


def test_types_of_other_width_are_held_in_float64() -> None:
    numbers = np.linspace(-2, 2, 300)
    first, second = numbers.astype("<f4"), numbers.astype(ml_dtypes.bfloat16)
    outcome = found(of(first), of(second, "bfloat16"))
    expected = np.abs(first.astype(float) - second.astype(float))
    assert (outcome.largest, outcome.note) == (expected.max(), "float64")
    assert outcome.mean == pytest.approx(expected.mean())
    assert outcome.differing == np.count_nonzero(expected)


def test_bool_counts_every_byte_but_zero_as_true() -> None:
    first, second = (over(data, "bool", (3,), itemsize=1) for data in (b"\0\1\1", b"\0\2\1"))
    assert found(first, second).differing == 0
    assert found(first, over(b"\1\1\1", "bool", (3,), itemsize=1)).largest == 1


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex(dtype: str) -> None:
    first = of(np.array([1 + 1j, complex(0, NAN)], dtype))
    outcome = found(first, of(np.array([4 + 5j, complex(NAN, 0)], dtype)))
    assert (outcome.largest, outcome.differing, outcome.nans) == (5, 1, 1)
    assert found(first, first).nans == 1
    assert found(first, floats(1, 2)).nans_a == 1


def test_half_complex() -> None:
    first, second = (over(np.array(data, "<f2").tobytes(), "complex32", (1,)) for data in ([1, 1], [4, 5]))
    assert found(first, second).largest == 5


def test_layouts_and_byte_orders_do_not_matter() -> None:
    numbers = np.arange(6, dtype="<f4").reshape(2, 3)
    turned = of(np.asfortranarray(numbers))
    assert turned.stride == (1, 2)
    outcome = found(of(numbers), turned)
    assert (outcome.differing, outcome.same_bytes) == (0, False)
    big = over(numbers.astype(">f4").tobytes(), "float32", (2, 3), byteorder="big")
    assert found(of(numbers), big).differing == 0
    other = replace(of(numbers), neg=True)
    assert found(of(numbers), other).largest == 10


def test_what_is_expanded_is_read_once() -> None:
    def expanded(*numbers: float) -> Tensor:
        return replace(floats(*numbers), shape=(10**12, len(numbers)), stride=(0, 1))

    assert found(expanded(1, NAN), expanded(1, NAN)) == Differences(2 * 10**12, nans=10**12, same_bytes=True)
    outcome = found(expanded(1, 2), expanded(1, 4))
    assert (outcome.elements, outcome.differing, outcome.mean, outcome.place) == (2 * 10**12, 10**12, 1, (0, 1))
    # Of one that is not, all elements are read.
    plain = of(np.array([[1, 2], [1, 5]], "<f4"))
    assert found(replace(floats(1, 2), shape=(2, 2), stride=(0, 1)), plain).differing == 1


def test_quantised_by_what_their_integers_stand_for() -> None:
    codes = np.array([[10, 20], [30, 40]], np.uint8)
    plain = of(codes, "quint8")
    half = replace(plain, quantizer=Quantizer("per_tensor_affine", 0.5, 10))
    assert found(half, half) == Differences(4, same_bytes=True)
    outcome = found(half, replace(plain, quantizer=Quantizer("per_tensor_affine", 0.25, 10)))
    assert (outcome.largest, outcome.differing, outcome.note) == (7.5, 3, "dequantised")
    channels = Quantizer("per_channel_affine", floats(0.5, 0.5, dtype="float64"), of(np.array([10, 10])), 0)
    assert found(half, replace(plain, quantizer=channels)).differing == 0
    assert found(half, of(np.array([[0, 5], [10, 16]], "<f4"))).largest == 1


def test_packed_and_bits() -> None:
    first, second = (over(data, "quint4x2", (3,), itemsize=1) for data in (b"\x21\x03", b"\x21\x04"))
    outcome = found(first, second)
    assert (outcome.elements, outcome.differing, outcome.largest, outcome.first) == (3, 1, 1, (2,))
    bits = [over(data, "bits8", (2,), itemsize=1) for data in (b"ab", b"ac")]
    outcome = found(*bits)
    assert (outcome.differing, outcome.largest, outcome.note) == (1, None, "raw")
    assert refused(bits[0], floats(1, 2)).code == "types"


def test_texts_are_equal_or_not() -> None:
    first, second = (
        replace(of(np.array(words)), kind="array", dtype="U", numpy_dtype=np.array(words).dtype.str)
        for words in (["a", "bc"], ["a", "b"])
    )
    outcome = found(first, second)
    assert (outcome.differing, outcome.largest, outcome.first) == (1, None, (1,))


def test_sparse_by_their_parts() -> None:
    def sparse(places: list[int], numbers: list[float]) -> Tensor:
        parts = (("indices", of(np.array([places]))), ("values", floats(*numbers)))
        return replace(floats(), shape=(9,), storage=None, layout="sparse_coo", parts=parts)

    first = sparse([1, 4], [1, 2])
    assert found(first, sparse([1, 4], [1, 2])).same_bytes
    assert found(first, sparse([1, 4], [1, 5])).largest == 3
    assert refused(first, floats(*range(9))).code == "layouts"


def coo(
    places: list[list[int]], numbers: list[float], shape: tuple[int, ...] = (3, 4), dtype: str = "float32"
) -> Tensor:
    """A sparse tensor of these indices, a list an axis."""
    indices = of(np.array(places, dtype="<i8").reshape(len(places), len(numbers)))
    parts = (("indices", indices), ("values", floats(*numbers, dtype=dtype)))
    return replace(floats(dtype=dtype), shape=shape, stride=(), storage=None, layout="sparse_coo", parts=parts)


def csr(starts: list[int], columns: list[int], numbers: list[float]) -> Tensor:
    parts = (
        ("crow_indices", of(np.array(starts))),
        ("col_indices", of(np.array(columns))),
        ("values", floats(*numbers)),
    )
    return replace(floats(), shape=(len(starts) - 1, 4), stride=(), storage=None, layout="sparse_csr", parts=parts)


def test_sparse_with_other_indices_by_what_stands_at_each() -> None:
    first = coo([[0, 2, 1], [1, 3, 0]], [1, 2, -3])
    outcome = found(first, coo([[0, 1], [1, 2]], [4, 5]))
    dense = np.zeros((2, 3, 4))
    dense[0][[0, 2, 1], [1, 3, 0]] = [1, 2, -3]
    dense[1][[0, 1], [1, 2]] = [4, 5]
    plain = found(of(dense[0].astype("<f4")), of(dense[1].astype("<f4")))
    assert outcome == replace(plain, note="coordinates")
    assert (outcome.largest, outcome.place, outcome.first, outcome.differing) == (5, (1, 2), (0, 1), 4)


def test_order_repeats_and_layout_of_sparse_tensors_do_not_matter() -> None:
    first = coo([[0, 2, 1], [1, 3, 0]], [1, 2, -3])
    for same in (
        coo([[2, 1, 0], [3, 0, 1]], [2, -3, 1]),
        coo([[2, 1, 2, 0], [3, 0, 3, 1]], [0.5, -3, 1.5, 1]),
        coo([[0, 2, 1, 2], [1, 3, 0, 2]], [1, 2, -3, 0]),
        csr([0, 1, 2, 3], [1, 0, 3], [1, -3, 2]),
    ):
        outcome = found(first, same)
        assert (outcome.differing, outcome.elements, outcome.note) == (0, 12, "coordinates")
    assert found(first, csr([0, 1, 2, 3], [1, 0, 2], [1, -3, 2])).place == (2, 2)
    assert found(coo([[], []], []), first).differing == 3


def test_sparse_tensors_that_cannot_be_matched() -> None:
    first = coo([[0, 2], [1, 3]], [1, 2])
    outside = refused(first, coo([[0, 2], [1, 4]], [1, 2]))
    assert (outside.code, outside.params["side"]) == ("indices", "B")
    assert refused(first, coo([[0, -1], [1, 3]], [1, 2])).code == "indices"
    huge = (2**40, 2**40)
    assert refused(coo([[0], [1]], [1], huge), coo([[0], [2]], [1], huge)).code == "sparse-many"
    assert refused(first, floats(*range(12))).code == "layouts"


@pytest.mark.parametrize("starts", [[0, 2, 1, 2], [0, 1, 1, 1], [1, 1, 2, 2], [5, -7, 2**62, 1]])
def test_rows_that_do_not_follow_one_another_cannot_be_matched(starts: list[int]) -> None:
    damaged, whole = csr(starts, [0, 2], [1, 4]), coo([[0, 1], [0, 2]], [1, 4])
    assert found(csr([0, 1, 2, 2], [0, 2], [1, 4]), whole).differing == 0
    outcome = refused(damaged, whole)
    assert (outcome.code, outcome.params["side"]) == ("indices", "A")


@pytest.mark.parametrize(("kind", "bad"), [("<f4", NAN), ("<f4", INF), ("<c8", 1), ("?", 1)])
def test_indices_that_are_no_integers_cannot_be_matched(kind: str, bad: float) -> None:
    damaged = csr([0, 1, 2, 2], [0, 2], [1, 4])
    (role, _), *others = damaged.parts
    damaged = replace(damaged, parts=((role, of(np.array([0, bad, 2, 2], kind))), *others))
    assert refused(damaged, coo([[0, 1], [0, 2]], [1, 4])).code == "layouts"


def test_entries_without_elements_are_not_gone_through_without_end() -> None:
    values = replace(floats(), shape=(2**40, 0), stride=(0, 1))
    indices = replace(of(np.zeros((1, 1), "<i8")), shape=(1, 2**40), stride=(0, 0))
    endless = replace(coo([[]], [], (3, 0)), parts=(("indices", indices), ("values", values)))
    few = replace(floats(), shape=(5, 0), stride=(0, 1))
    other = replace(endless, parts=(("indices", of(np.zeros((1, 5), "<i8"))), ("values", few)))
    assert refused(endless, other).code == "sparse-many"


def test_many_sparse_entries_are_not_put_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_index, "MOST", 2)
    outcome = refused(coo([[0, 2, 1], [1, 3, 0]], [1, 2, 3]), coo([[0, 2, 1], [1, 3, 1]], [1, 2, 3]))
    assert (outcome.code, outcome.params["count"]) == ("sparse-many", 2)


def test_damage_is_told_and_no_error() -> None:
    whole, cut = floats(1, 2, 3), over(b"\0" * 8, "float32", (3,))
    outcome = refused(whole, cut)
    assert (outcome.code, outcome.params) == ("cut", {"missing": 4, "size": 12, "side": "B"})
    bare = replace(whole, storage=None, note="_rebuild_meta_tensor")
    assert refused(bare, whole).params["side"] == "A"
    assert found(bare, bare).note == "no-values"


def test_a_file_cut_meanwhile_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = floats(1, 2), floats(1, 2)
    assert second.storage is not None
    assert second.storage.source is not None
    monkeypatch.setattr(type(second.storage.source), "read", lambda *_: b"")
    outcome = refused(first, second)
    assert (outcome.code, outcome.failure is not None) == ("unreadable", True)


def test_blocks_are_bounded_and_can_be_stopped() -> None:
    class Zeros(ByteSource):
        size = 1 << 40
        longest = 0

        def read(self, offset: int, length: int) -> bytes:
            del offset
            Zeros.longest = max(Zeros.longest, length)
            progress.cancel()
            return bytes(length)

    progress = Progress()
    tensor = over(b"", "float32", (1 << 38,))
    assert tensor.storage is not None
    storage = replace(tensor.storage, source=Zeros(), count=1 << 38, nbytes=1 << 40)
    huge = replace(tensor, storage=storage)
    with pytest.raises(CancelledError):
        compare_elements(huge, huge, Meter(progress, 1 << 41))
    assert 0 < Zeros.longest <= 1 << 20


def test_differences_far_behind_are_found() -> None:
    numbers = np.zeros(700_000, "<f4")
    other = numbers.copy()
    other[699_999] = 2
    meter = Meter(None, 5_600_000)
    outcome = compare_elements(of(numbers), of(other), meter)
    assert isinstance(outcome, Differences)
    assert (outcome.first, outcome.differing, outcome.largest) == ((699_999,), 1, 2)
    assert meter.done == meter.total


@pytest.mark.parametrize("dtype", ["<f2", "<f4", "<f8", ">f4", ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, "<c8"])
def test_counting_nan(dtype: Any) -> None:
    numbers = np.array([0, -1, NAN, 3, -NAN, -240, 200], np.float64).astype(dtype)
    assert count_nans(numbers.view(np.uint8), numbers.dtype) == 2
    assert count_nans(np.delete(numbers, [2, 4]).view(np.uint8), numbers.dtype) == 0


def test_infinities_are_no_nan() -> None:
    for dtype in ("<f2", "<f4", "<f8", ml_dtypes.bfloat16, ml_dtypes.float8_e5m2):
        numbers = np.array([INF, -INF], np.float64).astype(dtype)
        assert count_nans(numbers.view(np.uint8), numbers.dtype) == 0


def test_jagged_tensors_along_another_axis_are_laid_out_otherwise() -> None:
    parts = (("values", of(np.zeros((3, 3), "<f4"))), ("offsets", of(np.array([0, 1, 3]))))
    first = replace(floats(), shape=(), stride=(), storage=None, layout="jagged", parts=parts)
    assert found(first, replace(first)).same_bytes
    assert refused(first, replace(first, ragged=2)).code == "layouts"


def test_scales_stay_apart_where_the_elements_of_their_axis_repeat() -> None:
    scales = Quantizer("per_channel_affine", (1.0, 2.0, 3.0), (0, 0, 0), 0)

    def repeated(*numbers: int) -> Tensor:
        held = over(np.array(numbers, "i1").tobytes(), "qint8", (3, 2), (0, 1), itemsize=1)
        return replace(held, quantizer=scales)

    outcome = found(repeated(1, 2), repeated(1, 3))
    assert (outcome.elements, outcome.differing, outcome.largest, outcome.mean) == (6, 3, 3.0, 1.0)
    assert (outcome.place, outcome.first, outcome.note) == ((2, 1), (0, 1), "dequantised")
