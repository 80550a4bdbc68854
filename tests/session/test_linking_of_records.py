"""Texts that stand in records, not in pickles: a line leads to its bytes, a byte to its line."""

from __future__ import annotations

import pytest

from tests.builders.programs import NET_CODE, torch_package, torch_script
from tests.opened import opened
from viewer.core.span import Span
from viewer.core.summary.contents import Contents
from viewer.session.linking import Links


def test_lines_of_a_stored_record() -> None:
    data = torch_script(1, {"__torch__.py": NET_CODE}, deflated=False)
    document = opened(data)
    links = Links(document, Contents(document))
    start = data.index(NET_CODE)
    whole = Span(start, start + len(NET_CODE))
    line = Span(data.index(b"  mean : Tensor"), data.index(b"\n  other"))
    found = links.from_line(0, 5)
    assert (found.spans, found.linked, found.code, found.line) == ((line,), (whole,), 0, 5)
    assert found.node == links.contents.node_at_offset(start)
    assert found.node is not None
    assert links.from_line(0, None).spans == (whole,)
    back = links.from_bytes((Span(line.start, line.start + 1),))
    assert (back.code, back.line) == (0, 5)


def test_lines_of_a_deflated_record_lead_to_its_packed_bytes() -> None:
    document = opened(torch_script(1, {"__torch__.py": NET_CODE}))
    links = Links(document, Contents(document))
    record = next(found for found in document.records if found.name == "net/code/__torch__.py")
    found = links.from_line(0, 3)
    assert (found.spans, found.code, found.line) == ((record.data,), 0, 3)
    back = links.from_bytes((Span(record.data.start, record.data.start + 1),))
    assert (back.code, back.line) == (0, None)


@pytest.mark.parametrize("deflated", [True, False])
def test_the_row_of_a_record_leads_to_its_text(deflated: bool) -> None:
    document = opened(torch_script(1, {"__torch__.py": NET_CODE}, deflated=deflated))
    links = Links(document, Contents(document))
    record = next(found for found in document.records if found.name == "net/code/__torch__.py")
    node = links.contents.node_at_offset(record.data.start)
    assert node is not None
    found = links.from_node(node)
    assert (found.node, found.code, found.line) == (node, 0, None)
    other = links.contents.node_at_offset(0)
    assert other is not None
    assert links.from_node(other).code is None


@pytest.mark.parametrize("code", [0, 1])
def test_modules_of_a_package(code: int) -> None:
    text = b"import torch\nclass A:\n    x = 1\n"
    data = torch_package({"m/m.pkl": 1}, {"zoo.py": text})
    document = opened(data)
    links = Links(document, Contents(document))
    line = Span(data.index(b"    x = 1"), data.index(b"    x = 1") + 9)
    assert links.from_line(code, (3, 2)[code]).spans == (line,)
