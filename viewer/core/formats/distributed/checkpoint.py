"""A distributed checkpoint: what its metadata states, tied to the files that are there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from viewer.core.formats.base import Options
from viewer.core.formats.distributed.items import Item
from viewer.core.formats.distributed.metadata import Columns, chosen, volumes
from viewer.core.pickles.references import distinct
from viewer.core.source import ByteSource
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.rows import Flags, Numbers

NONE: Final = -1


@dataclass(slots=True)
class Files:
    """The files that hold items, in the order in which they are named. `sources`: None where a file is missing."""

    names: list[str] = field(default_factory=list)
    sources: list[ByteSource | None] = field(default_factory=list)

    @property
    def sizes(self) -> Numbers:
        """Their sizes; -1 of those that are missing."""
        return np.array([NONE if source is None else source.size for source in self.sources], dtype=np.int64)


class Checkpoint:
    """The metadata with its files.

    `item_files`: for each item the number of its file, -1: none. `chunk_items`: for each chunk the row of its item,
    -1: none. `value_items`: the same for each value that is no tensor, by name. `used`: which items those are.
    """

    def __init__(self, metadata: Columns, options: Options) -> None:
        self.metadata, self.options = metadata, options
        self.files = Files()
        items = metadata.items
        numbers: dict[str | None, int] = {None: NONE}
        sound = [items.is_sound(row) for row in range(len(items))]
        for row, name in enumerate(items.files):
            if name not in numbers and sound[row]:
                numbers[name] = len(numbers) - 1
        self.files.names = [name for name in numbers if name is not None]
        self.files.sources = [None] * len(self.files.names)
        found = [numbers.get(name, NONE) if good else NONE for name, good in zip(items.files, sound, strict=True)]
        self.item_files = np.array(found, dtype=np.int64)
        self.chunk_items, self.value_items = metadata.matched()
        self.used = np.zeros(len(items), dtype=np.bool_)
        self.used[self.chunk_items[self.chunk_items >= 0]] = True
        self.used[[*self.value_items.values(), *metadata.copies]] = True

    def item(self, row: int) -> Item | None:
        """The bytes of an item; None where its file is missing."""
        source = self.files.sources[int(self.item_files[row])] if row >= 0 and self.item_files[row] >= 0 else None
        if source is None:
            return None
        items = self.metadata.items
        return Item(source, int(items.starts[row]), int(items.lengths[row]), items.transforms[row])

    def file_of(self, row: int) -> str:
        """The name of the file that an item is placed in; "" where that is not known."""
        number = int(self.item_files[row]) if row >= 0 else NONE
        return self.files.names[number] if number >= 0 else ""

    @cached_property
    def chunk_owners(self) -> Numbers:
        """For each chunk the number of its tensor."""
        return self.metadata.tensors.chunks.owners

    @cached_property
    def chunk_volumes(self) -> Numbers:
        """Elements of each chunk."""
        return volumes(self.metadata.tensors.sizes)

    @cached_property
    def tensor_volumes(self) -> Numbers:
        """Elements of each tensor."""
        return volumes(self.metadata.tensors.shapes)

    @cached_property
    def is_single(self) -> Flags:
        """The tensors that are one chunk, which is the whole."""
        tensors = self.metadata.tensors
        single: Flags = tensors.chunks.lengths == 1
        rows = np.flatnonzero(single)
        chunks = tensors.chunks.flat[tensors.chunks.starts[rows]]
        offsets, sizes, shapes = (
            chosen(lists, at)
            for lists, at in ((tensors.offsets, chunks), (tensors.sizes, chunks), (tensors.shapes, rows))
        )
        # All three have as many numbers.
        differs = (offsets.flat != 0) | (sizes.flat != shapes.flat)
        single[rows[shapes.owners[np.flatnonzero(differs)]]] = False
        return single

    @cached_property
    def chunk_is_there(self) -> Flags:
        """The chunks whose item lies in a file that is there, as a whole, and has room for the elements."""
        items, sizes, rows = self.metadata.items, self.files.sizes, self.chunk_items
        kinds = [DTYPES[name] for name in self.metadata.tensors.dtypes]
        widths = np.array([kind.itemsize / kind.packed for kind in kinds])[self.chunk_owners]
        is_packed = np.array([bool(transforms) for transforms in items.transforms], dtype=np.bool_)
        found: Flags = rows >= 0
        at = rows[found]
        has_room = is_packed[at] | (items.lengths[at] >= (widths * self.chunk_volumes)[found])
        found[found] = has_room & (items.starts[at] + items.lengths[at] <= sizes[self.item_files[at]])
        return found

    @cached_property
    def is_whole(self) -> Flags:
        """The tensors of which no chunk is missing."""
        count = len(self.metadata.tensors.names)
        there = np.bincount(self.chunk_owners, self.chunk_volumes * self.chunk_is_there, minlength=count)
        return np.asarray(there >= self.tensor_volumes)

    @cached_property
    def _by_file(self) -> tuple[Numbers, Numbers]:
        """The rows of the items in the order of their files and places; where the rows of each file begin."""
        order = np.lexsort((self.metadata.items.starts, self.item_files))
        order = order[self.item_files[order] >= 0]
        bounds = np.searchsorted(self.item_files[order], np.arange(len(self.files.names) + 1))
        return order, bounds

    def items_in(self, file: int) -> Numbers:
        """The rows of the items in a file, in the order of their places."""
        order, bounds = self._by_file
        return order[int(bounds[file]) : int(bounds[file + 1])]

    @cached_property
    def item_chunks(self) -> Numbers:
        """For each item the chunk that it holds; -1: none."""
        found = np.full(len(self.metadata.items), NONE, dtype=np.int64)
        chunks = np.flatnonzero(self.chunk_items >= 0)
        found[self.chunk_items[chunks]] = chunks
        return found

    def chunks_in(self, file: int) -> Numbers:
        """The chunks whose items stand in a file, in the order of their places."""
        found = self.item_chunks[self.items_in(file)]
        return found[found >= 0]

    def tensors_in(self, member: str) -> Numbers:
        """Numbers of the tensors with bytes in a file, in ascending order."""
        file = self._numbers.get(member, NONE)
        owners = self.chunk_owners[self.chunks_in(file)] if file >= 0 else np.zeros(0, dtype=np.int64)
        return distinct(owners[owners < self.metadata.shown])

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.files.names)}

    def names_in(self, file: int) -> list[str]:
        """The names of what has an item in a file, each once."""
        names = self.metadata.items.names
        return list(dict.fromkeys(name for row in self.items_in(file).tolist() if (name := names[row]) is not None))
