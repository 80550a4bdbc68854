"""Lines on the screen of two compared texts: side by side, or one below the other where there is little room."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from viewer.core.code.differences import ADDED, CHANGED, REMOVED, Block, Differences


@dataclass(frozen=True, slots=True)
class Line:
    """One line on the screen. `row`: of the differences; `left`, `right`: which of its sides is shown here."""

    row: int
    left: bool
    right: bool


class Lines:
    """All lines. `wide`: each row is one line; else a changed row is two, the left ones of a run first."""

    def __init__(self, differences: Differences, *, wide: bool) -> None:
        self.differences = differences
        self.wide = wide
        self._blocks = list(differences.blocks)
        self._rows = list(accumulate((block.count for block in self._blocks), initial=0))
        self._starts = list(accumulate((self._height(block) for block in self._blocks), initial=0))

    def __len__(self) -> int:
        return self._starts[-1]

    def __getitem__(self, number: int) -> Line:
        at = bisect_right(self._starts, number) - 1
        block, inside = self._blocks[at], number - self._starts[at]
        first = self._rows[at]
        if block.kind == CHANGED and not self.wide:
            later = inside >= block.count
            return Line(first + inside - (block.count if later else 0), left=not later, right=later)
        return Line(first + inside, left=block.kind != ADDED, right=block.kind != REMOVED)

    def between(self, first: int, last: int) -> Iterator[tuple[int, Line]]:
        """The lines from `first` up to `last`, as far as there are any."""
        return ((number, self[number]) for number in range(max(first, 0), min(last, len(self))))

    def first_of(self, row: int) -> int:
        """The first line of a row."""
        at = max(0, min(bisect_right(self._rows, row), len(self._blocks)) - 1)
        return self._starts[at] + row - self._rows[at]

    def _height(self, block: Block) -> int:
        return block.count * (2 if block.kind == CHANGED and not self.wide else 1)
