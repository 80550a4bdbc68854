"""The rows of a member that is pickles with raw numbers between them: `storages` and `tensors` of a tar checkpoint."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from viewer.core.archive.record import Record
from viewer.core.document import Document, Pickle
from viewer.core.span import Region, Span
from viewer.core.summary.part import Part, Parts, data, pickle_part, region_part

MEMBER_ROLES: Final = frozenset({"number of storages", "number of tensors"})


def member_parts(document: Document, record: Record, pickles: Sequence[Pickle]) -> Parts:
    """A row for each entry: its pickle, and the numbers behind it up to the next pickle.

    `pickles`: those of the member, in the order of their bytes; there is at least one.
    """
    inside = [
        region
        for region in document.regions
        if region.kind != "pickle" and record.data.contains_span(region.span) and region.span.length
    ]
    places = [region.span.start for region in inside]
    starts = [pickle.span().start for pickle in pickles]
    stops = [*starts[1:], record.data.stop]

    def make(number: int) -> Part:
        whole = Span(starts[number], max(stops[number], starts[number]))
        first, last = bisect_left(places, whole.start), bisect_left(places, whole.stop)
        return _entry(document, pickles[number], whole, inside[first:last])

    return Parts(starts, make, record.data.stop)


def _entry(document: Document, pickle: Pickle, whole: Span, regions: Sequence[Region]) -> Part:
    """The row of one entry; of an entry without numbers that of its pickle."""
    stored = next((region for region in regions if region.kind in ("storage", "tensor-layout")), None)
    counted = next((region for region in regions if region.kind == "storage-count"), None)
    shown = stored or counted
    if shown is None:
        part = pickle_part(document, pickle, owned=whole)
        part.children = _left(regions)
        return part
    is_storage = stored is not None and stored.kind == "storage"
    dtype, _, key = shown.label.partition(" ") if is_storage else ("", "", shown.label)
    icon = "tensor" if shown.kind == "tensor-layout" else "storage"
    details = (data(dtype),) if dtype else ()
    size = shown.span.length if shown.kind != "storage-count" else 0
    return Part(data(key), icon, shown.span, details, size, whole, pickle=pickle.index, children=_left(regions))


def _left(regions: Sequence[Region]) -> Parts | None:
    """Rows of bytes that belong to no entry."""
    found = [region for region in regions if region.kind in ("trailing", "gap", "unknown")]
    if not found:
        return None
    return Parts([region.span.start for region in found], lambda row: region_part(found[row]), found[-1].span.stop)
