"""The rows under a record of which an outline was made: a graph, bytecode, a list of names."""

from __future__ import annotations

from typing import Final

from viewer.core.objects.outline import Outline
from viewer.core.span import Span
from viewer.core.summary.part import NOWHERE, Part, Parts, Say, data
from viewer.wording import rows as words
from viewer.wording.outlines import OUTLINES

# The icon of the rows of a list, by its name.
_ICONS: Final = {
    **dict.fromkeys(("nodes", "operators", "methods", "instructions"), "function"),
    **dict.fromkeys(("inputs", "outputs", "parameters", "buffers"), "tensor"),
    "extern": "module",
}


def outline_parts(outline: Outline, place: Span) -> Parts:
    """The rows of an outline, made when they are looked at. `place`: the record's bytes, which each of them selects."""
    rows = outline.rows
    # A byte of the record belongs to the record: nothing is known of the rows' own bytes.
    icon = _ICONS.get(outline.label, "text") if outline.own else "text"
    return Parts([NOWHERE] * len(rows), lambda number: outline_part(rows[number], place, icon), 0)


def outline_part(row: Outline, place: Span, icon: str) -> Part:
    """One row of an outline; `icon`: of those that are no lists."""
    children = outline_parts(row, place) if row.rows else None
    icon = "list" if row.own and row.count >= 0 else icon
    return Part(title(row), icon, place, beside(row), children=children)


def title(row: Outline) -> Say:
    """The name of a row: the program's own, or out of the file."""
    return Say(OUTLINES[row.label]) if row.own else data(row.label)


def of_record(outline: Outline) -> tuple[Say, ...]:
    """What stands beside the name of a record: what it is, and how much of it."""
    return (title(outline), *beside(outline))


def beside(row: Outline) -> tuple[Say, ...]:
    """What stands beside it: a text out of the file, a number of entries or of uses."""
    found = (data(row.value),) if row.value else ()
    if row.count < 0:
        return found
    return (*found, Say(words.ITEMS if row.own else words.USES, {"count": row.count}))
