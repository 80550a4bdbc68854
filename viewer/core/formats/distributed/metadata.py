"""What `.metadata` of torch.distributed.checkpoint states, in columns: tensors, their chunks, and where each item is.

    Metadata{state_dict_metadata, planner_data, storage_data, storage_meta, version}
    state_dict_metadata   {name: TensorStorageMetadata{properties, size, chunks: [ChunkStorageMetadata{offsets, sizes}]}
                                 or BytesStorageMetadata{}}
    planner_data          {name: path in the nested state_dict}
    storage_data          {MetadataIndex{fqn, offset, index}: _StorageInfo{relative_path, offset, length[,
                          transform_descriptors]}}

All are objects by NEWOBJ and a dict by BUILD; TensorProperties gets a tuple. storage_meta is there since torch 2.3,
version since 2.9. Of a stream that breaks off, all that it built is read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from typing_extensions import override

from viewer.core.pickles.values import Kind, Values
from viewer.core.span import Span
from viewer.core.tensors.alike import Alike, Lists, lists_of
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.path import Key, Part, Path, key_part
from viewer.core.tensors.rows import Flags, Numbers
from viewer.wording.phrases import phrase

FIELDS: Final = ("state_dict_metadata", "planner_data", "storage_data")
TENSOR, BYTES = "TensorStorageMetadata", "BytesStorageMetadata"
MOST_AXES: Final = 64
LARGEST: Final = 2**62
NOWHERE: Final = -1


@dataclass(slots=True)
class Items:
    """What storage_data lists, a column each; `values` are the infos.

    `offsets`: None of a value that is no tensor. `starts`: -1 where offset or length cannot be read. `transforms`: how
    the bytes of an item were changed, the last change first.
    """

    names: list[str | None] = field(default_factory=list)
    offsets: list[tuple[int, ...] | None] = field(default_factory=list)
    files: list[str | None] = field(default_factory=list)
    starts: Numbers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    lengths: Numbers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    transforms: list[tuple[str, ...]] = field(default_factory=list)
    values: Numbers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.names)

    def is_sound(self, row: int) -> bool:
        """True where name, file and place could be read."""
        return self.names[row] is not None and self.files[row] is not None and self.starts[row] >= 0


@dataclass(slots=True)
class Tensors:
    """The entries that are tensors: names, values, dtypes, shapes; the chunks of all of them, one behind another.

    `ends`: the last opcode of each. `chunks.of(n)`: the numbers of the chunks of tensor n, whose `offsets` and `sizes`
    are lists of their own.
    """

    names: list[str]
    values: Numbers
    ends: Numbers
    dtypes: list[str]
    shapes: Lists
    chunks: Lists
    offsets: Lists
    sizes: Lists


class Columns(ABC):
    """What one stream states, or those of all ranks together; values count in `values`, the stream that is shown.

    `refused`: entries that cannot be read: their name, value, and why. `shown`: how many of the tensors are those of
    the object; the others stand in files as copies of them. `copies`: rows of items that are such copies.
    """

    values: Values
    tensors: Tensors
    items: Items
    byte_names: list[str]
    byte_values: Numbers
    refused: list[tuple[str, int, str]]
    shown: int
    copies: Sequence[int] = ()

    @abstractmethod
    def path(self, name: str) -> Path:
        """Where a name stands in the nested state_dict."""

    @abstractmethod
    def matched(self) -> tuple[Numbers, dict[str, int]]:
        """The row of the item of each chunk, -1: none; and that of each other value, by name."""

    @property
    def is_complete(self) -> bool:
        """False where a stream broke off."""
        return self.values.code.complete

    @property
    @abstractmethod
    def is_cut(self) -> bool:
        """True where lists that many entries share were not read for each of them."""

    def span(self, value: int) -> Span | None:
        """The bytes of a value; None where it stands in another stream."""
        return self.values.span(value) if value < len(self.values.code) else None

    def stated(self, tensor: int) -> Span | None:
        """The opcodes that state a tensor. Without looking for what was added to its value elsewhere."""
        value, end = int(self.tensors.values[tensor]), int(self.tensors.ends[tensor])
        if end >= len(self.values.code):
            return None
        return self.values.code.span(self.values.first(value), end)


class Metadata(Columns):
    """The columns of one stream."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.alike = Alike(values)
        self.refused: list[tuple[str, int, str]] = []
        self._fields = self._root_fields()
        names, entries = self._entries("state_dict_metadata")
        classes = self.alike.classes(entries)
        self.byte_names = [name for name, kind in zip(names, classes, strict=True) if kind == BYTES]
        self.byte_values = entries[[kind == BYTES for kind in classes]] if names else entries
        for name, value, kind in zip(names, entries.tolist(), classes, strict=True):
            if kind not in (TENSOR, BYTES):
                self.refused.append(
                    (name, value, phrase("item-class", name=kind) if kind else phrase("item-class-unknown"))
                )
        chosen = [row for row, kind in enumerate(classes) if kind == TENSOR]
        self.tensors = self._tensors([names[row] for row in chosen], entries[chosen])
        self.items = self._items()
        self.shown = len(self.tensors.names)

    @property
    @override
    def is_cut(self) -> bool:
        return self.alike.cut

    @cached_property
    def paths(self) -> dict[str, Path]:
        """The path of each name in the nested state_dict, as the planner kept it; each path stands for one name."""
        names, values = self._entries("planner_data")
        lists = self.alike.items(values)
        parts, starts = self._parts(lists.flat), lists.starts.tolist()
        found = {tuple(parts[starts[row] : starts[row + 1]]): name for row, name in enumerate(names)}
        return {name: path for path, name in found.items() if path}

    @override
    def path(self, name: str) -> Path:
        """Where a name stands; of one that the planner does not know, or shares, the name itself."""
        return self.paths.get(name) or (self._alone(name),)

    @override
    def matched(self) -> tuple[Numbers, dict[str, int]]:
        items, tensors = self.items, self.tensors
        rows = {
            (name, place): row
            for row, (name, place) in enumerate(zip(items.names, items.offsets, strict=True))
            if items.is_sound(row)
        }
        owners = tensors.chunks.owners.tolist()
        flat, ends = tensors.offsets.flat.tolist(), tensors.offsets.starts.tolist()
        lone = (tensors.chunks.lengths == 1).tolist()
        found = []
        for chunk, owner in enumerate(owners):
            name, place = tensors.names[owner], tuple(flat[ends[chunk] : ends[chunk + 1]])
            row = rows.get((name, place), NOWHERE)
            found.append(rows.get((name, None), NOWHERE) if row < 0 and lone[owner] else row)
        values = {name: rows[name, None] for name in self.byte_names if (name, None) in rows}
        return np.array(found, dtype=np.int64), values

    def _alone(self, name: str) -> Part:
        part = key_part(name)
        return Key(repr(name)) if (part,) in self._taken else part

    @cached_property
    def _taken(self) -> set[Path]:
        return set(self.paths.values())

    def _parts(self, values: Numbers) -> list[Part]:
        """Texts and numbers as parts of a path."""
        numbers, known = self.alike.integers(np.where(self.alike.kinds(values) == Kind.INT, values, -1))
        texts = self.alike.texts(values)
        facts = zip(values.tolist(), numbers.tolist(), known.tolist(), texts, strict=True)
        return [
            number if is_number else key_part(text) if text is not None else Key(f"<value {value}>")
            for value, number, is_number, text in facts
        ]

    # -- the outermost object ------------------------------------------------------------------------------------

    def _root_fields(self) -> dict[str, int]:
        """The values of the fields of Metadata; -1 where there is none."""
        root = self.values.root
        found = dict.fromkeys(FIELDS, -1)
        if root < 0:
            return found
        for state in self.values.states(root) if self.values.kind(root) is Kind.CALL else [root]:
            self._take(found, (part for pair in self.values.pairs(state) for part in pair))
        if not self.values.code.complete:
            self._take(found, self._stack())
        return found

    def _take(self, found: dict[str, int], parts: Iterator[int]) -> None:
        """Keys and values in turn."""
        before = -1
        for value in parts:
            name = self.values.text(before) if before >= 0 else None
            if name in found and found[name] < 0:
                found[name] = value
            before = value

    def _stack(self) -> Iterator[int]:
        """The values that were there when the stream broke off, lowest first."""
        last = len(self.values.code) - 1
        return (self.values.resolve(writer) for writer in self.values.stack(last)[:64])

    def _pending(self, mapping: int) -> list[int]:
        """Keys and values that a broken stream made for a dict and did not set any more."""
        if self.values.code.complete:
            return []
        writers = [self.values.resolve(writer) for writer in self.values.stack(len(self.values.code) - 1)]
        if mapping not in writers:
            return []
        above = writers[writers.index(mapping) + 1 :]
        if not above or self.values.kind(above[0]) is not Kind.MARK:
            return []
        inner = next((row for row, value in enumerate(above[1:], 1) if self.values.kind(value) is Kind.MARK), None)
        # What is under the next mark is still being made.
        held = above[1:] if inner is None else above[1 : max(1, inner - 1)]
        return held[: len(held) // 2 * 2]

    def _entries(self, name: str) -> tuple[list[str], Numbers]:
        """The keys of a dict of texts, each once with its last value."""
        mapping = self._fields[name]
        if mapping < 0:
            return [], np.zeros(0, dtype=np.int64)
        _, keys, values = self.alike.entries(np.array([mapping], dtype=np.int64))
        pending = self._pending(mapping)
        keys = np.concatenate((keys, np.array(pending[::2], dtype=np.int64)))
        values = np.concatenate((values, np.array(pending[1::2], dtype=np.int64)))
        texts = self.alike.texts(keys)
        last = {text: row for row, text in enumerate(texts) if text is not None}
        return list(last), values[list(last.values())]

    # -- tensors -------------------------------------------------------------------------------------------------

    def _tensors(self, names: list[str], values: Numbers) -> Tensors:
        alike = self.alike
        fields = alike.fields(alike.states(values), ("properties", "size", "chunks"))
        dtypes = self._dtypes(fields["properties"])
        shapes, sound = self._shapes(fields["size"])
        reasons = [
            "" if good and kind in DTYPES else phrase("item-size") if not good else phrase("item-dtype", name=kind)
            for good, kind in zip(sound.tolist(), dtypes, strict=True)
        ]
        for row, reason in enumerate(reasons):
            if reason:
                self.refused.append((names[row], int(values[row]), reason))
        kept = np.array([row for row, reason in enumerate(reasons) if not reason], dtype=np.int64)
        shapes = chosen(shapes, kept)
        chunks = alike.items(fields["chunks"][kept])
        places = alike.fields(alike.states(chunks.flat), ("offsets", "sizes"))
        offsets, offsets_sound = self._shapes(places["offsets"])
        sizes, sizes_sound = self._shapes(places["sizes"])
        owners = chunks.owners
        axes = shapes.lengths[owners]
        fits = offsets_sound & sizes_sound & (offsets.lengths == axes) & (sizes.lengths == axes)
        for row in np.flatnonzero(~fits).tolist():
            self.refused.append((names[kept[owners[row]]], int(chunks.flat[row]), phrase("item-chunk")))
        rows = np.flatnonzero(fits)
        numbered = lists_of(owners[rows], np.arange(len(rows), dtype=np.int64), len(kept))
        names = [names[row] for row in kept.tolist()]
        dtypes = [dtypes[row] for row in kept.tolist()]
        ends = np.maximum(alike.builds(values[kept]), values[kept])
        return Tensors(names, values[kept], ends, dtypes, shapes, numbered, chosen(offsets, rows), chosen(sizes, rows))

    def _dtypes(self, properties: Numbers) -> list[str]:
        """The element type of TensorProperties: the first of its state, which is a tuple or a dict."""
        states = self.alike.states(properties)
        first = self.alike.fields(states, ("dtype",))["dtype"]
        lists = self.alike.items(states)
        has_items = np.flatnonzero(lists.lengths > 0)
        first[has_items] = lists.flat[lists.starts[has_items]]
        return self.alike.each(first, self._global)

    def _global(self, value: int) -> str:
        name = self.values.global_name(value) if value >= 0 else None
        return name[1] if name is not None else "unknown"

    def _shapes(self, values: Numbers) -> tuple[Lists, Flags]:
        """The numbers of torch.Size objects, tuples and lists; and which of them are sizes."""
        alike = self.alike
        arguments = alike.items(alike.arguments(values))
        sequences = values.copy()
        called = np.flatnonzero(arguments.lengths == 1)
        sequences[called] = arguments.flat[arguments.starts[called]]
        is_sequence = np.isin(alike.kinds(sequences), (Kind.TUPLE, Kind.LIST))
        lists = alike.items(np.where(is_sequence, sequences, -1))
        numbers, known = alike.integers(lists.flat)
        bad = lists.owners[np.flatnonzero(~known | (numbers < 0) | (numbers >= LARGEST))]
        sound = is_sequence & (lists.lengths <= MOST_AXES)
        sound[bad] = False
        return Lists(lists.starts, numbers), sound & (volumes(Lists(lists.starts, numbers)) < LARGEST)

    # -- items ---------------------------------------------------------------------------------------------------

    def _items(self) -> Items:
        mapping = self._fields["storage_data"]
        if mapping < 0:
            return Items()
        alike = self.alike
        _, keys, infos = alike.entries(np.array([mapping], dtype=np.int64))
        pending = self._pending(mapping)
        keys = np.concatenate((keys, np.array(pending[::2], dtype=np.int64)))
        infos = np.concatenate((infos, np.array(pending[1::2], dtype=np.int64)))
        index = alike.fields(alike.states(keys), ("fqn", "offset"))
        info = alike.fields(alike.states(infos), ("relative_path", "offset", "length", "transform_descriptors"))
        offsets, is_place = self._shapes(index["offset"])
        starts, starts_known = alike.integers(info["offset"])
        lengths, lengths_known = alike.integers(info["length"])
        good = starts_known & lengths_known & (starts >= 0) & (lengths >= 0)
        good &= (starts < LARGEST) & (lengths < LARGEST)
        flat, ends = offsets.flat.tolist(), offsets.starts.tolist()
        return Items(
            alike.texts(index["fqn"]),
            [tuple(flat[ends[row] : ends[row + 1]]) if place else None for row, place in enumerate(is_place.tolist())],
            alike.texts(info["relative_path"]),
            np.where(good, starts, NOWHERE),
            np.where(good, lengths, 0),
            alike.each(info["transform_descriptors"], self._transforms),
            infos,
        )

    def _transforms(self, value: int) -> tuple[str, ...]:
        """How the bytes of an item were changed, the last change first; () where they were not."""
        if value < 0 or self.values.kind(value) not in (Kind.LIST, Kind.TUPLE):
            return ()
        return tuple(self.values.text(part) or "?" for part in self.values.items(value))


def chosen(lists: Lists, rows: Numbers) -> Lists:
    """Some of the lists."""
    lengths = lists.lengths[rows]
    starts = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    at = np.repeat(lists.starts[rows] - starts[:-1], lengths) + np.arange(int(starts[-1]), dtype=np.int64)
    return Lists(starts, lists.flat[at])


def volumes(lists: Lists) -> Numbers:
    """Products of lists of sizes; LARGEST where that is more than 62 bits hold."""
    found = np.ones(len(lists), dtype=np.float64)
    exact = np.ones(len(lists), dtype=np.int64)
    lengths = lists.lengths
    for axis in range(int(lengths.max(initial=0))):
        rows = np.flatnonzero(lengths > axis)
        sizes = lists.flat[lists.starts[rows] + axis]
        found[rows] *= sizes
        # What is too large already may wrap round: it is not taken.
        exact[rows] *= np.where(found[rows] < LARGEST, sizes, 1)
    return np.where(found < LARGEST, exact, LARGEST)
