"""The runs that the tensors of a document use and the storages that they stand in, by file, as columns."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.space.runs import Numbers, Runs, places
from viewer.core.span import Span
from viewer.core.tensors import window
from viewer.core.tensors.layout import is_row_major
from viewer.core.tensors.many import ManyTensors, Stored
from viewer.core.tensors.packed import per_byte
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor, inner_tensors

SPACE: Final = "space"
"""The step of progress."""
TURN: Final = 1024
NOWHERE: Final = -1
Form = tuple[str, str, str, tuple[int, ...], tuple[int, ...]]


@dataclass(slots=True, eq=False)
class Pile:
    """What one file holds. `storages`: (start, stop) -> key; `records`: deflated ones with the tensors in them.

    `stored`: tensors that each have a storage of their own; `pickles`: records that are pickles. `lost`: (start, stop)
    of what tensors declare beyond the bytes that are there.
    """

    starts: array[int] = field(default_factory=lambda: array("q"))
    stops: array[int] = field(default_factory=lambda: array("q"))
    owners: array[int] = field(default_factory=lambda: array("q"))
    storages: dict[tuple[int, int], str] = field(default_factory=dict)
    records: dict[str, list[int]] = field(default_factory=dict)
    pickles: set[str] = field(default_factory=set)
    lost: set[tuple[int, int]] = field(default_factory=set)
    stored: tuple[Numbers, Numbers, Numbers] | None = None

    def runs(self, size: int) -> Runs:
        """All runs, with the tensors that own them."""
        columns = tuple(np.frombuffer(one, dtype=np.int64) for one in (self.starts, self.stops, self.owners) if one)
        parts = [part for part in (columns, self.stored) if part]
        if not parts:
            return Runs.of((), (), (), size)
        starts, stops, owners = (np.concatenate([part[at] for part in parts]) for at in range(3))
        return Runs.of_columns(starts, stops, owners, size)

    def missing(self) -> int:
        """Bytes that are lost, each once."""
        found = reached = 0
        for start, stop in sorted(self.lost):
            found += max(0, stop - max(start, reached))
            reached = max(reached, stop)
        return found

    def kept(self, size: int) -> tuple[Runs, list[str]]:
        """The storages, with numbers of their keys; those behind the keys have none."""
        labels = list(self.storages.values())
        places = np.array(list(self.storages), dtype=np.int64).reshape(-1, 2)
        if self.stored is not None:
            places = np.concatenate((places, np.stack(self.stored[:2], axis=1)))
        return Runs.of_columns(places[:, 0], places[:, 1], np.arange(len(places)), size), labels


@dataclass(slots=True, eq=False)
class Piles:
    """The piles by file, "" = the document's own.

    `firsts`, `lasts`: the bytes that a tensor reaches over, `files`: number in `names`, by tensor; -1: in no file.
    `missing`: bytes that are declared and not there. `exact`: False where gaps in a tensor of very many runs were left
    out.
    """

    firsts: Numbers
    lasts: Numbers
    files: Numbers
    names: list[str] = field(default_factory=list)
    of: dict[str, Pile] = field(default_factory=dict)
    missing: int = 0
    exact: bool = True
    _forms: dict[Form, tuple[int, int]] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)
    _short: dict[int, Storage] = field(default_factory=dict)

    @classmethod
    def for_tensors(cls, count: int) -> Piles:
        """Empty ones."""
        nowhere = np.full(count, NOWHERE, dtype=np.int64)
        return cls(nowhere, nowhere.copy(), nowhere.copy())

    def pile(self, member: str) -> Pile:
        """That of a file."""
        if member not in self._numbers:
            self._numbers[member] = len(self.names)
            self.names.append(member)
            self.of[member] = Pile()
        return self.of[member]

    def reaches(self, number: int, member: str, start: int, stop: int) -> None:
        """A tensor reaches over these bytes of a file; only the first that it reaches over are told."""
        if self.firsts[number] == NOWHERE:
            self.firsts[number], self.lasts[number], self.files[number] = start, stop, self._numbers[member]

    def span(self, number: int) -> Span | None:
        """The bytes that a tensor reaches over."""
        start = int(self.firsts[number])
        return Span(start, int(self.lasts[number])) if start >= 0 else None

    def member(self, number: int) -> str:
        """The file that they are in."""
        at = int(self.files[number])
        return self.names[at] if at >= 0 else ""

    def add(self, tensor: Tensor, number: int) -> None:
        """The bytes of one tensor."""
        storage = tensor.storage
        if storage is None:
            return
        pile = self.pile(tensor.member)
        if storage.span is None:
            if storage.record:
                pile.records.setdefault(storage.record, []).append(number)
            if storage.nbytes > storage.reach and id(storage) not in self._short:
                self._short[id(storage)] = storage
                self.missing += storage.nbytes - storage.reach
            return
        base, reach = storage.span.start, storage.span.start + storage.reach
        pile.storages.setdefault((base, max(base, reach)), str(storage.key))
        size, length = self._straight(tensor)
        if size and tensor.storage_offset >= 0:
            starts = [base + tensor.storage_offset * size] if length else []
        else:
            used = places(tensor)
            starts, length = [start + base for start in used.starts], used.length
            self.exact = self.exact and used.exact
        if not starts:
            return
        stop = starts[-1] + length
        self.reaches(number, tensor.member, starts[0], stop)
        if stop > max(starts[0], reach):
            pile.lost.add((max(starts[0], reach), stop))
        pile.starts.extend(starts)
        pile.stops.extend(min(start + length, reach) for start in starts)
        pile.owners.extend([number] * len(starts))

    def _straight(self, tensor: Tensor) -> tuple[int, int]:
        """Bytes of an element and of all, where they lie in one run; (0, 0): that has to be worked out."""
        form = (tensor.kind, tensor.dtype, tensor.numpy_dtype, tensor.shape, tensor.stride)
        found = self._forms.get(form)
        if found is None:
            is_plain = is_row_major(tensor.shape, tensor.stride) and per_byte(tensor) == 1
            size = window.itemsize(tensor) if is_plain else 0
            found = self._forms[form] = (size, size * tensor.elements)
        return found

    def add_stored(self, stored: Stored) -> None:
        """Very many tensors that are whole and share nothing."""
        order = np.argsort(stored.files, kind="stable")
        edges = np.flatnonzero(np.diff(stored.files[order])) + 1
        for rows in np.split(order, edges) if len(order) else ():
            member = stored.names[int(stored.files[rows[0]])]
            numbers, starts, stops = stored.numbers[rows], stored.starts[rows], stored.stops[rows]
            self.pile(member).stored = starts, stops, numbers
            self.firsts[numbers], self.lasts[numbers] = starts, stops
            self.files[numbers] = self._numbers[member]


def piles_of(document: Document, progress: Progress) -> Piles:
    """The piles of all tensors. Bare storages come last: they own what no tensor uses. Raises CancelledError."""
    tensors = document.tensors
    found = Piles.for_tensors(len(tensors))
    stored = tensors.stored() if isinstance(tensors, ManyTensors) else None
    numbers = range(len(tensors))
    if stored is not None:
        found.add_stored(stored)
        numbers = np.setdiff1d(np.arange(len(tensors)), stored.numbers, assume_unique=True).tolist()
    bare: list[Tensor] = []
    for at, number in enumerate(numbers):
        if at % TURN == 0:
            progress.step(SPACE, at, len(numbers))
        tensor = tensors[number]
        if tensor.kind == "storage":
            bare.append(tensor)
            continue
        found.add(tensor, number)
        for part in inner_tensors(tensor) if tensor.parts else ():
            found.add(part, number)
    for tensor in bare:
        found.add(tensor, tensor.index)
    found.missing += sum(pile.missing() for pile in found.of.values())
    return found
