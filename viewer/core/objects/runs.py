"""Where the content of a value lies: runs of neighbouring slots, read when asked for.

In a broken stream the values that were to go into a container still stand on the stack; they count as its
content, so that what was decoded before the break has its place.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from viewer.core.objects.names import MAPPING_CALLS, called
from viewer.core.pickles.opcodes import OPCODES, code, codes
from viewer.core.pickles.values import Kind, Values

APPENDERS: Final = codes("APPEND APPENDS ADDITEMS")
SETTERS: Final = codes("SETITEM SETITEMS")
DICT: Final = code("DICT")
_MARKED: Final = codes("APPENDS ADDITEMS SETITEMS")
_MARK: Final = code("MARK")


class Run(NamedTuple):
    """Neighbouring slots that one opcode takes. `marked`: a mark stands in the slot under the first."""

    opcode: int
    first: int
    size: int
    marked: bool


@dataclass(slots=True)
class Slots:
    """Slots of several opcodes as one sequence of values; `count` of them."""

    values: Values
    runs: list[Run]
    starts: list[int] = field(init=False)
    count: int = field(init=False)

    def __post_init__(self) -> None:
        self.starts, self.count = [], 0
        for run in self.runs:
            self.starts.append(self.count)
            self.count += run.size

    def read(self, first: int, stop: int) -> list[int]:
        """The values first..stop-1."""
        found: list[int] = []
        row = max(0, bisect_right(self.starts, first) - 1)
        while row < len(self.runs) and self.starts[row] < stop:
            run, start = self.runs[row], self.starts[row]
            low, high = max(first - start, 0), min(stop - start, run.size)
            if low < high:
                found += read_run(self.values, run, low, high)
            row += 1
        return found


def read_run(values: Values, run: Run, first: int, stop: int) -> list[int]:
    """Some values of a run, by their place in it."""
    return values.taken(run.opcode, run.first + first, run.first + stop - 1)


def change_run(values: Values, change: int) -> Run:
    """The slots that APPEND, APPENDS, ADDITEMS, SETITEM, SETITEMS or BUILD takes."""
    code = values.code
    marked = int(code.codes[change]) in _MARKED
    first = int(code.depths[change]) + 1 + marked
    return Run(change, first, code.depth_before(change) - first + 1, marked)


def operand_run(values: Values, value: int) -> Run:
    """The slots that TUPLE, LIST, FROZENSET, DICT and their short forms take."""
    opcode = OPCODES[int(values.code.codes[value])]
    depth = int(values.code.depths[value])
    if opcode.closes:
        return Run(value, depth + 1, values.code.depth_before(value) - depth, True)
    return Run(value, depth, opcode.need, False)


def item_runs(values: Values, value: int) -> list[Run]:
    """Where the elements of a value lie: those that it was made of, those that were appended."""
    runs = []
    if values.kind(value) in (Kind.TUPLE, Kind.LIST, Kind.FROZENSET):
        runs.append(operand_run(values, value))
    runs += [change_run(values, change) for change in values.changes(value) if values.code.codes[change] in APPENDERS]
    runs += _pending(values, value, pairs=False)
    return [run for run in runs if run.size]


def pair_runs(values: Values, value: int) -> list[Run]:
    """Where the keys and values of a value lie."""
    runs = [operand_run(values, value)] if values.code.codes[value] == DICT else []
    runs += [change_run(values, change) for change in values.changes(value) if values.code.codes[change] in SETTERS]
    runs += _pending(values, value, pairs=True)
    return [run for run in runs if run.size]


# -- what a broken stream left on the stack ----------------------------------------------------------


@dataclass(slots=True)
class _Left:
    """By container: the slots above it up to the next mark. `states`: dicts that were to be the state of an object."""

    runs: dict[int, Run] = field(default_factory=dict)
    states: dict[int, Run] = field(default_factory=dict)


_left: Final[WeakKeyDictionary[Values, _Left]] = WeakKeyDictionary()


def pending_state(values: Values, value: int) -> list[Run]:
    """The slot of the dict that a broken stream was filling to be the state of an object."""
    run = None if values.code.complete else _left_on_stack(values).states.get(value)
    return [] if run is None else [run]


def _pending(values: Values, value: int, *, pairs: bool) -> list[Run]:
    """The slots that a broken stream would have put into a container."""
    run = None if values.code.complete else _left_on_stack(values).runs.get(value)
    if run is None or pairs is not _takes_pairs(values, value, run):
        return []
    return [run]


def _takes_pairs(values: Values, value: int, run: Run) -> bool:
    kind = values.kind(value)
    if kind is Kind.CALL and called(values, value) not in MAPPING_CALLS:
        return values.kind(read_run(values, run, 0, 1)[0]) in (Kind.TEXT, Kind.STRING)
    return kind in (Kind.DICT, Kind.CALL)


def _left_on_stack(values: Values) -> _Left:
    found = _left.get(values)
    if found is None:
        found = _left[values] = _Left()
        end = len(values.code)
        writers = values.stack(end - 1)
        marks = [slot for slot, writer in enumerate(writers, 1) if values.code.codes[writer] == _MARK]
        ends = [*marks, len(writers) + 1][1:]
        for mark, following in zip(marks, ends, strict=True):
            below = values.resolve(writers[mark - 2]) if mark >= 2 else -1
            if values.kind(below) not in (Kind.DICT, Kind.LIST, Kind.SET, Kind.CALL):
                continue
            if following - mark > 1:
                found.runs[below] = Run(end, mark + 1, following - mark - 1, True)
            holder = values.resolve(writers[mark - 3]) if mark >= 3 else -1
            if values.kind(below) is Kind.DICT and values.kind(holder) is Kind.CALL:
                found.states[holder] = Run(end, mark - 1, 1, False)
    return found
