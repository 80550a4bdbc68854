"""Histograms: how many numbers of a tensor fall into each of some bins of equal width, counted as numpy.histogram does.

Numbers are those that elements stand for: quantised ones times their scale, both halves of pairs, the modulus of
complex ones. A large tensor is sampled first, then counted whole in a second pass over its bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.progress import Progress
from viewer.core.tensors.dtypes import dtype
from viewer.core.tensors.elements import elements
from viewer.core.tensors.meaning import has_meaning, meant_blocks, pair_blocks
from viewer.core.tensors.repeated import distinct
from viewer.core.tensors.sheet import plain_numbers
from viewer.core.tensors.statistics import SAMPLE, sampled_runs
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import blocks

BINS: Final = 60
READ: Final = 512 * 1024
WIDEST: Final = float(np.finfo(np.float64).max) / 4
"""From its negative to itself a range still has a width."""
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Counts of bins of equal width from `low` to `high`; the last bin has its upper edge too.

    `below`, `above`: finite numbers beside the range. `counted` of `total` numbers were looked at. `times`: how often
    each that is in `counts` comes: elements may repeat more often than 64 bits can count.
    """

    low: float
    high: float
    counts: npt.NDArray[np.int64]
    below: int
    above: int
    counted: int
    total: int
    times: int = 1

    @property
    def exact(self) -> bool:
        """Whether every number was looked at."""
        return self.counted == self.total

    @property
    def width(self) -> float:
        """The width of a bin."""
        return (self.high - self.low) / len(self.counts)

    def edges(self, number: int) -> tuple[float, float]:
        """From where to where a bin goes."""
        count = len(self.counts)
        edges = np.linspace(self.low, self.high, count + 1)
        return float(edges[number]), float(edges[number + 1])


def bins_for(tensor: Tensor, low: float, high: float, most: int = BINS) -> tuple[float, float, int]:
    """Range and number of bins for numbers from low to high: one for each integer where those are few.

    One bin where floats between them are fewer than bins. Of numbers beyond WIDEST those beyond it are left out.
    """
    low, high = (min(max(end, -WIDEST), WIDEST) for end in (low, high))
    found = low, high, most
    if is_whole(tensor) and round(high) - round(low) < most:
        found = round(low) - 0.5, round(high) + 0.5, round(high) - round(low) + 1
    edges = np.linspace(found[0], found[1], found[2] + 1)
    if (edges[1:] > edges[:-1]).all():
        return found
    room = max(abs(low), abs(high)) * 1e-3 or 0.5
    return low - room, high + room, 1


def is_whole(tensor: Tensor) -> bool:
    """Whether the numbers of a tensor are integers or truth."""
    if has_meaning(tensor):
        return False
    known = dtype(tensor.dtype)
    if known is not None and known.packed > 1:
        return True
    kind = elements(tensor)
    return kind is not None and kind.native.kind in "biu"


def histogram(tensor: Tensor, low: float, high: float, bins: int, progress: Progress | None = None) -> Histogram:
    """All numbers. Raises NoValuesError, IncompleteError and CancelledError."""
    once, times = distinct(tensor)
    return counted(all_numbers(once, progress), low, high, bins, _total(tensor), times)


def sample_histogram(tensor: Tensor, low: float, high: float, bins: int) -> Histogram:
    """Of up to 1 MiB of elements, evenly spread; of small tensors all. Raises what `histogram` does."""
    kind = elements(tensor)
    once, times = distinct(tensor)
    if kind is None or has_meaning(tensor) or once.elements * kind.itemsize <= SAMPLE:
        return histogram(tensor, low, high, bins)
    runs = (plain_numbers(part.reshape(-1)) for part in sampled_runs(tensor))
    return counted(runs, low, high, bins, _total(tensor), times)


def counted(runs: Iterator[Numbers], low: float, high: float, bins: int, total: int, times: int = 1) -> Histogram:
    """How often numbers come that are given in runs; each stands for so many."""
    counts = np.zeros(bins, dtype=np.int64)
    below = above = seen = 0
    for numbers in runs:
        seen += len(numbers)
        finite = numbers
        if not (isfinite(numbers.min()) and isfinite(numbers.max())):
            finite = numbers[np.isfinite(numbers)]
        below += int(np.count_nonzero(finite < low))
        above += int(np.count_nonzero(finite > high))
        counts += np.histogram(finite, bins, (low, high))[0]
    return Histogram(low, high, counts, below * times, above * times, seen * times, total, times)


def all_numbers(tensor: Tensor, progress: Progress | None) -> Iterator[Numbers]:
    """All numbers that elements stand for, in row-major order, block by block. Raises what `histogram` does."""
    if _is_of_pairs(tensor):
        runs = pair_blocks(tensor, READ, progress)
    elif tensor.quantizer is not None:
        runs = meant_blocks(tensor, READ, progress)
    else:
        runs = blocks(tensor, progress, READ)
    is_truth = not has_meaning(tensor) and _is_truth(tensor)
    for run in runs:
        yield plain_numbers(run.view(np.uint8) != 0) if is_truth else plain_numbers(run)


def _is_truth(tensor: Tensor) -> bool:
    kind = elements(tensor)
    return kind is not None and kind.native.kind == "b"


def _is_of_pairs(tensor: Tensor) -> bool:
    return has_meaning(tensor) and tensor.quantizer is None


def numbers_per_element(tensor: Tensor) -> int:
    """Numbers that stand for one element: two of pairs."""
    return 2 if _is_of_pairs(tensor) else 1


def _total(tensor: Tensor) -> int:
    return tensor.elements * numbers_per_element(tensor)
