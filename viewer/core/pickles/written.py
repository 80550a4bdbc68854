"""Which opcode last wrote a slot of the stack: what tells what every opcode takes."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.depths import SLOT, WRITES, by_slot, narrowed

MANY: Final = 64
NEAR: Final = 2

Rows = npt.NDArray[np.int64]
Slots = npt.NDArray[np.int32] | npt.NDArray[np.int64]


class Written:
    """Answers for one stream, from its columns. The writers are sorted when they are first asked for."""

    def __init__(self, codes: npt.NDArray[np.uint8], depths: npt.NDArray[np.int32]) -> None:
        self._codes, self._depths = codes, depths
        self._rows: Rows = np.zeros(0, dtype=np.int64)
        self._view: memoryview | None = None

    def by(self, before: int, slot: int) -> int:
        """The opcode before `before` that last wrote a slot of the stack; -1: none."""
        view = self._view if self._view is not None else self._sort()
        row = bisect_left(view, slot * SLOT + before) - 1
        if row < 0:
            return -1
        found: int = view[row]
        return found % SLOT if found // SLOT == slot else -1

    def all_by(self, before: Rows | int, slots: Slots) -> Rows:
        """As `by`, for many places at once; every slot must have been written."""
        if isinstance(before, int) or len(before) < MANY:
            return self._sought(before, slots)
        found = before - 1
        left = np.arange(len(before))
        sample = np.linspace(0, len(before) - 1, MANY).astype(np.int64)
        for _ in range(NEAR):
            # Mostly it is the opcode just before, or the one before that, where it was stored in the memo.
            if 2 * len(self._strange(found[sample], slots[sample])) > len(sample):
                break
            left = left[self._strange(found[left], slots[left])]
            found[left] -= 1
        if len(left):
            # Looked for in the order in which writers are sorted, neighbours are found near one another.
            left = left[np.argsort(narrowed(slots[left]), kind="stable")]
            found[left] = self._sought(before[left], slots[left])
        return found

    def _strange(self, rows: Rows, slots: Slots) -> Rows:
        """Which of some opcodes did not write the slot beside them; a row may be -1."""
        wrote = self._depths[rows] == slots
        near = rows[wrote]
        wrote[wrote] = WRITES[self._codes[near]] & (near >= 0)
        return np.flatnonzero(~wrote)

    def _sought(self, before: Rows | int, slots: Slots) -> Rows:
        if self._view is None:
            self._sort()
        wanted = slots.astype(np.int64) * SLOT + before
        found: Rows = self._rows[np.searchsorted(self._rows, wanted) - 1] & (SLOT - 1)
        return found

    def _sort(self) -> memoryview:
        self._rows = by_slot(self._depths, np.flatnonzero(WRITES[self._codes]))
        self._view = self._rows.data
        return self._view
