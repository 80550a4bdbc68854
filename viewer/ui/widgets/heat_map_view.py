"""Which part of a plane of numbers a heat map shows, and where on the screen: arithmetic without painting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import Final

LARGEST: Final = 72.0
"""Pixels of a cell at most; its number has room in that."""
AT_FIRST: Final = 24.0
"""Pixels of a cell at most where all of the plane is shown."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis. `count`: all cells; `room`: pixels; `size`: pixels of a cell; `start`: the cell at the first pixel."""

    count: int
    room: float
    size: float = 1.0
    start: float = 0.0
    block: int = 1

    def fitted(self) -> Axis:
        """All cells in the room."""
        return replace(self, size=min(AT_FIRST, self.room / max(1, self.count)), start=0.0)

    def zoomed(self, factor: float, at: float) -> Axis:
        """Larger or smaller cells; what stands at a pixel stays there."""
        least = self.fitted().size
        size = min(LARGEST, max(least, self.size * factor))
        return replace(self, size=size, start=self.start + at / self.size - at / size).held()

    def moved(self, pixels: float) -> Axis:
        """Another part of it."""
        return replace(self, start=self.start + pixels / self.size).held()

    def held(self) -> Axis:
        """The same, without empty room before or behind the cells."""
        return replace(self, start=max(0.0, min(self.start, self.count - self.room / self.size)))

    def showing(self, cell: int) -> Axis:
        """The same, with a cell in view."""
        if self.start <= cell and cell + 1 <= self.start + self.room / self.size:
            return self
        return replace(self, start=cell + 0.5 - self.room / self.size / 2).held()

    def resized(self, room: float) -> Axis:
        """The same beginning in another room; what was shown whole stays so."""
        whole = self.size <= self.fitted().size
        changed = replace(self, room=max(1.0, room))
        return changed.fitted() if whole else changed.zoomed(1.0, 0.0)

    @property
    def is_whole(self) -> bool:
        """Whether all cells are in view."""
        return self.size <= self.fitted().size * 1.0001

    @property
    def used(self) -> float:
        """Pixels that cells take."""
        return min(self.room, (self.count - self.start) * self.size)

    @property
    def step(self) -> int:
        """Every so manieth cell is read: more than one where a pixel has several; whole blocks then."""
        step = max(1, ceil(1 / self.size - 1e-9))
        return step if step == 1 else ceil(step / self.block) * self.block

    def wanted(self) -> range:
        """The cells to read."""
        step = self.step
        first = int(self.start) // step * step
        last = min(self.count, ceil(self.start + self.room / self.size))
        return range(first, max(first, last), step)

    def place(self, cell: float) -> float:
        """The pixel at which a cell begins."""
        return (cell - self.start) * self.size

    def cell(self, pixel: float) -> int:
        """The cell at a pixel; -1 beside all."""
        found = int(self.start + pixel / self.size) if pixel >= 0 else -1
        return found if found < self.count else -1

    def ticks(self, apart: float) -> range:
        """Cells to name, at least so many pixels apart: steps of 1, 2, 5, 10 and so on, of whole blocks."""
        least, step = apart / self.size / self.block, 1
        while step < least:
            step = step * 5 // 2 if str(step)[0] == "2" else step * 2
        step *= self.block
        first = ceil(self.start / step) * step
        return range(first, min(self.count, ceil(self.start + self.room / self.size)), step)
