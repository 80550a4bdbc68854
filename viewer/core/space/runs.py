"""The bytes that tensors use, as runs in the file that they stand in, and arithmetic of many runs at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from viewer.core.tensors import window
from viewer.core.tensors.layout import is_row_major
from viewer.core.tensors.packed import per_byte
from viewer.core.tensors.tensor import Tensor

Numbers = npt.NDArray[np.int64]
MOST_RUNS: Final = 64 * 1024
"""Runs of one tensor that are told one by one."""


class Places(NamedTuple):
    """Runs [starts, starts + length) of one tensor in its storage, in bytes. `exact`: False where gaps are left out."""

    starts: list[int]
    length: int
    exact: bool = True


def places(tensor: Tensor) -> Places:
    """The bytes of its storage that a tensor uses; none where it has no storage or no elements."""
    used = window.extent(tensor)
    if used is None or not used.length:
        return Places([], 0)
    # Almost all tensors lie in one run: nothing else is worked out for those.
    whole = Places([used.start], used.length)
    size = window.itemsize(tensor)
    if is_row_major(tensor.shape, tensor.stride) or per_byte(tensor) > 1 or not size:
        return whole
    axes = sorted((abs(step), count) for count, step in zip(tensor.shape, tensor.stride, strict=True) if count > 1)
    length, outer = 1, []
    for step, count in axes:
        if step == length:
            length *= count
        elif step:
            outer.append((step, count))
    if not outer:
        return whole
    if int(np.prod([float(count) for _, count in outer])) > MOST_RUNS:
        return Places(whole.starts, whole.length, exact=False)
    starts = np.zeros(1, dtype=np.int64)
    for step, count in outer:
        starts = (starts[:, np.newaxis] + np.arange(count, dtype=np.int64) * (step * size)).reshape(-1)
    found: list[int] = (np.sort(starts) + used.start).tolist()
    return Places(found, length * size)


@dataclass(slots=True, eq=False)
class Runs:
    """Runs of bytes in ascending order of their start, with the number of an owner for each."""

    starts: Numbers
    stops: Numbers
    owners: Numbers

    @classmethod
    def of(cls, starts: Iterable[int], stops: Iterable[int], owners: Iterable[int], size: int) -> Runs:
        """Sorted, and cut to [0, size). Of those with one start the earlier given goes first."""
        first, last, numbers = (np.fromiter(column, dtype=np.int64) for column in (starts, stops, owners))
        return cls.of_columns(first, last, numbers, size)

    @classmethod
    def of_columns(cls, first: Numbers, stops: Numbers, numbers: Numbers, size: int) -> Runs:
        """The same."""
        last = np.minimum(stops, size)
        order = np.argsort(first, kind="stable")
        order = order[(last > first)[order]]
        return cls(first[order], last[order], numbers[order])

    def disjoint(self) -> Runs:
        """Each byte once: of those that share it, the run with the lower start keeps it."""
        before = self._reached()
        starts = np.maximum(self.starts, before)
        kept = self.stops > starts
        return Runs(starts[kept], self.stops[kept], self.owners[kept])

    def doubled(self) -> Runs:
        """The bytes that lie in more than one run, each once."""
        stops = np.minimum(self.stops, self._reached())
        kept = stops > self.starts
        return Runs(self.starts[kept], stops[kept], self.owners[kept]).disjoint()

    def lengths(self) -> Numbers:
        """Bytes of each run."""
        return self.stops - self.starts

    def covered(self, starts: Numbers, stops: Numbers) -> Numbers:
        """Bytes of each stretch [start, stop) that lie in a run; the runs must be disjoint."""
        return self._before(stops) - self._before(starts)

    def _before(self, offsets: Numbers) -> Numbers:
        """Bytes of all runs below each offset."""
        if not len(self.starts):
            return np.zeros(len(offsets), dtype=np.int64)
        sums = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(self.lengths())))
        row = np.searchsorted(self.starts, offsets, side="right") - 1
        at = np.maximum(row, 0)
        partly = np.clip(offsets - self.starts[at], 0, self.lengths()[at])
        return np.where(row < 0, 0, sums[at] + partly)

    def _reached(self) -> Numbers:
        """For each run the highest end of those before it."""
        if not len(self.stops):
            return self.stops
        return np.concatenate((np.zeros(1, dtype=np.int64), np.maximum.accumulate(self.stops)[:-1]))
