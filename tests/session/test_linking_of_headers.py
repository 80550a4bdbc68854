"""A tensor that no pickle made is tied to the bytes of the header that state it, both ways."""

from __future__ import annotations

import pytest

from tests.builders.safetensors import entry, safetensors
from tests.builders.torch_tar import TarStorage, TarTensor, TorchTar, named
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


@pytest.mark.parametrize(
    "data",
    [
        safetensors({"a": entry("F32", [2], 0, 8), "b": entry("F64", [2**60], 8, 2**64 - 1)}, bytes(8)),
        TorchTar(
            {"w": named(21)},
            [TarStorage(11, "Long", [1], count=2**62)],
            [TarTensor(21, 11, "Long", (2**62, 2**62), (2**62, 1), 2**62)],
        ).data,
    ],
    ids=["safetensors", "torch-tar"],
)
def test_offsets_beyond_64_bits(data: bytes) -> None:
    document = opened(data)
    links = Links(document, Contents(document))
    links.prepare()
    for tensor in document.tensors:
        assert links.from_tensor(tensor).tensor == tensor.index
    assert links.from_bytes((Span(len(data) - 1, len(data)),)).document == 0
