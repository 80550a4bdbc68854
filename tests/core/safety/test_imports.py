"""Names that pickles ask for."""

from __future__ import annotations

from tests.builders.pickles import Stream
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.values import Values
from viewer.core.safety.imports import Import, find_imports
from viewer.core.source import MemorySource
from viewer.core.span import Span


def values(stream: Stream) -> Values:
    return Values(disassemble(MemorySource(stream.data)))


def rows(*streams: Stream) -> list[Import]:
    return find_imports(values(stream) for stream in streams)


def test_a_call_and_its_place() -> None:
    stream = Stream().start().op("GLOBAL", "os getcwd").ops("EMPTY_TUPLE REDUCE STOP")
    assert rows(stream) == [Import("os", "getcwd", "os.getcwd", True, 1, 0, Span(2, 13))]


def test_a_dropped_result_was_called_all_the_same() -> None:
    stream = Stream().start().op("GLOBAL", "os getcwd").ops("EMPTY_TUPLE REDUCE POP NONE STOP")
    assert [row.called for row in rows(stream)] == [True]


def test_a_name_that_is_only_named() -> None:
    stream = Stream().start().op("GLOBAL", "torch float32").op("STOP")
    assert [(row.name, row.called) for row in rows(stream)] == [("float32", False)]


def test_uses_through_the_memo_are_counted_and_called() -> None:
    stream = Stream().start().op("GLOBAL", "m f").op("BINPUT", 0).op("POP")
    for _ in range(3):
        stream.op("BINGET", 0).ops("EMPTY_TUPLE REDUCE POP")
    stream.ops("NONE STOP")
    assert [(row.count, row.called) for row in rows(stream)] == [(4, True)]


def test_a_slot_stored_twice_counts_for_what_it_held() -> None:
    stream = Stream().start().op("GLOBAL", "m f").op("BINPUT", 0).op("BINGET", 0).ops("POP POP")
    stream.op("GLOBAL", "m g").op("BINPUT", 0).op("BINGET", 0).op("BINGET", 0).ops("POP POP STOP")
    assert [(row.name, row.count) for row in rows(stream)] == [("f", 2), ("g", 3)]


def test_stack_global_from_texts_and_from_the_memo() -> None:
    stream = Stream(4).start().text("os").op("MEMOIZE").text("getcwd").op("STACK_GLOBAL").ops("EMPTY_TUPLE REDUCE POP")
    stream.op("BINGET", 0).text("listdir").ops("STACK_GLOBAL STOP")
    assert [(row.module, row.name, row.mapped) for row in rows(stream)] == [
        ("os", "getcwd", None),
        ("os", "listdir", None),
    ]


def test_computed_names_are_no_guess() -> None:
    stream = Stream(4).start().text("os").op("GLOBAL", "builtins str").ops("EMPTY_TUPLE REDUCE STACK_GLOBAL STOP")
    assert [(row.module, row.name) for row in rows(stream)] == [("builtins", "str"), ("os", None)]


def test_inst_and_obj_call() -> None:
    inst = Stream(0).op("MARK").op("INST", "os getcwd").op("STOP")
    obj = Stream(1).op("MARK").op("GLOBAL", "os listdir").ops("OBJ STOP")
    assert [(row.name, row.called, row.pickle) for row in rows(inst, obj)] == [
        ("getcwd", True, 0),
        ("listdir", True, 1),
    ]


def test_newobj_calls_and_build_on_a_class_does_not() -> None:
    made = Stream().start().op("GLOBAL", "a B").ops("EMPTY_TUPLE NEWOBJ EMPTY_DICT BUILD STOP")
    changed = Stream().start().op("GLOBAL", "a C").ops("EMPTY_DICT BUILD STOP")
    assert [(row.name, row.called) for row in rows(made, changed)] == [("B", True), ("C", False)]


def test_a_class_in_a_persistent_id_is_called_by_what_calls_the_id() -> None:
    stream = Stream().start().op("MARK").text("module").op("GLOBAL", "nets Net").ops("NONE NONE TUPLE BINPERSID")
    stream.ops("EMPTY_TUPLE NEWOBJ STOP")
    assert [(row.name, row.called) for row in rows(stream)] == [("Net", True)]


def test_python_2_names_below_protocol_3_only() -> None:
    old = Stream(2).start().op("GLOBAL", "__builtin__ xrange").op("STOP")
    moved = Stream(2).start().op("GLOBAL", "copy_reg _reconstructor").op("STOP")
    new = Stream(3).start().op("GLOBAL", "copy_reg _reconstructor").op("STOP")
    assert [row.mapped for row in rows(old)] == ["builtins.range"]
    assert [row.mapped for row in rows(moved)] == ["copyreg._reconstructor"]
    assert [row.mapped for row in rows(new)] == [None]


def test_one_row_a_name_over_all_pickles() -> None:
    stream = Stream().start().op("GLOBAL", "m f").op("STOP")
    called = Stream().start().op("GLOBAL", "m f").ops("EMPTY_TUPLE REDUCE STOP")
    assert [(row.count, row.called, row.pickle) for row in rows(stream, called)] == [(2, True, 0)]


def test_what_stands_before_a_break_counts() -> None:
    stream = Stream().start().op("GLOBAL", "os getcwd").ops("EMPTY_TUPLE REDUCE").raw(b"\xff")
    assert [(row.name, row.called) for row in rows(stream)] == [("getcwd", True)]
