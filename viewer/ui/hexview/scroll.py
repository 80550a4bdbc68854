"""The scroll bar as a picture of the top row.

A scroll bar counts to 2^31 and rows do not end there, so the view owns the row and the bar shows it in steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MOST_STEPS: Final = 2**30


@dataclass(frozen=True, slots=True)
class Projection:
    """Maps top rows [0, last] to bar values [0, steps]; both ends are exact and only the ends show as ends."""

    last: int

    @property
    def steps(self) -> int:
        """Maximum of the bar."""
        return min(self.last, MOST_STEPS)

    def to_bar(self, row: int) -> int:
        """The bar's value for a top row."""
        row = min(max(0, row), self.last)
        if self.last <= MOST_STEPS:
            return row
        if row in (0, self.last):
            return 0 if row == 0 else self.steps
        return min(max(1, row * self.steps // self.last), self.steps - 1)

    def to_row(self, value: int) -> int:
        """The top row for a bar's value."""
        value = min(max(0, value), self.steps)
        if self.last <= MOST_STEPS:
            return value
        return self.last if value == self.steps else value * self.last // self.steps


def last_top_row(rows: int, visible: int) -> int:
    """The top row that puts the last row at the lower edge."""
    return max(0, rows - max(1, visible))


def revealed(row: int, top: int, visible: int, last: int) -> int:
    """The top row that shows `row`: unchanged when in view, the least scroll when near, else the row in the middle."""
    visible = max(1, visible)
    if top <= row < top + visible:
        wanted = top
    elif top - visible <= row < top:
        wanted = row
    elif top + visible <= row < top + 2 * visible:
        wanted = row - visible + 1
    else:
        wanted = row - visible // 2
    return min(max(0, wanted), last)
