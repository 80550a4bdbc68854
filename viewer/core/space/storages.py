"""How each storage is used: columns over all of them, told one by one when they are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, overload

import numpy as np
from typing_extensions import override

from viewer.core.space.runs import Numbers, Runs
from viewer.core.span import Span

NAMED: Final = 4
"""Tensors on a storage that are told."""
LOOKED_AT: Final = 64


@dataclass(frozen=True, slots=True)
class StorageUse:
    """A stored run that tensors stand in. `nbytes` = `used` + `wasted`; `shared` of `used`, each byte once.

    `label`: its key or record, "" where it is called as the tensor in it. `tensors`: the numbers of those on it, the
    first of them; `count`: of all.
    """

    label: str
    nbytes: int
    used: int
    shared: int
    span: Span
    member: str
    tensors: tuple[int, ...]
    count: int

    @property
    def wasted(self) -> int:
        """Bytes that no tensor uses."""
        return self.nbytes - self.used


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The storages of one file, and the runs of all tensors in it."""

    member: str
    labels: list[str]
    storages: Runs
    every: Runs
    used: Numbers
    shared: Numbers

    def use(self, row: int) -> StorageUse:
        """One of them."""
        start, stop = int(self.storages.starts[row]), int(self.storages.stops[row])
        first, last = np.searchsorted(self.every.starts, (start, stop), side="left")
        owners = self.every.owners[first:last]
        distinct = list(dict.fromkeys(owners[:LOOKED_AT].tolist()))
        count = len(distinct) if len(owners) <= len(distinct) else len(np.unique(owners))
        key = int(self.storages.owners[row])
        label = self.labels[key] if key < len(self.labels) else ""
        spent = int(self.used[row]), int(self.shared[row])
        return StorageUse(label, stop - start, *spent, Span(start, stop), self.member, tuple(distinct[:NAMED]), count)


class Storages(Sequence[StorageUse]):
    """All storages that tensors use, the largest first."""

    def __init__(self) -> None:
        self._parts: list[_Part] = []
        self._records: list[StorageUse] = []

    def add(self, member: str, labels: list[str], storages: Runs, every: Runs, used: Runs, shared: Runs) -> None:
        """Those of a file."""
        spent, twice = (runs.covered(storages.starts, storages.stops) for runs in (used, shared))
        self._parts.append(_Part(member, labels, storages, every, spent, twice))

    def add_record(self, record: StorageUse) -> None:
        """A deflated record."""
        self._records.append(record)

    @cached_property
    def sizes(self) -> Numbers:
        """Bytes of each, falling."""
        return self._sizes[self._order]

    @cached_property
    def _sizes(self) -> Numbers:
        records = np.array([record.nbytes for record in self._records], dtype=np.int64)
        return np.concatenate((records, *(part.storages.lengths() for part in self._parts)))

    @cached_property
    def _order(self) -> Numbers:
        return np.argsort(-self._sizes, kind="stable")

    @cached_property
    def _edges(self) -> Numbers:
        lengths = [len(self._records), *(len(part.storages.starts) for part in self._parts)]
        return np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths)))

    @override
    def __len__(self) -> int:
        return len(self._sizes)

    @overload
    def __getitem__(self, index: int) -> StorageUse: ...
    @overload
    def __getitem__(self, index: slice) -> list[StorageUse]: ...
    @override
    def __getitem__(self, index: int | slice) -> StorageUse | list[StorageUse]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        place = int(self._order[index])
        part = int(np.searchsorted(self._edges, place, side="right")) - 1
        row = place - int(self._edges[part])
        return self._parts[part - 1].use(row) if part else self._records[row]

    def holding(self, span: Span, member: str) -> int:
        """The place of the storage that these bytes of a file stand in; -1: they stand in none."""
        for at, part in enumerate(self._parts, 1):
            row = int(np.searchsorted(part.storages.starts, span.start, side="right")) - 1
            if part.member == member and row >= 0 and span.start < part.storages.stops[row]:
                return int(np.flatnonzero(self._order == self._edges[at] + row)[0])
        records = (at for at, one in enumerate(self._records) if (one.span, one.member) == (span, member))
        place = next(records, -1)
        return int(np.flatnonzero(self._order == place)[0]) if place >= 0 else -1
