"""The tensors of a distributed checkpoint, of the whole and of one file, each made when it is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

import numpy as np
from typing_extensions import override

from viewer.core.formats.distributed.checkpoint import NONE, Checkpoint
from viewer.core.formats.distributed.pieces import LOCATION, item_storage, item_tensor, key_of
from viewer.core.tensors.assembled import AssembledSource
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.layout import Shape, row_major
from viewer.core.tensors.many import Counted, ManyTensors, Totals
from viewer.core.tensors.path import Attribute, Path, shown_short
from viewer.core.tensors.rows import Numbers
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.tensor import Tensor

PIECE: Final = "piece"


class LogicalTensors(ManyTensors):
    """The tensors of the whole checkpoint, in the order of the metadata."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        super().__init__(checkpoint.metadata.shown)
        self.checkpoint = checkpoint

    @override
    def make(self, number: int) -> Tensor:
        found = self.checkpoint
        tensors = found.metadata.tensors
        name, dtype, shape = tensors.names[number], tensors.dtypes[number], tensors.shapes.of(number)
        path, stated = found.metadata.path(name), found.metadata.stated(number)
        chunks = tensors.chunks.of(number)
        member, parts = "", []
        if found.is_single[number]:
            storage = self._storage(chunks[0], name, dtype, shape, None)
            member = found.file_of(int(found.chunk_items[chunks[0]]))
        else:
            for order, chunk in enumerate(chunks):
                piece = self._piece(chunk, name, dtype, shape)
                if piece is not None:
                    piece.index, piece.path, piece.stated = number, (*path, Attribute(f"{PIECE} {order}")), stated
                    parts.append((PIECE, piece))
            storage = whole_of(name, dtype, shape, [piece for _, piece in parts])
        return Tensor(
            *(number, path, name, "tensor", dtype, shape, row_major(shape), 0, storage),
            stated=stated,
            parts=tuple(parts),
            member=member,
        )

    def _piece(self, chunk: int, name: str, dtype: str, whole: Shape) -> Tensor | None:
        """One chunk of several; None where it lies outside of the tensor."""
        tensors = self.checkpoint.metadata.tensors
        offsets, sizes = tensors.offsets.of(chunk), tensors.sizes.of(chunk)
        if any(at + size > full for at, size, full in zip(offsets, sizes, whole, strict=True)):
            return None
        storage = self._storage(chunk, name, dtype, sizes, offsets)
        member = self.checkpoint.file_of(int(self.checkpoint.chunk_items[chunk]))
        piece = Tensor(0, (), name, "tensor", dtype, sizes, row_major(sizes), 0, storage)
        piece.member, piece.offsets = member, offsets
        return piece

    def _storage(self, chunk: int, name: str, dtype: str, shape: Shape, offsets: Shape | None) -> Storage:
        item = self.checkpoint.item(int(self.checkpoint.chunk_items[chunk]))
        return item_storage(key_of(name, offsets), dtype, shape, prod(shape), item, self.checkpoint.options)

    @override
    def totals(self) -> Totals:
        found = self.checkpoint
        dtypes = found.metadata.tensors.dtypes[: len(self)]
        elements = found.tensor_volumes[: len(self)].tolist()
        totals = Totals(len(dtypes), int(found.is_whole[: len(self)].sum()))
        for dtype, count in zip(dtypes, elements, strict=True):
            totals.dtypes.setdefault(dtype, Counted()).add(DTYPES[dtype].nbytes(count))
        totals.elements = totals.unique_elements = sum(elements)
        totals.nbytes = totals.unique_nbytes = sum(each.nbytes for each in totals.dtypes.values())
        totals.locations = {LOCATION: Counted(len(dtypes), totals.nbytes)} if dtypes else {}
        return totals

    @override
    def paths(self) -> Sequence[Path]:
        metadata = self.checkpoint.metadata
        return [metadata.path(name) for name in metadata.tensors.names[: len(self)]]

    @override
    def names(self, first: int, stop: int) -> list[str]:
        metadata = self.checkpoint.metadata
        return [shown_short(metadata.path(name)) for name in metadata.tensors.names[first:stop]]

    @override
    def stated_at(self, offset: int) -> int:
        metadata = self.checkpoint.metadata
        opcode = metadata.values.code.at(offset)
        if opcode < 0:
            return NONE
        values, owners = self._stating
        # Those of other streams count on behind the last of this one.
        values = values[: int(np.searchsorted(values, len(metadata.values.code)))]
        at = int(np.searchsorted(values, opcode, side="right"))
        for row in range(max(0, at - 1), min(len(values), at + 1)):
            first, last = metadata.values.opcodes(int(values[row]))
            if first <= opcode <= last:
                return int(owners[row])
        return NONE

    @property
    def _stating(self) -> tuple[Numbers, Numbers]:
        """The values that state tensors, in ascending order, and the tensor of each: the entries, and their items."""
        found = self.checkpoint
        rows = np.flatnonzero((found.chunk_items >= 0) & (found.chunk_owners < len(self)))
        stated = found.metadata.tensors.values[: len(self)]
        values = np.concatenate((stated, found.metadata.items.values[found.chunk_items[rows]]))
        owners = np.concatenate((np.arange(len(self), dtype=np.int64), found.chunk_owners[rows]))
        order = np.argsort(values, kind="stable")
        return values[order], owners[order]


def whole_of(name: str, dtype: str, shape: Shape, pieces: list[Tensor]) -> Storage:
    """The storage of a tensor in pieces."""
    kind, count = DTYPES[dtype], prod(shape)
    source = AssembledSource(shape, kind.itemsize, pieces)
    return Storage(name, LOCATION, dtype, False, count, kind.nbytes(count), None, source, absent=source.absent)


class FileTensors(ManyTensors):
    """The tensors of one file of a checkpoint, in the order of their items. Spans count in the file."""

    def __init__(self, checkpoint: Checkpoint, file: int) -> None:
        self.checkpoint = checkpoint
        self._chunks = checkpoint.chunks_in(file)
        super().__init__(len(self._chunks))

    @override
    def make(self, number: int) -> Tensor:
        chunk = int(self._chunks[number])
        tensors = self.checkpoint.metadata.tensors
        owner = int(self.checkpoint.chunk_owners[chunk])
        item = self.checkpoint.item(int(self.checkpoint.chunk_items[chunk]))
        return item_tensor(item, number, tensors.dtypes[owner], tensors.sizes.of(chunk), self.checkpoint.options)

    @override
    def totals(self) -> Totals:
        found = self.checkpoint
        totals = Totals(len(self))
        for chunk in self._chunks.tolist():
            dtype, count = (
                found.metadata.tensors.dtypes[int(found.chunk_owners[chunk])],
                int(found.chunk_volumes[chunk]),
            )
            nbytes = DTYPES[dtype].nbytes(count)
            totals.whole += bool(found.chunk_is_there[chunk])
            totals.elements += count
            totals.nbytes += nbytes
            totals.dtypes.setdefault(dtype, Counted()).add(nbytes)
        totals.unique_elements, totals.unique_nbytes = totals.elements, totals.nbytes
        totals.locations = {LOCATION: Counted(len(self), totals.nbytes)} if len(self) else {}
        return totals
