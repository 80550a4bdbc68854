"""Many small tensors at once: the bytes of neighbours in one read, the numbers of all pairs in one pass.

What a tensor costs by itself is a hundred times what its few elements do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.comparing.elements import count_nans
from viewer.core.comparing.numbers import Doubles, Kind, numbers_of
from viewer.core.comparing.outcome import Differences, found
from viewer.core.comparing.sums import WIDE, Sums
from viewer.core.errors import ViewerError
from viewer.core.source import BLOCK, ByteSource, SliceSource
from viewer.core.tensors.dtypes import AnyArray, NumpyType
from viewer.core.tensors.elements import elements
from viewer.core.tensors.layout import is_row_major
from viewer.core.tensors.packed import per_byte
from viewer.core.tensors.tensor import Tensor

SMALL: Final = 4096
"""Bytes up to which a tensor is small, and up to which bytes between two of them are read along."""
MOST: Final = 4096
"""Pairs that are held against each other at once."""
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Place:
    """Bytes in the source that is a slice of no other."""

    source: ByteSource
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Small:
    """A pair whose equal bytes are equal elements. `native`: their type; `kind`: what they can be taken as."""

    first: Tensor
    second: Tensor
    a: Place
    b: Place
    native: NumpyType
    kind: Kind


def small(first: Tensor, second: Tensor) -> Small | None:
    """The pair, where both are small, whole and of one plain type; None where each has to be looked at by itself."""
    if first.kind != second.kind or first.dtype != second.dtype or first.numpy_dtype != second.numpy_dtype:
        return None
    if not first.elements or first.elements > SMALL:
        return None
    native = _native(first)
    if native is None or native != _native(second):
        return None
    one, other = _place(first, native.itemsize), _place(second, native.itemsize)
    how = numbers_of(first)
    if one is None or other is None or how is None:
        return None
    return Small(first, second, one, other, native, how.kind)


def _native(tensor: Tensor) -> NumpyType | None:
    """The type of elements that stand in the file as they are."""
    if tensor.quantizer is not None or tensor.parts or per_byte(tensor) > 1:
        return None
    kind = elements(tensor)
    return kind.native if kind is not None and kind.plain and kind.itemsize else None


def _place(tensor: Tensor, itemsize: int) -> Place | None:
    """Where all bytes of a small tensor stand in one run; None where they do not, or some are missing."""
    storage, length = tensor.storage, tensor.elements * itemsize
    if storage is None or storage.source is None or storage.absent or length > SMALL:
        return None
    at = tensor.storage_offset * itemsize
    if at < 0 or at + length > storage.reach or not is_row_major(tensor.shape, tensor.stride):
        return None
    source = storage.source
    while isinstance(source, SliceSource):
        at += source.start
        source = source.parent
    return Place(source, at, length)


def compare_small(pairs: Sequence[Small]) -> list[Differences | None]:
    """What is known of each; None where it has to be looked at by itself: bytes cannot be read, or numbers overflow."""
    lefts, rights = _read([pair.a for pair in pairs]), _read([pair.b for pair in pairs])
    outcomes: list[Differences | None] = [None] * len(pairs)
    for is_equal in (True, False):
        for native, kind in dict.fromkeys((pair.native, pair.kind) for pair in pairs):
            chosen = [
                at
                for at, pair in enumerate(pairs)
                if pair.native == native
                and pair.kind is kind
                and len(lefts[at]) == pair.a.length
                and len(rights[at]) == pair.b.length
                and (lefts[at] == rights[at]) is is_equal
            ]
            if not chosen:
                continue
            raw = [lefts[at] for at in chosen]
            if is_equal:
                made: Iterable[Differences | None] = _equal([pairs[at] for at in chosen], raw)
            elif _has_doubles(native, kind):
                made = _differing([pairs[at] for at in chosen], raw, [rights[at] for at in chosen])
            else:
                continue
            for at, outcome in zip(chosen, made, strict=True):
                outcomes[at] = outcome
    return outcomes


def _read(places: Sequence[Place]) -> list[bytes]:
    """The bytes of each place, fewer where they vanished or cannot be read."""
    made = [b""] * len(places)
    for run in _runs(places):
        start = places[run[0]].start
        behind = max(places[at].start + places[at].length for at in run)
        try:
            data = places[run[0]].source.read(start, behind - start)
        except ViewerError:
            continue
        for at in run:
            place = places[at]
            made[at] = data[place.start - start : place.start - start + place.length]
    return made


def _runs(places: Sequence[Place]) -> Iterator[list[int]]:
    """Places near each other, which one read gives."""
    run: list[int] = []
    source: ByteSource | None = None
    begin = behind = 0
    for at in sorted(range(len(places)), key=lambda at: (id(places[at].source), places[at].start)):
        place = places[at]
        is_near = place.source is source and place.start <= behind + SMALL and place.start - begin < BLOCK
        if run and not is_near:
            yield run
            run = []
        if not run:
            source, begin, behind = place.source, place.start, place.start
        run.append(at)
        behind = max(behind, place.start + place.length)
    if run:
        yield run


def _equal(pairs: Sequence[Small], raw: Sequence[bytes]) -> Iterator[Differences]:
    native = pairs[0].native
    has_nans = count_nans(np.frombuffer(b"".join(raw), dtype=np.uint8), native) > 0
    for pair, data in zip(pairs, raw, strict=True):
        if not has_nans:
            yield _same(pair.first.elements)
        else:
            nans = count_nans(np.frombuffer(data, dtype=np.uint8), native)
            yield Differences(pair.first.elements, nans=nans, same_bytes=True)


@cache
def _same(count: int) -> Differences:
    return Differences(count, same_bytes=True)


def _has_doubles(native: NumpyType, kind: Kind) -> bool:
    """True for numbers that float64 holds exactly."""
    return kind is Kind.REAL or (kind is Kind.INTEGER and native.itemsize < WIDE)


def _differing(pairs: Sequence[Small], lefts: Sequence[bytes], rights: Sequence[bytes]) -> Iterator[Differences | None]:
    native, kind = pairs[0].native, pairs[0].kind
    left, right = _doubles(lefts, native), _doubles(rights, native)
    counts = np.array([pair.first.elements for pair in pairs], dtype=np.int64)
    starts = np.cumsum(counts) - counts
    with np.errstate(all="ignore"):
        distance = np.abs(right - left)
        differs = np.asarray(distance != 0)
        largest = np.maximum.reduceat(distance, starts)
        columns = [np.add.reduceat(each, starts) for each in (left * left, right * right, left * right)]
        columns += [np.add.reduceat(each, starts) for each in (distance * distance, distance)]
        often = np.add.reduceat(differs.astype(np.int64), starts)
        at_largest = _firsts(distance == np.repeat(largest, counts), starts)
        at_first = _firsts(differs, starts)
    is_whole = native.kind in "biu"
    rows = zip(*(each.tolist() for each in (*columns, largest, often, at_largest, at_first)), strict=True)
    for pair, row in zip(pairs, rows, strict=True):
        squares_a, squares_b, product, squares, total, most, differing, place, first = row
        if not isfinite(squares_a + squares_b + squares):
            yield None
            continue
        sums = Sums(
            count=pair.first.elements,
            differing=differing,
            first=first if differing else -1,
            largest=int(most) if is_whole else most,
            place=place if differing else -1,
            finite=pair.first.elements,
            distance=total,
            squares=squares,
            squares_a=squares_a,
            squares_b=squares_b,
            product=product,
        )
        yield found(sums, pair.first.shape, kind, "")


def _doubles(raw: Sequence[bytes], native: NumpyType) -> Doubles:
    numbers: AnyArray = np.frombuffer(b"".join(raw), dtype=np.uint8).view(native)
    if native.kind == "b":
        numbers = np.asarray(numbers.view(np.uint8) != 0)
    with np.errstate(all="ignore"):
        return numbers.astype(np.float64)


def _firsts(is_one: npt.NDArray[np.bool_], starts: Numbers) -> Numbers:
    """Of each segment the place of its first element that is one; a place beyond it where none is."""
    places = np.where(is_one, np.arange(len(is_one), dtype=np.int64), len(is_one))
    firsts: Numbers = np.minimum.reduceat(places, starts) - starts
    return firsts
