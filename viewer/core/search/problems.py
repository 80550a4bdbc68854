"""What is wrong with the file: by the words of it, and by the codes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from typing_extensions import override

from viewer.core.document import Document
from viewer.core.search.base import PROBLEM, Found, Hit, Look, Row, Searcher


class Problems(Searcher):
    """One hit a Problem."""

    @override
    def look(self, document: Document, look: Look) -> Iterator[Found]:
        texts = (f"{look.words(problem)} ({problem.code})" for problem in document.problems)
        yield from look.listed(PROBLEM, texts, partial(_hit, document))


def _hit(document: Document, row: Row) -> Hit:
    return Hit(PROBLEM, *row[1:], document.index, span=document.problems[row.number].span)
