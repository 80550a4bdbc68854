"""Sums over blocks of numbers: extremes, mean and spread of the finite ones, and where special ones stand first.

One block at a time, every step over a block that lies in the processor's cache.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf, isfinite, sqrt
from typing import Any, Final

import ml_dtypes
import numpy as np
import numpy.typing as npt

from viewer.core.tensors.dtypes import COMPLEX32, AnyArray, NumpyType
from viewer.core.tensors.quantiles import Classes, Distribution, of_all, of_values

CHUNK: Final = 32 * 1024
ROW: Final = 8192
"""Numbers up to which a product of two vectors is worked out in one thread."""
FEW: Final = 256 * 1024
"""Numbers up to which all are kept and sorted, so that quantiles are exact."""
COUNTED: Final = 4 * 1024 * 1024
"""Numbers up to which all are counted by classes; of more every eighth chunk is: all would double the time."""
BFLOAT16: Final = np.dtype(ml_dtypes.bfloat16)
GOLDEN: Final = 0.6180339887498949
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
    """Count, mean and sum of squared differences from it, of numbers of which each comes `times` times."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0
    times: int = 1

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
        # Not by the count of all: it may be more than a float holds.
        return sqrt(self.squares / (self.count - 1 / self.times)) if self.count * self.times > 1 else None


@dataclass(frozen=True, slots=True)
class Sums:
    """Of some finite numbers: count, mean, squared differences from it, sum of their sizes."""

    count: int
    mean: float
    squares: float
    absolute: float


@dataclass(slots=True)
class Totals:
    """What was found in all blocks up to now. Complex numbers have two spreads and no extremes.

    `absolute`: sum of the sizes of the finite numbers, `largest`: the greatest of them.
    """

    count: int = 0
    minimum: Number | None = None
    maximum: Number | None = None
    spread: Spread = field(default_factory=Spread)
    imaginary: Spread | None = None
    zeros: Seen = field(default_factory=Seen)
    nans: Seen = field(default_factory=Seen)
    positive: Seen = field(default_factory=Seen)
    negative: Seen = field(default_factory=Seen)
    absolute: float = 0.0
    largest: Number = 0
    distribution: Distribution | None = None

    def extremes(self, low: Number, high: Number) -> None:
        """Take in the least and the greatest of some finite numbers."""
        self.minimum = low if self.minimum is None else min(self.minimum, low)
        self.maximum = high if self.maximum is None else max(self.maximum, high)
        self.largest = max(self.largest, abs(low), abs(high))

    def add(self, sums: Sums) -> None:
        """Take in the sums of some finite numbers."""
        self.spread.add(sums.count, sums.mean, sums.squares)
        self.absolute += sums.absolute

    def multiply(self, times: int) -> None:
        """Each number that was seen comes so often."""
        self.count *= times
        self.absolute = so_often(self.absolute, times)
        for spread in (self.spread, self.imaginary):
            if spread is not None:
                spread.times = times
        for seen in (self.zeros, self.nans, self.positive, self.negative):
            seen.count *= times
        if self.distribution is not None:
            self.distribution = replace(self.distribution, times=times)

    @property
    def euclidean(self) -> float:
        """The root of the sum of all squares."""
        spreads = [spread for spread in (self.spread, self.imaginary) if spread is not None]
        once = sum(spread.squares + spread.count * spread.mean * spread.mean for spread in spreads)
        return sqrt(so_often(once, self.spread.times))


def so_often(number: float, times: int) -> float:
    """The product; infinite where that is more than a float holds: a few bytes may be expanded without a bound."""
    try:
        return number * times
    except OverflowError:
        return number * inf if number else 0.0


