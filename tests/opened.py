"""Opening of bytes in tests, and the checks that hold for every document."""

from __future__ import annotations

from viewer.core.document import Document
from viewer.core.formats.base import Options
from viewer.core.opening import open_document
from viewer.core.source import MemorySource


def opened(data: bytes, options: Options | None = None) -> Document:
    """The document of some bytes."""
    return open_document(Traced(data), options=options)


class Traced(MemorySource):
    """Bytes that count as a file: their offsets are those of the outermost file."""

    def to_outer(self, offset: int) -> int | None:
        return offset


def codes(document: Document) -> list[str]:
    """The codes of the Problems of one document, in their order."""
    return [problem.code for problem in document.problems]


def regions_tile(document: Document) -> None:
    """Every byte of a document has one owner."""
    reached = 0
    for region in document.regions:
        assert region.span.start == reached, region
        assert region.span.stop > reached, region
        reached = region.span.stop
    assert reached == document.source.size
    for problem in document.problems:
        assert problem.span is None or problem.span.stop <= document.source.size, problem
