"""Histograms of differences against numpy's over both arrays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.core.comparing.test_elements import coo, found, of
from viewer.core.comparing.comparison import Row, Status
from viewer.core.comparing.elements import compare_elements
from viewer.core.comparing.meter import Meter
from viewer.core.comparing.names import Pair
from viewer.core.comparing.spread import BINS, can_spread, difference_histogram
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.tensors.tensor import Quantizer, Tensor


def row(first: Tensor, second: Tensor) -> Row:
    return Row(Pair("w", "w", "w", first, second), Status.CHANGED, compare_elements(first, second, Meter()))


@pytest.mark.parametrize("kind", ["<f4", "<f8", "<f2", ml_dtypes.bfloat16, "<i4", "<u1", "<c8"])
def test_counts_are_those_of_numpy(kind: Any) -> None:
    generator = np.random.default_rng(5)
    first, second = (np.round(generator.normal(size=(40, 50)) * 9).astype(kind) for _ in range(2))
    pair = row(of(first), of(second))
    histogram = difference_histogram(pair)
    wide = [np.abs(each) if each.dtype.kind == "c" else each.astype("f8") for each in (first, second)]
    largest = float(pair.differences.largest or 0) if pair.differences is not None else 0
    assert histogram.counts.tolist() == np.histogram(wide[1] - wide[0], BINS, (-largest, largest))[0].tolist()
    assert (histogram.counted, histogram.total, histogram.low) == (2000, 2000, -largest)


def test_what_is_not_finite_is_in_no_bin() -> None:
    first, second = (of(np.array(numbers, "<f4")) for numbers in ([1, np.nan, 3, 4], [1, 2, 5, 4]))
    histogram = difference_histogram(row(first, second))
    assert (histogram.counts.sum(), histogram.counts[BINS // 2], histogram.counts[-1], histogram.total) == (3, 2, 1, 4)


def test_quantised_tensors_by_what_they_mean_and_expanded_ones_by_what_is_stored() -> None:
    first = replace(of(np.array([1, 2, 3], "<i1"), "qint8"), quantizer=Quantizer("per_tensor_affine", 0.5, 0))
    histogram = difference_histogram(row(first, replace(first, quantizer=Quantizer("per_tensor_affine", 1.0, 0))))
    assert (histogram.high, histogram.counts.sum()) == (1.5, 3)
    wide = [replace(of(np.array(numbers, "<f4")), shape=(2**40, 2), stride=(0, 1)) for numbers in ([1, 2], [1, 5])]
    histogram = difference_histogram(row(*wide))
    assert (histogram.times, histogram.counts[-1], histogram.counted) == (2**40, 1, 2**41)


def test_where_there_is_nothing_to_count() -> None:
    one = of(np.array([1, 2], "<f4"))
    assert not can_spread(row(one, one))
    assert not can_spread(row(one, of(np.array([1, np.inf], "<f4"))))
    assert not can_spread(row(of(np.array(["a"])), of(np.array(["b"]))))
    first, second = coo([[0], [1]], [1]), coo([[0], [2]], [1])
    assert found(first, second).differing == 2
    assert not can_spread(row(first, second))
    assert can_spread(row(one, of(np.array([1, 3], "<f4"))))


def test_it_can_be_stopped() -> None:
    pair = row(of(np.array([1, 2], "<f4")), of(np.array([1, 3], "<f4")))
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        difference_histogram(pair, progress)
