"""Which opcodes can lead to a tensor, so that whole containers of plain numbers and texts are stepped over.

A tensor is made by a call or a persistent id. A container is worth a look when one of these, or a reference
to a value that may hold one, lies among the opcodes that filled it. Walks that look for less say for what.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.objects.content import Form, Section
from viewer.core.objects.runs import Run
from viewer.core.pickles.opcodes import code
from viewer.core.pickles.values import KIND_OF, LAST_ATOM, Kind, Values

_LEADS: Final = np.isin(KIND_OF, [Kind.CALL, Kind.PERSISTENT, Kind.EXTENSION, Kind.BUFFER])
_LEADS[code("DUP")] = True
_LEAF: Final = ((KIND_OF != Kind.UNKNOWN) & (KIND_OF <= LAST_ATOM)) | (KIND_OF == Kind.GLOBAL)
_DUP: Final = _LEADS & (KIND_OF == Kind.UNKNOWN)
_BLOCK: Final = 1 << 18
_FEW: Final = 48

Rows = npt.NDArray[np.int64]


class Interest:
    """Answers for one stream. `wanted`: the values that are looked for, in place of all that may be tensors.

    `none`: there are none at all.
    """

    def __init__(self, values: Values, wanted: Rows | None = None) -> None:
        self._values = values
        leads = (_LEADS if wanted is None else _DUP)[values.code.codes]
        if wanted is not None:
            leads[wanted] = True
        self.none = not (leads.any() if wanted is None else len(wanted))
        if not self.none:
            reads, stores = _references(values)
            leads[reads] = True
            leads[stores] = True
        self._counts = np.zeros(len(leads) + 1, dtype=np.int32)
        # In blocks, because other threads cannot run during one sum.
        for first in range(0, len(leads) if not self.none else 0, _BLOCK):
            stop = min(first + _BLOCK, len(leads))
            np.cumsum(leads[first:stop], out=self._counts[first + 1 : stop + 1])
            self._counts[first + 1 : stop + 1] += self._counts[first]
        self._view = self._counts.data

    def between(self, first: int, stop: int) -> int:
        """Leading opcodes among first..stop-1."""
        count: int = self._view[stop] - self._view[max(first, 0)]
        return count

    def inside(self, value: int) -> bool:
        """True when something leads on among the opcodes that built a container, itself apart."""
        values = self._values
        if not values.code.complete:
            return True
        changes = values.changes(value)
        last = changes[-1] if changes else value
        return self.between(values.first(value), last + 1) > self.between(value, value + 1)

    def touches(self, run: Run) -> bool:
        """False when nothing in a run leads on."""
        if not run.marked:
            return run.size > 0
        return self.between(self._values.slots(run.opcode, run.first - 1, run.first - 1)[0], run.opcode) > 0

    def entries(self, run: Run) -> list[int]:
        """Places in a run whose values may lead to a tensor, in order."""
        if not self.touches(run):
            return []
        values = self._values
        writers = np.array(values.slots(run.opcode, run.first, run.first + run.size - 1), dtype=np.int64)
        # A value's own opcodes lie behind the writer before it, what was added to it before the writer after it.
        low = np.concatenate((writers[:1] * 0, writers[:-1] + 1))
        low[0] = max(values.writer(run.opcode, run.first - 1), 0)
        high = np.append(writers[1:], run.opcode)
        found: list[int] = np.flatnonzero(self._counts[high] > self._counts[low]).tolist()
        return found

    def leading(self, section: Section) -> list[tuple[int, int, int]]:
        """Number, key and value of the entries of a section that may lead to something.

        Entries that hide another of the same key stay as well, when the section is small or holds little else.
        """
        runs = section.slots.runs
        if section.count <= _FEW:
            if not any(self.touches(run) for run in runs):
                return []
            return [(number, key, value) for number, (key, value) in enumerate(section.read(0, section.count))]
        found: list[tuple[int, int, int]] = []
        for run, start in zip(runs, section.slots.starts, strict=True):
            found += self._leading_of(section, run, start)
        if not found or section.form is not Form.PAIR or section.count > 4 * len(found):
            return found
        return [(number, key, value) for number, (key, value) in enumerate(section.read(0, section.count))]

    def _leading_of(self, section: Section, run: Run, start: int) -> list[tuple[int, int, int]]:
        places = self.entries(run)
        if not places:
            return []
        width = 2 if section.form is Form.PAIR else 1
        wanted = sorted({(start + place) // width for place in places} - {section.count})
        if not wanted:
            return []
        first, last = wanted[0], wanted[-1] + 1
        if last - first > 4 * len(wanted) + _FEW:
            return [(number, *section.read(number, number + 1)[0]) for number in wanted]
        entries = section.read(first, last)
        return [(number, *entries[number - first]) for number in wanted]


def _references(values: Values) -> tuple[Rows, Rows]:
    """Reads of the memo that may bring back a value that holds others, and the opcodes that stored those."""
    memo = values.code.memo
    stores = memo.stores
    # Stores of a leaf right behind it, as every pickler writes them.
    kept = (stores > 0) & ~_LEAF[values.code.codes[np.maximum(stores - 1, 0)]]
    return memo.gets[kept], stores[kept]
