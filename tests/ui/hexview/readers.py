"""Readers and regions for the tests of the hex view: nothing here knows a file format."""

from __future__ import annotations

from collections.abc import Iterable

from viewer.core.errors import SourceError
from viewer.ui.hexview.content import Regions
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
