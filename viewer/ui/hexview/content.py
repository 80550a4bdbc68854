"""The bytes in view and what they are: read once for a window of rows, kept until the window moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

import numpy as np
import numpy.typing as npt

from viewer.core.errors import SourceError
from viewer.core.span import Span
from viewer.ui.hexview import marks
from viewer.ui.hexview.atlas import BLANK
from viewer.ui.hexview.layout import Layout
from viewer.ui.hexview.marks import NO_REGIONS, RegionRuns

Values = npt.NDArray[np.int32]


class Reader(Protocol):
    """Bytes that can be read at any offset. A read beyond the end, or in a file that was cut, gives fewer."""

    @property
    def size(self) -> int:
        """Number of bytes when the reader was made."""

    def read(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes at `offset`."""


Regions = Callable[[int, int], RegionRuns | Iterable[tuple[int, int, str, str]]]
"""Gives the runs that touch the bytes [start, stop), in order, with their true ends: (start, stop, kind, role)."""

Finder = Callable[[int, int], Iterable[tuple[int, int]]]
"""Gives the spans (start, stop) of all hits that touch the bytes [start, stop), in order."""


class Nothing:
    """The reader of a view without a file."""

    size = 0

    def read(self, offset: int, length: int) -> bytes:
        """No bytes."""
        del offset, length
        return b""


class Content:
    """Values and codes of a window of whole rows: arrays with one item a cell, absent cells included."""

    def __init__(self, reader: Reader | None = None, regions: Regions | None = None) -> None:
        self.reader: Reader = reader or Nothing()
        self.regions = regions
        self.first = 0
        self.values: Values = np.zeros(0, np.int32)
        self.codes: marks.Codes = np.zeros(0, np.int32)
        self.runs = NO_REGIONS
        self._loaded: tuple[int, int, int] | None = None

    def forget(self) -> None:
        """Read and ask again at the next `load`."""
        self._loaded = None

    def load(self, layout: Layout, top_row: int, rows: int) -> None:
        """Fill the arrays for the rows [top_row, top_row + rows)."""
        wanted = (top_row, rows, layout.row_bytes)
        if wanted == self._loaded:
            return
        count = rows * layout.row_bytes
        self.first = top_row * layout.row_bytes
        present = max(0, min(count, layout.size - self.first))
        data = self.read(self.first, present)
        self.values = np.full(count, BLANK, np.int32)
        self.values[: len(data)] = np.frombuffer(data, np.uint8)
        self.runs = self.runs_in(self.first, self.first + present)
        self.codes = np.full(count, marks.pack(marks.ABSENT), np.int32)
        self.codes[:present] = marks.region_codes(self.runs, self.first, present, layout.row_bytes)
        self.codes[len(data) : present] = marks.pack(marks.MISSING, flags=_ALL_JOINED)
        self._loaded = wanted

    def read(self, offset: int, length: int) -> bytes:
        """The bytes that can be had: a device that fails gives none, so they show as missing."""
        try:
            return self.reader.read(offset, length)[:length] if length > 0 else b""
        except (SourceError, OSError):
            return b""

    def runs_in(self, start: int, stop: int) -> RegionRuns:
        """The runs that touch the bytes [start, stop)."""
        if self.regions is None or stop <= start:
            return NO_REGIONS
        runs = self.regions(start, stop)
        return runs if isinstance(runs, RegionRuns) else RegionRuns.of(runs)

    def span(self) -> Span:
        """The window's bytes, those beyond the end of the file too."""
        return Span(self.first, self.first + len(self.values))


_ALL_JOINED = marks.LEFT | marks.RIGHT | marks.ABOVE | marks.BELOW
