"""What a container is made of, as rows: pickles, records by folder, storages, header and directory bytes.

Every byte of the document belongs to one part at each level; parts of long lists are made when they are asked for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from viewer.core.document import NEXT_PICKLE, Document
from viewer.core.span import Region, Span
from viewer.core.summary.archive_parts import archive_parts, record_children
from viewer.core.summary.part import (
    Part,
    Parts,
    Say,
    data,
    listed,
    pickle_part,
    place_of,
    region_part,
    shape_text,
    tensor_part,
)
from viewer.core.summary.safetensors_parts import safetensors_parts
from viewer.core.summary.set_parts import index_parts, set_parts
from viewer.core.tensors.indexed import IndexedTensors
from viewer.wording import rows as words

__all__ = ["Part", "Parts", "Say", "child_part", "data", "document_part", "shape_text"]

# Formats that are one stream, whose row is the document's own.
STREAMS: Final = frozenset({"joblib", "pickle"})


def document_part(document: Document) -> Part:
    """The row of a whole document, with all that it is made of below."""
    label = Say(words.FORMATS.get(document.format, document.format))
    detail = (data(document.detail),) if document.detail else ()
    whole = Span(0, document.source.size)
    part = Part(label, "archive", whole, detail, document.source.size)
    if document.format == "safetensors":
        part.children = safetensors_parts(document)
        return part
    if isinstance(document.tensors, IndexedTensors):
        part.children = index_parts(document, document.tensors)
        return part
    if document.records:
        part.children = listed([*archive_parts(document), *_child_parts(document)])
        return part
    if document.format in STREAMS and document.pickles:
        part.icon, part.pickle = "pickle", document.main
        protocol = document.pickles[document.main].code.protocol
        part.details = (Say(words.PROTOCOL, {"protocol": protocol}),)
    elif not document.pickles and not document.tensors:
        part.icon = "bytes"
    found = [*_stream_parts(document), *_array_parts(document), *_child_parts(document)]
    found += set_parts(document) if document.files else []
    part.children = listed([*found, *_region_parts(document, found)])
    return part


# -- streams, arrays, children -----------------------------------------------------------------------


def _stream_parts(document: Document) -> list[Part]:
    """The pickles of a document, and the storages behind them as one group."""
    if document.format in STREAMS:
        return []
    found = [pickle_part(document, pickle) for pickle in document.pickles]
    children = [span for child in document.children if (span := child_span(document, child)) is not None]
    regions = [
        region
        for region in document.regions
        if region.kind in ("storage", "storage-count") and not any(span.overlaps(region.span) for span in children)
    ]
    if regions and document.pickles:
        stored = _storages(regions)
        whole = Span(regions[0].span.start, regions[-1].span.stop)
        size = sum(region.span.length for region in regions if region.kind == "storage")
        found.append(Part(Say(words.STORAGES), "storage", whole, (), size, children=stored))
    return found


def _storages(regions: Sequence[Region]) -> Parts:
    """Storages of a legacy stream, each with the count before it. A storage without elements has only its count."""
    starts: list[int] = []
    rows: list[tuple[Region, Region | None]] = []
    for region in regions:
        follows = rows and rows[-1][1] is None and rows[-1][0].kind == "storage-count"
        if region.kind == "storage" and follows and rows[-1][0].span.stop == region.span.start:
            rows[-1] = (rows[-1][0], region)
        else:
            starts.append(region.span.start)
            rows.append((region, None))

    def make(number: int) -> Part:
        first, second = rows[number]
        stored = second or first
        dtype, _, key = second.label.partition(" ") if second is not None else ("", "", first.label)
        details = (data(dtype),) if dtype else ()
        size = stored.span.length if stored.kind == "storage" else 0
        return Part(data(key), "storage", stored.span, details, size, Span(first.span.start, stored.span.stop))

    return Parts(starts, make, regions[-1].span.stop)


def _array_parts(document: Document) -> list[Part]:
    """Arrays that no pickle made: npy."""
    return [
        tensor_part(tensor, data(document.format))
        for tensor in (document.tensors if not document.files else ())
        if tensor.value is None and tensor.storage is not None
    ]


def _child_parts(document: Document) -> list[Part]:
    of_records = set(record_children(document).values()) if document.records else set()
    return [
        child_part(document, number)
        for number, child in enumerate(document.children)
        if number not in of_records and not child.is_member
    ]


def child_part(document: Document, number: int) -> Part:
    """The row of a document inside this one."""
    child = document.children[number]
    label = Say(words.FORMATS.get(child.format, child.format))
    span, how = child_span(document, child), Say(words.INSIDE, {"how": child.how})
    details = (how, place_of(span.start)) if child.how == NEXT_PICKLE and span is not None else (how,)
    return Part(label, "archive", span, details, child.source.size, child=number)


def _region_parts(document: Document, found: Iterable[Part]) -> list[Part]:
    """A row for each region that no other part owns."""
    places = sorted((part.place for part in found if part.place is not None), key=lambda place: place.start)
    starts = [place.start for place in places]
    parts: list[Part] = []
    main = document.main_pickle if document.format in STREAMS else None
    for region in document.regions:
        number = bisect_right(starts, region.span.start) - 1
        owned = number >= 0 and places[number].contains_span(region.span)
        if not owned and not (main is not None and region.kind == "pickle"):
            parts.append(region_part(region))
    return parts


def child_span(document: Document, child: Document) -> Span | None:
    """The bytes of a child in its parent; None where it was inflated, or is a file of its own."""
    start, outer = document.source.to_outer(0), child.source.to_outer(0)
    if child.is_member or start is None or outer is None:
        return None
    return Span(outer - start, outer - start + child.source.size)