class Reals:
    """Adds up blocks of real numbers of one type, wide or half. `expected`: how many there will be."""

    def __init__(self, totals: Totals, kind: NumpyType, expected: int) -> None:
        self.totals = totals
        self._integer = kind.kind in "iu"
        self._bfloat = kind == BFLOAT16
        # All float16 by their bits: looking them up takes half the time of converting them.
        self._halves = _all_halves() if kind.kind == "f" and kind.itemsize == 2 else None
        # Models have thousands of tensors of a few numbers: room for more took longer than adding those up.
        room = min(CHUNK, max(0, expected))
        self._wide = np.empty(room, dtype=np.float64)
        self._single = np.zeros(room if self._bfloat else 0, dtype=np.float32)
        self._mask = np.empty(room, dtype=np.bool_)
        self._kept: list[npt.NDArray[np.float64]] | None = [] if expected <= FEW else None
        self._classes = Classes(whole=self._integer) if self._kept is None else None
        self._all_counted = expected <= COUNTED
        self._chunks = 0

    def add(self, numbers: AnyArray, place: Places, at: int) -> None:
        """Take in a block whose first number has the place `at` in the order of reading."""
        for start in range(0, len(numbers), CHUNK):
            part = numbers[start : start + CHUNK]
            if self._halves is not None:
                part = np.take(self._halves, part.view(np.uint16))
            elif self._bfloat:
                # The high halves of float32. Widened and shifted: writing every other half takes twice as long.
                bits = self._single.view(np.uint32)[: len(part)]
                np.copyto(bits, part.view(np.uint16))
                np.left_shift(bits, 16, out=bits)
                part = self._single[: len(part)]
            elif part.dtype.kind not in "iuf":
                part = part.astype(np.float32)
            self._add(part, place, at + start)

    def finish(self) -> None:
        """Work out the distribution."""
        totals = self.totals
        if totals.minimum is None or totals.maximum is None:
            return
        if self._kept is not None:
            totals.distribution = of_all(np.concatenate(self._kept))
        elif self._classes is not None:
            totals.distribution = self._classes.distribution(float(totals.minimum), float(totals.maximum))

    def _add(self, part: AnyArray, place: Places, at: int) -> None:
        totals = self.totals
        totals.count += len(part)
        low, high = part.min(), part.max()
        if not (low > 0 or high < 0):
            note(totals.zeros, np.equal(part, 0, out=self._mask[: len(part)]), place, at)
        if self._integer or (isfinite(low) and isfinite(high)):
            totals.extremes(*self._plain(low, high))
            self._count(part)
            totals.add(sums_of(part, self._wide[: len(part)]))
        else:
            self._add_mixed(part, place, at)

    def _count(self, finite: AnyArray) -> None:
        """Keep or count the numbers of a chunk; of very many an eighth of the chunks, spread without a period."""
        if self._kept is not None:
            self._kept.append(finite.astype(np.float64))
        elif self._classes is not None and (self._all_counted or self._chunks * GOLDEN % 1 < 1 / 8):
            self._classes.add(finite)
        self._chunks += 1

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
            numbers = part[finite]
            totals.extremes(float(numbers.min()), float(numbers.max()))
            self._count(numbers)
            totals.add(sums_of(numbers, self._wide[: len(numbers)]))


class Complexes:
    """Adds up blocks of complex numbers: a mean of both parts; one is NaN or infinite when a part of it is."""

    def __init__(self, totals: Totals, kind: NumpyType) -> None:
        self.totals = totals
        self._part = np.dtype("<f2") if kind == COMPLEX32 else np.dtype(f"<f{kind.itemsize // 2}")
        self._parts = np.empty((2, CHUNK), dtype=np.float64)
        self._wide = np.empty(CHUNK, dtype=np.float64)
        self._imaginary = totals.imaginary = Spread()

    def add(self, numbers: AnyArray, place: Places, at: int) -> None:
        """Take in a block whose first number has the place `at` in the order of reading."""
        for start in range(0, len(numbers), CHUNK):
            self._add(numbers[start : start + CHUNK].view(self._part), place, at + start)

    def _add(self, flat: AnyArray, place: Places, at: int) -> None:
        totals, count = self.totals, len(flat) // 2
        totals.count += count
        real, imaginary = self._parts[0, :count], self._parts[1, :count]
        with np.errstate(invalid="ignore"):
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
        with np.errstate(over="ignore"):
            sizes = np.hypot(real, imaginary)
        totals.absolute += float(sizes.sum())
        totals.largest = max(totals.largest, float(sizes.max()))
        for spread, part in ((totals.spread, real), (self._imaginary, imaginary)):
            sums = sums_of(part if finite is None else part[finite], self._wide)
            spread.add(sums.count, sums.mean, sums.squares)

    def finish(self) -> None:
        """Nothing is left to work out: complex numbers have no order, so no quantiles."""


