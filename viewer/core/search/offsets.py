"""The place that an offset names, and, behind an `@`, the bytes of what has that name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from typing_extensions import override

from viewer.core.document import Document
from viewer.core.search.base import GO_TO, Found, Hit, Look, Searcher
from viewer.core.search.names import tensor_names
from viewer.core.span import Span

AT: Final = "@"


class Offsets(Searcher):
    """One hit, or one for each tensor and record of a name."""

    @override
    def look(self, document: Document, look: Look) -> Iterator[Found]:
        index, source = look.here
        offset, text = look.offset, look.wanted.text.strip()
        if offset is not None and document.index == index:
            written = f"0x{offset:X}"
            hit = Hit(GO_TO, written, 0, len(written), index, span=Span(offset, offset + 1), source=source)
            yield look.found(GO_TO, [hit], lambda known: known)
        if text.startswith(AT) and not look.wanted.is_expression:
            yield from _named(document, look, text.removeprefix(AT))


def _named(document: Document, look: Look, name: str) -> Iterator[Found]:
    """What has exactly a name."""
    for first, names in tensor_names(document.tensors) if not document.is_member else ():
        look.step()
        rows = [first + number for number, other in enumerate(names) if other == name]
        if rows:
            yield look.found(GO_TO, rows, lambda row: Hit(GO_TO, name, 0, len(name), document.index, tensor=row))
    spans = [record.data for record in document.records if record.name == name]
    if spans:
        yield look.found(GO_TO, spans, lambda span: Hit(GO_TO, name, 0, len(name), document.index, span=span))
