"""Records that stay packed, because they would unpack to more than is allowed."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.core.archive.inflated import MOST_RATIO, InflatedSource
from viewer.core.archive.zip_reader import Records
from viewer.core.document import Document
from viewer.core.problem import Problem, error
from viewer.core.span import Span


def packed_records(document: Document) -> Iterator[Problem]:
    """An error with the largest record that is beyond the limit; a stated size that is impossible does not count."""
    largest: InflatedSource | None = None
    place, count = Span(0, 0), 0
    records = document.records
    for record in records.deflated() if isinstance(records, Records) else records:
        source = record.source
        if not isinstance(source, InflatedSource) or not is_beyond(source):
            continue
        count += 1
        if largest is None or source.stated > largest.stated:
            largest, place = source, record.data
    if largest is not None:
        facts = {"name": largest.name, "size": largest.stated, "limit": largest.limit}
        yield error("inflate-limit", place, count=count, ratio=f"{largest.ratio:.1f}", **facts)


def is_beyond(source: InflatedSource) -> bool:
    """True where the stated size is possible, and more than may be unpacked."""
    return source.limit < source.stated <= source.packed.size * MOST_RATIO
