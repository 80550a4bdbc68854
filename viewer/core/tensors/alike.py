"""Fields of many objects of one class at once: for pickles that hold hundreds of thousands of small records.

Objects are made by NEWOBJ or REDUCE and get a dict by BUILD; dicts are filled by SETITEM and SETITEMS, lists by APPEND
and APPENDS. All methods take and give numbers of values in arrays; -1 stands for no value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.among import among
from viewer.core.pickles.opcodes import code, codes
from viewer.core.pickles.references import distinct
from viewer.core.pickles.values import KIND_OF, Kind, Values
from viewer.core.tensors.rows import Flags, Numbers, Rows

T = TypeVar("T")
NEWOBJ, REDUCE, BUILD, TUPLE = code("NEWOBJ"), code("REDUCE"), code("BUILD"), code("TUPLE")
_CALLS: Final = (NEWOBJ, REDUCE)
_SETTERS: Final = tuple(codes("SETITEM SETITEMS"))
_APPENDERS: Final = tuple(codes("APPEND APPENDS"))
_MARKED: Final = tuple(codes("SETITEMS APPENDS"))
_SIZES: Final = np.full(256, -1, dtype=np.int64)
for _name, _size in (("EMPTY_TUPLE", 0), ("TUPLE1", 1), ("TUPLE2", 2), ("TUPLE3", 3)):
    _SIZES[code(_name)] = _size


LENGTHS: Final = 1
FEW: Final = 100_000
"""Elements of all lists together that are read: so often the opcodes of the stream, and some more."""


@dataclass(frozen=True, slots=True)
class Lists:
    """A list for each of some objects: those of object n are [starts[n], starts[n + 1]) of `flat`."""

    starts: Numbers
    flat: Numbers

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Numbers:
        """Length of each list."""
        return np.diff(self.starts)

    @property
    def owners(self) -> Numbers:
        """For each element the number of its list."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.lengths)

    def of(self, number: int) -> tuple[int, ...]:
        """One list."""
        return tuple(self.flat[int(self.starts[number]) : int(self.starts[number + 1])].tolist())


def lists_of(owners: Numbers, flat: Numbers, count: int) -> Lists:
    """The lists of `count` objects from pairs of an object's number, in ascending order, and an element."""
    starts = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(owners, minlength=count), out=starts[1:])
    return Lists(starts, flat)


