"""The rows of files that lie in values: in Contents below the value, in the opcodes below what makes it."""

from __future__ import annotations

from tests.builders.held import HIDDEN, wrapped
from tests.builders.pickles import Stream
from tests.builders.values import Pickler
from tests.opened import opened
from viewer.core.span import Span
from viewer.core.summary.contents import Contents
from viewer.core.summary.held_streams import held_streams, span_around
from viewer.core.tensors.tensor import ValueRef
from viewer.core.tree import ROOT

CODED = wrapped(HIDDEN, ["base64", "zlib"])
DATA = b"\x80\x04]\x94(" + Stream().op("SHORT_BINBYTES", HIDDEN).op("SHORT_BINBYTES", CODED).data + b"e."


def test_streams_by_the_values_that_hold_them() -> None:
    found = held_streams(opened(DATA))
    assert [(document.index, pickle.index) for document, pickle in found.streams] == [(0, 0), (1, 0), (2, 0)]
    assert found.held == {(0, 4): [1], (0, 5): [2]}


def test_bytes_of_an_opcode_in_the_file_around() -> None:
    document = opened(DATA)
    plain, coded = document.children
    assert span_around(document, plain, plain.pickles[0], plain.pickles[0].code.span(1)) == Span(9, 20)
    assert DATA[9:20] == b"cos\ngetcwd\n"
    assert span_around(document, coded, coded.pickles[0], coded.pickles[0].code.span(1)) is None


def test_rows_of_contents() -> None:
    document = opened(DATA)
    contents = Contents(document)
    for number, child in enumerate(document.children):
        assert child.held is not None
        node = contents.node_of_value(child.held)
        assert node is not None
        assert contents.opens(node)
        (row,) = contents.tree.children(node)
        assert contents.child(row) is document.children[number]
        assert contents.value(row) is None
    other = contents.node_of_value(ValueRef(0, 1))
    assert other is not None
    assert len(contents.tree.children(other)) == 2


def test_a_file_in_bytes_of_an_old_protocol() -> None:
    document = opened(Pickler(2).dumps([HIDDEN]))
    contents = Contents(document)
    held = document.children[0].held
    assert held is not None
    node = contents.node_of_value(held)
    assert node is not None
    assert [contents.child(row) for row in contents.tree.children(node)] == document.children
    assert contents.tree.parent(contents.tree.child(ROOT, 0)) == ROOT
