"""Where each name of a pickle is used: named, called, its result called, or changed. Found in columns, all at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.objects.instances import callees, grouped
from viewer.core.objects.names import module_class
from viewer.core.pickles.memo import PUTS
from viewer.core.pickles.opcodes import code, codes
from viewer.core.pickles.references import followed
from viewer.core.pickles.values import KIND_OF, Kind, Values
from viewer.core.progress import Progress
from viewer.core.safety.imports import Key
from viewer.core.span import Span

Rows = npt.NDArray[np.int64]

DUP: Final = code("DUP")
INST: Final = code("INST")
_REPLACING: Final = sorted(codes("REDUCE NEWOBJ NEWOBJ_EX"))
_CHANGERS: Final = sorted(codes("BUILD SETITEM SETITEMS APPEND APPENDS ADDITEMS"))
_DROPPERS: Final = codes("POP POP_MARK")


class UseKind(StrEnum):
    """NAMED: by the opcode that asks for it. AGAIN: taken from the memo or doubled, and not to call or change it.

    RESULT_CALLED: what a call of it gave is called. CHANGED: BUILD, SETITEM and the like are done to it itself.
    """

    NAMED = "named"
    AGAIN = "named again"
    CALLED = "called"
    RESULT_CALLED = "result called"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Use:
    """One use. `opcode`: the one that does it, in the pickle of that number. `span`: in that pickle's source.

    `dropped`: of a call, whether its result is thrown away; None for all else.
    """

    pickle: int
    opcode: int
    kind: UseKind
    span: Span
    dropped: bool | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Opcodes of one pickle that use a name in one way, in the order of the stream."""

    pickle: int
    kind: UseKind
    rows: Rows


def find_places(
    values: Values, number: int, named: list[tuple[int, Key]], progress: Progress | None = None
) -> Iterator[tuple[Key, Place]]:
    """The places of all names of a pickle; `named`: the opcodes that name something, and what.

    Raises CancelledError.
    """
    progress = progress or Progress()
    if named:
        yield from progress.each(_Survey(values, named, progress).places(number))


class _Survey:
    def __init__(self, values: Values, named: list[tuple[int, Key]], progress: Progress) -> None:
        self.values = values
        numbers: dict[Key, int] = {}
        self.rows: Rows = np.fromiter((row for row, _ in progress.each(named)), np.int64, len(named))
        known = (numbers.setdefault(key, len(numbers)) for _, key in progress.each(named))
        self.key_of: Rows = np.fromiter(known, np.int64, len(named))
        self.keys = list(numbers)

    def places(self, number: int) -> Iterator[tuple[Key, Place]]:
        values = self.values
        calls = np.array(values.calls(), dtype=np.int64)
        direct, through = self._called(calls)
        changes = np.flatnonzero(np.isin(values.code.codes, _CHANGERS))
        changers = values.writers(changes, values.code.depths[changes]) if len(changes) else changes
        changed = self._names(values.resolve_all(changers) if len(changes) else changes)
        fed = np.concatenate((self._caller_writers(calls), changers))
        reads, read_keys = self._reads(fed)
        found = (
            (UseKind.NAMED, self.rows, self.key_of),
            (UseKind.AGAIN, reads, read_keys),
            (UseKind.CALLED, calls, direct),
            (UseKind.RESULT_CALLED, calls, through),
            (UseKind.CHANGED, changes, changed),
        )
        for kind, rows, keys in found:
            for key, chosen in _split(rows, keys):
                yield self.keys[key], Place(number, kind, chosen)

    def _keys(self, values: Rows) -> Rows:
        """The number of the name that each of some values is; -1: none."""
        at = np.minimum(np.searchsorted(self.rows, values), len(self.rows) - 1)
        return np.where(self.rows[at] == values, self.key_of[at], -1)

    def _names(self, values: Rows) -> Rows:
        """As `_keys`, without the objects that INST makes."""
        keys = self._keys(values)
        keys[self.values.code.codes[values] == INST] = -1
        return keys

    def _called(self, calls: Rows) -> tuple[Rows, Rows]:
        """For each call: the name that it calls, and the name whose call gave what it calls; -1: none."""
        if not len(calls):
            return calls, calls
        values = self.values
        called = callees(values, calls)
        is_inst = values.code.codes[called] == INST
        # INST names a class and calls it at once: whoever calls its value calls an object of that class.
        is_result = (KIND_OF[values.code.codes[called]] == Kind.CALL) & ~(is_inst & (called == calls))
        direct = np.where(is_result, -1, self._keys(called))
        targets, which = grouped(called)
        classes = np.full(len(targets), -1, dtype=np.int64)
        for at in np.flatnonzero(KIND_OF[values.code.codes[targets]] == Kind.PERSISTENT).tolist():
            classes[at] = self._key(module_class(values, int(targets[at])))
        direct = np.maximum(direct, classes[which])
        first = followed(calls, called, is_result & ~is_inst)
        through = np.where(is_result, self._keys(first), -1)
        return direct, through

    def _key(self, value: int) -> int:
        return int(self._keys(np.array([value], dtype=np.int64))[0])

    def _caller_writers(self, calls: Rows) -> Rows:
        """The opcodes that put what calls take as their callable."""
        values = self.values
        plain = calls[np.isin(values.code.codes[calls], _REPLACING)]
        return values.writers(plain, values.code.depths[plain]) if len(plain) else plain

    def _reads(self, fed: Rows) -> tuple[Rows, Rows]:
        """Reads of names from the memo, and DUPs of them, that feed no call and no change."""
        code = self.values.code
        dups = np.flatnonzero(code.codes == DUP)
        reads = np.sort(np.concatenate((np.asarray(code.memo.gets), dups)))
        keys = self._names(self.values.resolve_all(reads)) if len(reads) else reads
        kept = (keys >= 0) & ~np.isin(reads, fed) if len(reads) else keys == keys
        return reads[kept], keys[kept]


def _split(rows: Rows, keys: Rows) -> Iterator[tuple[int, Rows]]:
    """The rows of each key that is not -1."""
    known = keys >= 0
    rows, keys = rows[known], keys[known]
    order = np.argsort(keys, kind="stable")
    rows, keys = rows[order], keys[order]
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])) if len(keys) else keys
    for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), len(keys)], strict=True) if len(keys) else ():
        yield int(keys[start]), rows[start:stop]


def is_dropped(values: Values, call: int) -> bool:
    """Whether what a call gives is thrown away: by POP, POP_MARK, or left on the stack under the result."""
    code = values.code
    if call + 1 < len(code) and int(code.codes[call + 1]) in PUTS and bool((code.memo.stores == call + 1).any()):
        return False
    slot = int(code.depths[call])
    end = values.lows.first(call, slot)
    if end == len(code):
        return code.complete and values.writer(end, slot) == call
    return int(code.codes[end]) in _DROPPERS and values.writer(end, slot) == call
