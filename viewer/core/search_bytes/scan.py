"""Walking over the bytes of a scope in blocks: all hits, the next one, the one before."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.core.progress import Progress
from viewer.core.search_bytes.base import SEARCHING, Hits, Piece, Query
from viewer.core.source import ByteSource
from viewer.core.span import Span


def pieces(source: ByteSource, query: Query, scope: Span, part: Span, progress: Progress) -> Iterator[Piece]:
    """The hits that begin in a part of a scope and end in the scope, as the query walks over them."""
    return query.pieces(source, scope, part, progress)


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
