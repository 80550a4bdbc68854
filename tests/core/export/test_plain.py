"""Values of a stream as plain Python values, as far as weights_only takes them."""

from __future__ import annotations

import pickle
from collections import OrderedDict

import pytest

from tests.builders.pickles import Stream
from tests.builders.values import Call, Global, Persistent, dumps
from viewer.core.export.plain import NotPlainError, PlainValues
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.values import Values
from viewer.core.pickles.writer import Call as Written
from viewer.core.pickles.writer import Global as Name
from viewer.core.source import MemorySource

SIZE = Global("torch", "Size")


def plain(data: bytes) -> object:
    values = Values(disassemble(MemorySource(data)))
    return PlainValues(values).get(values.root)


@pytest.mark.parametrize("protocol", [0, 1, 2, 3, 4, 5])
@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -5,
        2**70,
        1.5,
        "gr\u00fc\u00dfe",
        (1, (2, "x")),
        [1, [2], []],
        {"a": {1: "b"}, (1, "k"): None},
        OrderedDict([("a", 1), ("b", [2])]),
        {1, 2},
        1 + 2j,
        b"\xff\x00",
        bytearray(b"ab"),
    ],
)
def test_plain_values(value: object, protocol: int) -> None:
    found = plain(pickle.dumps(value, protocol))
    assert found == value
    assert type(found) is type(value)


def test_python_2_texts_and_dicts() -> None:
    stream = (
        Stream(2).start().op("EMPTY_DICT").op("SHORT_BINSTRING", b"gr\xc3\xbc\xc3\x9fe").op("SHORT_BINSTRING", b"\xff")
    )
    assert plain(stream.ops("SETITEM STOP").data) == {"gr\u00fc\u00dfe": "\u00ff"}
    pairs = Call(Global("collections", "OrderedDict"), ([["a", 1], ["b", 2]],))
    assert plain(dumps(pairs)) == OrderedDict([("a", 1), ("b", 2)])


def test_attributes_of_an_ordered_dict_stay() -> None:
    value: OrderedDict[str, object] = OrderedDict(a=1)
    vars(value)["_metadata"] = {"": {"version": 1}}
    found = plain(dumps(value))
    assert vars(found) == {"_metadata": {"": {"version": 1}}}


def test_sharing_stays() -> None:
    shared = [1]
    found = plain(dumps([shared, {"again": shared}]))
    assert isinstance(found, list)
    assert found[0] is found[1]["again"]


def test_names_of_torch_that_stand_for_themselves() -> None:
    assert plain(dumps(Global("torch", "float16"))) == Name("torch", "float16")
    size = plain(dumps(Call(SIZE, ((2, 3),))))
    assert isinstance(size, Written)
    assert (size.function, size.arguments) == (Name("torch", "Size"), ((2, 3),))


def inside_itself() -> list[object]:
    value: list[object] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    "value",
    [
        Global("os", "system"),
        Global("torch", "FloatStorage"),
        Global("os", "float16"),
        Call(Global("os", "getcwd")),
        [Call(Global("os", "system"), ("true",))],
        {"deep": [({"x": Call(Global("argparse", "Namespace"))},)]},
        Call(SIZE, ("23",)),
        Call(SIZE, ()),
        Call(Global("_codecs", "encode"), ("x", "rot13")),
        Call(Global("_codecs", "encode"), ("\u20ac", "latin1")),
        Call(Global("builtins", "set"), ("abc",)),
        Call(Global("builtins", "complex"), ("1", "2")),
        Call(Global("builtins", "bytearray"), (10**9,)),
        Call(Global("collections", "OrderedDict"), ([["a"]],)),
        Call(Global("collections", "OrderedDict"), (), [1, 2]),
        Persistent("anything"),
        frozenset([1]),
        2**2040,
        {(1, (2, 3)): "a key that is deep"},
        inside_itself(),
    ],
)
def test_what_is_no_plain_value(value: object) -> None:
    with pytest.raises(NotPlainError):
        plain(dumps(value))


def test_unhashable_keys_are_no_plain_values() -> None:
    with pytest.raises(NotPlainError):
        plain(Stream(2).start().ops("EMPTY_DICT EMPTY_LIST NONE SETITEM STOP").data)


def test_a_nest_of_shared_tuples_takes_no_time() -> None:
    stream = Stream(2).start().number(1)
    for _ in range(100):
        stream.ops("DUP TUPLE2")
    found = plain(stream.op("STOP").data)
    assert isinstance(found, tuple)
    assert found[0] is found[1]


def test_depth_is_no_limit() -> None:
    found = plain(Stream(2).start().ops("EMPTY_LIST " * 50_000 + "APPEND " * 49_999 + "STOP").data)
    depth = 0
    while found:
        assert isinstance(found, list)
        found, depth = found[0], depth + 1
    assert depth == 49_999
