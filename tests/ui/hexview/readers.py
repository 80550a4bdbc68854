"""Readers and regions for the tests of the hex view: nothing here knows a file format."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from viewer.core.errors import SourceError
from viewer.ui.hexview.content import Finder, Regions
from viewer.ui.hexview.marks import RegionRun


class Pattern:
    """A file of any size that takes no memory: byte i is i % 251."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.reads: list[tuple[int, int]] = []

    def read(self, offset: int, length: int) -> bytes:
        self.reads.append((offset, length))
        stop = min(self.size, offset + length)
        return bytes(index % 251 for index in range(offset, stop))


class Cut(Pattern):
    """A file that another program cut to `there` bytes after it was opened."""

    def __init__(self, size: int, there: int) -> None:
        super().__init__(size)
        self.there = there

    def read(self, offset: int, length: int) -> bytes:
        return super().read(offset, length)[: max(0, self.there - offset)]


class Broken(Pattern):
    """A device that fails."""

    def read(self, offset: int, length: int) -> bytes:
        raise SourceError("file-unreadable", path="x", reason="Input/output error")


def regions(runs: Iterable[RegionRun]) -> Regions:
    """A provider over a fixed list."""
    kept = list(runs)
    return lambda start, stop: [run for run in kept if run.stop > start and run.start < stop]


def hits_of(spans: npt.NDArray[np.int64]) -> Finder:
    """A finder over rows of starts and stops."""
    return lambda start, stop: spans[(spans[:, 0] < stop) & (spans[:, 1] > start)].tolist()
