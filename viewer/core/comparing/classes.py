"""The texts of classes that two files store: equal, changed by how many lines, or in one of them only."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.core.code.differences import ADDED, CHANGED, REMOVED, differences
from viewer.core.comparing.plain import CHANGED as OTHER
from viewer.core.comparing.plain import EQUAL, ONLY_A, ONLY_B
from viewer.core.document import Document
from viewer.core.progress import Progress


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One class. `status`: equal, changed, only-a, only-b; lines that were changed, added by the second, removed."""

    name: str
    status: str
    changed: int = 0
    added: int = 0
    removed: int = 0


def texts_of(document: Document) -> dict[str, str]:
    """The first text of each class or module, by its name."""
    found: dict[str, str] = {}
    for part in document.walk():
        for source in part.sources:
            if source.text is not None:
                found.setdefault(source.name, source.text)
    return found


def compare_sources(first: Document, second: Document, progress: Progress) -> list[SourceRow]:
    """All classes of both with their text, by name. Raises CancelledError."""
    mine, other = texts_of(first), texts_of(second)
    return [_row(name, mine.get(name), other.get(name), progress) for name in sorted({*mine, *other})]


def _row(name: str, mine: str | None, other: str | None, progress: Progress) -> SourceRow:
    progress.check()
    if mine is None or other is None:
        return SourceRow(name, ONLY_B if mine is None else ONLY_A)
    if mine == other:
        return SourceRow(name, EQUAL)
    counts = differences(mine, other, progress.silent()).counts
    return SourceRow(name, OTHER, counts.get(CHANGED, 0), counts.get(ADDED, 0), counts.get(REMOVED, 0))
