"""The tensors of a whole model that an index names, over the files that hold them: made one by one from columns.

An entry of the index is a name, and the file that it is placed in. A tensor is an entry that was found in a file, or
one that a file has beside the index; those of the index come first, in its order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from viewer.core.progress import Progress
from viewer.core.source import BLOCK, ByteSource, SliceSource, printable
from viewer.core.span import Span
from viewer.core.tensors.columns import (
    KEYS,
    ROOT,
    SORTING,
    By,
    Ranks,
    name_ranks,
    natural,
    ranks,
)
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.json_text import text_of
from viewer.core.tensors.layout import Shape
from viewer.core.tensors.many import Alike, Counted, ManyTensors, Stored, Totals, totals_of
from viewer.core.tensors.path import key_part, shown
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor

Column = npt.NDArray[np.int64]
NOWHERE: Final = -1
CPU: Final = "cpu"
STEP: Final = 4096
"""Names that are read at once."""


class Kind(NamedTuple):
    """Facts that many tensors share. `elements`, `nbytes`: of one of them."""

    dtype: str
    shape: Shape
    stride: Shape
    elements: int
    nbytes: int


@dataclass(slots=True)
class Shard:
    """A file whose tensors are in the columns. `base`: where its elements begin."""

    name: str
    source: ByteSource
    base: int


@dataclass(slots=True)
class Columns:
    """By entry: `starts`, `stops` of its bytes in the index, `lengths` of the quoted name, `files` (a number, or -1).

    `kinds`: number in `shared`, -1 where the tensor is not in the columns; `begins`: its first byte behind the base of
    its shard. `names`: of the files, by their number; `shards` by the same.
    """

    starts: Column
    stops: Column
    lengths: Column
    files: Column
    kinds: Column
    begins: Column
    names: Sequence[str]
    shared: Sequence[Kind] = ()
    shards: Mapping[int, Shard] = field(default_factory=dict)


class Entry(NamedTuple):
    """An entry of the index. `tensor`: the number of its tensor, `file`: that of its file; -1: there is none."""

    name: str
    span: Span
    tensor: int
    file: int


class IndexedTensors(ManyTensors):
    """`source`: the index. `found`: tensors of entries that are not in the columns; `more`: those beside the index.

    `byteorder`: of the elements in the columns.
    """

    def __init__(
        self,
        source: ByteSource,
        columns: Columns,
        found: Mapping[int, Tensor],
        more: Sequence[Tensor],
        byteorder: str = "little",
    ) -> None:
        self.source, self.columns, self.byteorder = source, columns, byteorder
        has_tensor = columns.kinds >= 0
        has_tensor[list(found)] = True
        self._entries: Column = np.flatnonzero(has_tensor)
        super().__init__(len(self._entries) + len(more))
        self._made: dict[int, Tensor] = {}
        for entry, tensor in found.items():
            self._number(self.number_of(entry), tensor)
        for number, tensor in enumerate(more, len(self._entries)):
            self._number(number, tensor)
        self._share()

    def _number(self, number: int, tensor: Tensor) -> None:
        tensor.index = number
        self._made[number] = tensor

    def _share(self) -> None:
        """Who shares a storage with whom, by the numbers of the whole."""
        groups: dict[int, list[int]] = {}
        for number, tensor in sorted(self._made.items()):
            if tensor.storage is not None:
                groups.setdefault(id(tensor.storage), []).append(number)
        for group in groups.values():
            for number in group if len(group) > 1 else ():
                self._made[number].shared_with = [other for other in group if other != number]

    # -- entries ----------------------------------------------------------------------------------

    @property
    def entry_count(self) -> int:
        """Entries of the index."""
        return len(self.columns.starts)

    @property
    def entry_starts(self) -> Sequence[int]:
        """Where each entry begins."""
        return self.columns.starts.data

    @property
    def beside(self) -> range:
        """The numbers of the tensors that no entry names."""
        return range(len(self._entries), len(self))

    def entry(self, number: int) -> Entry:
        """An entry, its name read from the index."""
        columns = self.columns
        start, stop = int(columns.starts[number]), int(columns.stops[number])
        return Entry(self._name(number), Span(start, stop), self.number_of(number), int(columns.files[number]))

    def number_of(self, entry: int) -> int:
        """The number of an entry's tensor; -1: it has none."""
        at = int(np.searchsorted(self._entries, entry))
        return at if at < len(self._entries) and self._entries[at] == entry else NOWHERE

    def entry_of(self, number: int) -> int:
        """The entry of a tensor; -1: it stands beside the index."""
        return int(self._entries[number]) if number < len(self._entries) else NOWHERE

    def lost(self, file: int) -> Column:
        """The entries without a tensor that are placed in a file."""
        mine = np.flatnonzero(self.columns.files == file)
        return mine[~np.isin(mine, self._entries)]

    def lost_names(self) -> Iterator[tuple[str, str]]:
        """The names without a tensor, each with the file that it is placed in."""
        is_lost = np.ones(len(self.columns.starts), dtype=np.bool_)
        is_lost[self._entries] = False
        for entry in np.flatnonzero(is_lost).tolist():
            yield self._name(entry), self.columns.names[int(self.columns.files[entry])]

    def numbers_in(self, member: str) -> Iterator[int]:
        """The numbers of the tensors with bytes in a file."""
        file = next((number for number, shard in self.columns.shards.items() if shard.name == member), NOWHERE)
        if file >= 0:
            rows = self._entries
            yield from np.flatnonzero((self.columns.files[rows] == file) & (self.columns.kinds[rows] >= 0)).tolist()
        yield from (number for number, tensor in self._made.items() if tensor.member == member)

    @override
    def names(self, first: int, stop: int) -> list[str]:
        rows = self._entries[first:stop]
        beside = super().names(max(first, len(self._entries)), stop)
        starts, ends = self.columns.starts[rows] + 1, self.columns.starts[rows] + self.columns.lengths[rows] - 1
        if not len(rows) or ends[-1] - starts[0] > BLOCK or (starts[1:] < starts[:-1]).any():
            return [self._name(entry) for entry in rows.tolist()] + beside
        base = int(starts[0])
        raw = self.source.read(base, int(ends[-1]) - base)
        if b"\\" in raw or not raw.isascii():
            return [self._name(entry) for entry in rows.tolist()] + beside
        text = raw.decode("ascii")
        spans = zip((starts - base).tolist(), (ends - base).tolist(), strict=True)
        return [text[start:end] for start, end in spans] + beside

    def _name(self, entry: int) -> str:
        start, length = int(self.columns.starts[entry]), int(self.columns.lengths[entry])
        return named(self.source.read(start + 1, length - 2))

    # -- tensors ----------------------------------------------------------------------------------

    @override
    def make(self, number: int) -> Tensor:
        known = self._made.get(number)
        if known is not None:
            return known
        entry = int(self._entries[number])
        columns = self.columns
        kind = columns.shared[int(columns.kinds[entry])]
        shard = columns.shards[int(columns.files[entry])]
        begin = shard.base + int(columns.begins[entry])
        stop = begin + kind.nbytes
        name = self._name(entry)
        storage = Storage(
            *(name, CPU, kind.dtype, False, kind.nbytes // DTYPES[kind.dtype].itemsize, kind.nbytes),
            *(Span(begin, stop), SliceSource(shard.source, begin, stop), "", self.byteorder),
        )
        tensor = Tensor(
            *(number, (key_part(name),), name, "tensor", kind.dtype, kind.shape, kind.stride, 0, storage, False)
        )
        tensor.stated = Span(int(columns.starts[entry]), int(columns.stops[entry]))
        tensor.member = shard.name
        return tensor

    @override
    def totals(self) -> Totals:
        found = totals_of(self._made.values())
        kinds = self.columns.kinds
        counts = np.bincount(kinds[kinds >= 0], minlength=len(self.columns.shared))
        for kind, count in zip(self.columns.shared, counts.tolist(), strict=True):
            if count:
                elements, nbytes = count * kind.elements, count * kind.nbytes
                tally = Counted(count, nbytes)
                sums = (count, count, elements, nbytes, elements, nbytes)
                found.add(Totals(*sums, {kind.dtype: tally}, {CPU: tally}))
        return found

    @override
    def stored(self) -> Stored:
        columns = self.columns
        is_made = np.zeros(len(self), dtype=np.bool_)
        is_made[list(self._made)] = True
        numbers = np.flatnonzero(~is_made[: len(self._entries)])
        rows = self._entries[numbers]
        files = columns.files[rows]
        bases = np.zeros(len(columns.names), dtype=np.int64)
        for number, shard in columns.shards.items():
            bases[number] = shard.base
        sizes = np.array([kind.nbytes for kind in columns.shared] or [0], dtype=np.int64)
        starts = bases[files] + columns.begins[rows]
        return Stored(numbers, files, starts, starts + sizes[columns.kinds[rows]], columns.names)

    @override
    def alike(self) -> Alike:
        kinds, files = self.columns.kinds[self._entries], self.columns.files[self._entries]
        found = np.full(len(self), NOWHERE, dtype=np.int64)
        found[: len(self._entries)] = files * (len(self.columns.shared) + 1) + kinds
        # What is not in the columns is of a sort of its own.
        made = np.array(sorted(self._made), dtype=np.int64)
        found[made] = NOWHERE - 1 - np.arange(len(made))
        _, firsts, sorts = np.unique(found, return_index=True, return_inverse=True)
        return Alike([self[number] for number in firsts.tolist()], sorts.reshape(-1))

    @override
    def ranks(self, by: By, progress: Progress) -> Ranks | None:
        if by is By.NAME:
            return name_ranks(self._shown_names(progress), len(self))
        columns = self.columns
        groups = columns.files if by is By.PLACE else columns.kinds
        made = sorted(self._made)
        facts = [KEYS[by](self._made[number]) for number in made]
        values = self._group_keys(by)
        places = np.array(ranks([*values, *facts]), dtype=np.int64)
        found = np.zeros(len(self), dtype=np.int64)
        found[: len(self._entries)] = places[groups[self._entries]]
        found[made] = places[len(values) :]
        return found

    def _shown_names(self, progress: Progress) -> Iterator[list[str]]:
        for first in range(0, len(self), STEP):
            progress.step(SORTING, first, len(self))
            yield shown_all(self.names(first, min(first + STEP, len(self))))

    def _group_keys(self, by: By) -> list[Any]:
        """What a column says of the tensors in the columns: by file, or by kind."""
        if by is By.PLACE:
            return [natural(printable(name)) for name in self.columns.names]
        # What is in the columns was found whole, and shared with nothing.
        told = {By.LOCATION: CPU, By.SHARED: 0, By.MISSING: 0}
        names = {By.DTYPE: "dtype", By.SHAPE: "shape", By.ELEMENTS: "elements", By.BYTES: "nbytes"}
        return [told[by] if by in told else getattr(kind, names[by]) for kind in self.columns.shared]

    @override
    def stated_at(self, offset: int) -> int:
        entry = int(np.searchsorted(self.columns.starts, offset, side="right")) - 1
        if entry < 0 or offset >= self.columns.stops[entry]:
            return NOWHERE
        return self.number_of(entry)


def named(raw: bytes) -> str:
    """A name as it stands between its quotes, as text."""
    try:
        return text_of(raw)
    except ValueError:
        # The index was changed since it was read.
        return raw.decode("utf-8", "backslashreplace")


def shown_all(names: list[str]) -> list[str]:
    """The names as they are shown."""
    return [name if name and not name.startswith("@") else shown((key_part(name),)) or ROOT for name in names]
