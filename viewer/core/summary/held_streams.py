"""The pickles of a document with those that lie in its values, however deep: the streams of one tree of opcodes."""

from __future__ import annotations

from dataclasses import dataclass, field

from viewer.core.document import Document, Pickle
from viewer.core.span import Span
from viewer.core.summary.parts import child_span


@dataclass(slots=True)
class HeldStreams:
    """`streams`: those of the document first, each with its document. `held`: those in a value, by stream and value."""

    streams: list[tuple[Document, Pickle]]
    held: dict[tuple[int, int], list[int]] = field(default_factory=dict)


def held_streams(document: Document) -> HeldStreams:
    """All streams, with the numbers of those that the bytes or the text of a value hold."""
    found = HeldStreams([(document, pickle) for pickle in document.pickles])
    waiting = [(document, 0)]
    while waiting:
        outer, first = waiting.pop()
        for child in outer.children:
            if child.held is not None:
                waiting += _add(found, child, (first + child.held.pickle, child.held.value))
    return found


def _add(found: HeldStreams, child: Document, place: tuple[int, int]) -> list[tuple[Document, int]]:
    """Add the streams of a file in a value, and of files in that which no value holds; gives where to go on."""
    added = []
    inner = [child]
    while inner:
        part = inner.pop(0)
        first = len(found.streams)
        found.streams += [(part, pickle) for pickle in part.pickles]
        found.held.setdefault(place, []).extend(range(first, len(found.streams)))
        added.append((part, first))
        inner += [other for other in part.children if other.held is None]
    return added


def span_around(document: Document, inner: Document, pickle: Pickle, own: Span) -> Span | None:
    """Bytes of a pickle in the source of a document around its own; None where they were made or unpacked."""
    place = pickle.in_document(own)
    span = child_span(document, inner)
    return place.shifted(span.start) if place is not None and span is not None else None
