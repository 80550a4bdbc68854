"""A tensor that no pickle made is tied to the bytes of the header that state it, both ways."""

from __future__ import annotations

from tests.builders.safetensors import entry, safetensors
from tests.opened import opened
from viewer.core.span import Span
from viewer.core.summary.contents import Contents
from viewer.session.linking import Links


def test_header_and_tensor_lead_to_each_other() -> None:
    data = safetensors({"a": entry("U8", [2], 0, 2), "b": entry("I16", [2], 2, 6)}, bytes(6))
    document = opened(data)
    links = Links(document, Contents(document))
    place = Span(data.index(b'"b"'), data.index(b"}}") + 1)
    base = len(data) - 6
    element = links.from_bytes((Span(base + 4, base + 5),))
    assert (element.tensor, element.element) == (1, (1,))
    assert place in element.linked
    entered = links.from_bytes((Span(place.start + 3, place.start + 4),))
    assert (entered.tensor, entered.linked[-1]) == (1, Span(base + 2, base + 6))
    node = links.contents.node_at_offset(place.start)
    assert node is not None
    row = links.from_node(node)
    assert (row.node, row.spans, row.tensor) == (node, (place,), 1)
    assert links.from_bytes((Span(3, 4),)).tensor is None
