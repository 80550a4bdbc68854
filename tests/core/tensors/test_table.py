"""Storages by their persistent ids."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from tests.builders.legacy import LegacyPickler
from tests.builders.pickles import Stream as Opcodes
from tests.builders.torch_values import Storage, full, storage, tensor
from tests.builders.values import Fresh, Global, Persistent, dumps
from tests.core.tensors.streams import reading, written
from viewer.core.span import Span

FLOAT = Global("torch", "FloatStorage")


def identity(**changes: Any) -> Persistent:
    facts = {"tag": "storage", "cls": FLOAT, "key": "0", "location": "cpu", "count": 2, **changes}
    return Persistent(tuple(facts.values()))


@pytest.mark.parametrize("protocol", [1, 2, 3, 4, 5])
def test_ids_of_a_zip(protocol: int) -> None:
    stream = written([storage("float32", [1, 2, 3]), storage("int64", [4], "cuda:1")], protocol)
    declared = stream.table.declared()
    assert [(key, one.count, one.dtype, one.untyped, one.location, one.nbytes) for key, one in declared.items()] == [
        ("0", 3, "float32", False, "cpu", 12),
        ("1", 1, "int64", False, "cuda:1", 8),
    ]
    first, second = stream.table.all()
    assert (first.span, first.record, second.span) == (Span(1000, 1012), "data/0", Span(1012, 1020))
    assert first.source is not None
    assert first.source.read(0, 99) == struct.pack("<3f", 1, 2, 3)
    assert first.complete
    assert stream.codes() == []


def test_declared_comes_before_the_data_is_located() -> None:
    stream = written([storage("float32", [1, 2, 3])], pickler=LegacyPickler())
    stream.table.locate = None
    assert [one.nbytes for one in stream.table.declared().values()] == [12]


def test_one_key_is_one_storage() -> None:
    shared = storage("float32", [1, 2])
    stream = written([tensor(shared, (2,)), tensor(shared, (1,), offset=1), full("float32", (1,), [3])])
    storages = [stream.table.storage(value) for value in stream.values.persistents()]
    assert storages[0] is storages[1]
    assert storages[0] is not storages[2]
    assert len(stream.table.all()) == 2


def test_untyped_storages_count_bytes() -> None:
    stream = written(Storage("uint16", bytes(6)))
    only = stream.table.all()[0]
    assert (only.dtype, only.untyped, only.count, only.nbytes) == ("uint8", True, 6, 6)


@pytest.mark.parametrize("name", ["UntypedStorage", "_UntypedStorage"])
def test_any_module_may_name_a_storage_class(name: str) -> None:
    stream = reading(dumps(identity(cls=Global("torch.cuda.elsewhere", name))), {"0": bytes(2)})
    assert stream.table.all()[0].untyped


def test_integer_keys_of_torch_package() -> None:
    stream = reading(dumps(identity(key=14)), {14: bytes(8)})
    assert stream.table.all()[0].key == 14
    assert stream.codes() == []


def test_python_2_strings() -> None:
    code = Opcodes(2).start().op("MARK")
    code.op("SHORT_BINSTRING", b"storage").op("GLOBAL", "torch FloatStorage")
    code.op("SHORT_BINSTRING", b"94").op("SHORT_BINSTRING", b"cpu").op("BININT1", 1).op("NONE")
    data = code.ops("TUPLE BINPERSID STOP").data
    only = reading(data, {"94": bytes(4)}).table.all()[0]
    assert (only.key, only.location, only.dtype) == ("94", "cpu", "float32")


@pytest.mark.parametrize(
    ("text", "key", "dtype"),
    [
        ("('storage', <class 'torch.FloatStorage'>, '0', 'cpu', 4)", "0", "float32"),
        ("('storage', <class 'torch.LongStorage'>, '12', 'cuda:0', 4L, None)", "12", "int64"),
        ("('storage', <class 'torch.storage.UntypedStorage'>, 3, 'cpu', 4)", 3, "uint8"),
    ],
)
def test_the_text_of_protocol_0(text: str, key: str | int, dtype: str) -> None:
    stream = reading(Opcodes(0).op("PERSID", text).op("STOP").data, {key: bytes(64)})
    only = stream.table.all()[0]
    assert (only.key, only.dtype, only.count) == (key, dtype, 4)


@pytest.mark.parametrize(
    "wrong",
    [
        Persistent("a text"),
        Persistent(("module", Global("m", "C"), "file", "source")),
        identity(tag="storages"),
        identity(cls="FloatStorage"),
        identity(key=None),
        identity(location=0),
        identity(count="2"),
        identity(count=2.0),
        Persistent(("storage", FLOAT, "0", "cpu")),
    ],
)
def test_what_is_no_storage(wrong: Persistent) -> None:
    stream = reading(dumps(wrong))
    assert stream.table.storage(stream.values.root) is None
    assert stream.table.declared() == {}


def test_the_first_id_of_a_key_decides_and_the_second_is_told() -> None:
    ids = [identity(), identity(cls=Global("torch", "IntStorage")), identity(cls=Global("torch", "IntStorage"))]
    stream = reading(dumps(ids), {"0": bytes(8)})
    assert [one.dtype for one in stream.table.declared().values()] == ["float32"]
    assert stream.codes() == ["storage-conflict"]
    second = stream.table.stored(stream.values.persistents()[1])
    assert second is not None
    assert (second[0].dtype, second[1]) == ("float32", "int32")


def test_untyped_and_byte_storages_of_one_key_agree() -> None:
    ids = [identity(cls=Global("torch.storage", "UntypedStorage")), identity(cls=Global("torch", "ByteStorage"))]
    assert reading(dumps(ids), {"0": bytes(2)}).codes() == []


@pytest.mark.parametrize(
    ("changes", "held", "code"),
    [
        ({}, {}, "storage-missing"),
        ({}, {"0": bytes(7)}, "storage-size-differs"),
        ({}, {"0": bytes(9)}, "storage-size-differs"),
        ({"cls": Global("torch", "WideStorage")}, {"0": bytes(8)}, "storage-class-unknown"),
        ({"count": -1}, {"0": bytes(8)}, "storage-count-negative"),
    ],
)
def test_faults(changes: dict[str, Any], held: dict[Any, bytes], code: str) -> None:
    stream = reading(dumps(identity(**changes)), held)
    stream.table.all()
    assert stream.codes() == [code]
    problem = stream.table.problems[0]
    assert problem.span is not None
    assert "{" not in problem.text


def test_a_storage_that_is_missing_is_listed_without_bytes() -> None:
    stream = reading(dumps(identity()))
    only = stream.table.all()[0]
    assert (only.available, only.complete, only.span, only.nbytes) == (0, False, None, 8)


def test_views_of_early_legacy_streams() -> None:
    whole = storage("float32", [0, 1, 2, 3, 4, 5])
    view = Storage("float32", whole.data, key="7", view=("8", 2, 3))
    stream = written([view], pickler=LegacyPickler())
    part = stream.table.storage(stream.values.persistents()[0])
    assert part is not None
    assert (part.key, part.count, part.nbytes, part.span) == ("8", 3, 12, Span(1008, 1020))
    assert part.source is not None
    assert part.source.read(0, 99) == struct.pack("<3f", 2, 3, 4)
    assert list(stream.table.declared()) == ["7"]


def test_spans_are_left_out_when_the_stream_was_inflated() -> None:
    stream = reading(dumps(identity()))
    table = type(stream.table)(stream.values, "utf-8", None, spans=False)
    table.all()
    assert [problem.span for problem in table.problems] == [None]


def test_many_missing_storages_are_told_as_one_number() -> None:
    ids = [identity(key=Fresh(number)) for number in range(150)]
    stream = reading(dumps(ids))
    stream.table.all()
    assert stream.codes() == ["storage-missing"] * 100 + ["more-of-a-kind"]
