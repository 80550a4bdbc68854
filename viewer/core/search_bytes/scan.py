"""Walking over the bytes of a scope in blocks: all hits, the next one, the one before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from viewer.core.progress import Progress
from viewer.core.search_bytes.base import Hits, Query
from viewer.core.source import ByteSource
from viewer.core.span import Span

SEARCHING = "searching"


class Piece(NamedTuple):
    """The hits of one block, in offsets of the source; all before `searched` has been looked at."""

    hits: Hits
    searched: int


def pieces(source: ByteSource, query: Query, scope: Span, part: Span, progress: Progress) -> Iterator[Piece]:
    """The hits that begin in a part of a scope and end in the scope. Raises CancelledError between two blocks.

    A file that was cut meanwhile ends the walk where it ends now.
    """
    buffer = bytearray(query.block + query.reach - 1)
    view = memoryview(buffer)
    at = part.start
    while at < part.stop:
        progress.step(SEARCHING, at - part.start, part.length)
        limit = min(query.block, part.stop - at)
        wanted = min(limit + query.reach - 1, scope.stop - at)
        count = source.read_into(at, view[:wanted])
        found = query.find(buffer, count, at - scope.start, limit)
        following = at + limit
        if not query.overlap and len(found.starts) and found.lengths is not None:
            following = max(following, at + int(found.starts[-1]) + int(found.lengths[-1]))
        cut = count < wanted
        yield Piece(Hits(found.starts + at, found.lengths), part.stop if cut else min(following, part.stop))
        if cut:
            return
        at = following


def hits(source: ByteSource, query: Query, scope: Span, part: Span, progress: Progress) -> Iterator[Span]:
    """The same, one by one."""
    for piece in pieces(source, query, scope, part, progress):
        yield from spans_of(piece.hits, query)


def spans_of(found: Hits, query: Query) -> Iterator[Span]:
    """The spans of some hits."""
    lengths = found.lengths.tolist() if found.lengths is not None else [query.length] * len(found.starts)
    for start, length in zip(found.starts.tolist(), lengths, strict=True):
        yield Span(start, start + length)


def next_hit(
    source: ByteSource,
    query: Query,
    selected: Span,
    progress: Progress,
    *,
    backwards: bool = False,
    scope: Span | None = None,
) -> Span | None:
    """The nearest hit behind (or before) the selected bytes, round the end of the scope.

    A hit that is the selection itself comes last, so that the only hit is found again and again.
    """
    scope = scope or Span(0, source.size)
    turn = min(max(scope.start, selected.start + (selected.length > 0 and not backwards)), scope.stop)
    parts = [Span(turn, scope.stop), Span(scope.start, turn)]
    find = last_in if backwards else first_in
    for part in reversed(parts) if backwards else parts:
        found = find(source, query, scope, part, progress)
        if found is not None:
            return found
    return None


def first_in(source: ByteSource, query: Query, scope: Span, part: Span, progress: Progress) -> Span | None:
    """The first hit that begins in a part."""
    return next(hits(source, query, scope, part, progress), None)


def last_in(source: ByteSource, query: Query, scope: Span, part: Span, progress: Progress) -> Span | None:
    """The last hit that begins in a part."""
    high = part.stop
    while high > part.start:
        progress.step(SEARCHING, part.stop - high, part.length)
        low = max(part.start, high - query.block)
        last = None
        for piece in pieces(source, query, scope, Span(low, high), progress.silent()):
            if len(piece.hits.starts):
                last = piece.hits
        if last is not None:
            lengths = last.lengths[-1:] if last.lengths is not None else None
            return next(spans_of(Hits(np.asarray(last.starts[-1:]), lengths), query))
        high = low
    return None
