"""What records say beside the tensors (graphs, bytecode, lists of names), as lines and as rows of JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from viewer.core.document import Document
from viewer.core.objects.outline import Outline
from viewer.wording.outlines import OUTLINES

LONG: Final = frozenset({"nodes", "instructions"})
"""Lists of which the lines tell the number only; JSON has them whole."""


def outline_lines(document: Document) -> Iterator[str]:
    """The name of each such record, and what it says indented below it."""
    for part in document.walk():
        for record, outline in part.outlines.items():
            yield f"  {record}: {_words(outline)}"
            for row in outline.rows:
                yield from _lines(row, 2)


def _lines(row: Outline, depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}{_words(row)}"
    if not (row.own and row.label in LONG):
        for inner in row.rows:
            yield from _lines(inner, depth + 1)


def _words(row: Outline) -> str:
    parts = (OUTLINES[row.label] if row.own else row.label, row.value)
    text = "  ".join(part for part in parts if part)
    return text if row.count < 0 else f"{text}: {row.count:,}" if row.own else f"{text}  {row.count:,} x"


def outline_rows(document: Document) -> Iterator[dict[str, Any]]:
    """One row a record; rows within rows have the same form without `document` and `record`."""
    for part in document.walk():
        for record, outline in part.outlines.items():
            yield {"document": part.index, "record": record, **_row(outline)}


def _row(outline: Outline) -> dict[str, Any]:
    """`label`: the file's own text, or where `own` a name that stays the same."""
    return {
        "label": outline.label,
        "own": outline.own,
        "value": outline.value or None,
        "count": outline.count if outline.count >= 0 else None,
        "rows": [_row(row) for row in outline.rows],
    }