class Codes:
    """Adds up blocks of elements of one byte, or integers of two, by counting how often each code comes."""

    def __init__(self, totals: Totals, kind: NumpyType) -> None:
        self.totals = totals
        self._code = np.dtype(f"u{kind.itemsize}")
        codes = np.arange(256**kind.itemsize, dtype=self._code)
        self._values = (codes != 0).astype(np.float64) if kind.kind == "b" else codes.view(kind).astype(np.float64)
        self._whole = kind.kind in "biu"
        self._truth = kind.kind == "b"
        self._counts = np.zeros(len(codes), dtype=np.int64)
        seen = ((self._values == 0, totals.zeros), (np.isnan(self._values), totals.nans))
        infinite = ((self._values == np.inf, totals.positive), (self._values == -np.inf, totals.negative))
        self._special = [(which, found) for which, found in (*seen, *infinite) if which.any()]

    def add(self, numbers: AnyArray, place: Places, at: int) -> None:
        """Take in a block whose first element has the place `at` in the order of reading."""
        raw = numbers.view(self._code)
        counts = np.bincount(raw, minlength=len(self._counts))
        for which, found in self._special:
            count = int(counts[which].sum())
            if count and found.first >= 0 and place is first_place:
                found.count += count
            elif count:
                note(found, np.take(which, raw), place, at)
        self._counts += counts
        self.totals.count += len(raw)

    def finish(self) -> None:
        """Work out extremes, sums and the distribution from the counts."""
        usable = (self._counts > 0) & np.isfinite(self._values)
        if not usable.any():
            return
        values, counts = self._values[usable], self._counts[usable].astype(np.float64)
        low, high = float(values.min()), float(values.max())
        self.totals.extremes(int(low) if self._whole else low, int(high) if self._whole else high)
        mean = float((values * counts).sum() / counts.sum())
        squares = float((counts * (values - mean) ** 2).sum())
        absolute = float((np.abs(values) * counts).sum())
        self.totals.add(Sums(int(counts.sum()), mean, squares, absolute))
        values, counted = self._values, self._counts
        if self._truth:
            values, counted = np.array([0.0, 1.0]), np.array([counted[0], counted[1:].sum()])
        self.totals.distribution = of_values(values, counted, self._whole)


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


def sums_of(numbers: AnyArray, wide: npt.NDArray[np.float64]) -> Sums:
    """Sums of finite numbers, at least one; `wide` is room for as many float64, or more."""
    count = len(numbers)
    wide = wide[:count]
    with np.errstate(all="ignore"):
        np.copyto(wide, numbers, casting="unsafe")
        total = _sum(wide)
        mean = total / count
        if not isfinite(mean):
            mean = float((wide / count).sum())
        squares = _squares(wide)
        around_zero = isfinite(squares) and 2 * count * mean * mean <= squares
        if around_zero:
            squares -= count * mean * mean
        else:
            squares = float(np.square(wide - mean).sum())
        absolute = _sum(np.abs(wide, out=wide))
        return Sums(count, mean, squares, absolute)


def _sum(wide: npt.NDArray[np.float64]) -> float:
    """One call of einsum keeps several running sums at once and takes less than half the time of np.sum."""
    return float(np.einsum("i->", wide))


def _squares(wide: npt.NDArray[np.float64]) -> float:
    """The sum of the squares, row by row: over longer runs np.dot starts threads that cost more than they give."""
    whole = len(wide) - len(wide) % ROW
    rows = wide[:whole].reshape(-1, 1, ROW)
    found = float(np.matmul(rows, rows.transpose(0, 2, 1)).sum())
    rest = wide[whole:]
    return found + float(np.dot(rest, rest))
