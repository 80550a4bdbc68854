"""Statistics of a tensor in one pass over its bytes, or a quick estimate from evenly spread samples of them.

Minimum, maximum, mean and standard deviation are those of the finite elements; the deviation is over count - 1,
as torch.std gives it. Means are kept in float64.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import hypot
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.progress import Progress
from viewer.core.tensors.dtypes import COMPLEX32, AnyArray, NumpyType
from viewer.core.tensors.elements import elements
from viewer.core.tensors.layout import Shape, is_row_major, unravel
from viewer.core.tensors.meaning import has_meaning, meant_blocks, pair_blocks
from viewer.core.tensors.moments import Codes, Complexes, Places, Reals, Seen, Totals, first_place
from viewer.core.tensors.packed import per_byte
from viewer.core.tensors.quantiles import Distribution
from viewer.core.tensors.repeated import distinct
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import NoValuesError, blocks, read

READ: Final = 256 * 1024
SAMPLE: Final = 1024 * 1024
RUNS: Final = 64
# A run whose elements lie farther apart than this is cut to a few of them: each is a read of its own.
FAR: Final = 256 * 1024
SCATTERED: Final = 16


@dataclass(frozen=True, slots=True)
class Occurrences:
    """How often something comes, and the first index in row-major order; None: never."""

    count: int
    first: Shape | None


@dataclass(frozen=True, slots=True)
class Norms:
    """Sum of the sizes, root of the sum of the squares, greatest size."""

    l1: float
    l2: float
    maximum: int | float


@dataclass(frozen=True, slots=True)
class Statistics:
    """What is known of the numbers of a tensor. `elements`: how many were looked at, of `total`.

    `minimum`, `maximum` None: no finite element, or complex. `mean` of complex numbers is complex, their `std`
    that of the distance from it; infinite ones all count as `positive_infinities`. `std` None below 2 elements.
    `norms`: those of the finite elements. `distribution`: how often they come; None for complex ones and where none
    is finite.
    """

    elements: int
    total: int
    minimum: int | float | None
    maximum: int | float | None
    mean: float | complex | None
    std: float | None
    zeros: Occurrences
    nans: Occurrences
    positive_infinities: Occurrences
    negative_infinities: Occurrences
    norms: Norms
    distribution: Distribution | None

    @property
    def distinct(self) -> int | None:
        """How many numbers occur, of types with few of them: truth and integers of one and two bytes."""
        known = self.distribution
        return len(known.lows) if known is not None and known.exact and known.whole else None

    @property
    def range(self) -> tuple[float, float] | None:
        """The least and the greatest finite number; of complex ones 0 and the greatest size. None: there is none."""
        if self.minimum is not None and self.maximum is not None:
            return float(self.minimum), float(self.maximum)
        return (0.0, float(self.norms.maximum)) if self.norms.maximum else None

    @property
    def exact(self) -> bool:
        """Whether every element was looked at."""
        return self.elements == self.total


Adder = Reals | Complexes | Codes


def statistics(
    tensor: Tensor, progress: Progress | None = None, also: Callable[[AnyArray], None] | None = None
) -> Statistics | None:
    """All elements as they are stored, in one pass; None where they are no numbers (text, dates, structures, objects).

    `also` is given each block too, in the order of the bytes; of elements that repeat along an axis the first.

    Raises NoValuesError, IncompleteError and CancelledError.
    """
    once, times = distinct(tensor)
    totals = Totals()
    adder = _adder(once, totals, once.elements)
    if adder is None:
        return None
    walked, place = _in_order_of_bytes(once)
    at = 0
    for numbers in blocks(walked, progress, READ):
        adder.add(numbers, place, at)
        if also is not None:
            also(numbers)
        at += len(numbers)
    return _result(once, totals, adder, tensor.elements, times)


def meant_statistics(tensor: Tensor, progress: Progress | None = None) -> Statistics | None:
    """The same of the numbers that quantised elements and pairs stand for; of others as they are stored.

    Of pairs `elements` and `total` count both halves. Raises what `statistics` does, for the scales too.
    """
    if not has_meaning(tensor):
        return statistics(tensor, progress)
    (once, times), at = distinct(tensor), 0
    totals, of_pairs = Totals(), tensor.quantizer is None
    halves = 2 if of_pairs else 1
    count = once.elements * halves
    adder = Reals(totals, np.dtype(np.float32), count)
    place: Places = _of_halves if of_pairs else first_place
    for numbers in (pair_blocks if of_pairs else meant_blocks)(once, 4 * READ, progress):
        adder.add(numbers, place, at)
        at += len(numbers)
    return _result(once, totals, adder, tensor.elements * halves, times)


def _of_halves(places: npt.NDArray[np.int64]) -> int:
    """The place of the pair that the first of these halves belongs to."""
    return int(places[0]) // 2


def sample(tensor: Tensor) -> Statistics | None:
    """An estimate from up to 64 runs of elements, 1 MiB together; small tensors are looked at whole.

    Raises NoValuesError and IncompleteError.
    """
    kind = elements(tensor)
    once, times = distinct(tensor)
    if kind is None or once.elements * kind.itemsize <= SAMPLE:
        return statistics(tensor)
    totals = Totals()
    adder = _adder(once, totals, SAMPLE // kind.itemsize)
    if adder is None:
        return None
    walked, place = _in_order_of_bytes(once)
    for first, numbers in _runs(walked, SAMPLE // kind.itemsize // RUNS, kind.itemsize):
        adder.add(numbers, place, first)
    return _result(once, totals, adder, tensor.elements, times)


def sampled_runs(tensor: Tensor) -> Iterator[AnyArray]:
    """The elements that `sample` looks at. Raises what it does."""
    kind = elements(tensor)
    if kind is not None and tensor.elements:
        walked, _ = _in_order_of_bytes(distinct(tensor)[0])
        for _, numbers in _runs(walked, SAMPLE // kind.itemsize // RUNS, kind.itemsize):
            yield numbers


def _adder(tensor: Tensor, totals: Totals, expected: int) -> Adder | None:
    if per_byte(tensor) > 1:
        return Codes(totals, np.dtype(np.uint8))
    kind = elements(tensor)
    if kind is None:
        return None
    native = kind.native
    if native == COMPLEX32 or native.kind == "c":
        return Complexes(totals, native)
    if native.kind in "SUMmO" or native.names is not None or not native.itemsize:
        return None
    if native.itemsize == 1:
        return Codes(totals, native) if _is_number(native) else None
    if native.itemsize == 2 and native.kind in "iu":
        return Codes(totals, native)
    return Reals(totals, native, expected) if _is_number(native) else None


def _is_number(native: NumpyType) -> bool:
    """Whether elements can become float64; raw bytes (`V8`) cannot."""
    return native.kind in "biuf" or native.type.__module__ == "ml_dtypes"


def _in_order_of_bytes(tensor: Tensor) -> tuple[Tensor, Places]:
    """A tensor with the same elements in the order of their bytes where that is faster, and how places translate.

    Raises NoValuesError.
    """
    if tensor.storage is None:
        # Sizes and strides are as they are stated, which may be such as cannot be.
        raise NoValuesError(tensor)
    shape, stride = tensor.shape, tensor.stride
    order = sorted(range(len(shape)), key=lambda axis: -stride[axis])
    turned = tuple(shape[axis] for axis in order), tuple(stride[axis] for axis in order)
    if is_row_major(shape, stride) or not is_row_major(*turned):
        return tensor, first_place
    return replace(tensor, shape=turned[0], stride=turned[1]), _translated(shape, order)


def _translated(shape: Shape, order: list[int]) -> Callable[[npt.NDArray[np.int64]], int]:
    """The first place in row-major order of the tensor, of places in the order of its bytes."""
    turned = tuple(shape[axis] for axis in order)
    back = [order.index(axis) for axis in range(len(shape))]

    def first(places: npt.NDArray[np.int64]) -> int:
        index = np.unravel_index(places, turned)
        return int(np.ravel_multi_index(tuple(index[axis] for axis in back), shape).min())

    return first


def _runs(tensor: Tensor, length: int, itemsize: int) -> Iterator[tuple[int, AnyArray]]:
    """Evenly spread runs along the last axis (along the whole tensor where it is contiguous), with their places."""
    total = tensor.elements
    flat = tensor
    if is_row_major(tensor.shape, tensor.stride):
        flat = replace(tensor, shape=(total,), stride=(1,))
    length = max(1, min(length, flat.shape[-1]))
    if length * abs(flat.stride[-1]) * itemsize > FAR:
        length = min(length, SCATTERED)
    for run in range(RUNS):
        start = run * (total - length) // (RUNS - 1)
        *outer, last = unravel(flat.shape, start)
        last = min(last, flat.shape[-1] - length)
        place = start - start % flat.shape[-1] + last
        yield place, read(flat, [*outer, slice(last, last + length)])


def _result(tensor: Tensor, totals: Totals, adder: Adder, total: int, times: int) -> Statistics:
    """What was found of a tensor whose elements come so often each, `total` in all."""
    adder.finish()
    totals.multiply(times)
    mean: float | complex | None = totals.spread.mean if totals.spread.count else None
    std = totals.spread.deviation
    if totals.imaginary is not None and mean is not None:
        mean = complex(mean, totals.imaginary.mean)
        spread = totals.imaginary.deviation
        std = hypot(std, spread) if std is not None and spread is not None else None
    zeros, nans, positive, negative = (
        _occurrences(tensor, seen) for seen in (totals.zeros, totals.nans, totals.positive, totals.negative)
    )
    return Statistics(
        elements=totals.count,
        total=total,
        minimum=totals.minimum,
        maximum=totals.maximum,
        mean=mean,
        std=std,
        zeros=zeros,
        nans=nans,
        positive_infinities=positive,
        negative_infinities=negative,
        norms=Norms(totals.absolute, totals.euclidean, totals.largest),
        distribution=totals.distribution,
    )


def _occurrences(tensor: Tensor, seen: Seen) -> Occurrences:
    return Occurrences(seen.count, unravel(tensor.shape, seen.first) if seen.count else None)
