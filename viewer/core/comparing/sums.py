"""What adds up over two tensors, block by block: how many elements differ, how far, and how alike the whole is."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from viewer.core.comparing.numbers import Doubles, Kind

EXACT: Final = 2**53
WIDE: Final = 8
STRIP: Final = 8192
"""Elements that stay in the processor's cache for all passes; BLAS takes more threads for a dot of more than 10,000."""
Mask = npt.NDArray[np.bool_]
Numeric = npt.NDArray[Any]
"""Of any type; what can be done with it is for the caller to know."""


@dataclass(slots=True)
class Sums:
    """Sums over the pairs up to now.

    `largest`: the greatest distance of two elements, an int where both are integers; `place` of it, `first` of the
    elements that differ, in row-major order, -1: none. `finite`: pairs whose distance is finite. NaN is equal to NaN
    at the same place: `nans`; those at a place where the other one has a number: `nans_a`, `nans_b`.
    """

    count: int = 0
    differing: int = 0
    first: int = -1
    largest: int | float = 0
    place: int = -1
    finite: int = 0
    distance: float = 0.0
    squares: float = 0.0
    squares_a: float = 0.0
    squares_b: float = 0.0
    product: float = 0.0
    nans: int = 0
    nans_a: int = 0
    nans_b: int = 0

    @property
    def mean(self) -> float | None:
        """The mean distance of the pairs that have a finite one."""
        return self.distance / self.finite if self.finite and isfinite(self.distance) else None

    @property
    def relative(self) -> float | None:
        """The norm of the difference by that of the first; None where that is 0 or too great."""
        sums = self.squares, self.squares_a
        return sqrt(self.squares / self.squares_a) if all(map(isfinite, sums)) and self.squares_a else None

    @property
    def cosine(self) -> float | None:
        """The cosine of the angle between both; None where one is all zero, or the sums are too great."""
        lengths = sqrt(self.squares_a) * sqrt(self.squares_b)
        return max(-1.0, min(1.0, self.product / lengths)) if lengths and isfinite(lengths) else None

    def add(self, first: Numeric, second: Numeric, kind: Kind) -> None:
        """Take in the next runs, of equal length."""
        if kind is Kind.RAW:
            self._note(np.asarray(first != second))
        elif kind is Kind.COMPLEX:
            self._numbers(first.astype(np.complex128), second.astype(np.complex128))
        elif not _is_wide(first) and not _is_wide(second):
            self._strips(first, second)
            return
        elif first.dtype.kind in "biu" and second.dtype.kind in "biu":
            self._integers(first, second)
        else:
            self._reals(first, second)
        self.count += len(first)

    def _strips(self, first: Numeric, second: Numeric) -> None:
        """Numbers that float64 holds exactly, a strip at a time."""
        left, right, distance = np.empty((3, min(STRIP, len(first))))
        is_whole = first.dtype.kind in "biu" and second.dtype.kind in "biu"
        with np.errstate(all="ignore"):
            for at in range(0, len(first), STRIP):
                length = min(STRIP, len(first) - at)
                one, other, apart = left[:length], right[:length], distance[:length]
                one[:] = first[at : at + length]
                other[:] = second[at : at + length]
                self._strip(one, other, apart, is_whole=is_whole)
                self.count += length

    def _strip(self, left: Doubles, right: Doubles, distance: Doubles, *, is_whole: bool) -> None:
        np.subtract(right, left, out=distance)
        squares_a, squares_b, squares = float(left @ left), float(right @ right), float(distance @ distance)
        if not isfinite(squares_a + squares_b + squares):
            self._numbers(left, right)
            return
        self.squares_a += squares_a
        self.squares_b += squares_b
        self.squares += squares
        self.product += float(left @ right)
        self.finite += len(left)
        np.abs(distance, out=distance)
        largest = float(distance.max())
        if not largest:
            return
        if largest > self.largest:
            self.largest, self.place = int(largest) if is_whole else largest, self.count + int(distance.argmax())
        self.distance += float(distance.sum())
        self._note(distance != 0)

    def _note(self, differs: Mask) -> None:
        found = int(np.count_nonzero(differs))
        if found and self.first < 0:
            self.first = self.count + int(differs.argmax())
        self.differing += found

    def _far(self, distance: Numeric) -> None:
        at = int(distance.argmax())
        found: Any = distance[at].item()
        if found > self.largest:
            self.largest, self.place = found, self.count + at

    def _integers(self, first: Numeric, second: Numeric) -> None:
        """Exact, also where a distance does not fit into 64 bits with a sign."""
        differs = np.asarray(first != second)
        self._note(differs)
        if differs.any():
            distance = _distance(first, second)
            self._far(distance)
            self.distance += float(distance.sum(dtype=np.float64))
            self.squares += float(np.square(distance, dtype=np.float64).sum())
        self.finite += len(first)
        self._lengths(first.astype(np.float64), second.astype(np.float64))

    def _reals(self, first: Numeric, second: Numeric) -> None:
        with np.errstate(all="ignore"):
            left, right = first.astype(np.float64, copy=False), second.astype(np.float64, copy=False)
            # What float64 lost of a wide integer comes back into the difference.
            lost = _lost(second, right) - _lost(first, left)
        self._numbers(left, right, lost)

    def _numbers(self, left: Numeric, right: Numeric, lost: Doubles | float = 0.0) -> None:
        with np.errstate(all="ignore"):
            difference = right - left + lost
            distance: Doubles = np.abs(difference)
            if np.isfinite(distance).all():
                self._note(distance != 0)
                self.finite += len(distance)
            else:
                left, right, distance = self._mixed(left, right, distance)
            self._far(distance)
            usable = np.where(np.isfinite(distance), distance, 0)
            self.distance += float(usable.sum())
            self.squares += float(np.square(usable).sum())
            self._lengths(left, right)

    def _mixed(self, left: Numeric, right: Numeric, distance: Doubles) -> tuple[Numeric, Numeric, Doubles]:
        """Runs with NaN or infinities: gives them with 0 in their place, and distances, 0 where there is none."""
        empty_a, empty_b = np.isnan(left), np.isnan(right)
        both = empty_a & empty_b
        equal = (left == right) | both
        self.nans += int(np.count_nonzero(both))
        self.nans_a += int(np.count_nonzero(empty_a & ~empty_b))
        self.nans_b += int(np.count_nonzero(empty_b & ~empty_a))
        self._note(~equal)
        distance = np.where(equal | empty_a | empty_b, 0, np.where(np.isnan(distance), np.inf, distance))
        self.finite += int(np.count_nonzero(np.isfinite(distance) & ~(empty_a | empty_b)))
        finite = np.isfinite(left) & np.isfinite(right)
        return np.where(finite, left, 0), np.where(finite, right, 0), distance

    def _lengths(self, left: Numeric, right: Numeric) -> None:
        if left.dtype.kind == "c":
            self.product += float((left.real * right.real + left.imag * right.imag).sum())
            left, right = np.abs(left), np.abs(right)
        else:
            self.product += float((left * right).sum())
        self.squares_a += float(np.square(left).sum())
        self.squares_b += float(np.square(right).sum())


