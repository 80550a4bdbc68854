"""Searches in tests: what is found, as plain values."""

from __future__ import annotations

from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.search import search
from viewer.core.search.base import Hit, Look
from viewer.core.search.wanted import wanted


def looked(document: Document, text: str, **options: object) -> tuple[dict[str, list[Hit]], Look]:
    """The hits by kind, and the search. `match_case`, `expression`: as typed; all else is of the Look."""
    meant = wanted(
        text, match_case=bool(options.pop("match_case", False)), expression=bool(options.pop("expression", False))
    )
    look = Look(meant, Progress(), **options)
    found: dict[str, list[Hit]] = {}
    for kind, hits, _ in search(list(document.walk()), look):
        found.setdefault(kind, []).extend(hits)
    return found, look


def texts(document: Document, text: str, **options: object) -> dict[str, list[str]]:
    """The texts of the hits, by kind."""
    found, _ = looked(document, text, **options)
    return {kind: [hit.text for hit in hits] for kind, hits in found.items()}


def marked(hit: Hit) -> str:
    """The letters of a hit that were found."""
    return hit.text[hit.start : hit.stop]
