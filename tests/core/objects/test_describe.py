"""Previews and types of values, of those of Python's own pickler and of streams built by hand."""

from __future__ import annotations

import argparse
import collections
import datetime as dt
import enum
import functools

import pytest

from tests.builders.pickles import Stream
from tests.builders.values import Call, Global, Instance, Persistent, dumps
from tests.core.objects.streams import pickled, values_of
from viewer.core.objects.describe import class_name, count_of, describe

Point = collections.namedtuple("Point", "x y")


class Colour(enum.Enum):
    RED = 1


class Bag(list[int]):
    pass


def ordered() -> collections.OrderedDict[str, int]:
    value = collections.OrderedDict(a=1, b=2)
    vars(value)["_metadata"] = {"": {"version": 1}}
    return value


HERE = __name__
CASES = [
    (None, "NoneType", "None"),
    (True, "bool", "True"),
    (-5, "int", "-5"),
    (10**30, "int", "1000000000000000000000000000000"),
    (2.5, "float", "2.5"),
    ("text", "str", "'text'"),
    ("x" * 1000, "str", "'" + "x" * 58 + "…"),
    (b"raw", "bytes", "b'raw'"),
    (b"y" * 1000, "bytes", "b'" + "y" * 57 + "…"),
    ("é" * 1000, "str", "'" + "é" * 30),
    (bytearray(b"q"), "bytearray", "bytearray(b'q')"),
    ((), "tuple", "()"),
    ((1,), "tuple", "(1,)"),
    ([], "list", "[]"),
    ([1, 2], "list", "[1, 2]"),
    (list(range(100)), "list", "[0, 1, 2, 3, 4, 5, 6, 7, …]"),
    ([[[[[1]]]]], "list", "[[[list, 1 item]]]"),
    ({}, "dict", "{}"),
    ({1: 2}, "dict", "dict, 1 entry"),
    (set(), "set", "set()"),
    ({3}, "set", "{3}"),
    (frozenset([3]), "frozenset", "frozenset({3})"),
    (1j, "complex", "complex(0.0, 1.0)"),
    (range(3), "range", "range(0, 3, 1)"),
    (len, "global", "len"),
    (dt.date(2020, 1, 1), "datetime.date", "2020-01-01"),
    (collections.deque([1, 2], 5), "collections.deque", "collections.deque([1, 2])"),
    (collections.Counter("aab"), "collections.Counter", "Counter, 2 entries"),
    (collections.defaultdict(list, a=[1]), "collections.defaultdict", "defaultdict, 1 entry"),
    (ordered(), "collections.OrderedDict", "OrderedDict, 2 entries"),
    (Point(1, 2), f"{HERE}.Point", f"{HERE}.Point(1, 2)"),
    (Colour.RED, f"{HERE}.Colour", f"{HERE}.Colour(1)"),
    (Bag([1]), f"{HERE}.Bag", f"{HERE}.Bag(1)"),
    (functools.partial(print, 1), "functools.partial", "functools.partial(print)"),
]


@pytest.mark.parametrize("protocol", [0, 2, 4])
@pytest.mark.parametrize(("value", "kind", "preview"), CASES, ids=[case[1] + str(n) for n, case in enumerate(CASES)])
def test_values_of_python(value: object, kind: str, preview: str, protocol: int) -> None:
    if protocol == 4 and isinstance(value, bytes | frozenset | dt.date):
        pytest.skip("written by opcodes of its own, which are tested apart")
    values = pickled(value, protocol)
    assert class_name(values, values.root) == kind
    assert describe(values, values.root).startswith(preview)
    assert len(describe(values, values.root)) <= 60


def test_an_object_of_every_protocol() -> None:
    for protocol in (0, 1, 2, 4):
        values = pickled(argparse.Namespace(lr=1), protocol)
        assert class_name(values, values.root) == "argparse.Namespace"


def test_a_storage() -> None:
    storage = Persistent(("storage", Global("torch", "FloatStorage"), "94268654570176", "cpu", 450))
    values = values_of(dumps(storage))
    assert class_name(values, values.root) == "torch.FloatStorage"
    assert describe(values, values.root) == "('storage', torch.FloatStorage, '94268654570176', 'cpu', 45…"
    assert describe(values, values.root, 80) == "('storage', torch.FloatStorage, '94268654570176', 'cpu', 450)"


def test_a_class_with_its_source_is_the_class() -> None:
    stored = Persistent(("module", Global("nets", "Net"), "/nets.py", "class Net: pass"))
    values = values_of(dumps(Instance(stored, (), {"a": 1})))
    assert class_name(values, values.root) == "nets.Net"
    assert describe(values, values.root) == "nets.Net"


def test_a_nested_class_is_a_getattr_call() -> None:
    inner = Call(Global("builtins", "getattr"), (Global("nets", "Outer"), "Inner"))
    values = values_of(dumps(Instance(inner)))
    assert class_name(values, values.root) == "nets.Outer.Inner"


def test_rebuild_functions_give_tensors() -> None:
    values = values_of(dumps(Call(Global("torch._utils", "_rebuild_tensor_v2"), (1, 2, 3, 4, 5, 6))))
    assert class_name(values, values.root) == "torch.Tensor"
    assert describe(values, values.root, 36) == "torch._utils._rebuild_tensor_v2(6)"


def test_names_of_python_2() -> None:
    values = values_of(Stream(2).start().op("GLOBAL", "__builtin__ unicode").ops("EMPTY_TUPLE REDUCE STOP").data)
    assert class_name(values, values.root) == "str"


def test_a_computed_name() -> None:
    stream = Stream(4).start().ops("EMPTY_LIST EMPTY_LIST STACK_GLOBAL EMPTY_TUPLE REDUCE STOP")
    values = values_of(stream.data)
    assert class_name(values, values.root) == "<computed>"


def test_shared_lists_of_a_bomb_are_not_unfolded() -> None:
    bomb: list[object] = [1] * 10
    for _ in range(40):
        bomb = [bomb] * 10
    values = pickled(bomb)
    assert describe(values, values.root).startswith("[[[list, 10 items, list, 10 items")


def test_a_value_inside_itself() -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    values = pickled(cycle)
    assert describe(values, values.root) == "[[[list, 1 item]]]"


def test_integers_that_python_refuses_to_write() -> None:
    values = values_of(Stream(2).start().op("LONG4", b"\x01" * 10_000).op("STOP").data)
    assert describe(values, values.root) == "int of 80,000 bits"


@pytest.mark.parametrize(
    ("value", "count"), [([1, 2, 3], 3), ({1: 2}, 1), ({1, 2}, 2), ((), 0), (ordered(), 2), ("abc", 0)]
)
def test_counts(value: object, count: int) -> None:
    values = pickled(value)
    assert count_of(values, values.root) == count


def test_strings_of_python_2_that_are_no_text_are_bytes() -> None:
    stream = Stream().start().op("SHORT_BINSTRING", b"\xff\xfeA").op("STOP").data
    values = values_of(stream)
    assert describe(values, values.root) == r"b'\xff\xfeA'"
    assert describe(values, values.root, encoding="latin1") == "'ÿþA'"
    text = values_of(Stream().start().op("SHORT_BINSTRING", "猫".encode()).op("STOP").data)
    assert describe(text, text.root) == "'猫'"
