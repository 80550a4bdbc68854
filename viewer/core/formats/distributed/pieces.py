"""The tensors of a distributed checkpoint: made from its metadata, their bytes found when they are first read."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Final

import numpy as np
from typing_extensions import override

from viewer.core.errors import SourceError
from viewer.core.formats.base import Options
from viewer.core.formats.distributed.items import Item, read_item
from viewer.core.source import ByteSource, MemorySource
from viewer.core.span import Span
from viewer.core.tensors.assembled import AssembledSource
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.elements import Elements, elements
from viewer.core.tensors.layout import Shape, is_row_major, row_major
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor

LOCATION: Final = "cpu"
NOTHING: Final = MemorySource(b"")


class ItemSource(ByteSource):
    """The elements of a chunk in row-major order, little-endian, out of its item.

    The item is looked into at the first read: where it holds another tensor than `dtype` and `shape`, no byte is
    there. Raises SourceError where the item cannot be unpacked. `span`: where the bytes stand in the file of the set;
    None where they are not there as they are read.
    """

    def __init__(self, item: Item, dtype: str, shape: Shape, nbytes: int, options: Options) -> None:
        self.item, self.dtype, self.shape, self.options = item, dtype, shape, options
        self.size = nbytes
        self._found: tuple[ByteSource, int, Span | None] | None = None
        is_short = nbytes > item.length and not item.transforms
        if is_short or item.start + item.length > item.source.size:
            # Some of its bytes are missing: how many are there is known only when it is looked into.
            found = self._held()
            self.size = max(0, min(nbytes, found[0].size - found[1]))

    @property
    def span(self) -> Span | None:
        """The bytes in the file of the set."""
        try:
            return self._held()[2]
        except SourceError:
            return None

    @override
    def read(self, offset: int, length: int) -> bytes:
        length = min(length, self.size - offset)
        if offset < 0 or length <= 0:
            return b""
        source, shift, _ = self._held()
        return source.read(shift + offset, length)

    @override
    def read_into(self, offset: int, buffer: memoryview) -> int:
        length = min(len(buffer), self.size - offset)
        if offset < 0 or length <= 0:
            return 0
        source, shift, _ = self._held()
        return source.read_into(shift + offset, buffer[:length])

    @override
    def to_outer(self, offset: int) -> int | None:
        span = self.span
        return None if span is None else span.start + offset

    def _held(self) -> tuple[ByteSource, int, Span | None]:
        """Where the elements begin in which source, and their span in the file."""
        if self._found is None:
            self._found = self._look()
        return self._found

    def _look(self) -> tuple[ByteSource, int, Span | None]:
        tensor = read_item(self.item, self.options)
        storage = tensor.storage if tensor is not None else None
        if tensor is None or storage is None or not fits(tensor, self.dtype, self.shape):
            return NOTHING, 0, None
        return elements_of(tensor, storage)


def fits(tensor: Tensor, dtype: str, shape: Shape) -> bool:
    """Whether an item holds the tensor that the metadata states."""
    return tensor.dtype == dtype and tensor.shape == shape


def elements_of(tensor: Tensor, storage: Storage) -> tuple[ByteSource, int, Span | None]:
    """The elements in row-major order, little-endian: in which source, from which byte on, and where in the file."""
    kind = DTYPES[tensor.dtype]
    source = storage.source or NOTHING
    how = elements(tensor)
    if is_row_major(tensor.shape, tensor.stride) and (how is None or how.plain):
        start = tensor.storage_offset * kind.itemsize // kind.packed
        if storage.span is None:
            return source, start, None
        first = storage.span.start + start
        return source, start, Span(first, first + kind.nbytes(tensor.elements))
    whole = AssembledSource(tensor.shape, kind.itemsize, [replace(tensor, offsets=(0,) * len(tensor.shape))])
    found: ByteSource = whole if not whole.absent else NOTHING
    return (found if how is None or how.plain else DecodedSource(found, how)), 0, None


class DecodedSource(ByteSource):
    """Elements with their byte order, their conj and their neg bit applied, as little-endian bytes."""

    def __init__(self, stored: ByteSource, how: Elements) -> None:
        self._stored, self._how = stored, how
        self.size = stored.size

    @override
    def read(self, offset: int, length: int) -> bytes:
        length = min(length, self.size - offset)
        if offset < 0 or length <= 0:
            return b""
        size = self._how.itemsize
        first = offset // size * size
        raw = self._stored.read(first, -(-(offset + length) // size) * size - first)
        held = np.frombuffer(raw[: len(raw) // size * size], dtype=np.uint8).copy()
        return self._how.decode(held).tobytes()[offset - first : offset - first + length]


class ItemStorage(Storage):
    """A storage whose bytes are looked for when they are asked for."""

    @property
    def span(self) -> Span | None:
        """Its bytes in the file of the set."""
        return self.source.span if isinstance(self.source, ItemSource) else None

    @span.setter
    def span(self, value: Span | None) -> None:
        """Only the source knows."""


def item_storage(key: str, dtype: str, shape: Shape, count: int, item: Item | None, options: Options) -> Storage:
    """The storage of a chunk. `item`: None where there is none, or its file is missing."""
    nbytes = DTYPES[dtype].nbytes(count)
    if item is None:
        return Storage(key, LOCATION, dtype, False, count, nbytes, None, None)
    return ItemStorage(
        key, LOCATION, dtype, False, count, nbytes, None, ItemSource(item, dtype, shape, nbytes, options)
    )


def key_of(name: str, offsets: Shape | None) -> str:
    """What the storage of a piece is called."""
    return name if not offsets else f"{name} [{', '.join(map(str, offsets))}]"


def item_tensor(item: Item | None, number: int, dtype: str, shape: Shape, options: Options) -> Tensor:
    """The tensor in an item as it stands in its file; where it cannot be read, as it is stated, without its bytes."""
    try:
        found = read_item(item, options) if item is not None else None
    except SourceError:
        found = None
    if found is None:
        count = prod(shape)
        storage = Storage(number, LOCATION, dtype, False, count, DTYPES[dtype].nbytes(count), None, None)
        found = Tensor(number, (), None, "tensor", dtype, shape, row_major(shape), 0, storage)
    found.index, found.path, found.name = number, (number,), None
    return found
