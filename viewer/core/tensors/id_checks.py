"""Persistent ids that torch.load does not take, though what they stand for can be read here."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from viewer.core.pickles.values import Kind, Values
from viewer.core.problem import Problem, warning
from viewer.core.source import one_line
from viewer.core.span import Span

STORAGE: Final = "storage"
MOST: Final = 10_000
"""Ids that are looked at in one stream."""
LONGEST: Final = 80

Fault = tuple[str, dict[str, object]]


def id_problems(values: Values, spans: bool, items: int, kinds: Collection[str]) -> list[Problem]:
    """The ids that no torch reads in this container, at most one Problem of a kind.

    `spans`: the stream's offsets count in the document's source. `items`: how many the id of a storage must have.
    `kinds`: what the first of them may be.
    """
    counts: dict[str, int] = {}
    first: dict[str, tuple[int, dict[str, object]]] = {}
    for value in values.persistents()[:MOST]:
        for code, facts in _faults(values, value, items, kinds):
            counts[code] = counts.get(code, 0) + 1
            first.setdefault(code, (value, facts))
    return [
        warning(code, _span(values, value) if spans else None, count=counts[code], **facts)
        for code, (value, facts) in first.items()
    ]


def _span(values: Values, value: int) -> Span:
    """The bytes of an id."""
    identity = values.persistent(value)
    return values.span(value if identity < 0 else identity)


def _faults(values: Values, value: int, items: int, kinds: Collection[str]) -> Iterator[Fault]:
    identity = values.persistent(value)
    if identity < 0:
        yield "persistent-text", {}
        return
    held = values.items(identity) if values.kind(identity) is Kind.TUPLE else []
    kind = values.text(held[0]) if held else None
    if kind is None or kind not in kinds:
        yield "persistent-kind", {"value": "?" if kind is None else one_line(kind[:LONGEST])}
    elif kind == STORAGE and len(held) != items:
        yield "persistent-items", {"found": len(held), "expected": items}
