"""The bytes in view and what they are: read once for a window of rows, kept until the window moves.

Of rows that are far wider than any window only the columns in view are read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate
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


Columns = tuple[tuple[int, int], ...]
"""Ranges [start, stop) of columns, ascending and apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Bytes one behind the other, `first` on: all of a window, or of one row those in a range of columns."""

    first: int
    values: Values
    bytes_in_text: Values
    letters: Letters
    codes: marks.Codes
    runs: RegionRuns

    @property
    def stop(self) -> int:
        """Behind what stands in the last cell."""
        return self.first + len(self.values)


class Content:
    """Values and codes of a window: arrays with one item a byte, absent ones included, row by row.

    `first`: what stands in the first cell, below 0 where the first row has cells before the first byte. `bytes_in_text`
    are the values without those that are parts of `letters`. `numbers`: of the cells, where these show elements.
    `columns`: those of each row that are held, `width` of them.
    """

    def __init__(self, reader: Reader | None = None, regions: Regions | None = None) -> None:
        self.reader: Reader = reader or Nothing()
        self.regions = regions
        self.encoding = ASCII
        self.numbers: Numbers | None = None
        self._loaded: tuple[object, ...] | None = None
        nothing = np.zeros(0, np.int32)
        self._take([Part(0, nothing, nothing, NO_LETTERS, nothing, NO_REGIONS)], ((0, 0),))

    def forget(self) -> None:
        """Read and ask again at the next `load`."""
        self._loaded = None

    def load(self, layout: Layout, top_row: int, rows: int, columns: Columns | None = None) -> bool:
        """Fill the arrays for the rows [top_row, top_row + rows), all columns or some; True where they are others."""
        cells = layout.form.cells
        wanted = (layout.grid, top_row, rows, columns, cells, self.encoding)
        if wanted == self._loaded:
            return False
        grid, width = layout.grid, layout.row_bytes
        if columns is None:
            parts = [self._part(layout, grid.offset_of(top_row), rows * width)]
        else:
            places = (
                (grid.offset_of(top_row + row, start), stop - start) for row in range(rows) for start, stop in columns
            )
            parts = [self._part(layout, first, count) for first, count in places]
        self._take(parts, columns or ((0, width),))
        self.numbers = decoded(cells, self.values) if cells.dtype else None
        self._loaded = wanted
        return True

    def _take(self, parts: list[Part], columns: Columns) -> None:
        self.first, self.columns = parts[0].first, columns
        self.width = sum(stop - start for start, stop in columns)
        self._parts = parts
        self._at = list(accumulate((len(part.values) for part in parts), initial=0))
        if len(parts) == 1:
            only = parts[0]
            self.values, self.bytes_in_text, self.codes = only.values, only.bytes_in_text, only.codes
            self.letters, self.runs = only.letters, only.runs
            return
        self.values = np.concatenate([part.values for part in parts])
        self.bytes_in_text = np.concatenate([part.bytes_in_text for part in parts])
        self.codes = np.concatenate([part.codes for part in parts])
        self.letters = texts.joined([part.letters for part in parts], self._at)
        self.runs = marks.joined([part.runs for part in parts])

    def _part(self, layout: Layout, first: int, count: int) -> Part:
        size = layout.size
        margin = texts.reach(self.encoding)
        around = self._read_around(first, count, size, margin)
        values = around[margin : margin + count]
        letters, in_text = self._find_letters(around, margin, (layout.form.phase - first + margin) % 2)
        start = min(max(0, first), size)
        stop = max(start, min(first + count, size))
        part = slice(start - first, stop - first)
        runs = self.runs_in(start, stop)
        codes = np.full(count, marks.pack(marks.ABSENT), np.int32)
        codes[part] = marks.region_codes(runs, start, stop - start, layout.row_bytes)
        codes[part][values[part] == NO_BYTE] = marks.pack(marks.MISSING, flags=marks.FLAGS)
        return Part(first, values, in_text, letters, codes, runs)

    def _read_around(self, first: int, count: int, size: int, margin: int) -> Values:
        """The values of a part and of what decides its letters, NO_BYTE where there is none."""
        start = max(0, first - margin)
        data = self.read(start, min(first + count + margin, size) - start)
        values = np.full(count + 2 * margin, NO_BYTE, np.int32)
        at = start - (first - margin)
        values[at : at + len(data)] = np.frombuffer(data, np.uint8)
        return values

    def _find_letters(self, around: Values, margin: int, parity: int) -> tuple[Letters, Values]:
        """Letters of several bytes: those that begin in a part, and what of it is a byte of its own."""
        if not margin:
            return NO_LETTERS, around
        found = texts.letters(self.encoding, around, parity)
        taken = np.zeros(len(around) + texts.LONGEST, np.bool_)
        for step in range(texts.LONGEST):
            taken[found.at[found.lengths > step] + step] = True
        inside = slice(margin, len(around) - margin)
        in_text = np.where(taken[inside], np.int32(NO_BYTE), around[inside])
        here = (found.at >= margin) & (found.at < len(around) - margin)
        return Letters(found.at[here] - margin, found.lengths[here], found.points[here]), in_text

    def place(self, start: int, stop: int) -> slice:
        """Where the columns [start, stop), all of one range that is held, stand in a row of the arrays."""
        before = 0
        for low, high in self.columns:
            if low <= start and stop <= high:
                return slice(before + start - low, before + stop - low)
            before += high - low
        raise IndexError((start, stop))

    def spans(self, size: int) -> Iterable[Span]:
        """What is held of a file of `size` bytes."""
        for part in self._parts:
            start = min(max(0, part.first), size)
            yield Span(start, max(start, min(part.stop, size)))

    def pieces(self) -> list[tuple[int, bytes]]:
        """The bytes that are held, and where each piece of them begins."""
        parts = ((max(0, part.first), part.values[part.values < NO_BYTE]) for part in self._parts)
        return [(start, values.astype(np.uint8).tobytes()) for start, values in parts]

    def mark(self, codes: marks.Codes, span: Span, kind: int) -> None:
        """Give the bytes of a span another kind, in codes of the shape of `codes`."""
        index = max(0, bisect_right(self._parts, span.start, key=lambda part: part.first) - 1)
        while index < len(self._parts) and self._parts[index].first < span.stop:
            part = self._parts[index]
            marks.mark(codes[self._at[index] : self._at[index + 1]], span, part.first, kind)
            index += 1

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
        """From the window's first byte to its last, those beyond the end of the file too."""
        return Span(max(0, self.first), max(0, self._parts[-1].stop))
