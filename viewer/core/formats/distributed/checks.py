"""What does not fit in a distributed checkpoint: entries, files, items, and the pieces of each tensor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.formats.base import Context
from viewer.core.formats.distributed.checkpoint import Checkpoint
from viewer.core.formats.distributed.items import read_item, why_unreadable
from viewer.core.formats.distributed.metadata import chosen
from viewer.core.formats.distributed.pieces import fits
from viewer.core.problem import Problem, error, note, warning
from viewer.core.span import Span
from viewer.core.tensors.assembled import overlapping
from viewer.core.tensors.layout import Shape
from viewer.core.tensors.rows import Flags, Numbers
from viewer.core.tensors.tensor import Tensor
from viewer.wording import bare

MOST_LOOKED_AT: Final = 2000
MOST_COMPARED: Final = 20_000
MOST_PLACED: Final = 1000
"""Problems of a kind whose bytes are looked up; no more than a hundred are shown."""
STEP: Final = 64


def entry_problems(checkpoint: Checkpoint) -> Iterator[Problem]:
    """Entries of the metadata that cannot be read; of a stream that breaks off only that it does."""
    metadata = checkpoint.metadata
    items = metadata.items
    unsound = [row for row in range(len(items)) if not items.is_sound(row)]
    if not metadata.is_complete:
        facts = {"count": metadata.shown, "present": len(items) - len(unsound)}
        yield error("set-metadata-incomplete", None, **facts)
        return
    if metadata.is_cut:
        yield error("set-metadata-shared", None, count=metadata.shown)
    for number, (name, value, reason) in enumerate(metadata.refused):
        span = metadata.span(value) if number < MOST_PLACED else None
        yield error("set-metadata-entry", span, name=name, reason=reason)
    if unsound:
        span = metadata.span(int(items.values[unsound[0]]))
        yield error("set-item-entry", span, count=len(unsound))
    for name, value in zip(metadata.byte_names, metadata.byte_values.tolist(), strict=True):
        if name not in checkpoint.value_items:
            yield error("set-value-lost", metadata.span(value), name=name)
    for number, row in enumerate(np.flatnonzero(~checkpoint.used & (checkpoint.item_files >= 0)).tolist()):
        span = metadata.span(int(items.values[row])) if number < MOST_PLACED else None
        yield warning("set-item-unused", span, name=items.names[row], file=checkpoint.file_of(row))


def place_problems(checkpoint: Checkpoint, file: int, member: Document) -> Iterator[Problem]:
    """Items of a file that reach beyond its end, share bytes or leave some out. Spans count in the file."""
    items, rows, size = checkpoint.metadata.items, checkpoint.items_in(file), member.source.size
    name = checkpoint.files.names[file]
    starts, lengths = items.starts[rows], items.lengths[rows]
    stops = starts + lengths
    for at in np.flatnonzero(stops > size).tolist():
        span = Span(int(starts[at]), int(stops[at])).clipped(size)
        yield error("set-item-beyond", span, name=items.names[rows[at]], file=name, expected=int(stops[at]), size=size)
    reached = np.concatenate((np.zeros(1, dtype=np.int64), np.maximum.accumulate(stops)))
    shared = np.flatnonzero((starts < reached[:-1]) & (lengths > 0))
    if len(shared):
        at = int(shared[0])
        span = Span(int(starts[at]), int(stops[at])).clipped(size)
        yield warning("set-item-overlap", span, file=name, count=len(shared), name=items.names[rows[at]])
    begins = np.minimum(np.append(starts, size), size)
    gaps = np.maximum(begins - np.minimum(reached, size), 0)
    if gaps.any():
        at = int(np.flatnonzero(gaps)[0])
        first = int(reached[at])
        span = Span(first, int(begins[at]))
        yield warning("set-file-gap", span, file=name, count=int(gaps.sum()), offset=first)


def piece_problems(checkpoint: Checkpoint) -> Iterator[Problem]:
    """Pieces without an item, outside of their tensor, over one another; elements that no piece has."""
    tensors = checkpoint.metadata.tensors
    inside = are_inside(checkpoint)
    for chunk in np.flatnonzero(~inside).tolist():
        owner = int(checkpoint.chunk_owners[chunk])
        facts: dict[str, object] = {"found": list(tensors.sizes.of(chunk)), "offset": list(tensors.offsets.of(chunk))}
        yield error(
            "set-piece-outside",
            span_of(checkpoint, owner),
            expected=list(tensors.shapes.of(owner)),
            name=tensors.names[owner],
            **facts,
        )
    is_complete = checkpoint.metadata.is_complete
    for number, chunk in enumerate(np.flatnonzero(inside & (checkpoint.chunk_items < 0) & is_complete).tolist()):
        owner = int(checkpoint.chunk_owners[chunk])
        place = list(tensors.offsets.of(chunk))
        span = span_of(checkpoint, owner) if number < MOST_PLACED else None
        yield error("set-piece-lost", span, name=tensors.names[owner], offset=place)
    count = len(tensors.names)
    covered = np.bincount(checkpoint.chunk_owners, checkpoint.chunk_volumes * inside, minlength=count)
    doubtful = np.flatnonzero(~checkpoint.is_single & ~in_a_row(checkpoint, inside))
    for owner in doubtful[:MOST_COMPARED].tolist():
        pieces = [piece_of(checkpoint, chunk) for chunk in tensors.chunks.of(owner) if inside[chunk]]
        if overlapping(pieces):
            yield warning("set-pieces-overlap", span_of(checkpoint, owner), name=tensors.names[owner])
    if len(doubtful) > MOST_COMPARED:
        yield note("set-pieces-unchecked", None, count=MOST_COMPARED, total=len(doubtful))
    short = np.flatnonzero(covered < checkpoint.tensor_volumes)
    for number, owner in enumerate(short.tolist()):
        volume = int(checkpoint.tensor_volumes[owner])
        missing = volume - int(covered[owner])
        span = span_of(checkpoint, owner) if number < MOST_PLACED else None
        yield error("set-pieces-hole", span, name=tensors.names[owner], missing=missing, count=volume)


def span_of(checkpoint: Checkpoint, tensor: int) -> Span | None:
    """The opcodes that state a tensor."""
    return checkpoint.metadata.stated(tensor)


def piece_of(checkpoint: Checkpoint, chunk: int) -> Tensor:
    """A chunk as a tensor without bytes, to be compared with others."""
    tensors = checkpoint.metadata.tensors
    sizes = tensors.sizes.of(chunk)
    piece = Tensor(0, (), None, "tensor", "uint8", sizes, (1,) * len(sizes), 0, None)
    piece.offsets = tensors.offsets.of(chunk)
    return piece


def are_inside(checkpoint: Checkpoint) -> Flags:
    """Which chunks lie in their tensors."""
    tensors = checkpoint.metadata.tensors
    shapes = chosen(tensors.shapes, checkpoint.chunk_owners)
    beyond = tensors.offsets.flat + tensors.sizes.flat > shapes.flat
    found = np.ones(len(tensors.offsets), dtype=np.bool_)
    found[tensors.offsets.owners[np.flatnonzero(beyond)]] = False
    return found


def in_a_row(checkpoint: Checkpoint, inside: Flags) -> Flags:
    """The tensors whose chunks follow one another along the first axis, in order, which is how most are divided."""
    tensors = checkpoint.metadata.tensors
    owners, axes = checkpoint.chunk_owners, tensors.offsets.lengths
    good = inside & (axes > 0)
    first = np.zeros(len(owners), dtype=np.int64)
    size = np.zeros(len(owners), dtype=np.int64)
    rows = np.flatnonzero(axes > 0)
    first[rows] = tensors.offsets.flat[tensors.offsets.starts[rows]]
    size[rows] = tensors.sizes.flat[tensors.sizes.starts[rows]]
    # On all other axes a chunk is as wide as its tensor.
    shapes = chosen(tensors.shapes, owners)
    is_first = np.zeros(len(shapes.flat), dtype=np.bool_)
    is_first[shapes.starts[rows]] = True
    narrow = ~is_first & ((tensors.offsets.flat != 0) | (tensors.sizes.flat != shapes.flat))
    good[shapes.owners[np.flatnonzero(narrow)]] = False
    same = owners[1:] == owners[:-1]
    good[1:] &= ~same | (first[1:] >= first[:-1] + size[:-1])
    found = np.ones(len(tensors.names), dtype=np.bool_)
    found[owners[~good]] = False
    return found


def item_problems(checkpoint: Checkpoint, context: Context) -> Iterator[Problem]:
    """Items that hold another tensor than stated, or none; of many the first 2,000 are looked at."""
    metadata = checkpoint.metadata
    chunks = np.flatnonzero(checkpoint.chunk_is_there)
    for number, chunk in enumerate(looked_at(chunks)):
        if number % STEP == 0:
            context.progress.step("archive", number, min(len(chunks), MOST_LOOKED_AT))
        owner, row = int(checkpoint.chunk_owners[chunk]), int(checkpoint.chunk_items[chunk])
        stated = metadata.tensors.dtypes[owner], metadata.tensors.sizes.of(chunk)
        problem = item_problem(checkpoint, row, *stated, context)
        if problem is not None:
            yield problem
    if len(chunks) > MOST_LOOKED_AT:
        yield note("set-items-unchecked", None, count=MOST_LOOKED_AT, total=len(chunks))


def looked_at(chunks: Numbers) -> list[int]:
    """Of many chunks some that lie evenly among them."""
    if len(chunks) <= MOST_LOOKED_AT:
        found: list[int] = chunks.tolist()
        return found
    at = np.linspace(0, len(chunks) - 1, MOST_LOOKED_AT).astype(np.int64)
    some: list[int] = chunks[at].tolist()
    return some


def item_problem(checkpoint: Checkpoint, row: int, dtype: str, shape: Shape, context: Context) -> Problem | None:
    """What is wrong with one item. The span counts in the metadata."""
    item = checkpoint.item(row)
    assert item is not None
    metadata = checkpoint.metadata
    facts = {"name": metadata.items.names[row], "file": checkpoint.file_of(row)}
    place = metadata.span(int(metadata.items.values[row]))
    try:
        tensor = read_item(item, context.options)
    except SourceError as failure:
        return error("set-item-unreadable", place, reason=bare(str(failure)), **facts)
    if tensor is None:
        return error("set-item-unreadable", place, reason=why_unreadable(item, context.options), **facts)
    if fits(tensor, dtype, shape):
        return None
    stated, found = f"{dtype} {list(shape)}", f"{tensor.dtype} {list(tensor.shape)}"
    return error("set-item-differs", place, expected=stated, found=found, **facts)
