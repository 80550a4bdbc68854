"""Expanded tensors: what is counted over their distinct elements is what numpy counts over all of them."""

from __future__ import annotations

import numpy as np
import pytest
from typing_extensions import override

from tests.core.tensors.streams import over
from viewer.core.progress import Progress
from viewer.core.tensors.health import scan
from viewer.core.tensors.histogram import histogram
from viewer.core.tensors.meaning import read_meant
from viewer.core.tensors.quantiles import Distribution
from viewer.core.tensors.repeated import distinct, is_endless, stored_places
from viewer.core.tensors.statistics import Occurrences, meant_statistics, sample, statistics
from viewer.core.tensors.tensor import Quantizer, Tensor

HUGE = 2**32


class Every(Progress):
    """Keeps how far each step was."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[tuple[int, int]] = []

    @override
    def step(self, what: str, done: int, total: int = 0) -> None:
        self.steps.append((done, total))


def expanded() -> tuple[Tensor, np.ndarray]:
    """(4, 3, 5, 2) over six numbers, and the same as an array."""
    numbers = np.array([1, -2, 0, 4, np.nan, 6], "<f4")
    tensor = over(numbers.tobytes(), "float32", (4, 3, 5, 2), (0, 1, 0, 3), itemsize=4)
    return tensor, np.broadcast_to(numbers.reshape(2, 3).T[None, :, None, :], (4, 3, 5, 2))


def test_the_statistics_are_those_of_all_elements() -> None:
    tensor, array = expanded()
    found, finite = statistics(tensor), array[np.isfinite(array)].astype(np.float64)
    assert found is not None
    assert (found.elements, found.total, found.exact) == (120, 120, True)
    assert (found.minimum, found.maximum, found.mean) == (-2, 6, finite.mean())
    assert found.std == pytest.approx(finite.std(ddof=1), rel=1e-12)
    assert (found.zeros, found.nans) == (Occurrences(20, (0, 2, 0, 0)), Occurrences(20, (0, 1, 0, 1)))
    norms = found.norms.l1, found.norms.l2, found.norms.maximum
    assert norms == pytest.approx([np.linalg.norm(finite, kind) for kind in (1, 2, np.inf)])
    assert found.distribution is not None
    for share in (0, 0.1, 0.25, 0.5, 0.75, 0.9, 1):
        assert found.distribution.quantile(share) == pytest.approx(np.quantile(finite, share)), share


def test_quantiles_between_classes_do_not_depend_on_how_often_all_come() -> None:
    lows, highs, counts = np.array([0.0, 1.0]), np.array([1.0, 2.0]), np.array([10, 30])
    once, often = Distribution(lows, highs, counts), Distribution(lows, highs, counts, times=1000)
    assert often.counted == 40_000
    assert often.quantile(0.5) == pytest.approx(once.quantile(0.5), abs=0.05)
    assert often.quantile(0.99) == pytest.approx(once.quantile(0.99), abs=0.05)


def test_the_bins_are_those_of_all_elements() -> None:
    tensor, array = expanded()
    found = histogram(tensor, -1, 4, 5)
    finite = array[np.isfinite(array)]
    assert (found.counts * found.times).tolist() == np.histogram(finite, 5, (-1, 4))[0].tolist()
    assert (found.below, found.above, found.counted, found.total) == (20, 20, 120, 120)


def test_2_to_the_64_elements_are_counted_at_once() -> None:
    tensor = over(np.array([1, 2, 5], "<f4").tobytes(), "float32", (HUGE, 3, HUGE), (0, 1, 0), itemsize=4)
    assert not is_endless(tensor)
    for found in (statistics(tensor), sample(tensor)):
        assert found is not None
        assert (found.elements, found.exact) == (3 * 2**64, True)
        assert found.mean == pytest.approx(8 / 3)
        assert found.std == pytest.approx(np.std([1, 2, 5]))
    bins = histogram(tensor, 1, 5, 2)
    assert [int(number) * bins.times for number in bins.counts] == [2 * 2**64, 2**64]


def test_the_axis_of_the_scales_is_kept() -> None:
    tensor = over(b"\x03", "qint8", (2, 2**40), (0, 0), itemsize=1)
    tensor.quantizer = Quantizer("per_channel_affine", (1.0, 10.0), (0, 1), 0)
    once, times = distinct(tensor)
    assert (once.shape, times) == ((2, 1), 2**40)
    found = meant_statistics(tensor)
    assert found is not None
    assert (found.minimum, found.maximum, found.mean, found.total) == (3, 20, 11.5, 2**41)
    assert read_meant(tensor, (slice(None), 7)).tolist() == [3, 20]


def test_windows_that_overlap_for_ever_are_told() -> None:
    tensor = over(bytes(2**20), "uint8", (2**19, 2**19), (1, 1), itemsize=1)
    assert is_endless(tensor)
    assert stored_places(tensor) == 2**20 - 1
    assert not is_endless(over(bytes(2**20), "uint8", (2**19, 200), (1, 1), itemsize=1))
    assert not is_endless(over(bytes(4), "uint8", (4, HUGE), (1, 0), itemsize=1))
    found = sample(tensor)
    assert found is not None
    assert not found.exact


def test_a_scan_ends_over_both_and_its_progress_counts_what_is_read_once() -> None:
    numbers = np.array([1, 2, 5e-40], "<f4").tobytes()
    wide = over(numbers, "float32", (HUGE, 3), (0, 1), itemsize=4)
    tied = Tensor(1, ("tied",), "tied", "tensor", "float32", wide.shape, wide.stride, 0, wide.storage)
    windows = over(bytes(2**20), "uint8", (2**19, 2**19), (1, 1), itemsize=1)
    progress = Every()
    found = scan([wide, tied, windows], progress)
    assert found.done
    assert {finding.fault.value: finding.count for finding in found.findings if finding.tensor == 0} == {
        "denormal": HUGE,
        "shared": 0,
    }
    assert progress.steps[0] == (0, 24)
    assert progress.steps[-1] == (12, 12)


def test_more_elements_than_a_float_can_count() -> None:
    shape = (2**62,) * 20
    tensor = over(np.array([1, 2, 5], "<f4").tobytes(), "float32", (*shape, 3), (*(0,) * 20, 1), itemsize=4)
    for found in (statistics(tensor), sample(tensor)):
        assert found is not None
        assert (found.elements, found.exact) == (3 * 2**1240, True)
        assert found.mean == pytest.approx(8 / 3)
        assert found.std == pytest.approx(np.std([1, 2, 5]))
        assert (found.norms.l1, found.norms.l2, found.norms.maximum) == (np.inf, np.inf, 5)
        assert found.distribution is not None
        assert [found.distribution.quantile(share) for share in (0, 0.25, 0.5, 0.75, 1)] == [1, 1, 2, 5, 5]
    assert scan([tensor], Progress()).findings == []


def test_no_norm_of_zeros_however_many() -> None:
    tensor = over(bytes(4), "float32", (2**62,) * 20, (0,) * 20, itemsize=4)
    found = statistics(tensor)
    assert found is not None
    assert (found.norms.l1, found.norms.l2, found.std) == (0, 0, 0)