def _is_wide(numbers: Numeric) -> bool:
    """True for integers that float64 may round."""
    return numbers.dtype.kind in "iu" and numbers.dtype.itemsize >= WIDE


def _distance(first: Numeric, second: Numeric) -> Numeric:
    """|second - first| of integers, one of them of 64 bits: exact where 64 bits hold it."""
    if "u" in (first.dtype.kind, second.dtype.kind) and first.dtype.kind != second.dtype.kind:
        signed, plain = (second, first) if first.dtype.kind == "u" else (first, second)
        return _distance_from_signed(signed.astype(np.int64), plain.astype(np.uint64))
    left, right = first.astype(np.uint64), second.astype(np.uint64)
    return np.where(np.asarray(first > second), left - right, right - left)


def _distance_from_signed(signed: Numeric, plain: Numeric) -> Numeric:
    """The same of int64 and uint64."""
    above = np.maximum(signed, 0).astype(np.uint64)
    below = -np.minimum(signed, 0).astype(np.uint64)
    found = np.where(above > plain, above - plain, plain - above) + below
    if (found < below).any():
        return np.abs(plain.astype(np.float64) - signed.astype(np.float64))
    return np.asarray(found)


def _lost(whole: Numeric, wide: Doubles) -> Doubles | float:
    """What float64 took from wide integers: their own minus what they became."""
    if whole.dtype.kind not in "iu" or whole.dtype.itemsize < WIDE or not (np.abs(wide) > EXACT).any():
        return 0.0
    pairs = zip(whole.tolist(), wide.tolist(), strict=True)
    return np.array([exact - int(near) for exact, near in pairs], dtype=np.float64)
