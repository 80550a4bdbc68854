"""The files that an index names: opened one after another, each held against what the index says of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from viewer.core.archive.findings import Findings
from viewer.core.document import Document, SetFile
from viewer.core.errors import SourceError
from viewer.core.folder import is_inside, listed, why
from viewer.core.formats.base import Context
from viewer.core.formats.recognition import recognise
from viewer.core.formats.sharded_index.index_text import IndexText, column
from viewer.core.formats.sharded_index.light import Readings, light_document
from viewer.core.formats.sharded_index.plain_headers import FIRST, PlainHeaders
from viewer.core.problem import Problem, error, warning
from viewer.core.source import ByteSource
from viewer.core.span import Span
from viewer.core.summary.written_by import written_by
from viewer.core.tensors.indexed import Column, Columns, Shard
from viewer.core.tensors.path import key_part
from viewer.core.tensors.tensor import Tensor

MOST_FILES: Final = 100_000
MOST_LISTED: Final = 1000
SAFETENSORS: Final = "safetensors"
TORCH: Final = frozenset({"torch-zip", "torch-legacy", "torch-tar", "pickle"})
SETS: Final = frozenset({"distributed", "sharded-index"})
"""Formats that are sets of files themselves: never opened as a part of another."""


@dataclass(slots=True)
class Loose:
    """A tensor that a file has and that the index does not place in it."""

    name: str
    file: int
    tensor: Tensor


@dataclass(slots=True)
class Shards:
    """What was found. `found`: tensors by their entry, where they are not in the columns.

    `loose`: tensors of files that the index does not place there. `absent`: entries whose file was read and has no such
    name. `lost`: entries whose file could not be read. `is_whole`: all files were read.
    """

    columns: Columns
    files: list[SetFile]
    children: list[Document] = field(default_factory=list)
    found: dict[int, Tensor] = field(default_factory=dict)
    loose: list[Loose] = field(default_factory=list)
    absent: list[int] = field(default_factory=list)
    is_whole: bool = True


def read_shards(context: Context, text: IndexText, counting: Column, findings: Findings) -> Shards:
    """All files of an index. `counting`: the entries that count, those of one name but once. Raises CancelledError."""
    return _Reader(context, text, counting, findings).read()


class _Reader:
    def __init__(self, context: Context, text: IndexText, counting: Column, findings: Findings) -> None:
        self.context, self.text, self.findings = context, text, findings
        self.total = len(counting)
        self.headers = PlainHeaders()
        self.readings = Readings(context.options.byteorder or "")
        files = column(text.files)
        order = counting[np.argsort(files[counting], kind="stable")]
        self._order = order
        self._bounds = np.searchsorted(files[order], np.arange(len(text.file_names) + 1)).tolist()
        is_repeated = np.ones(len(files), dtype=np.bool_)
        is_repeated[counting] = False
        files[is_repeated] = -1
        kinds: Column = np.full(len(files), -1, dtype=np.int64)
        begins: Column = np.zeros(len(files), dtype=np.int64)
        self.columns = Columns(
            column(text.starts), column(text.stops), column(text.lengths), files, kinds, begins, text.file_names
        )
        self.result = Shards(self.columns, [SetFile(context.name, context.source.size)])
        self._shards: dict[int, Shard] = {}

    def read(self) -> Shards:
        names = self.text.file_names
        numbers = sorted(range(len(names)), key=names.__getitem__)
        if len(numbers) > MOST_FILES:
            self.findings.add(error("set-too-many-files", None, count=len(numbers), limit=MOST_FILES))
            self.result.is_whole = False
        for done, number in enumerate(numbers[:MOST_FILES]):
            self.context.progress.step("set", done, len(numbers))
            if self._bounds[number] < self._bounds[number + 1]:
                self._file(number)
        self.columns.shared, self.columns.shards = self.headers.kinds.shared, self._shards
        return self.result

    def entries(self, number: int) -> Column:
        """The entries that are placed in a file."""
        return self._order[self._bounds[number] : self._bounds[number + 1]]

    # -- one file ---------------------------------------------------------------------------------

    def _file(self, number: int) -> None:
        """Open a file, or say why it cannot be had."""
        name = self.text.file_names[number]
        entries = self.entries(number)
        place = self.text.span(int(entries[0]))
        if name == self.context.name:
            self._lose(error("set-index-itself", place, count=len(entries)))
            return
        if not is_inside(name):
            self._lose(error("set-path-outside", place, file=name, count=len(entries)))
            return
        try:
            found = self.context.folder.member_begun(name, FIRST) if self.context.folder is not None else None
            self.result.files.append(SetFile(name, found[0].size if found is not None else None))
            if found is None:
                self._lose(error("set-shard-missing", place, file=name, **self._facts(entries)))
            else:
                self._open(number, name, *found, entries)
        except SourceError as failure:
            self._lose(error("set-shard-unreadable", place, file=name, reason=why(failure), **self._facts(entries)))

    def _lose(self, problem: Problem) -> None:
        self.findings.add(problem)
        self.result.is_whole = False

    def _facts(self, entries: Column) -> dict[str, object]:
        """The names that a file should have, for a sentence and for a program."""
        names = [self.text.name(entry) for entry in entries[:MOST_LISTED].tolist()]
        return {"count": len(entries), "total": self.total, "names": listed(names, len(entries)), "missing_keys": names}

    def _open(self, number: int, name: str, source: ByteSource, head: bytes, entries: Column) -> None:
        """Read a file. `head`: its first bytes."""
        expected = list(map(self.text.names.__getitem__, entries.tolist()))
        plain = self.headers.read(source, head, expected)
        rows = placed(plain.names, expected, entries) if plain is not None else None
        if plain is not None and rows is not None:
            self.columns.kinds[rows], self.columns.begins[rows] = plain.kinds, plain.begins
            self._shards[number] = Shard(name, source, plain.base)
            self._add(light_document(name, source, plain.base, len(rows), plain.metadata, self.readings))
            return
        guess = recognise(source)
        child = self.context.open_member(name) if guess.format not in SETS else None
        if child is None:
            kind = guess.detail or guess.format
            place = self.text.span(int(entries[0]))
            self._lose(error("set-shard-kind", place, file=name, kind=kind, **self._facts(entries)))
            return
        child.written_by = written_by(child)
        self._add(child)
        self._compare(number, name, child, entries)

    def _add(self, child: Document) -> None:
        """One more file that was read."""
        for part in child.walk():
            part.file = len(self.result.files) - 1
        self.result.children.append(child)

    # -- a file that has a fault, or is none of safetensors ---------------------------------------

    def _compare(self, number: int, name: str, child: Document, entries: Column) -> None:
        """The tensors of a file against the names that the index places in it."""
        place = self.text.span(int(entries[0]))
        if not child.tensors:
            kind = child.detail or child.format
            self._lose(error("set-shard-kind", place, file=name, kind=kind, **self._facts(entries)))
            return
        if not has_form(name, child.format):
            self.findings.add(warning("set-shard-form", place, file=name, kind=child.format))
        held = dict(named(child))
        for entry in entries.tolist():
            tensor = held.pop(self.text.name(entry), None)
            if tensor is None:
                self.result.absent.append(entry)
            else:
                self.result.found[entry] = logical(tensor, name, self.text.span(entry))
        for left, tensor in held.items():
            self.result.loose.append(Loose(left, number, logical(tensor, name, None)))


def placed(names: list[bytes], expected: list[bytes], entries: Column) -> Column | None:
    """The entries of the names that a file has; None where they are not those that the index places in it."""
    if names == expected:
        return entries
    if len(names) != len(expected):
        return None
    places = dict(zip(expected, entries.tolist(), strict=True))
    try:
        return np.array(list(map(places.__getitem__, names)), dtype=np.int64)
    except KeyError:
        return None


def named(document: Document) -> Iterator[tuple[str, Tensor]]:
    """The tensors of a file by the name that a model gives them; those at the root of a mapping come first."""
    rest = []
    for tensor in document.tensors:
        if len(tensor.path) == 1 and tensor.name is not None:
            rest.append((tensor.name, tensor))
        elif tensor.name is not None:
            yield tensor.name, tensor
    yield from rest


def logical(tensor: Tensor, member: str, stated: Span | None) -> Tensor:
    """A tensor of a file as one of the whole model."""
    parts = tuple((role, logical(part, member, None)) for role, part in tensor.parts)
    path = (key_part(tensor.name),) if stated is not None or tensor.name is not None else tensor.path
    return replace(tensor, path=path, value=None, shared_with=[], stated=stated, parts=parts, member=member)


def has_form(name: str, kind: str) -> bool:
    """Whether a file is of the form that the ending of its name says; names that say none fit all."""
    ending = name.lower().rpartition(".")[2]
    if ending == SAFETENSORS:
        return kind == SAFETENSORS
    return kind in TORCH if ending in ("bin", "pt", "pth", "ckpt") else True
