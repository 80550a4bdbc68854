"""Statistics of one pass against numpy's over the whole."""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.tensors.streams import over
from viewer.core.source import ByteSource, MemorySource
from viewer.core.tensors import moments
from viewer.core.tensors import statistics as measured
from viewer.core.tensors.arrays import array_storage, array_tensor
from viewer.core.tensors.dtypes import DTYPES, numpy_type
from viewer.core.tensors.layout import row_major
from viewer.core.tensors.statistics import Occurrences, sample, statistics
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import IncompleteError, NoValuesError

NONE = Occurrences(0, None)
INF, NAN = float("inf"), float("nan")


class Zeros(ByteSource):
    """Zeros, that count what is read of them."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.count = 0

    def read(self, offset: int, length: int) -> bytes:
        self.count += length
        return bytes(length)


def of(array: np.ndarray[Any, Any], dtype: str) -> Tensor:
    """A tensor of these elements."""
    steps = tuple(step // array.itemsize for step in array.strides)
    return over(array.tobytes("A"), dtype, array.shape, steps, itemsize=array.itemsize)


def test_a_few_floats() -> None:
    found = statistics(of(np.array([[1, 0], [-3, 6]], "<f4"), "float32"))
    assert found is not None
    assert (found.minimum, found.maximum, found.mean, found.elements, found.exact) == (-3.0, 6.0, 1.0, 4, True)
    assert found.std == pytest.approx(3.7416573867739413)
    assert found.zeros == Occurrences(1, (0, 1))
    assert (found.nans, found.positive_infinities, found.negative_infinities) == (NONE, NONE, NONE)


@pytest.mark.parametrize(
    ("dtype", "kind"), [("float64", "<f8"), ("float32", "<f4"), ("float16", "<f2"), ("bfloat16", ml_dtypes.bfloat16)]
)
def test_special_numbers(dtype: str, kind: Any) -> None:
    values = np.array([[1, INF, NAN], [-INF, NAN, 0], [3, INF, 2]], "<f4").astype(kind)
    found = statistics(of(values, dtype))
    assert found is not None
    assert (found.minimum, found.maximum, found.mean) == (0.0, 3.0, 1.5)
    assert found.std == pytest.approx(1.2909944487358056)
    assert found.zeros == Occurrences(1, (1, 2))
    assert found.nans == Occurrences(2, (0, 2))
    assert found.positive_infinities == Occurrences(2, (0, 1))
    assert found.negative_infinities == Occurrences(1, (1, 0))


@pytest.mark.parametrize("dtype", ["float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz"])
def test_float8(dtype: str) -> None:
    values = np.array([1, NAN, 0, -2], "<f4").astype(DTYPES[dtype].numpy)
    found = statistics(of(values, dtype))
    assert found is not None
    assert (found.minimum, found.maximum) == (-2.0, 1.0)
    assert found.mean == pytest.approx(-1 / 3)
    assert (found.nans, found.zeros) == (Occurrences(1, (1,)), Occurrences(1, (2,)))


def test_float8_with_infinities() -> None:
    found = statistics(of(np.array([1, INF, -INF], "<f4").astype(ml_dtypes.float8_e5m2), "float8_e5m2"))
    assert found is not None
    assert (found.positive_infinities, found.negative_infinities) == (Occurrences(1, (1,)), Occurrences(1, (2,)))


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_integers(dtype: str) -> None:
    limits = np.iinfo(dtype)
    values = np.array([limits.max, 0, limits.min, 5, 0], dtype)
    found = statistics(of(values, dtype))
    assert found is not None
    assert (found.minimum, found.maximum) == (limits.min, limits.max)
    assert isinstance(found.maximum, int)
    assert found.mean == pytest.approx(sum(int(value) for value in values) / 5, abs=limits.max * 2**-52)
    assert found.zeros.first == (1,)


def test_booleans_count_every_byte_but_0_as_true() -> None:
    found = statistics(over(b"\x00\x01\x02\x00", "bool", (4,), itemsize=1))
    assert found is not None
    assert (found.minimum, found.maximum, found.mean) == (0, 1, 0.5)
    assert found.zeros == Occurrences(2, (0,))


@pytest.mark.parametrize(("dtype", "form"), [("complex64", "<8f"), ("complex128", "<8d"), ("complex32", "<8e")])
def test_complex_numbers(dtype: str, form: str) -> None:
    raw = struct.pack(form, 1, 2, 3, 4, 0, 0, NAN, INF)
    found = statistics(over(raw, dtype, (4,), itemsize=len(raw) // 4))
    assert found is not None
    assert (found.minimum, found.maximum) == (None, None)
    assert found.mean == pytest.approx((4 + 6j) / 3)
    assert found.std == pytest.approx(2.516611478423583)
    assert (found.zeros, found.nans) == (Occurrences(1, (2,)), Occurrences(1, (3,)))


def test_complex_infinities() -> None:
    found = statistics(over(struct.pack("<4f", 1, 2, -INF, 0), "complex64", (2,), itemsize=8))
    assert found is not None
    assert (found.positive_infinities, found.negative_infinities) == (Occurrences(1, (1,)), NONE)
    assert found.mean == 1 + 2j


def test_nothing_finite() -> None:
    found = statistics(of(np.array([NAN, INF], "<f4"), "float32"))
    assert found is not None
    assert (found.minimum, found.maximum, found.mean, found.std) == (None, None, None, None)


def test_no_elements() -> None:
    found = statistics(over(b"", "float32", (0, 3)))
    assert found is not None
    assert (found.elements, found.minimum, found.mean, found.std, found.zeros) == (0, None, None, None, NONE)


def test_one_element_has_no_deviation() -> None:
    found = statistics(of(np.array(5, "<f4"), "float32"))
    assert found is not None
    assert (found.mean, found.std, found.zeros) == (5.0, None, NONE)


def test_a_small_spread_far_from_zero() -> None:
    values = 1e9 + np.arange(100_000) % 7
    found = statistics(of(values, "float64"))
    assert found is not None
    assert found.mean == pytest.approx(float(values.mean()), rel=1e-15)
    assert found.std == pytest.approx(float(np.std(values - 1e9, ddof=1)), rel=1e-9)


def test_sums_beyond_the_largest_number() -> None:
    found = statistics(of(np.full(4, 1.7e308), "float64"))
    assert found is not None
    assert found.mean == pytest.approx(1.7e308)


@given(st.data())
def test_any_layout_and_block(data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=4)))
    order = data.draw(st.permutations(range(len(shape))))
    numbers = st.sampled_from([0.0, 1.0, -2.5, 7.0, NAN, INF, -INF])
    count = int(np.prod(shape))
    values = np.array(data.draw(st.lists(numbers, min_size=count, max_size=count)), "<f4").reshape(shape)
    turned = values.transpose(order)
    steps = tuple(row_major(shape)[axis] for axis in order)
    tensor = over(values.tobytes(), "float32", turned.shape, steps)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moments, "CHUNK", data.draw(st.integers(1, 8)))
        patch.setattr(measured, "READ", data.draw(st.integers(4, 64)))
        found = statistics(tensor)
    assert found is not None
    finite = turned[np.isfinite(turned)].astype(np.float64)
    if finite.size:
        assert (found.minimum, found.maximum) == (finite.min(), finite.max())
        assert found.mean == pytest.approx(finite.mean())
        assert found.norms.l1 == pytest.approx(np.abs(finite).sum())
        assert found.norms.l2 == pytest.approx(np.sqrt((finite**2).sum()))
        assert found.norms.maximum == np.abs(finite).max()
        assert found.distribution is not None
        for share in (0, 0.25, 0.5, 0.7, 1):
            assert found.distribution.quantile(share) == pytest.approx(np.quantile(finite, share))
    if finite.size > 1:
        assert found.std == pytest.approx(finite.std(ddof=1))
    seen = (found.zeros, found.nans, found.positive_infinities, found.negative_infinities)
    for told, mask in zip(seen, (turned == 0, np.isnan(turned), turned == INF, turned == -INF), strict=True):
        places = list(zip(*(axis.tolist() for axis in np.nonzero(mask)), strict=True))
        assert told == Occurrences(len(places), places[0] if places else None)


def test_expanded_elements_count_as_often_as_they_are_seen() -> None:
    found = statistics(over(struct.pack("<2f", 0, 4), "float32", (3, 2), (0, 1)))
    assert found is not None
    assert (found.elements, found.mean, found.zeros) == (6, 2.0, Occurrences(3, (0, 0)))


def test_big_endian() -> None:
    found = statistics(over(struct.pack(">2f", 2, 4), "float32", (2,), byteorder="big"))
    assert found is not None
    assert (found.minimum, found.maximum) == (2.0, 4.0)


@pytest.mark.parametrize("kind", ["<U2", "|S3", "<M8[s]", "|V5", "[('a', '<i4'), ('b', '<f8')]"])
def test_what_is_no_number(kind: str) -> None:
    storage = array_storage(numpy_type(kind), 2, None, MemorySource(bytes(99)))
    assert statistics(array_tensor(numpy_type(kind), (2,), False, storage)) is None


def test_what_cannot_be_read() -> None:
    with pytest.raises(IncompleteError):
        statistics(over(bytes(8), "float32", (3,)))
    with pytest.raises(NoValuesError):
        statistics(replace(over(bytes(8), "float32", (2,)), storage=None))


# -- norms, quantiles, distinct numbers ---------------------------------------------------------------


def test_norms_of_a_few() -> None:
    found = statistics(of(np.array([3, -4, 0], "<f4"), "float32"))
    assert found is not None
    assert (found.norms.l1, found.norms.l2, found.norms.maximum) == (7.0, 5.0, 4.0)


def test_norms_of_complex_numbers_are_those_of_their_size() -> None:
    found = statistics(over(struct.pack("<6f", 3, 4, 0, -2, NAN, 1), "complex64", (3,), itemsize=8))
    assert found is not None
    assert (found.norms.l1, found.norms.maximum) == (7.0, 5.0)
    assert found.norms.l2 == pytest.approx(29**0.5)
    assert found.distribution is None


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16"])
def test_distinct_numbers_of_small_integers(dtype: str) -> None:
    values = np.array([3, 1, 3, 100, 3], dtype)
    found = statistics(of(values, dtype))
    assert found is not None
    assert found.distinct == 3
    assert found.distribution is not None
    assert found.distribution.lows.tolist() == [1, 3, 100]
    assert found.distribution.counts.tolist() == [1, 3, 1]
    assert found.distribution.quantile(0.5) == 3


def test_distinct_truths() -> None:
    found = statistics(over(b"\x00\x01\x02\x00", "bool", (4,), itemsize=1))
    assert found is not None
    assert found.distinct == 2
    assert found.distribution is not None
    assert found.distribution.counts.tolist() == [2, 2]


def test_floats_are_not_counted_one_by_one() -> None:
    found = statistics(of(np.array([1, 2], "<f4"), "float32"))
    assert found is not None
    assert found.distinct is None


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16", "int32"])
@pytest.mark.parametrize("counted", [0, 10**9])
def test_quantiles_of_many_numbers_are_right_to_their_class(
    dtype: str, counted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moments, "FEW", 0)
    monkeypatch.setattr(moments, "COUNTED", counted)
    monkeypatch.setattr(moments, "CHUNK", 1000)
    kind = DTYPES[dtype].numpy
    assert kind is not None
    values = (np.random.default_rng(2).standard_normal(400_000) * 1000).astype(kind)
    found = statistics(of(values, dtype))
    assert found is not None
    known = found.distribution
    assert known is not None
    assert not known.exact
    assert known.counted == 400_000 if counted else 40_000 < known.counted < 60_000
    wide = values.astype(np.float64)
    for share in (0.01, 0.25, 0.75, 0.99):
        below, above = np.quantile(wide, [share - 0.006, share + 0.006])
        slack = 0.008 * abs(float(np.quantile(wide, share)))
        assert below - slack <= known.quantile(share) <= above + slack
    if counted:
        assert (known.lows.min(), known.highs.max()) == (wide.min(), wide.max())


def test_of_very_many_numbers_the_first_that_are_finite_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "FEW", 0)
    monkeypatch.setattr(moments, "COUNTED", 0)
    monkeypatch.setattr(moments, "CHUNK", 100)
    values = np.full(1000, NAN, "<f4")
    values[-100:] = 3
    found = statistics(of(values, "float32"))
    assert found is not None
    assert found.distribution is not None
    assert found.distribution.quantile(0.5) == 3


def test_complex_nan_of_any_bits_is_one() -> None:
    raw = np.array([0x7F800001, 0, 0x3F800000, 0], "<u4")
    found = statistics(over(raw.tobytes(), "complex64", (2,), itemsize=8))
    assert found is not None
    assert (found.mean, found.nans) == (1, Occurrences(1, (0,)))


def test_classes_keep_zero_and_small_whole_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "FEW", 0)
    for values, dtype in ((np.array([0, -0.0, 0, 5], "<f4"), "float32"), (np.array([0, 0, 0, 5], "<i4"), "int32")):
        found = statistics(of(values, dtype))
        assert found is not None
        assert found.distribution is not None
        assert found.distribution.quantile(0.5) == 0
    whole = statistics(of(np.array([-200, 7, 7, 7, 200], "<i8"), "int64"))
    assert whole is not None
    assert whole.distribution is not None
    assert whole.distribution.quantile(0.5) == 7


def test_numbers_beyond_float32_are_in_the_outermost_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "FEW", 0)
    found = statistics(of(np.array([-1e300, 1, INF, NAN, 1e300], "<f8"), "float64"))
    assert found is not None
    assert found.distribution is not None
    assert found.distribution.counts.tolist() == [1, 1, 1]
    assert found.distribution.lows[0] == -1e300
    assert found.distribution.highs[-1] == 1e300


# -- samples ----------------------------------------------------------------------------------------


def test_small_tensors_are_looked_at_whole() -> None:
    found = sample(of(np.arange(1000, dtype="<f4"), "float32"))
    assert found is not None
    assert (found.exact, found.maximum) == (True, 999.0)


@pytest.mark.parametrize("turned", [False, True])
def test_a_sample_is_close_and_says_that_it_is_one(turned: bool) -> None:
    values = np.random.default_rng(5).normal(3, 2, (1000, 2000)).astype("<f4")
    tensor = of(values, "float32")
    if turned:
        tensor = replace(tensor, shape=(2000, 1000), stride=(1, 2000))
    found = sample(tensor)
    assert found is not None
    assert (found.exact, found.total) == (False, 2_000_000)
    assert 200_000 <= found.elements <= 262_144
    assert found.mean == pytest.approx(3, abs=0.05)
    assert found.std == pytest.approx(2, abs=0.05)


def test_a_sample_names_real_places() -> None:
    values = np.ones((1000, 2000), "<f4")
    values[-1, -5:] = NAN
    found = sample(of(values, "float32"))
    assert found is not None
    assert found.nans == Occurrences(5, (999, 1995))


def test_a_sample_of_scattered_elements_is_small() -> None:
    source = Zeros(2**34)
    storage = Storage("0", "cpu", "float32", False, 2**32, 2**34, None, source)
    found = sample(Tensor(0, (), None, "tensor", "float32", (3, 300_000), (1, 10_000), 0, storage))
    assert found is not None
    assert (found.elements, source.count) == (64 * 16, 64 * 16 * 4)
