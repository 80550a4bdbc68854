"""Pickles without a container: protocols, several in a file, what follows, what is inside bytes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from tests.builders.legacy import legacy
from tests.builders.pickles import Stream
from tests.builders.torch_values import REBUILD_V2, full, storage
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, Pickler, dumps
from tests.opened import codes, opened, regions_tile
from viewer.core.problem import Severity
from viewer.core.span import Region, Span
from viewer.core.tensors import window


@pytest.mark.parametrize("protocol", [0, 1, 2, 3, 4, 5])
def test_protocols(protocol: int) -> None:
    data = pickle.dumps({"a": [1, "two", 3.0, None, True], "b": (b"", {4})}, protocol)
    document = opened(data)
    assert document.format == "pickle"
    assert document.main == 0
    assert document.pickles[0].code.complete
    assert document.regions == [Region(Span(0, len(data)), "pickle", "")]
    assert document.problems == []


@pytest.mark.parametrize("protocol", [0, 1, 2, 3, 4, 5])
def test_arrays(protocol: int) -> None:
    array = np.arange(6, dtype="<f4").reshape(2, 3)
    document = opened(pickle.dumps({"x": array, "y": np.asfortranarray(array.astype(">i2"))}, protocol))
    assert [(t.path, t.kind, t.dtype, t.shape) for t in document.tensors] == [
        (("x",), "array", "float32", (2, 3)),
        (("y",), "array", "int16", (2, 3)),
    ]


@pytest.mark.parametrize("protocol", [0, 2, 4, 5])
def test_elements_of_arrays_of_objects(protocol: int) -> None:
    inner = np.arange(3, dtype="<i2")
    array = np.array([None, inner, {"deep": inner}, "x"], dtype=object)
    document = opened(pickle.dumps({"o": array}, protocol))
    assert [(tensor.path, tensor.note, tensor.shape) for tensor in document.tensors] == [
        (("o",), "object", (4,)),
        (("o", 1), "", (3,)),
        (("o", 2, "deep"), "", (3,)),
    ]
    assert window.read(document.tensors[1]).tolist() == [0, 1, 2]


def test_an_array_of_objects_that_holds_itself() -> None:
    array = np.array([None, np.arange(2)], dtype=object)
    array[0] = array
    document = opened(pickle.dumps(array))
    assert [(tensor.path, tensor.note) for tensor in document.tensors if not tensor.note] == [((1,), "")]


@pytest.mark.parametrize("protocol", [0, 2, 4, 5])
def test_masked_arrays(protocol: int) -> None:
    masked: object = np.ma.array([1, 2, 3], mask=[False, True, False], dtype="<i4")
    whole: object = np.ma.array([4, 5], dtype="<i4")
    document = opened(pickle.dumps({"m": masked, "w": whole}, protocol))
    assert [(p.code, p.params["name"]) for p in document.problems] == [("array-masked", "m")]
    assert [window.read(tensor).tolist() for tensor in document.tensors] == [[1, 2, 3], [4, 5]]


@pytest.mark.parametrize("protocol", [2, 5])
def test_record_arrays(protocol: int) -> None:
    records = np.rec.array([(1, 2.5), (3, 4.5)], dtype=[("x", "<i4"), ("y", ">f8")])
    document = opened(pickle.dumps(records, protocol))
    assert document.problems == []
    assert window.read(document.tensors[0]).tolist() == [(1, 2.5), (3, 4.5)]


def test_several_pickles() -> None:
    parts = [dumps({"a": 1}), dumps([1, 2], 0), dumps("text", 4)]
    document = opened(b"".join(parts))
    assert [(child.how, child.offset, child.pickles[0].code.protocol) for child in document.children] == [
        ("next pickle", len(parts[0]), 0),
        ("next pickle", len(parts[0]) + len(parts[1]), 4),
    ]
    assert [region.span.length for region in document.regions] == [len(part) for part in parts]
    assert document.problems == []
    for part in document.walk():
        regions_tile(part)


def test_bytes_behind() -> None:
    data = dumps([1])
    document = opened(data + b"some other bytes \xff")
    assert codes(document) == ["pickle-trailing"]
    assert document.regions[1] == Region(Span(len(data), len(data) + 18), "trailing", "")


def test_an_archive_behind() -> None:
    data = dumps([1])
    document = opened(data + torch_zip({"w": full("int8", (1,), [3])}))
    assert [(child.how, child.format, child.offset) for child in document.children] == [
        ("after the pickle", "torch-zip", len(data))
    ]
    assert document.children[0].problems == []
    regions_tile(document)


def test_a_break_shows_what_stands_before() -> None:
    stream = Stream().start().op("GLOBAL", "os getcwd").raw(b"\xff and more")
    document = opened(stream.data)
    problem = document.problems[0]
    assert (problem.code, problem.params["offset"], problem.params["detail"]) == ("pickle-unknown-opcode", 13, "0xFF")
    assert problem.text.startswith("Byte 0xFF at offset 0xD is no opcode.")
    assert len(document.pickles[0].code) == 2
    assert [region.kind for region in document.regions] == ["pickle", "unknown"]


def test_every_break_has_a_sentence() -> None:
    breaks = {
        "pickle-no-stop": Stream().start().op("NONE").data,
        "pickle-cut": Stream().start().data + b"X\x09\x00\x00\x00abc",
        "pickle-cut-line": Stream().start().data + b"cos\nget",
        "pickle-underflow": Stream().start().ops("TUPLE2 STOP").data,
        "pickle-no-mark": Stream().start().ops("TUPLE STOP").data,
        "pickle-empty-memo": Stream().start().op("BINGET", 5).op("STOP").data,
        "pickle-bad-argument": Stream().start().data + b"Iabc\n.",
        "pickle-unknown-opcode": Stream().start().data + b"\xff",
        "pickle-left-over": Stream().start().ops("NONE NONE STOP").data,
    }
    for code, data in breaks.items():
        document = opened(data)
        assert document.format == "pickle", code
        assert codes(document) == [code]
        assert "{" not in document.problems[0].text, document.problems[0].text
        regions_tile(document)


def test_an_unknown_protocol() -> None:
    document = opened(b"\x80\x09N.")
    if document.format == "pickle":
        assert codes(document) == ["pickle-protocol"]
    else:
        assert document.format == "unknown"


@pytest.mark.parametrize("protocol", [2, 4])
def test_a_tensor_whose_storage_is_a_file_in_a_bytes_object(protocol: int) -> None:
    inner = legacy(storage("float32", [1, 2, 3, 4]))
    load = Call(Global("torch.storage", "_load_from_bytes"), (inner,))
    value = {"w": Call(REBUILD_V2, (load, 0, (2, 2), (2, 1), False, None))}
    data = Pickler(protocol).dumps(value)
    document = opened(data)
    assert [(child.how, child.format) for child in document.children] == [("bytes argument", "torch-legacy")]
    assert [(t.path, t.dtype, t.shape) for t in document.tensors] == [(("w",), "float32", (2, 2))]
    stored = document.tensors[0].storage
    assert stored is not None
    assert stored.source is not None
    assert stored.source.read(12, 4) == b"\x00\x00\x80\x40"
    if protocol == 4:
        at = data.index(inner)
        assert document.children[0].offset == at
        assert stored.span == Span(at + len(inner) - 16, at + len(inner))
    else:
        assert document.children[0].offset is None
        assert stored.span is None
    assert document.problems == []
    for part in document.walk():
        regions_tile(part)


def test_cut_anywhere_opens_and_tiles() -> None:
    data = pickle.dumps({"a": [1, "two"] * 3, "b": np.arange(4)}, 4) + dumps([1])
    for length in range(len(data)):
        regions_tile(opened(data[:length]))


def test_buffers_outside_of_the_file_are_named() -> None:
    kept: list[pickle.PickleBuffer] = []
    value = {"x": pickle.PickleBuffer(b"abc"), "z": np.arange(3), "y": pickle.PickleBuffer(bytearray(b"de"))}
    document = opened(pickle.dumps(value, 5, buffer_callback=kept.append))
    found = {problem.code: problem for problem in document.problems if "buffer" in problem.code}
    assert found["array-buffer-missing"].params["name"] == "z"
    assert found["buffers-missing"].params["count"] == 2
    assert found["buffers-missing"].severity is Severity.ERROR
    alone = opened(pickle.dumps({"z": np.arange(3)}, 5, buffer_callback=kept.append))
    assert [problem.code for problem in alone.problems] == ["array-buffer-missing"]
    many = opened(pickle.dumps([np.arange(2) + at for at in range(150)], 5, buffer_callback=kept.append))
    assert {problem.code for problem in many.problems} == {"array-buffer-missing", "more-of-a-kind"}


def test_whole_pickles_behind_a_break() -> None:
    broken = b"\x80\x02}q\x00(X\x01\x00\x00\x00aK\x05\xff"
    one, two = pickle.dumps(["one", np.arange(3)], 2), pickle.dumps({"two": 2}, 4)
    data = broken + b"junk" + one + two + b"rest"
    document = opened(data)
    first, second = len(broken) + 4, len(broken) + 4 + len(one)
    assert codes(document) == ["pickle-unknown-opcode", "pickle-behind-break"]
    problem = document.problems[-1]
    assert problem.params == {"count": 2, "offset": first}
    assert problem.span == Span(first, second + len(two))
    assert [(child.how, child.offset) for child in document.children] == [
        ("pickle behind the break", first),
        ("pickle behind the break", second),
    ]
    assert [tensor.path for tensor in document.children[0].tensors] == [(1,)]
    assert [(region.span, region.kind) for region in document.regions] == [
        (Span(0, len(broken) - 1), "pickle"),
        (Span(len(broken) - 1, first), "unknown"),
        (Span(first, second), "pickle"),
        (Span(second, second + len(two)), "pickle"),
        (Span(second + len(two), len(data)), "unknown"),
    ]
    regions_tile(document)


def test_a_break_behind_which_nothing_is_whole() -> None:
    document = opened(b"\x80\x02}q\x00\xff\x80\x02}q\x00")
    assert codes(document) == ["pickle-unknown-opcode"]
    assert document.children == []
    regions_tile(document)
