"""Anything: the bytes as they are, with a sentence on what they probably are."""

from __future__ import annotations

from typing_extensions import override

from viewer.core.document import Document
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import add_beside, finish, kind_problem
from viewer.core.span import Region, Span


class RawBytes(Format):
    """The last resort; takes every source."""

    @override
    def score(self, context: Context) -> int:
        return 1

    @override
    def parse(self, context: Context) -> Document:
        guess, size = context.guess, context.source.size
        document = Document(context.source, guess.format, guess.detail)
        document.problems.append(kind_problem(guess, size))
        stop = size
        start = guess.params.get("offset") if "inside" in guess.params else None
        if isinstance(start, int) and 0 < start < size:
            child = context.open_child(context.source.slice(start, size), "further on")
            if child is not None:
                add_beside(document, child)
                stop = start
        document.regions = [Region(Span(0, stop), "unknown", guess.format), *document.regions]
        finish(document)
        return document
