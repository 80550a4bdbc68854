"""The tree of opcodes: rows, folding, paths."""

import itertools
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.pickles.inert import ours
from tests.core.pickles.test_values import objects
from viewer.core.pickles.nesting import Nesting


def _tree(data):
    disassembly, values = ours(data)
    nesting = Nesting(values)

    def below(row):
        inner = [below(child) for child in nesting.children(row)]
        assert bool(inner) == nesting.has_children(row)
        return (disassembly.name(row) if row < len(disassembly) else "break", *inner)

    return [below(row) for row in nesting.roots()]


def test_a_call_holds_its_callable_and_arguments():
    assert _tree(b"\x80\x02cos\ngetcwd\nq\x00)Rq\x01.") == [
        ("PROTO",),
        ("REDUCE", ("GLOBAL",), ("EMPTY_TUPLE",)),
        ("STOP",),
    ]


def test_changes_of_one_value_are_one_row():
    assert _tree(b"]q\x00(K\x01K\x02e(K\x03eK\x04a.") == [
        ("APPEND", ("EMPTY_LIST",), ("APPENDS", ("BININT1",), ("BININT1",)), ("APPENDS", ("BININT1",)), ("BININT1",)),
        ("STOP",),
    ]


def test_frames_inside_a_value_are_folded_into_it():
    assert _tree(b"\x80\x04]\x95\x04\x00\x00\x00\x00\x00\x00\x00(K\x01e.") == [
        ("PROTO",),
        ("APPENDS", ("EMPTY_LIST",), ("BININT1",)),
        ("STOP",),
    ]


def test_a_dropped_value_stays_visible():
    assert _tree(b"cos\ngetcwd\n)R0K\x01.") == [
        ("POP", ("REDUCE", ("GLOBAL",), ("EMPTY_TUPLE",))),
        ("BININT1",),
        ("STOP",),
    ]


def test_a_broken_stream_shows_what_stands_on_the_stack():
    assert _tree(b"]q\x00(K\x01(K\x02") == [
        ("EMPTY_LIST",),
        ("MARK",),
        ("BININT1",),
        ("MARK",),
        ("BININT1",),
        ("break",),
    ]


def test_the_break_of_a_stream_is_its_last_row():
    disassembly, values = ours(b"\x80\x02]\xff")
    nesting = Nesting(values)
    assert nesting.roots() == [0, 1, 2]
    assert nesting.path(2) == [2]
    assert len(disassembly) == 2


@settings(max_examples=150, deadline=None)
@given(objects, st.integers(0, 5))
def test_every_opcode_is_found_by_its_path(thing, protocol):
    disassembly, values = ours(pickle.dumps(thing, protocol))
    nesting = Nesting(values)
    for opcode in range(len(disassembly)):
        path = nesting.path(opcode)
        assert path[-1] == nesting.row_of(opcode)
        assert path[0] in nesting.roots()
        for parent, child in itertools.pairwise(path):
            assert child in nesting.children(parent)


@pytest.mark.parametrize("protocol", range(6))
def test_a_cut_stream_still_nests(protocol):
    data = pickle.dumps({"a": [1, (2, 3)], "b": {"c": [4] * 5}}, protocol)
    for stop in range(1, len(data)):
        disassembly, values = ours(data[:stop])
        nesting = Nesting(values)
        for opcode in range(len(disassembly)):
            assert nesting.path(opcode)[-1] == nesting.row_of(opcode)
