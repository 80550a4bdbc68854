"""Bytes of several elements: as few ranges as they are, in one file."""

from __future__ import annotations

from dataclasses import replace

from tests.core.tensors.streams import over
from viewer.core.span import Span
from viewer.core.tensors.tensor import Tensor
from viewer.session.element_spans import joined, spans_of


def test_ranges_that_touch_are_one() -> None:
    spans = [Span(8, 12), Span(0, 4), Span(4, 8), Span(20, 24), Span(22, 26), Span(30, 31)]
    assert joined(spans) == (Span(0, 12), Span(20, 26), Span(30, 31))


def test_elements_in_any_order_and_several_in_a_byte() -> None:
    tensor = over(bytes(24), "float32", (2, 3), itemsize=4)
    assert spans_of(tensor, [(1, 0), (0, 0), (0, 2)]) == ("", (Span(0, 4), Span(8, 16)))
    shared = over(bytes(2), "quint4x2", (3,), itemsize=1)
    assert spans_of(shared, [(0,), (1,), (2,)]) == ("", (Span(0, 2),))
    assert spans_of(tensor, [(5, 0)]) == ("", ())


def test_of_pieces_in_several_files_those_of_the_first_are_given() -> None:
    piece = over(bytes(8), "float32", (2,), itemsize=4)
    parts = [replace(piece, member=name, offsets=(first,)) for name, first in (("a", 0), ("b", 2))]
    whole = Tensor(0, (), "w", "tensor", "float32", (4,), (1,), 0, None, parts=tuple(("piece", part) for part in parts))
    assert spans_of(whole, [(1,), (2,), (0,)]) == ("a", (Span(0, 8),))
