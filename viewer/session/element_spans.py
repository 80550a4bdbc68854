"""The bytes of some elements of a tensor: as few ranges as they are, all in one file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from viewer.core.span import Span
from viewer.core.tensors.tensor import Tensor
from viewer.session.set_links import place_of_tensor


def spans_of(tensor: Tensor, indices: Iterable[Sequence[int]]) -> tuple[str, tuple[Span, ...]]:
    """The file, and the ranges in it in ascending order, those that touch as one; of other files none are given."""
    member, found = "", list[Span]()
    for index in indices:
        place = place_of_tensor(tensor, tuple(index))
        if not place.spans:
            continue
        if not found:
            member = place.member
        if place.member == member:
            found += place.spans
    return member, joined(found)


def joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Ranges in ascending order, those that touch or overlap as one."""
    made: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, span.stop)):
        if made and span.start <= made[-1].stop:
            made[-1] = Span(made[-1].start, max(made[-1].stop, span.stop))
        else:
            made.append(span)
    return tuple(made)
