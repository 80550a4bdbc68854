"""Many small tensors looked at together: the sums of each from a few passes over the elements of all.

Models have tens of thousands of tensors of a few numbers, and what is done once a tensor takes longer than its sums.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from viewer.core.errors import ViewerError
from viewer.core.tensors.dtypes import AnyArray
from viewer.core.tensors.elements import Elements, elements
from viewer.core.tensors.gather import ShortReadError, read_exactly
from viewer.core.tensors.layout import is_row_major, unravel
from viewer.core.tensors.packed import per_byte
from viewer.core.tensors.statistics import Norms, Occurrences, Statistics
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor

MOST_ELEMENTS: Final = 4096
"""Of a tensor that is looked at with others."""
MOST_BYTES: Final = 1024 * 1024
"""Of the elements that are looked at together."""
MANTISSA: Final = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}
TYPES: Final = frozenset({*MANTISSA, *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))})
LARGEST: Final = 1e150
"""Size of numbers up to which their squares can be added."""
NEVER: Final = Occurrences(0, None)
Numbers = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Sums:
    """Of one tensor. `bits`: the sum of the bits of its elements; `digest`: its SHA-256, as `hashing.sha256` has it."""

    statistics: Statistics
    bits: int
    denormals: int
    digest: str


@dataclass(slots=True)
class Batch:
    """Small tensors that wait to be looked at, in their order."""

    rows: list[tuple[int, Tensor]] = field(default_factory=list)
    nbytes: int = 0

    @property
    def is_full(self) -> bool:
        """Whether it is time to look at them."""
        return self.nbytes >= MOST_BYTES

    def add(self, number: int, tensor: Tensor) -> None:
        """One more, of which `is_small` is true."""
        kind = elements(tensor)
        self.rows.append((number, tensor))
        # What is kept of each tensor counts too, lest a batch of single numbers be a million tensors.
        self.nbytes += 512 + (tensor.elements * kind.itemsize if kind is not None else 0)

    def take(self) -> Iterator[tuple[int, Tensor, Sums | None]]:
        """Each with its sums, in their order; None for one that has to be looked at by itself. It is empty then."""
        rows, self.rows, self.nbytes = self.rows, [], 0
        kinds: dict[Elements, list[int]] = {}
        for at, (_, tensor) in enumerate(rows):
            kind = elements(tensor)
            if kind is not None:
                kinds.setdefault(kind, []).append(at)
        found: dict[int, Sums] = {}
        for kind, places in kinds.items():
            tensors = [rows[at][1] for at in places]
            found.update((places[at], sums) for at, sums in _sums(kind, tensors))
        for at, (number, tensor) in enumerate(rows):
            yield number, tensor, found.get(at)


def is_small(tensor: Tensor) -> bool:
    """Whether a tensor can be looked at with others: few plain numbers, all there, in one run."""
    storage = tensor.storage
    if storage is None or storage.source is None or tensor.parts or tensor.quantizer is not None:
        return False
    if tensor.kind == "storage" or tensor.dtype not in TYPES or not 0 < tensor.elements <= MOST_ELEMENTS:
        return False
    kind = elements(tensor)
    if kind is None or per_byte(tensor) > 1 or not _is_plain(kind):
        return False
    first = tensor.storage_offset * kind.itemsize
    behind = first + tensor.elements * kind.itemsize
    is_there = first >= 0 and behind <= storage.reach and _is_whole(storage, behind)
    return is_there and is_row_major(tensor.shape, tensor.stride)


@lru_cache(maxsize=1024)
def _is_plain(kind: Elements) -> bool:
    """Whether elements are numbers of a type that is added up here; asking numpy for its name takes long."""
    return not (kind.conj or kind.neg) and kind.native.name in TYPES


def _is_whole(storage: Storage, behind: int) -> bool:
    """False where bytes before the end of what is there may be missing."""
    return not storage.absent and behind <= storage.available


def _sums(kind: Elements, tensors: list[Tensor]) -> Iterator[tuple[int, Sums]]:
    """Of tensors of one type those that have sums, by their place."""
    read: list[int] = []
    parts: list[Bytes] = []
    for at, tensor in enumerate(tensors):
        raw = _read(tensor, kind)
        if raw is not None:
            read.append(at)
            parts.append(raw)
    if not read:
        return
    counts = np.array([len(part) // kind.itemsize for part in parts], dtype=np.int64)
    numbers = kind.decode(np.concatenate(parts))
    with np.errstate(all="ignore"):
        columns = _Columns(numbers, np.cumsum(counts) - counts, counts)
        rows = columns.rows()
    plain = numbers.view(np.uint8)
    stops = np.cumsum(counts) * kind.itemsize
    for row in np.flatnonzero(columns.usual).tolist():
        stop = int(stops[row])
        data = plain[stop - int(counts[row]) * kind.itemsize : stop]
        digest = hashlib.sha256(data.data).hexdigest()
        yield read[row], Sums(rows.statistics(row, tensors[read[row]]), *rows.bits(row), digest)


def _read(tensor: Tensor, kind: Elements) -> Bytes | None:
    """The stored bytes of a tensor; None where they cannot be had, which is told when it is looked at by itself."""
    raw: Bytes = np.empty(tensor.elements * kind.itemsize, dtype=np.uint8)
    storage = tensor.storage
    if storage is None or storage.source is None:
        return None
    try:
        read_exactly(storage.source, tensor.storage_offset * kind.itemsize, raw)
    except (ShortReadError, ViewerError):
        return None
    return raw


class _Columns:
    """Sums over runs of numbers that begin at `starts`, a column a sum. `usual`: runs of finite, not huge numbers."""

    def __init__(self, numbers: AnyArray, starts: Numbers, counts: Numbers) -> None:
        self.starts, self.counts, self._numbers = starts, counts, numbers
        self.whole = numbers.dtype.kind in "iu"
        values = numbers if numbers.dtype.kind in "iu" or numbers.dtype.itemsize > 2 else numbers.astype(np.float32)
        self.low, self.high = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
        self.usual: npt.NDArray[np.bool_] = np.ones(len(starts), dtype=np.bool_)
        if not self.whole:
            # As float64: the bound is infinite as a narrower type.
            low, high = self.low.astype(np.float64), self.high.astype(np.float64)
            self.usual = (low >= -LARGEST) & (high <= LARGEST)
        self.wide: npt.NDArray[np.float64] = values.astype(np.float64)
        self.zero = values == 0

    def rows(self) -> _Rows:
        """All of them."""
        starts, wide = self.starts, self.wide
        mean = np.add.reduceat(wide, starts) / self.counts
        away = wide - np.repeat(mean, self.counts)
        zeros = np.flatnonzero(self.zero)
        first = np.searchsorted(zeros, starts)
        return _Rows(
            self,
            mean,
            np.add.reduceat(away * away, starts),
            np.add.reduceat(np.abs(wide), starts),
            np.add.reduceat(self.zero, starts, dtype=np.int64),
            np.append(zeros, 0)[first] - starts,
            self._bits(),
            self._denormals(),
        )

    def _bits(self) -> npt.NDArray[np.uint64]:
        return np.add.reduceat(self._raw(), self.starts, dtype=np.uint64)

    def _raw(self) -> Any:
        return self._numbers.view(f"u{self._numbers.dtype.itemsize}")

    def _denormals(self) -> Numbers:
        """How many are denormal: without its sign one is 1 to 2^mantissa - 1; 0 becomes the largest number."""
        mantissa = MANTISSA.get(self._numbers.dtype.name, 0)
        if not mantissa:
            return np.zeros(len(self.starts), dtype=np.int64)
        raw = self._raw()
        one = np.array(1, dtype=raw.dtype)
        return np.add.reduceat((raw << one) - one < 2 ** (mantissa + 1) - 1, self.starts, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The sums of all runs, by columns. `first`: place of the first zero in its run, where there is one."""

    columns: _Columns
    mean: npt.NDArray[np.float64]
    squares: npt.NDArray[np.float64]
    absolute: npt.NDArray[np.float64]
    zeros: Numbers
    first: Numbers
    sums: npt.NDArray[np.uint64]
    denormals: Numbers

    def bits(self, row: int) -> tuple[int, int]:
        """The sum of the bits of a run, and how many of it are denormal."""
        return int(self.sums[row]), int(self.denormals[row])

    def statistics(self, row: int, tensor: Tensor) -> Statistics:
        """Those of a run, without how often each number comes."""
        count, zeros = int(self.columns.counts[row]), int(self.zeros[row])
        low, high = self.columns.low[row].item(), self.columns.high[row].item()
        mean, squares = float(self.mean[row]), float(self.squares[row])
        return Statistics(
            elements=count,
            total=count,
            minimum=low,
            maximum=high,
            mean=mean,
            std=sqrt(squares / (count - 1)) if count > 1 else None,
            zeros=Occurrences(zeros, unravel(tensor.shape, int(self.first[row]))) if zeros else NEVER,
            nans=NEVER,
            positive_infinities=NEVER,
            negative_infinities=NEVER,
            norms=Norms(float(self.absolute[row]), sqrt(squares + count * mean * mean), max(abs(low), abs(high))),
            distribution=None,
        )
