"""The values of a stream as they are before one of its opcodes: what is done to them later does not count yet."""

from __future__ import annotations

import copy
from bisect import bisect_left
from typing import Final

from typing_extensions import override

from viewer.core.pickles.values import Values

MOST_CHANGES: Final = 64
"""Changes of one value that are looked at one by one."""


class Earlier(Values):
    """A view of `values` that shares its tables. `before`: the number of the opcode that is yet to be done.

    Of a value with more than MOST_CHANGES changes the first are given, and `cut` becomes true: whoever describes
    such a value has to count instead, so that no work grows with the stream.
    """

    def __init__(self, values: Values, before: int) -> None:
        super().__init__(values.code)
        _make_tables(values)
        vars(self).update(vars(values))
        self.before = before
        self.cut = False
        # What a broken stream left on the stack is shown as such here, not as content that it never became.
        self.code = copy.copy(values.code)
        self.code.complete = True

    @override
    def changes(self, value: int) -> list[int]:
        is_changed, targets, rows = self._changes or self._collect_changes()
        if not is_changed[value]:
            return []
        first = bisect_left(targets, value)
        stop = bisect_left(rows, self.before, first, bisect_left(targets, value + 1, first))
        if stop - first > MOST_CHANGES:
            self.cut = True
            stop = first + MOST_CHANGES
        found: list[int] = rows[first:stop].tolist()
        return found


def _make_tables(values: Values) -> None:
    """Ask for what makes the tables, so that they are made once, in `values`, and not anew in each view of it."""
    if not len(values.code):
        return
    values.writer(0, 0)
    values.changes(0)
    for first in values.code.memo.gets[:1].tolist():
        values.resolve(first)
