"""Bytes in rows of one width: offset to row and column, and back. A row need not begin at a multiple of the width.

The only place that knows how rows lie; everything else asks it.
"""

from __future__ import annotations

from dataclasses import dataclass

from viewer.core.span import Span


@dataclass(frozen=True, slots=True)
class Grid:
    """`size` bytes in rows of `width`, one of which begins at the offset `phase`.

    The first row begins at or before offset 0: its first `lead` cells hold no byte. Offsets are ints of any size.
    """

    size: int
    width: int
    phase: int = 0

    @property
    def lead(self) -> int:
        """Cells of the first row that stand before the first byte."""
        return -self.phase % self.width

    @property
    def rows(self) -> int:
        """Number of rows that hold a byte."""
        return -(-(self.size + self.lead) // self.width) if self.size else 0

    def row_of(self, offset: int) -> int:
        """The row that an offset stands in."""
        return (offset + self.lead) // self.width

    def column_of(self, offset: int) -> int:
        """The column that an offset stands in."""
        return (offset + self.lead) % self.width

    def offset_of(self, row: int, column: int = 0) -> int:
        """What stands at a row and column; below 0 or beyond the size where no byte does."""
        return row * self.width + column - self.lead

    def row_span(self, row: int) -> Span:
        """The bytes of a row that exist."""
        return self.rows_span(row, row)

    def rows_span(self, first: int, last: int) -> Span:
        """The bytes of the rows [first, last] that exist."""
        start = min(max(0, self.offset_of(first)), self.size)
        return Span(start, max(start, min(self.offset_of(last + 1), self.size)))

    def rows_of(self, span: Span) -> tuple[int, int]:
        """The first and the last row that bytes stand in; an empty span stands in the row of its start."""
        return self.row_of(span.start), self.row_of(max(span.start, span.stop - 1))

    def nearest(self, row: int, column: int) -> int:
        """The byte at a row and column, or where none is the one nearest to it in the file. Of one byte at least."""
        return min(max(0, self.offset_of(row, column)), self.size - 1)
