"""Sums over blocks of numbers: extremes, mean and spread of the finite ones, and where special ones stand first.

One block at a time, every step over a block that lies in the processor's cache.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import isfinite, sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from viewer.core.tensors.dtypes import COMPLEX32, AnyArray, NumpyType

CHUNK: Final = 64 * 1024
Number = int | float
Places = Callable[[npt.NDArray[np.int64]], int]
"""Gives the first of these places in row-major order."""


@dataclass(slots=True)
class Seen:
    """How often something was seen, and its first place in row-major order; -1: never."""

    count: int = 0
    first: int = -1

    def add(self, count: int, first: int) -> None:
        """Count `count` more, the first of them at `first`."""
        self.count += count
        self.first = first if self.first < 0 else min(self.first, first)


@dataclass(slots=True)
class Spread:
    """Count, mean and sum of squared differences from it."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, count: int, mean: float, squares: float) -> None:
        """Take in another set of numbers."""
        if not self.count:
            self.count, self.mean, self.squares = count, mean, squares
            return
        total = self.count + count
        difference = mean - self.mean
        self.mean += difference * (count / total)
        self.squares += squares + difference * difference * (self.count * (count / total))
        self.count = total

    @property
    def deviation(self) -> float | None:
        """The standard deviation as torch.std gives it: over count - 1."""
        return sqrt(self.squares / (self.count - 1)) if self.count > 1 else None


@dataclass(slots=True)
class Totals:
    """What was found in all blocks up to now. Complex numbers have two spreads and no extremes."""

    count: int = 0
    minimum: Number | None = None
    maximum: Number | None = None
    spread: Spread = field(default_factory=Spread)
    imaginary: Spread | None = None
    zeros: Seen = field(default_factory=Seen)
    nans: Seen = field(default_factory=Seen)
    positive: Seen = field(default_factory=Seen)
    negative: Seen = field(default_factory=Seen)

    def extremes(self, low: Number, high: Number) -> None:
        """Take in the least and the greatest of some finite numbers."""
        self.minimum = low if self.minimum is None else min(self.minimum, low)
        self.maximum = high if self.maximum is None else max(self.maximum, high)


class Reals:
    """Adds up blocks of real numbers of one type, wide or half."""

    def __init__(self, totals: Totals, kind: NumpyType) -> None:
        self.totals = totals
        self._integer = kind.kind in "iu"
        self._bfloat = kind.itemsize == 2 and kind.kind not in "iuf"
        # All float16 by their bits: looking them up takes half the time of converting them.
        self._halves = _all_halves() if kind.kind == "f" and kind.itemsize == 2 else None
        self._wide = np.empty(CHUNK, dtype=np.float64)
        self._mask = np.empty(CHUNK, dtype=np.bool_)

    def add(self, numbers: AnyArray, place: Places, at: int) -> None:
        """Take in a block whose first number has the place `at` in the order of reading."""
        for start in range(0, len(numbers), CHUNK):
            part = numbers[start : start + CHUNK]
            if self._halves is not None:
                part = np.take(self._halves, part.view(np.uint16))
            elif self._bfloat:
                part = part.astype(np.float32)
            self._add(part, place, at + start)

    def _add(self, part: AnyArray, place: Places, at: int) -> None:
        totals = self.totals
        totals.count += len(part)
        mask = self._mask[: len(part)]
        note(totals.zeros, np.equal(part, 0, out=mask), place, at)
        low, high = part.min(), part.max()
        if self._integer or (isfinite(low) and isfinite(high)):
            totals.extremes(*self._plain(low, high))
            totals.spread.add(*spread_of(part, self._wide[: len(part)]))
        else:
            self._add_mixed(part, place, at)

    def _plain(self, low: Any, high: Any) -> tuple[Number, Number]:
        """Extremes as Python numbers."""
        return (int(low), int(high)) if self._integer else (float(low), float(high))

    def _add_mixed(self, part: AnyArray, place: Places, at: int) -> None:
        """A block with NaN or infinities among its numbers."""
        totals = self.totals
        for found, mask in (
            (totals.nans, np.isnan(part)),
            (totals.positive, part == np.inf),
            (totals.negative, part == -np.inf),
        ):
            note(found, np.asarray(mask), place, at)
        finite = np.isfinite(part)
        if finite.any():
            low, high = np.where(finite, part, np.inf).min(), np.where(finite, part, -np.inf).max()
            totals.extremes(float(low), float(high))
            totals.spread.add(*spread_of(np.where(finite, part, 0), self._wide[: len(part)], finite))


