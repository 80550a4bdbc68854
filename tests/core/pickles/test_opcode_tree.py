"""The lazy rows of opcodes, pages among them."""

import pickle

from tests.core.pickles.inert import ours
from viewer.core.pickles.opcode_tree import OpcodeTree
from viewer.core.tree import ROOT


def _tree(*things):
    return OpcodeTree([ours(pickle.dumps(thing, 2))[1] for thing in things])


def test_one_stream_shows_its_opcodes_at_once():
    shown = _tree({"a": 1})
    names = [shown.streams[0].code.name(shown.place(node)[1]) for node in shown.tree.children(ROOT)]
    assert names == ["PROTO", "SETITEM", "STOP"]


def test_a_stream_that_breaks_at_once_shows_its_break():
    shown = OpcodeTree([ours(b"\xff")[1]])
    (node,) = shown.tree.children(ROOT)
    assert shown.place(node) == (0, 0)
    assert list(shown.tree.children(node)) == []


def test_several_streams_are_rows_of_their_own():
    shown = _tree(1, [2, 3])
    first, second = shown.tree.children(ROOT)
    assert shown.place(second) == (1, -1)
    assert shown.may_have_children(first)
    node = shown.node_of(1, 4)
    assert shown.place(node) == (1, 4)
    assert shown.streams[1].code.name(4) == "BININT1"
    assert shown.tree.path_to(node)[0] == second


def test_a_long_list_comes_in_pages_and_a_jump_makes_few_rows():
    shown = _tree(list(range(900_000)))
    code = shown.streams[0].code
    last = next(row for row in range(len(code) - 1, 0, -1) if code.name(row) == "BININT")
    node = shown.node_of(0, last)
    assert shown.place(node) == (0, last)
    assert len(shown.tree) < 5000


def test_every_opcode_has_a_node():
    shown = _tree({"a": [1, (2, 3), {"b": None}], "c": "text"}, 5)
    for number, values in enumerate(shown.streams):
        for opcode in range(len(values.code)):
            pickle_number, row = shown.place(shown.node_of(number, opcode))
            assert (pickle_number, row) == (number, shown.nestings[number].row_of(opcode))


def test_a_stream_in_a_value_stands_under_its_opcode():
    streams = [ours(pickle.dumps(thing, 2))[1] for thing in (["a", "b"], ["c", 1], "d")]
    row = next(row for row in range(len(streams[0].code)) if streams[0].code.argument(row) == "b")
    inner = next(row for row in range(len(streams[1].code)) if streams[1].code.argument(row) == "c")
    shown = OpcodeTree(streams, {(0, row): [1], (1, inner): [2]})
    assert shown.place(shown.tree.child(ROOT, 0)) == (0, 0)
    holder = shown.node_of(0, row)
    assert shown.may_have_children(holder)
    (held,) = shown.tree.children(holder)
    assert shown.place(held) == (1, -1)
    assert shown.tree.path_to(shown.node_of(1, inner))[: len(shown.tree.path_to(held))] == shown.tree.path_to(held)
    deepest = shown.node_of(2, 1)
    assert (shown.place(deepest), shown.streams[2].code.argument(1)) == ((2, 1), "d")
    assert not shown.may_have_children(shown.node_of(0, row - 2))
