"""Lines of the source texts that a file stores: of classes, and code records of TorchScript and torch.package."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from typing_extensions import override

from viewer.core.document import Document
from viewer.core.search.base import SOURCE, Found, Hit, Look, Row, Searcher


class Sources(Searcher):
    """One hit a line."""

    @override
    def look(self, document: Document, look: Look) -> Iterator[Found]:
        for code, source in enumerate(document.sources):
            yield from look.listed(SOURCE, _lines(source.text or ""), partial(_hit, document, code), 1)


def _hit(document: Document, code: int, row: Row) -> Hit:
    source = document.sources[code]
    place = source.name or source.record
    return Hit(SOURCE, *unindented(row), document.index, code=code, line=row.number, place=place)


def _lines(text: str) -> Iterator[str]:
    """The lines of a text one after the other, so that none of it is copied at once."""
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield text[at:end].rstrip("\r")
        at = end + 1


def unindented(row: Row) -> tuple[str, int, int]:
    """A line without the blanks before its first letter, as far as they are no part of what was found."""
    indent = min(len(row.text) - len(row.text.lstrip()), row.start)
    return row.text[indent:], row.start - indent, row.stop - indent