class Complexes:
    """Adds up blocks of complex numbers: a mean of both parts; one is NaN or infinite when a part of it is."""

    def __init__(self, totals: Totals, kind: NumpyType) -> None:
        self.totals = totals
        self._part = np.dtype("<f2") if kind == COMPLEX32 else np.dtype(f"<f{kind.itemsize // 2}")
        self._parts = np.empty((2, CHUNK), dtype=np.float64)
        self._imaginary = totals.imaginary = Spread()

    def add(self, numbers: AnyArray, place: Places, at: int) -> None:
        """Take in a block whose first number has the place `at` in the order of reading."""
        for start in range(0, len(numbers), CHUNK):
            self._add(numbers[start : start + CHUNK].view(self._part), place, at + start)

    def _add(self, flat: AnyArray, place: Places, at: int) -> None:
        totals, count = self.totals, len(flat) // 2
        totals.count += count
        real, imaginary = self._parts[0, :count], self._parts[1, :count]
        np.copyto(real, flat[0::2])
        np.copyto(imaginary, flat[1::2])
        note(totals.zeros, (real == 0) & (imaginary == 0), place, at)
        finite = None
        if not (isfinite(flat.min()) and isfinite(flat.max())):
            finite = np.isfinite(real) & np.isfinite(imaginary)
            nans = np.isnan(real) | np.isnan(imaginary)
            note(totals.nans, nans, place, at)
            note(totals.positive, ~(finite | nans), place, at)
            real[~finite] = imaginary[~finite] = 0
            if not finite.any():
                return
        totals.spread.add(*spread_of(real, real, finite))
        self._imaginary.add(*spread_of(imaginary, imaginary, finite))


class Codes:
    """Adds up blocks of one-byte elements by counting how often each of the 256 codes comes."""

    def __init__(self, totals: Totals, kind: NumpyType) -> None:
        self.totals = totals
        codes = np.arange(256, dtype=np.uint8)
        self._values = (codes != 0).astype(np.float64) if kind.kind == "b" else codes.view(kind).astype(np.float64)
        self._whole = bool((self._values == np.round(self._values)).all()) and kind.kind in "biu"
        self._counts = np.zeros(256, dtype=np.int64)
        seen = ((self._values == 0, totals.zeros), (np.isnan(self._values), totals.nans))
        infinite = ((self._values == np.inf, totals.positive), (self._values == -np.inf, totals.negative))
        self._special = [(which, found) for which, found in (*seen, *infinite) if which.any()]

    def add(self, numbers: AnyArray, place: Places, at: int) -> None:
        """Take in a block whose first element has the place `at` in the order of reading."""
        raw = numbers.view(np.uint8)
        counts = np.bincount(raw, minlength=256)
        for which, found in self._special:
            count = int(counts[which].sum())
            if count and found.first >= 0 and place is first_place:
                found.count += count
            elif count:
                note(found, np.take(which, raw), place, at)
        self._counts += counts
        self.totals.count += len(raw)

    def finish(self) -> None:
        """Work out extremes and spread from the counts."""
        usable = (self._counts > 0) & np.isfinite(self._values)
        if not usable.any():
            return
        values, counts = self._values[usable], self._counts[usable].astype(np.float64)
        low, high = float(values.min()), float(values.max())
        self.totals.extremes(int(low) if self._whole else low, int(high) if self._whole else high)
        mean = float((values * counts).sum() / counts.sum())
        squares = float((counts * (values - mean) ** 2).sum())
        self.totals.spread.add(int(counts.sum()), mean, squares)


def _all_halves() -> npt.NDArray[np.float32]:
    return np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32)


def note(found: Seen, mask: npt.NDArray[np.bool_], place: Places, at: int) -> None:
    """Count where a mask is true; the first place is looked for only while an earlier one is possible."""
    count = int(np.count_nonzero(mask))
    if count and place is first_place:
        found.add(count, at + int(mask.argmax()) if found.first < 0 else found.first)
    elif count:
        found.add(count, place(np.flatnonzero(mask) + at))


def first_place(places: npt.NDArray[np.int64]) -> int:
    """The first place, where numbers are read in row-major order: then later blocks hold no earlier one."""
    return int(places[0])


def spread_of(
    numbers: AnyArray, wide: npt.NDArray[np.float64], counted: npt.NDArray[np.bool_] | None = None
) -> tuple[int, float, float]:
    """Count, mean and squared differences of finite numbers; `wide` is room for as many float64.

    `counted`: which of them count; the others are 0.
    """
    count = len(wide) if counted is None else int(np.count_nonzero(counted))
    with np.errstate(all="ignore"):
        np.copyto(wide, numbers, casting="unsafe")
        mean = float(wide.sum()) / count
        if not isfinite(mean):
            mean = float((wide / count).sum())
        np.subtract(wide, mean, out=wide)
        if counted is not None:
            np.multiply(wide, counted, out=wide)
        # No np.dot: its threads cost more than they give over a block of this size.
        np.square(wide, out=wide)
        return count, mean, float(wide.sum())
