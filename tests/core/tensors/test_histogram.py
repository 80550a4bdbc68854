"""Histograms against numpy's own over the whole tensor."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np
import pytest

from tests.core.tensors.streams import over
from tests.core.tensors.test_sheet import of
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.tensors import histogram as counted
from viewer.core.tensors.histogram import bins_for, histogram, sample_histogram
from viewer.core.tensors.members import Bar, members
from viewer.core.tensors.tensor import Quantizer
from viewer.core.tensors.window import IncompleteError

NAN, INF = float("nan"), float("inf")


def test_counts_are_those_of_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "READ", 999)
    values = np.random.default_rng(3).normal(size=(50, 60)).astype("<f4")
    found = histogram(of(values), -1, 1.5, 33)
    assert found.counts.tolist() == np.histogram(values.astype("f8"), 33, (-1, 1.5))[0].tolist()
    assert (found.below, found.above) == (int((values < -1).sum()), int((values > 1.5).sum()))
    assert found.exact
    assert found.edges(0) == (-1, pytest.approx(-1 + 2.5 / 33))


def test_what_is_not_finite_is_in_no_bin() -> None:
    found = histogram(of(np.array([NAN, 1, INF, -INF, 2], "<f4")), 1, 2, 2)
    assert (found.counts.tolist(), found.below, found.above, found.counted) == ([1, 1], 0, 0, 5)


@pytest.mark.parametrize(("dtype", "raw", "size", "wanted"), [
    ("bool", b"\x00\x01\x05", 1, [1, 2]),
    ("uint8", b"\x00\x01\x01", 1, [1, 2]),
    ("complex64", struct.pack("<6f", 0, 0, 0, 1, 1, 0), 8, [1, 2]),
    ("bfloat16", b"\x00\x00\x80\x3f\x80\x3f", 2, [1, 2]),
])  # fmt: skip
def test_any_type(dtype: str, raw: bytes, size: int, wanted: list[int]) -> None:
    assert histogram(over(raw, dtype, (3,), itemsize=size), 0, 1, 2).counts.tolist() == wanted


def test_quantised_numbers_and_pairs_are_counted_as_what_they_mean() -> None:
    held = over(bytes([0, 1, 2]), "quint8", (3,), itemsize=1)
    meant = replace(held, quantizer=Quantizer("per_tensor_affine", 0.5, 1))
    assert histogram(meant, -0.5, 0.5, 2).counts.tolist() == [1, 2]
    pairs = over(bytes([0x72, 0xF1]), "float4_e2m1fn_x2", (2,), itemsize=1)
    found = histogram(pairs, -6, 6, 2)
    assert (found.counts.tolist(), found.total) == ([1, 3], 4)
    assert members(pairs, Bar(-6, 0), 0, 9).places == (1,)
    assert members(pairs, Bar(0, 9), 0, 9).places == (0, 1)
    assert members(pairs, Bar(0, 9), 0, 1).more


def test_bins_of_few_integers_are_the_integers() -> None:
    ints = over(bytes(3), "uint8", (3,), itemsize=1)
    assert bins_for(ints, 3, 7) == (2.5, 7.5, 5)
    assert bins_for(ints, 0, 255) == (0, 255, 60)
    assert bins_for(of(np.zeros(2, "<f4")), 0, 0) == (-0.5, 0.5, 1)
    assert bins_for(of(np.zeros(2, "<f4")), -1, 1) == (-1, 1, 60)


@pytest.mark.parametrize(("values", "dtype", "wanted"), [
    ([0.3, 0.1 + 0.2], "float64", (1, 0)),
    ([0, 5e-324], "float64", (1, 0)),
    ([2**60, 2**60 + 1], "int64", (1, 0)),
    ([-(2**63), 2**63 - 1], "int64", (60, 0)),
    ([-1.7e308, 0, 1.7e308], "float64", (60, 2)),
    ([1.7e308, 1.7e308], "float64", (1, 2)),
])  # fmt: skip
def test_bins_of_any_range_have_a_width(values: list[float], dtype: str, wanted: tuple[int, int]) -> None:
    tensor = of(np.array(values, dtype), dtype)
    low, high, bins = bins_for(tensor, float(min(values)), float(max(values)))
    found = histogram(tensor, low, high, bins)
    assert (bins, found.below + found.above) == wanted
    assert found.counts.sum() + found.below + found.above == len(values)
    assert 0 < found.width < INF


@pytest.mark.parametrize(("dtype", "unit", "bits", "one"), [
    ("float32", "<u4", 0x7F800001, 0x3F800000), ("bfloat16", "<u2", 0x7F81, 0x3F80),
    ("float16", "<u2", 0x7C01, 0x3C00), ("float64", "<u8", 0x7FF0000000000001, 0x3FF0000000000000),
])  # fmt: skip
def test_nan_of_any_bits_is_in_no_bin(dtype: str, unit: str, bits: int, one: int) -> None:
    raw = np.array([bits, one, one], unit)
    assert histogram(over(raw.tobytes(), dtype, (3,), itemsize=raw.itemsize), 0, 1, 2).counts.tolist() == [0, 2]


def test_a_modulus_beyond_all_floats_is_in_no_bin() -> None:
    values = np.array([1.7e308 + 1.7e308j, 3 + 4j])
    low, high, bins = bins_for(of(values, "complex128"), 0, INF)
    assert histogram(of(values, "complex128"), low, high, bins).counts.sum() == 1


def test_the_elements_of_a_bar_are_found_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "READ", 8)
    tensor = of(np.array([[0, 5, 1], [6, 5, 10], [5, 5, 10]], "<f4"))
    turned = of(np.asfortranarray(np.array([[0, 5, 1], [6, 5, 10], [5, 5, 10]], "<f4")))
    for each in (tensor, turned):
        bar = Bar(5, 6)
        assert members(each, bar, 0, 9).places == (1, 4, 6, 7)
        first = members(each, bar, 0, 3)
        assert (first.places, first.more, first.index(1)) == ((1, 4, 6), True, (1, 1))
        assert members(each, bar, 7, 3) == members(each, bar, 7, 1)
        assert members(each, bar, 7, 3).places == (7,)
        assert not members(each, bar, 7, 3).more
        assert not members(each, bar, 0, 4).more
        assert members(each, bar, 8, 3).places == ()
        assert members(each, Bar(9, 10), 0, 3).places == ()
        assert members(each, Bar(9, 10, last=True), 0, 3).places == (5, 8)


def test_elements_that_repeat_are_named_once() -> None:
    tensor = over(np.array([1, 2, 1], "<f4").tobytes(), "float32", (2**40, 3), (0, 1), itemsize=4)
    found = members(tensor, Bar(1, 2), 0, 9)
    assert [found.index(number) for number in range(len(found.places))] == [(0, 0), (0, 2)]


def test_a_sample_says_that_it_is_one() -> None:
    values = np.random.default_rng(4).normal(size=(1000, 1000)).astype("<f4")
    found = sample_histogram(of(values), -5, 5, 10)
    assert not found.exact
    assert found.total == 1_000_000
    assert found.counts.sum() + found.below + found.above == found.counted
    assert found.counts[4] / found.counted == pytest.approx(0.34, abs=0.02)


def test_missing_bytes_are_told() -> None:
    with pytest.raises(IncompleteError):
        histogram(over(bytes(8), "float32", (3,)), 0, 1, 2)


def test_counting_is_cancelled() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        histogram(of(np.arange(9, dtype="<f4")), 0, 8, 3, progress)
