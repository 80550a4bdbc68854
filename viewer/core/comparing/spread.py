"""How far the elements of two tensors lie apart, counted: a histogram of B - A."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Final

import numpy as np

from viewer.core.comparing.comparison import Row
from viewer.core.comparing.meter import Meter
from viewer.core.comparing.numbers import Kind, Numbers, numbers_of, paired, values
from viewer.core.progress import Progress
from viewer.core.tensors.dtypes import AnyArray
from viewer.core.tensors.histogram import Histogram, counted
from viewer.core.tensors.histogram import Numbers as Floats
from viewer.core.tensors.repeated import distinct
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import nbytes

BINS: Final = 61
"""An odd number: equal elements are in the middle one."""


def can_spread(row: Row) -> bool:
    """Whether the elements of a pair differ by numbers, and stand in tensors of their own."""
    found = row.differences
    if found is None or not found.differing or found.largest is None or not isfinite(found.largest):
        return False
    return row.pair.a is not None and row.pair.b is not None and None not in _hows(row.pair.a, row.pair.b)


def difference_histogram(row: Row, progress: Progress | None = None) -> Histogram:
    """Of all pairs of elements, from the largest difference below 0 to that above; NaN and infinity are in no bin.

    Of complex numbers the difference of their moduli, as the map has it. Raises what reading does, and CancelledError.
    """
    first, second, found = row.pair.a, row.pair.b, row.differences
    assert first is not None
    assert second is not None
    assert found is not None
    hows = _hows(first, second)
    (one, times), (other, _) = distinct(first), distinct(second)
    if one.shape != other.shape:
        one, other, times = first, second, 1
    largest = float(found.largest or 0) or 1.0
    meter = Meter(progress, nbytes(one) + nbytes(other))
    runs = _differences(one, other, hows, meter)
    return counted(runs, -largest, largest, BINS, first.elements, times)


def _hows(first: Tensor, second: Tensor) -> tuple[Numbers | None, Numbers | None]:
    one, other = numbers_of(first), numbers_of(second)
    is_raw = any(how is not None and how.kind is Kind.RAW for how in (one, other))
    return (None, None) if is_raw else (one, other)


def _differences(
    first: Tensor, second: Tensor, hows: tuple[Numbers | None, Numbers | None], meter: Meter
) -> Iterator[Floats]:
    one, other = hows
    if one is None or other is None:
        return
    for left, right in paired(values(first, one, meter), values(second, other, meter)):
        with np.errstate(all="ignore"):
            yield _floats(right) - _floats(left)


def _floats(numbers: AnyArray) -> Floats:
    found: Floats = (np.abs(numbers) if numbers.dtype.kind == "c" else numbers).astype(np.float64)
    return found
