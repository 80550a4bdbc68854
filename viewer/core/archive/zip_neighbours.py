"""Several zips in one file, as when torch.save is called twice on an open file: where those are that nobody reads.

A reader of zips sees one of them: the last, or, where all are of one size, the first, because the offsets in the
last one's end records fit there too.
"""

from __future__ import annotations

from typing import Final

from viewer.core.archive import zip_layout as layout
from viewer.core.archive.zip_directory import End, find_end
from viewer.core.source import ByteSource
from viewer.core.span import Span

MOST_ARCHIVES: Final = 100


def places_in_front(source: ByteSource, end: End | None) -> list[Span]:
    """The archives in front of the one that `end` belongs to, in their order."""
    places: list[Span] = []
    stop = end.shift if end is not None else 0
    while stop > 0 and len(places) < MOST_ARCHIVES:
        before = find_end(source.slice(0, stop))
        start = 0 if before is None else max(0, before.shift)
        places.append(Span(start, stop))
        stop = start
    return [place for place in reversed(places) if _begins(source, place)]


def places_behind(source: ByteSource, end: End | None) -> list[Span]:
    """The archives behind it: those that the same end record leads to, then one that is cut."""
    places: list[Span] = []
    start, last = 0, end
    while last is not None and last.other_start is not None and len(places) < MOST_ARCHIVES:
        following = _end_of_own(source, start + last.stop)
        if following is None:
            break
        start = following
        last = find_end(source.slice(start, source.size))
        inner = None if last is None or last.other_start is None else _end_of_own(source, start + last.stop)
        places.append(Span(start, inner or source.size))
    if end is not None and not places:
        places.append(Span(end.parts[-1].span.stop, source.size))
    return [place for place in places if _begins(source, place)]


def _end_of_own(source: ByteSource, at: int) -> int | None:
    """Where the end records stop that follow a directory at once; None where none do."""
    records = source.read(at, layout.END64.size + layout.LOCATOR.size + layout.END.size)
    found = records.find(layout.END_SIGNATURE)
    if found < 0 or found + layout.END.size > len(records):
        return None
    comment = int.from_bytes(records[found + layout.END.size - 2 : found + layout.END.size], "little")
    return at + found + layout.END.size + comment


def _begins(source: ByteSource, place: Span) -> bool:
    return source.read(place.start, len(layout.LOCAL_SIGNATURE)) == layout.LOCAL_SIGNATURE
