"""A whole comparison: first what names, shapes and types tell, at once; then the elements, pair by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from viewer.core.comparing.classes import SourceRow, compare_sources
from viewer.core.comparing.elements import compare_elements, compared_bytes
from viewer.core.comparing.loading import load_words
from viewer.core.comparing.meter import Meter
from viewer.core.comparing.names import By, Entries, Pair, Rules, Suggestion, changed, matched, met_places, suggestion
from viewer.core.comparing.outcome import Differences, Outcome, Refused
from viewer.core.comparing.plain import EQUAL, UNKNOWN, ValueRow, compare_values
from viewer.core.comparing.sides import Side, is_lost
from viewer.core.comparing.small import MOST, Small, compare_small, small
from viewer.core.objects.renaming import renamed_modules
from viewer.core.progress import Progress
from viewer.core.source import printable
from viewer.core.tensors.many import identity
from viewer.core.tensors.tensor import Tensor

AS_THEY_ARE: Final = Rules()


class Status(StrEnum):
    """What is known of a pair. MISSING: only in the second, which stands for the model; UNEXPECTED: only in the first.

    DTYPE: same shape, other type, whatever the elements are. UNKNOWN: the elements could not be compared; PENDING: they
    were not compared yet.
    """

    SHAPE = "shape"
    MISSING = "missing"
    UNEXPECTED = "unexpected"
    UNKNOWN = "unknown"
    DTYPE = "dtype"
    CHANGED = "changed"
    EQUAL = "equal"
    PENDING = "pending"


@dataclass(slots=True)
class Row:
    """One pair of tensors. `outcome`: of their elements, None where there is nothing to compare, or not yet."""

    pair: Pair
    status: Status
    outcome: Outcome | None = None

    @property
    def differences(self) -> Differences | None:
        """What is known of the elements."""
        return self.outcome if isinstance(self.outcome, Differences) else None


@dataclass(slots=True)
class Comparison:
    """Two sides and all that was found. `suggestion`: what would make more names meet.

    `left_out`: tensors of both files that stand in no branch that is compared; those of one file count once.
    """

    a: Side
    b: Side
    rules: Rules
    rows: list[Row]
    values: list[ValueRow] = field(default_factory=list)
    sources: list[SourceRow] = field(default_factory=list)
    suggestion: Suggestion | None = None
    left_out: int = field(init=False)
    _tally: Counter[Status] = field(init=False)

    def __post_init__(self) -> None:
        # Both are asked for again and again while elements are read.
        self._tally = Counter(row.status for row in self.rows)
        taken = {id(tensor) for side in (self.a, self.b) for _, tensor in side.every}
        self.left_out = len({id(tensor) for side in (self.a, self.b) for _, tensor in side.beside} - taken)

    def settle(self, row: Row, outcome: Outcome) -> None:
        """The elements of a pair were compared."""
        self._tally[row.status] -= 1
        row.outcome = outcome
        row.status = _settled(row.status, outcome)
        self._tally[row.status] += 1

    @property
    def counts(self) -> dict[str, int]:
        """Pairs of each status, 0 where there are none."""
        return {status.value: self._tally[status] for status in Status}

    @property
    def values_differ(self) -> int:
        """Plain values that are not the same."""
        return sum(row.status not in (EQUAL, UNKNOWN) for row in self.values)

    @property
    def values_unknown(self) -> int:
        """Plain values that could not be read."""
        return sum(row.status == UNKNOWN for row in self.values)

    @property
    def sources_differ(self) -> int:
        """Classes whose text is not the same."""
        return sum(row.status != EQUAL for row in self.sources)

    @property
    def equal(self) -> bool:
        """True where all was compared and nothing differs."""
        is_same = self._tally[Status.EQUAL] == len(self.rows)
        return is_same and not self.values_differ and not self.values_unknown and not self.sources_differ

    @property
    def verdict(self) -> str:
        """In one word: equal, differ; unknown: all that could be compared is equal; alike: and some were not read."""
        if self.equal:
            return "equal"
        tally = self._tally
        is_same = tally[Status.EQUAL] + tally[Status.UNKNOWN] + tally[Status.PENDING] == len(self.rows)
        if not is_same or self.values_differ or self.sources_differ:
            return "differ"
        return "unknown" if tally[Status.UNKNOWN] or self.values_unknown else "alike"

    def load_words(self) -> str:
        """What torch would say if the first were loaded into the model of the second; "" where all keys match.

        Names that meet otherwise than by being equal are taken to be those of the second.
        """
        entries = [_renamed(side, self.rules, name) for side, name in ((self.a, "A"), (self.b, "B"))]
        if self.rules.by is not By.NAME:
            entries[0] = _met(entries[0], entries[1], self.rules.by)
        stated, modules = _versions(self.a, self.rules, "A"), _versions(self.b, self.rules, "B")
        return load_words(entries[0], entries[1], self.b.owner, stated, modules)


def _renamed(side: Side, rules: Rules, name: str) -> list[tuple[str, Tensor]]:
    """The entries of a side under its rules."""
    return list(zip(changed(side.entries, rules.of(name)), (tensor for _, tensor in side.entries), strict=True))


def _met(first: Entries, second: Entries, by: By) -> list[tuple[str, Tensor]]:
    """The entries of the first under the names of those of the second that they meet."""
    places = met_places([name for name, _ in first], [name for name, _ in second], by)
    names = {at: second[of][0] for of, at in places}
    taken = set(names.values())
    found = []
    for at, (name, tensor) in enumerate(first):
        # One that meets none may have the name of one that another meets.
        met = names.get(at) or (f"{name}#" if name in taken else name)
        found.append((met, tensor))
    return found


def _versions(side: Side, rules: Rules, name: str) -> dict[str, dict[str, int]]:
    """What is known of the modules of a side, under its rules."""
    stated, asked = side.metadata or {}, rules.of(name)
    if not stated or not asked:
        return stated
    rule = asked.compiled()
    paths = renamed_modules(stated, {entry: rule(entry) for entry, _ in side.entries}, rule)
    return {paths[path]: facts for path, facts in stated.items() if path in paths}


def lay_out(first: Side, second: Side, rules: Rules = AS_THEY_ARE, progress: Progress | None = None) -> Comparison:
    """Names, shapes, types, plain values and sources; no element is read. Raises ExportError and CancelledError."""
    progress = progress or Progress()
    rows = [Row(pair, _status(pair), _lost(pair)) for pair in progress.each(matched(first.every, second.every, rules))]
    made = Comparison(first, second, rules, rows)
    made.values = compare_values(first, second, progress)
    if first.document is not second.document:
        made.sources = compare_sources(first.document, second.document, progress)
    made.suggestion = suggestion(first.entries, second.entries, rules)
    return made


def _status(pair: Pair) -> Status:
    if pair.a is None or pair.b is None:
        return Status.MISSING if pair.a is None else Status.UNEXPECTED
    if is_lost(pair.a) or is_lost(pair.b):
        return Status.UNKNOWN
    if pair.a.shape != pair.b.shape:
        return Status.SHAPE
    return Status.DTYPE if pair.a.dtype != pair.b.dtype else Status.PENDING


def _lost(pair: Pair) -> Refused | None:
    """Why elements cannot be compared of which a file is not there."""
    for side, tensor in (("A", pair.a), ("B", pair.b)):
        if pair.a is not None and pair.b is not None and tensor is not None and is_lost(tensor):
            return Refused("lost", {"side": side, "file": printable(tensor.member)})
    return None


def fill_in(comparison: Comparison, progress: Progress | None = None) -> Iterator[int]:
    """Compare the elements of one pair after the other; gives the row of each. Raises CancelledError."""
    progress = progress or Progress()
    waiting = list(_waiting(comparison.rows))
    # Tied tensors are one pair of storages under several names, which is read once.
    large = {one.key: one.size for one in waiting if one.small is None}
    meter = Meter(progress, sum(large.values()) + sum(one.size for one in waiting if one.small is not None))
    known: dict[tuple[object, object], Outcome] = {}
    for group in _groups(waiting):
        lot = [one.small for one in group if one.small is not None]
        outcomes: Iterator[Outcome | None] = iter(compare_small(lot))
        for one in group:
            outcome = next(outcomes) if one.small is not None else known.get(one.key)
            if outcome is not None and one.small is not None:
                meter.add(one.size)
            if outcome is None:
                outcome = compare_elements(one.first, one.second, meter)
            if one.small is None:
                known[one.key] = outcome
            progress.check()
            comparison.settle(comparison.rows[one.at], outcome)
            yield one.at


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A row whose elements are to be compared. `size`: bytes that this reads. `small`: where it goes with others."""

    at: int
    first: Tensor
    second: Tensor
    size: int
    small: Small | None

    @property
    def key(self) -> tuple[object, object]:
        """What tied tensors, which are one pair of storages under several names, have in common."""
        return _taken_as(self.first), _taken_as(self.second)


