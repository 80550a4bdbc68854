"""The caret and what it selects, and how keys move it. No Qt: offsets in, offsets out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto

from viewer.core.span import Span
from viewer.ui.hexview.layout import BYTE, Grain, Layout, Side


class Move(Enum):
    """What a key asks of the caret."""

    LEFT = auto()
    RIGHT = auto()
    UP = auto()
    DOWN = auto()
    GROUP_LEFT = auto()
    GROUP_RIGHT = auto()
    ROW_START = auto()
    ROW_END = auto()
    FILE_START = auto()
    FILE_END = auto()
    PAGE_UP = auto()
    PAGE_DOWN = auto()


@dataclass(frozen=True, slots=True)
class Caret:
    """The byte at `offset`, selected with all up to `anchor`; `empty` stands before the byte and selects nothing.

    `grain`: the cells that are selected whole; what a program selects is exact.
    """

    offset: int = 0
    anchor: int = 0
    side: Side = Side.HEX
    empty: bool = False
    grain: Grain = BYTE

    def span(self, size: int) -> Span:
        """The selected bytes of a file of `size` bytes."""
        if self.empty or size == 0:
            return Span(min(self.offset, size), min(self.offset, size))
        low, high = sorted((self.offset, self.anchor))
        return Span(self.grain.start(low), self.grain.stop(high)).clipped(size)

    def exact(self, size: int) -> Caret:
        """The same bytes selected without cells: other cells would widen them."""
        span = self.span(size)
        ends = (span.start, max(span.start, span.stop - 1))
        anchor, offset = ends if self.offset > self.anchor else reversed(ends)
        return self if self.empty else replace(self, offset=offset, anchor=anchor, grain=BYTE)

    def at(self, offset: int, *, extend: bool = False, grain: Grain = BYTE) -> Caret:
        """The caret on another byte; `extend` keeps the anchor."""
        anchor = self.anchor if extend else offset
        return replace(self, offset=offset, anchor=anchor, empty=False, grain=grain)

    def selecting(self, span: Span) -> Caret:
        """The caret on the first byte of a span, all of it selected."""
        anchor = max(span.start, span.stop - 1)
        return replace(self, offset=span.start, anchor=anchor, empty=span.length == 0, grain=BYTE)


def extended(caret: Caret, offset: int, grain: Grain = BYTE) -> Caret:
    """After a click with Shift: the nearer end of the selection moves to the byte."""
    low, high = sorted((caret.offset, caret.anchor))
    far = high if abs(offset - low) < abs(offset - high) else low
    return replace(caret, offset=offset, anchor=far, empty=False, grain=grain)


def moved(move: Move, offset: int, layout: Layout, page: int, side: Side = Side.TEXT) -> int:
    """Where a move leads from a byte; stays inside the file, on the first byte of a cell. `page` is in rows."""
    if layout.size == 0:
        return 0
    width, last, step = layout.row_bytes, layout.size - 1, layout.step(side)
    grain, group = layout.grain(side), layout.form.grouped
    offset = grain.start(offset)
    start = layout.grid.offset_of(layout.row_of(offset))
    match move:
        case Move.LEFT:
            target = offset - 1
        case Move.RIGHT:
            target = grain.stop(offset) if grain.stop(offset) <= last else offset
        case Move.UP | Move.PAGE_UP:
            target = _above(offset, layout, page if move is Move.PAGE_UP else 1)
        case Move.DOWN | Move.PAGE_DOWN:
            target = _below(offset, layout, page if move is Move.PAGE_DOWN else 1)
        case Move.GROUP_LEFT:
            target = offset - 1 - layout.column_of(offset - 1) % group
        case Move.GROUP_RIGHT:
            target = min(start + (layout.column_of(offset) // group + 1) * group, start + width)
        case Move.ROW_START:
            target = start
        case Move.ROW_END:
            target = start + width - step
        case Move.FILE_START:
            target = 0
        case Move.FILE_END:
            target = last
    return grain.start(min(max(0, target), last))


def _above(offset: int, layout: Layout, rows: int) -> int:
    """The same column some rows up, at most as far as the first row."""
    above = min(rows, layout.row_of(offset))
    return layout.grid.nearest(layout.row_of(offset) - above, layout.column_of(offset))


def _below(offset: int, layout: Layout, rows: int) -> int:
    """The same column some rows down; in a shorter last row its last byte."""
    left = layout.rows - 1 - layout.row_of(offset)
    return layout.grid.nearest(layout.row_of(offset) + min(rows, left), layout.column_of(offset))
