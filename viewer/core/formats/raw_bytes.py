"""Anything: the bytes as they are, with a sentence on what they probably are."""

from __future__ import annotations

from typing import Final

from typing_extensions import override

from viewer.core.document import Document
from viewer.core.formats.base import Context, Format
from viewer.core.formats.reading import add_beside, finish, kind_problem
from viewer.core.problem import warning
from viewer.core.span import Region, Span
from viewer.wording import Phrase
from viewer.wording.phrases import phrase
from viewer.wording.rows import FORMATS

FURTHER_ON: Final = phrase("how-further-on")


class RawBytes(Format):
    """The last resort; takes every source."""

    @override
    def score(self, context: Context) -> int:
        return 1

    @override
    def parse(self, context: Context) -> Document:
        guess, size = context.guess, context.source.size
        document = Document(context.source, guess.format, guess.detail)
        stop = size
        start = guess.params.get("offset") if "inside" in guess.params else None
        child = None
        if isinstance(start, int) and 0 < start < size:
            child = context.open_child(context.source.slice(start, size), FURTHER_ON)
        if child is not None and isinstance(start, int):
            add_beside(document, child)
            stop = start
            kind = Phrase(FORMATS.get(child.format, child.format))
            document.problems.append(warning("checkpoint-further-on", Span(0, start), offset=start, kind=kind))
        else:
            document.problems.append(kind_problem(guess, size))
        document.regions = [Region(Span(0, stop), "unknown", guess.format), *document.regions]
        finish(document)
        return document