def _taken_as(tensor: Tensor) -> tuple[object, ...]:
    """Where the elements stand, and what makes other numbers of the same bytes."""
    return (*identity(tensor), tensor.dtype, tensor.conj, tensor.neg)


def _waiting(rows: Sequence[Row]) -> Iterator[_Waiting]:
    for at, row in enumerate(rows):
        first, second = row.pair.a, row.pair.b
        if row.status in (Status.PENDING, Status.DTYPE) and first is not None and second is not None:
            pair = small(first, second)
            size = pair.a.length + pair.b.length if pair is not None else compared_bytes(first, second)
            yield _Waiting(at, first, second, size, pair)


def _groups(waiting: Sequence[_Waiting]) -> Iterator[list[_Waiting]]:
    """Small ones that follow one another together, every other one by itself."""
    group: list[_Waiting] = []
    for one in waiting:
        if one.small is None or len(group) == MOST:
            yield group
            group = []
        if one.small is None:
            yield [one]
        else:
            group.append(one)
    yield group


def _settled(status: Status, outcome: Outcome) -> Status:
    if isinstance(outcome, Refused):
        return Status.UNKNOWN if status is Status.PENDING else status
    if status is Status.DTYPE:
        return status
    return Status.CHANGED if outcome.differing else Status.EQUAL


def compare(first: Side, second: Side, rules: Rules = AS_THEY_ARE, progress: Progress | None = None) -> Comparison:
    """All of it. Raises ExportError and CancelledError."""
    made = lay_out(first, second, rules, progress)
    for _ in fill_in(made, progress):
        pass
    return made
