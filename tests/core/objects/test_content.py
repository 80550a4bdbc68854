"""Sections of values: what stands in them and under which parts of a path."""

from __future__ import annotations

import collections
from typing import Any

import pytest

from tests.builders.pickles import Stream
from tests.builders.values import Call, Global, Instance, dumps
from tests.core.objects.streams import pickled, values_of
from viewer.core.objects.content import Role, sections
from viewer.core.objects.runs import Slots, item_runs
from viewer.core.pickles.values import Values
from viewer.core.tensors.path import Attribute, Key, Part


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self) -> None:
        self.a, self.b = 1, 2


def entries(values: Values, value: int | None = None) -> list[tuple[Part, Any]]:
    root = values.root if value is None else value
    return [
        (section.part(key, number, "utf-8"), values.plain(child))
        for section in sections(values, root)
        for number, (key, child) in enumerate(section.read(0, section.count))
    ]


@pytest.mark.parametrize("protocol", [0, 1, 2, 3, 4, 5])
def test_sequences(protocol: int) -> None:
    assert entries(pickled([7, 8], protocol)) == [(0, 7), (1, 8)]
    assert entries(pickled((7, 8, 9), protocol)) == [(0, 7), (1, 8), (2, 9)]
    assert entries(pickled({7}, protocol)) == [(0, 7)]
    assert entries(pickled(frozenset([7]), protocol)) == [(0, 7)]
    assert entries(pickled(collections.deque([7]), protocol)) == [(0, 7)]


@pytest.mark.parametrize("protocol", [0, 1, 2, 3, 4, 5])
def test_mappings(protocol: int) -> None:
    assert entries(pickled({"a": 1, 2: 3}, protocol)) == [("a", 1), (2, 3)]
    value = collections.OrderedDict(a=1)
    vars(value)["x"] = 2
    assert entries(pickled(value, protocol)) == [("a", 1), (Attribute("x"), 2)]
    assert entries(pickled(collections.Counter("aa"), protocol)) == [("a", 2)]


@pytest.mark.parametrize("pair", [[["a", 1], ["b", 2]], [("a", 1), ("b", 2)]])
def test_an_ordered_dict_of_python_2(pair: list[object]) -> None:
    values = values_of(dumps(Call(Global("collections", "OrderedDict"), (pair,))))
    assert entries(values) == [("a", 1), ("b", 2)]


def test_slots_are_attributes() -> None:
    assert entries(pickled(Slotted())) == [(Attribute("a"), 1), (Attribute("b"), 2)]


def test_keys_that_are_neither_text_nor_int() -> None:
    keys = [True, None, 2.5, (1, "x"), b"raw", "@x", "1", 1.5, (1, (2,))]
    parts = [part for part, _ in entries(pickled(dict.fromkeys(keys, 0), 3))]
    assert parts == [
        Key("True"),
        Key("None"),
        Key("2.5"),
        Key("(1, 'x')"),
        Key("b'raw'"),
        Key("'@x'"),
        "1",
        Key("1.5"),
        Key("<key 8>"),
    ]


def test_bytes_keys_of_protocol_2() -> None:
    assert entries(pickled({b"raw": 1}, 2)) == [(Key("b'raw'"), 1)]


def test_arguments_of_new_count_as_items_and_those_of_other_calls_do_not() -> None:
    named_tuple = values_of(dumps(Instance(Global("app", "Size"), (640, 480))))
    assert entries(named_tuple) == [(0, 640), (1, 480)]
    call = values_of(dumps(Call(Global("app", "make"), (640, 480))))
    assert entries(call) == [(Key("arguments[0]"), 640), (Key("arguments[1]"), 480)]


def test_a_state_that_is_no_mapping() -> None:
    values = values_of(dumps(Instance(Global("app", "A"), (), (1, 2, 3))))
    assert [part for part, _ in entries(values)] == [Key("state")]


def test_instances_of_old_classes() -> None:
    for names in ("MARK GLOBAL BININT1 OBJ", "MARK BININT1 INST"):
        stream = Stream(1)
        for name in names.split():
            stream.op(name, {"GLOBAL": "app A", "INST": "app A", "BININT1": 5}.get(name))
        values = values_of(
            stream.ops("EMPTY_DICT").op("BINUNICODE", "x").op("BININT1", 6).ops("SETITEM BUILD STOP").data
        )
        assert entries(values) == [(Key("arguments[0]"), 5), (Attribute("x"), 6)]


def test_keyword_arguments() -> None:
    stream = Stream(4).start().op("GLOBAL", "app A").ops("EMPTY_TUPLE EMPTY_DICT").op("SHORT_BINUNICODE", "x")
    values = values_of(stream.op("BININT1", 6).ops("SETITEM NEWOBJ_EX STOP").data)
    assert entries(values) == [(Key("arguments['x']"), 6)]


def test_a_call_of_what_a_call_gave() -> None:
    inner = Call(Global("functools", "partial"), (Global("app", "f"),))
    values = values_of(dumps(Call(inner, (5,))))
    assert [section.role for section in sections(values, values.root)] == [Role.CALLABLE, Role.ARGUMENT]


def test_a_part_of_a_long_list_is_read_alone() -> None:
    values = pickled(list(range(5000)))
    slots = Slots(values, item_runs(values, values.root))
    assert slots.count == 5000
    assert [values.plain(value) for value in slots.read(998, 1003)] == [998, 999, 1000, 1001, 1002]
    assert slots.read(5000, 6000) == []


def test_shared_elements_are_one_value() -> None:
    shared = ["x"]
    values = pickled([shared, shared])
    first, second = values.items(values.root)
    assert first == second
    (section,) = sections(values, values.root)
    assert [value for _, value in section.read(0, 2)] == [first, first]
