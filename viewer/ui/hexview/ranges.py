"""Several selected ranges: a range that is added takes away what is selected of it already. No Qt."""

from __future__ import annotations

from collections.abc import Iterable

from viewer.core.span import Span


def toggled(kept: Iterable[Span], span: Span) -> tuple[Span, ...]:
    """What lies in the kept ranges or in the span, and not in both; ascending, apart from each other."""
    edges: set[int] = set()
    for each in (*kept, span):
        edges ^= {each.start} ^ {each.stop}
    ordered = sorted(edges)
    return tuple(Span(start, stop) for start, stop in zip(ordered[::2], ordered[1::2], strict=True))
