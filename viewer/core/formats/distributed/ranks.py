"""The metadata that each rank wrote for itself, as one: torch.distributed.checkpoint saved without collectives.

    __0.metadata    the tensors of rank 0, of those that are divided its own chunks only
    __1.metadata    the same of rank 1

On each rank torch reads the file of that rank. Together they are the whole: chunks of one tensor are put together, and
what several ranks saved whole with the same elements is kept once. Where its elements differ, as of random states, each
rank's is kept under a name of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
from typing_extensions import override

from viewer.core.formats.distributed.metadata import NOWHERE, Columns, Items, Metadata, Tensors
from viewer.core.progress import Progress
from viewer.core.tensors.alike import Lists
from viewer.core.tensors.layout import Shape
from viewer.core.tensors.path import Path
from viewer.core.tensors.rows import Numbers

STEP: Final = 4096
Place = tuple[Shape, Shape]
"""Offsets and sizes of a chunk."""


class Copies(NamedTuple):
    """What is asked of items, by their rows. `is_there`: its file is; `alike`: two hold the same elements."""

    is_there: Callable[[int], bool]
    alike: Callable[[int, int], bool]


@dataclass(slots=True)
class _Tensor:
    """A tensor as one rank states it, and what other ranks add. `chunks`: the row of the item of each place."""

    rank: int
    dtype: str
    shape: Shape
    value: int
    end: int
    chunks: dict[Place, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Value:
    """A value that is no tensor, as one rank saved it. `row`: of its item, -1: none."""

    rank: int
    value: int
    row: int


class _Copy(NamedTuple):
    """A chunk that another item holds too."""

    name: str
    dtype: str
    sizes: Shape
    row: int


class Joined(Columns):
    """The columns of all ranks. `ranks`: their numbers and metadata; the first is shown, the others ascend."""

    def __init__(self, ranks: Sequence[tuple[int, Metadata]]) -> None:
        self.ranks = [metadata for _, metadata in ranks]
        self.values = self.ranks[0].values
        self.items = joined_items(self.ranks)
        self.refused = []
        self.copies: list[int] = []
        self._numbers = [number for number, _ in ranks]
        self._tensors: dict[str, list[_Tensor]] = {}
        self._values: dict[str, list[_Value]] = {}
        self._copies: list[_Copy] = []
        self._paths: dict[str, Path] = {}
        self._taken: set[Path] = set()
        self._apart: list[str] = []

    @property
    def apart(self) -> Sequence[str]:
        """Names of what ranks saved with different elements."""
        return self._apart

    @property
    @override
    def is_complete(self) -> bool:
        return all(metadata.is_complete for metadata in self.ranks)

    @property
    @override
    def is_cut(self) -> bool:
        return any(metadata.is_cut for metadata in self.ranks)

    @override
    def path(self, name: str) -> Path:
        return self._paths[name]

    @override
    def matched(self) -> tuple[Numbers, dict[str, int]]:
        return self._chunk_items, self._value_items

    def join(self, copies: Copies, progress: Progress) -> None:
        """Put all together. Raises CancelledError."""
        base = first = 0
        for number, metadata in zip(self._numbers, self.ranks, strict=True):
            rows, values = metadata.matched()
            for at, (name, made) in enumerate(tensors_of(metadata, number, base, rows, first)):
                if at % STEP == 0:
                    progress.step("objects", at, len(metadata.tensors.names))
                self._take_tensor(name, made, copies)
            for name, value in zip(metadata.byte_names, metadata.byte_values.tolist(), strict=True):
                row = values.get(name, NOWHERE)
                self._take_value(name, _Value(number, base + value, row + first if row >= 0 else row), copies)
            self.refused += [(name, base + value, reason) for name, value, reason in metadata.refused]
            base += len(metadata.values.code)
            first += len(metadata.items)
        self._name_values()
        self._make_tensors()

    def _take_tensor(self, name: str, made: _Tensor, copies: Copies) -> None:
        known = self._tensors.setdefault(name, [])
        for one in known:
            if (one.dtype, one.shape) == (made.dtype, made.shape) and is_one(one, made, copies):
                for place, row in made.chunks.items():
                    self._take_chunk(name, one, place, row, copies)
                return
        known.append(made)

    def _take_chunk(self, name: str, one: _Tensor, place: Place, row: int, copies: Copies) -> None:
        """A chunk of another rank; of two at one place that whose file is there."""
        before = one.chunks.setdefault(place, row)
        if before == row:
            return
        spare = row
        if before < 0 or (row >= 0 and not copies.is_there(before) and copies.is_there(row)):
            one.chunks[place], spare = row, before
        if spare >= 0:
            self._copies.append(_Copy(name, one.dtype, place[1], spare))

    def _take_value(self, name: str, made: _Value, copies: Copies) -> None:
        known = self._values.setdefault(name, [])
        for one in known:
            if one.row < 0 or made.row < 0 or copies.alike(one.row, made.row):
                if one.row < 0 or (made.row >= 0 and not copies.is_there(one.row) and copies.is_there(made.row)):
                    one.row, made.row = made.row, one.row
                if made.row >= 0:
                    self.copies.append(made.row)
                return
        known.append(made)

    def _named(self, name: str, rank: int, count: int) -> str:
        """What something is called; where ranks have it otherwise, by the rank."""
        path = next((path for metadata in self.ranks if (path := metadata.paths.get(name))), None)
        path = path or self.ranks[0].path(name)
        called = name
        if count > 1:
            path = (*path, f"rank {rank}")
            called = f"{name}.rank {rank}"
            while called in self._tensors or called in self._values:
                called += "'"
        while path in self._taken:
            path = (*path, called)
        self._taken.add(path)
        self._paths.setdefault(called, path)
        return called

    def _name_values(self) -> None:
        found = []
        for name, ones in self._values.items():
            self._apart += [name] if len(ones) > 1 else []
            found += [(self._named(name, one.rank, len(ones)), one) for one in ones]
        self.byte_names = [name for name, _ in found]
        self.byte_values = numbers(one.value for _, one in found)
        self._value_items = {name: one.row for name, one in found if one.row >= 0}

    def _make_tensors(self) -> None:
        made = []
        for name, ones in self._tensors.items():
            self._apart += [name] if len(ones) > 1 else []
            made += [(self._named(name, one.rank, len(ones)), one) for one in ones]
        self.shown = len(made)
        for copy in self._copies:
            chunks = {((0,) * len(copy.sizes), copy.sizes): copy.row}
            made.append((copy.name, _Tensor(0, copy.dtype, copy.sizes, 0, self._beyond, chunks)))
        self.copies += [copy.row for copy in self._copies]
        places = [place for _, one in made for place in one.chunks]
        counts = np.cumsum([0, *(len(one.chunks) for _, one in made)], dtype=np.int64)
        self.tensors = Tensors(
            [name for name, _ in made],
            numbers(one.value for _, one in made),
            numbers(one.end for _, one in made),
            [one.dtype for _, one in made],
            lists(one.shape for _, one in made),
            Lists(counts, np.arange(len(places), dtype=np.int64)),
            lists(offsets for offsets, _ in places),
            lists(sizes for _, sizes in places),
        )
        self._chunk_items = numbers(row for _, one in made for row in one.chunks.values())

    @property
    def _beyond(self) -> int:
        """A number behind the opcodes of all streams."""
        return sum(len(metadata.values.code) for metadata in self.ranks)


def tensors_of(metadata: Metadata, rank: int, base: int, rows: Numbers, first: int) -> Iterable[tuple[str, _Tensor]]:
    """The tensors of one rank. `base`, `first`: added to its values and to the rows of its items."""
    tensors = metadata.tensors
    items = np.where(rows >= 0, rows + first, NOWHERE).tolist()
    for number, name in enumerate(tensors.names):
        value, end = int(tensors.values[number]) + base, int(tensors.ends[number]) + base
        chunks = {
            (tensors.offsets.of(chunk), tensors.sizes.of(chunk)): items[chunk] for chunk in tensors.chunks.of(number)
        }
        yield name, _Tensor(rank, tensors.dtypes[number], tensors.shapes.of(number), value, end, chunks)


def is_one(known: _Tensor, made: _Tensor, copies: Copies) -> bool:
    """False where two ranks have a whole tensor each, and not the same."""
    whole = ((0,) * len(made.shape), made.shape)
    first, second = known.chunks.get(whole, NOWHERE), made.chunks.get(whole, NOWHERE)
    return first < 0 or second < 0 or copies.alike(first, second)


def joined_items(ranks: Sequence[Metadata]) -> Items:
    """The items of all ranks, one behind another."""
    items = [metadata.items for metadata in ranks]
    bases = np.cumsum([0, *(len(metadata.values.code) for metadata in ranks)])
    return Items(
        list(chain.from_iterable(one.names for one in items)),
        list(chain.from_iterable(one.offsets for one in items)),
        list(chain.from_iterable(one.files for one in items)),
        np.concatenate([one.starts for one in items]),
        np.concatenate([one.lengths for one in items]),
        list(chain.from_iterable(one.transforms for one in items)),
        np.concatenate([one.values + base for one, base in zip(items, bases[:-1], strict=True)]),
    )


def numbers(found: Iterable[int]) -> Numbers:
    """A column."""
    return np.array(list(found), dtype=np.int64)


def lists(found: Iterable[Shape]) -> Lists:
    """Shapes as lists."""
    shapes = list(found)
    starts = np.cumsum([0, *map(len, shapes)], dtype=np.int64)
    return Lists(starts, numbers(chain.from_iterable(shapes)))
