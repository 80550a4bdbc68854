"""The bytes in view and what they are: read once for a window of rows, kept until the window moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from viewer.core.errors import SourceError
from viewer.core.span import Span
from viewer.ui.hexview import marks, texts
from viewer.ui.hexview.marks import NO_REGIONS, RegionRuns
from viewer.ui.hexview.numbers import NO_BYTE, Numbers, decoded
from viewer.ui.hexview.texts import ASCII, NO_LETTERS, Letters

if TYPE_CHECKING:
    from viewer.ui.hexview.layout import Layout

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
    """Values and codes of a window of whole rows: arrays with one item a byte, absent ones included.

    `first`: what stands in the first cell, below 0 where the first row has cells before the first byte. `bytes_in_text`
    are the values without those that are parts of `letters`. `numbers`: of the cells, where these show elements.
    """

    def __init__(self, reader: Reader | None = None, regions: Regions | None = None) -> None:
        self.reader: Reader = reader or Nothing()
        self.regions = regions
        self.first = 0
        self.encoding = ASCII
        self.values: Values = np.zeros(0, np.int32)
        self.bytes_in_text = self.values
        self.letters = NO_LETTERS
        self.numbers: Numbers | None = None
        self.codes: marks.Codes = np.zeros(0, np.int32)
        self.runs = NO_REGIONS
        self._loaded: tuple[object, ...] | None = None

    def forget(self) -> None:
        """Read and ask again at the next `load`."""
        self._loaded = None

    def load(self, layout: Layout, top_row: int, rows: int) -> None:
        """Fill the arrays for the rows [top_row, top_row + rows)."""
        wanted = (layout.grid, top_row, rows, layout.form.cells, self.encoding)
        if wanted == self._loaded:
            return
        count = rows * layout.row_bytes
        self.first = layout.grid.offset_of(top_row)
        around = self._read_around(count, layout.size)
        margin = texts.reach(self.encoding)
        self.values = around[margin : margin + count]
        self._find_letters(around, margin, layout.form.phase)
        here = layout.grid.rows_span(top_row, top_row + rows - 1)
        part = slice(here.start - self.first, here.stop - self.first)
        self.runs = self.runs_in(here.start, here.stop)
        self.codes = np.full(count, marks.pack(marks.ABSENT), np.int32)
        self.codes[part] = marks.region_codes(self.runs, here.start, here.length, layout.row_bytes)
        self.codes[part][self.values[part] == NO_BYTE] = marks.pack(marks.MISSING, flags=marks.FLAGS)
        self.numbers = decoded(layout.form.cells, self.values) if layout.form.cells.dtype else None
        self._loaded = wanted

    def _read_around(self, count: int, size: int) -> Values:
        """The values of the window and of what decides its letters, NO_BYTE where there is none."""
        margin = texts.reach(self.encoding)
        start = max(0, self.first - margin)
        data = self.read(start, min(self.first + count + margin, size) - start)
        values = np.full(count + 2 * margin, NO_BYTE, np.int32)
        at = start - (self.first - margin)
        values[at : at + len(data)] = np.frombuffer(data, np.uint8)
        return values

    def _find_letters(self, around: Values, margin: int, phase: int) -> None:
        """Letters of several bytes: those that begin in the window, and what of them is no byte of its own."""
        if not margin:
            self.letters, self.bytes_in_text = NO_LETTERS, self.values
            return
        found = texts.letters(self.encoding, around, (phase - self.first + margin) % 2)
        taken = np.zeros(len(around) + texts.LONGEST, np.bool_)
        for step in range(texts.LONGEST):
            taken[found.at[found.lengths > step] + step] = True
        count = len(self.values)
        self.bytes_in_text = np.where(taken[margin : margin + count], np.int32(NO_BYTE), self.values)
        here = (found.at >= margin) & (found.at < margin + count)
        self.letters = Letters(found.at[here] - margin, found.lengths[here], found.points[here])

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
        return Span(max(0, self.first), max(0, self.first + len(self.values)))
