"""How often numbers come, by classes, and the quantiles that follow from it.

Floats fall into the classes of their first 16 bits as float32 (sign, exponent, 7 bits of fraction): a class is narrower
than 0.8 % of its numbers, so quantiles of large tensors are right to that. Small tensors and types of one or two bytes
have a class for every number: then quantiles are exact, between two numbers as torch.quantile takes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.tensors.dtypes import AnyArray

CODES: Final = 65536
INFINITE: Final = 0x7F80
SIGN: Final = 0x8000
LARGEST: Final = float(np.finfo(np.float32).max)
Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
COUNTABLE: Final = 2**53
"""From here on a float has no place for every integer."""


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """Classes of finite numbers in ascending order: each from `lows` to `highs`, with how many of it were counted.

    `exact`: a class is one number (`lows` = `highs`) and all numbers were counted. `whole`: they are integers or truth.
    `times`: how often each that was counted comes.
    """

    lows: Floats
    highs: Floats
    counts: Counts
    exact: bool = False
    whole: bool = False
    times: int = 1

    @property
    def counted(self) -> int:
        """Numbers that were counted."""
        return int(self.counts.sum()) * self.times

    def quantile(self, share: float) -> float | None:
        """The number below which that share of all lies; None where there is none."""
        total = self.counted
        if not total:
            return None
        behind = np.cumsum(self.counts)
        last = total - 1
        # Elements may be expanded to more than a float can count.
        exactly = share * last if last < COUNTABLE else Fraction(share) * last
        if not self.exact:
            place = float(exactly / self.times)
            at = min(int(np.searchsorted(behind, place, side="right")), len(behind) - 1)
            inside = (place - (behind[at] - self.counts[at]) + 0.5) / self.counts[at]
            return float(self.lows[at] + (self.highs[at] - self.lows[at]) * inside)
        whole = floor(exactly)
        below = self._number(behind, whole)
        above = self._number(behind, min(whole + 1, last))
        part = float(exactly - whole)
        return below if part == 0 or above == below else below * (1 - part) + above * part

    def _number(self, behind: Counts, place: int) -> float:
        at = min(int(np.searchsorted(behind, place // self.times, side="right")), len(behind) - 1)
        return float(self.lows[at])


def of_all(numbers: Floats) -> Distribution:
    """The distribution of these finite numbers, every one counted."""
    values, counts = np.unique(numbers, return_counts=True)
    return Distribution(values, values, counts.astype(np.int64), exact=True)


def of_values(values: Floats, counts: Counts, whole: bool) -> Distribution:
    """The distribution of numbers of which it is known how often each comes; those that are not finite do not count."""
    used = np.flatnonzero((counts > 0) & np.isfinite(values))
    used = used[np.argsort(values[used], kind="stable")]
    return Distribution(values[used], values[used], counts[used], exact=True, whole=whole)


class Classes:
    """Counts finite floats by the first 16 bits that they have as float32. `whole`: they are integers."""

    def __init__(self, *, whole: bool = False) -> None:
        self._whole = whole
        self._counts: Counts = np.zeros(CODES, dtype=np.int64)

    def add(self, numbers: AnyArray) -> None:
        """Count a flat run of real numbers."""
        if numbers.dtype != np.float32:
            with np.errstate(over="ignore"):
                numbers = numbers.astype(np.float32)
        self._counts += np.bincount(numbers.view(np.uint16)[1::2], minlength=CODES)

    def distribution(self, low: float, high: float) -> Distribution:
        """The classes that occurred, cut to the least and greatest number.

        Numbers beyond the range of float32 are in the outermost classes; those below 1e-40 count as 0.
        """
        bits = np.arange(INFINITE + 1, dtype=np.uint32) << np.uint32(16)
        edges = bits.view(np.float32).astype(np.float64)
        begin, end = edges.copy(), np.append(edges[1:], np.inf)
        end[0], end[INFINITE - 1] = 0.0, LARGEST
        if self._whole:
            end = np.maximum(begin, end - 1)
        positive, negative = self._counts[: INFINITE + 1], self._counts[SIGN : SIGN + INFINITE + 1]
        counts = np.concatenate((negative[::-1], positive))
        lows, highs = np.concatenate((-end[::-1], begin)), np.concatenate((-begin[::-1], end))
        used = np.flatnonzero(counts)
        return Distribution(np.clip(lows[used], low, high), np.clip(highs[used], low, high), counts[used])