class Alike:
    """Reads the values of one stream.

    Lists that many objects share are read for each of them, as long as all together are no longer than the stream:
    of those behind, nothing is read. `cut`: that came to pass.
    """

    def __init__(self, values: Values) -> None:
        self.values = values
        self.cut = False
        self._most = LENGTHS * len(values.code) + FEW
        self.rows = Rows(values)
        self._codes, self._depths = values.code.codes, values.code.depths
        self._changes: dict[tuple[int, ...], tuple[Numbers, Numbers]] = {}

    def callees(self, objects: Numbers) -> Numbers:
        """What NEWOBJ or REDUCE was given to call; -1 for other values."""
        found = np.full(len(objects), -1, dtype=np.int64)
        at = np.flatnonzero((objects >= 0) & among(self._codes[objects], _CALLS))
        found[at] = self._written(objects[at], self._depths[objects[at]])
        return found

    def arguments(self, objects: Numbers) -> Numbers:
        """The tuple of arguments of NEWOBJ or REDUCE; -1 for other values."""
        found = np.full(len(objects), -1, dtype=np.int64)
        at = np.flatnonzero((objects >= 0) & among(self._codes[objects], _CALLS))
        found[at] = self._written(objects[at], self._depths[objects[at]] + 1)
        return found

    def classes(self, objects: Numbers) -> list[str]:
        """The name of the class or function that made each object, without its module; "" where there is none."""
        return self.each(self.callees(objects), self._name)

    def builds(self, objects: Numbers) -> Numbers:
        """The last BUILD that gave each object a state; -1 where none did."""
        targets, rows = self._changes_by((BUILD,))
        at = np.searchsorted(targets, objects, side="right") - 1
        found = np.full(len(objects), -1, dtype=np.int64)
        known = np.flatnonzero((at >= 0) & (targets[at] == objects)) if len(targets) else at[:0]
        found[known] = rows[at[known]]
        return found

    def states(self, objects: Numbers) -> Numbers:
        """The last state that BUILD gave to each object."""
        found = self.builds(objects)
        known = np.flatnonzero(found >= 0)
        changes = found[known]
        found[known] = self._written(changes, self._depths[changes] + 1)
        return found

    def entries(self, dicts: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Of all entries of some dicts: the number of the dict, the key, the value; in the order of the stream."""
        lists = self._added(dicts, _SETTERS)
        owners = lists.owners
        even = np.flatnonzero((np.arange(len(lists.flat)) - lists.starts[owners]) % 2 == 0)
        even = even[even + 1 < len(lists.flat)]
        return owners[even], lists.flat[even], lists.flat[even + 1]

    def fields(self, dicts: Numbers, names: Sequence[str]) -> dict[str, Numbers]:
        """The value that each dict has under each of the names; -1 where it has none."""
        found = {name: np.full(len(dicts), -1, dtype=np.int64) for name in names}
        owners, keys, values = self.entries(dicts)
        once = distinct(keys)
        texts = self.rows.texts(once)
        for name, column in found.items():
            wanted = once[[text == name for text in texts]] if len(once) else once
            at = np.flatnonzero(np.isin(keys, wanted))
            column[owners[at]] = values[at]
        return found

    def items(self, sequences: Numbers) -> Lists:
        """The elements of tuples and lists; none of other values."""
        added = self._added(sequences, _APPENDERS)
        rows, firsts, counts = self._operands(sequences)
        owners, flat = self._flat(rows, firsts, counts, np.flatnonzero(counts >= 0))
        owners = np.concatenate((owners, added.owners))
        order = np.argsort(owners, kind="stable")
        return lists_of(owners[order], np.concatenate((flat, added.flat))[order], len(sequences))

    def integers(self, values: Numbers) -> tuple[Numbers, Flags]:
        """The ints of values, and which are ints at all."""
        numbers, valid = np.zeros(len(values), dtype=np.int64), np.zeros(len(values), dtype=np.bool_)
        at = np.flatnonzero(values >= 0)
        once = distinct(values[at])
        found, known = self.rows.integers(once)
        back = np.searchsorted(once, values[at])
        numbers[at], valid[at] = found[back], known[back]
        return numbers, valid

    def each(self, values: Numbers, read: Callable[[int], T]) -> list[T]:
        """What each value reads as; one that comes again is read once. -1 is read too."""
        once = {value: read(value) for value in distinct(values).tolist()}
        return [once[value] for value in values.tolist()]

    def texts(self, values: Numbers) -> list[str | None]:
        """The texts among values; None for all else."""
        once = distinct(values[values >= 0])
        found: dict[int, str | None] = dict(zip(once.tolist(), self.rows.texts(once), strict=True))
        found[-1] = None
        return [found[value] for value in values.tolist()]

    def kinds(self, values: Numbers) -> npt.NDArray[np.uint8]:
        """What the values are, as numbers of `Kind`; UNKNOWN for -1."""
        found = KIND_OF[self._codes[values]] if len(values) else np.zeros(0, dtype=np.uint8)
        return np.where(values >= 0, found, Kind.UNKNOWN).astype(np.uint8)

    # -- how -----------------------------------------------------------------------------------------------------

    def _name(self, value: int) -> str:
        name = self.values.global_name(value) if value >= 0 else None
        return name[1] if name is not None else ""

    def _written(self, before: Numbers, slots: Numbers | npt.NDArray[np.int32]) -> Numbers:
        """The values in slots of the stack before opcodes."""
        if not len(before):
            return np.zeros(0, dtype=np.int64)
        return self.values.resolve_all(self.values.writers(before, slots))

    def _changes_by(self, opcodes: tuple[int, ...]) -> tuple[Numbers, Numbers]:
        """The values that some kinds of opcodes change, sorted, and those opcodes beside them."""
        if opcodes not in self._changes:
            targets, rows = self.values.change_columns()
            chosen = among(self._codes[rows], opcodes) & (targets >= 0)
            self._changes[opcodes] = targets[chosen], rows[chosen]
        return self._changes[opcodes]

    def _added(self, objects: Numbers, opcodes: tuple[int, ...]) -> Lists:
        """What some kinds of opcodes added to each object."""
        targets, rows = self._changes_by(opcodes)
        first = np.searchsorted(targets, objects, side="left")
        counts = self._within(np.searchsorted(targets, objects, side="right") - first)
        owners = np.repeat(np.arange(len(objects), dtype=np.int64), counts)
        skipped = np.cumsum(counts) - counts
        changes = rows[first[owners] + np.arange(len(owners)) - skipped[owners]]
        depths = self._depths[changes].astype(np.int64)
        firsts = depths + 1 + among(self._codes[changes], _MARKED)
        lengths = self._depths[changes - 1] - firsts + 1
        at, flat = self._flat(changes, firsts, lengths, np.arange(len(changes)))
        return lists_of(owners[at], flat, len(objects))

    def _operands(self, sequences: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Of each tuple its opcode, the first slot of its elements and how many; -1 of other values."""
        rows = np.maximum(sequences, 0)
        which, depths = self._codes[rows], self._depths[rows].astype(np.int64)
        counts = _SIZES[which]
        is_long = which == TUPLE
        counts[is_long] = self._depths[rows[is_long] - 1] - depths[is_long]
        return rows, depths + is_long, np.where(sequences >= 0, counts, -1)

    def _within(self, lengths: Numbers) -> Numbers:
        """The lengths of lists, 0 for those that no stream of this length could hold one by one."""
        reached = np.cumsum(lengths)
        if not len(reached) or reached[-1] <= self._most:
            return lengths
        self.cut = True
        return np.where(reached <= self._most, lengths, 0)

    def _flat(self, rows: Numbers, firsts: Numbers, counts: Numbers, chosen: Numbers) -> tuple[Numbers, Numbers]:
        """The values in `counts` slots from `firsts` on before each chosen row, and for each the number of its row."""
        lengths = self._within(counts[chosen])
        owners = np.repeat(chosen, lengths)
        skipped = np.repeat(np.cumsum(lengths) - lengths, lengths)
        slots = firsts[owners] + np.arange(len(owners), dtype=np.int64) - skipped
        return owners, self._written(rows[owners], slots)
