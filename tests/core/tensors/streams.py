"""Streams from the builders, read without any archive: storages stand in memory, one behind another."""

from __future__ import annotations

from dataclasses import dataclass

from tests.builders.legacy import LegacyPickler
from tests.builders.torch_zip import ZipPickler
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.values import Values
from viewer.core.source import MemorySource
from viewer.core.span import Span
from viewer.core.tensors.layout import row_major
from viewer.core.tensors.rebuild import Rebuilder
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.table import Key, Located, StorageTable
from viewer.core.tensors.tensor import Tensor


@dataclass(slots=True)
class Stream:
    """One stream, ready to be asked."""

    values: Values
    table: StorageTable
    rebuilder: Rebuilder

    def found(self) -> list[Tensor]:
        """A tensor for every call and persistent id that gives one, in stream order."""
        asked = sorted(self.values.calls() + self.values.persistents())
        made = (self.rebuilder.tensor(value) for value in asked)
        return [tensor for tensor in made if tensor is not None]

    def root(self) -> Tensor | None:
        """The tensor that the stream's value is."""
        return self.rebuilder.tensor(self.values.root)

    def codes(self) -> list[str]:
        """The codes of all problems."""
        return [problem.code for problem in (*self.table.problems, *self.rebuilder.problems)]


def reading(data: bytes, storages: dict[Key, bytes] | None = None, byteorder: str = "little") -> Stream:
    """A stream over storages whose bytes stand at offset 1000 and on."""
    held = storages or {}
    starts: dict[Key, int] = {}
    at = 1000
    for key, kept in held.items():
        starts[key] = at
        at += len(kept)

    def locate(key: Key, nbytes: int) -> Located | None:
        if key not in held:
            return None
        span = Span(starts[key], starts[key] + nbytes)
        return Located(span, MemorySource(held[key]), f"data/{key}", byteorder)

    values = Values(disassemble(MemorySource(data)))
    table = StorageTable(values, "utf-8", locate)
    return Stream(values, table, Rebuilder(values, 3, table))


def written(value: object, protocol: int = 2, pickler: ZipPickler | LegacyPickler | None = None) -> Stream:
    """A value of the builders as a stream of a zip (or of the given pickler)."""
    chosen = ZipPickler(protocol) if pickler is None else pickler
    data = chosen.dumps(value)
    return reading(data, {key: kept.data for key, kept in chosen.storages.items()})


def over(
    data: bytes,
    dtype: str,
    shape: tuple[int, ...],
    stride: tuple[int, ...] | None = None,
    offset: int = 0,
    itemsize: int = 4,
    start: int = 0,
    byteorder: str = "little",
) -> Tensor:
    """A tensor over these bytes, which stand at `start` of the document's source."""
    count = len(data) // itemsize
    span = Span(start, start + count * itemsize)
    storage = Storage("0", "cpu", dtype, False, count, count * itemsize, span, MemorySource(data), "", byteorder)
    return Tensor(0, (), "w", "tensor", dtype, shape, row_major(shape) if stride is None else stride, offset, storage)
