"""The rows of Contents: what they say, what opens under them, and the row of any byte, value and tensor."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections import OrderedDict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders.legacy import build
from tests.builders.safetensors import entry, safetensors
from tests.builders.tars import member, tar
from tests.builders.torch_tar import TarStorage, TarTensor, TorchTar, named
from tests.builders.torch_values import ModuleClass, full, module, parameter, storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, Instance, dumps
from tests.opened import opened
from viewer.core.span import Span
from viewer.core.summary.contents import Contents
from viewer.core.summary.parts import Say
from viewer.core.tensors.path import Attribute
from viewer.core.tensors.tensor import ValueRef
from viewer.core.tree import ROOT
from viewer.wording import fill


def said(words: Say) -> str:
    return words.text if words.data else fill(words.text, words.params)


def line(contents: Contents, node: int) -> str:
    parts = [contents.icon(node), said(contents.label(node)), *map(said, contents.details(node))]
    return " | ".join(parts)


def lines(contents: Contents, node: int) -> list[str]:
    return [line(contents, child) for child in contents.tree.children(node)]


def of(data: bytes) -> Contents:
    return Contents(opened(data))


def child(contents: Contents, node: int, *labels: str) -> int:
    for label in labels:
        node = next(row for row in contents.tree.children(node) if said(contents.label(row)) == label)
    return node


def conv(*, hooked: bool = False) -> Instance:
    made = module(
        ModuleClass("torch.nn.modules.conv", "Conv2d", "/torch/conv.py", "class Conv2d(_ConvNd): pass\n"),
        {"kernel_size": (5, 5), "groups": 1},
        {"weight": parameter(full("float32", (2, 1, 2, 2), range(8))), "bias": None},
        {"mean": full("int64", (), [3])},
        era="1.1",
    )
    assert isinstance(made.state, dict)
    if hooked:
        made.state["_forward_hooks"] = OrderedDict({0: Global("app", "hook")})
    return made


def reader() -> Instance:
    net = ModuleClass("zoo", "ReaderNet", "/zoo.py", "class ReaderNet(nn.Module): pass\n")
    return module(net, {}, {}, {}, {"conv1": conv(), "conv2": conv(hooked=True)}, era="1.1")


def test_a_legacy_archive() -> None:
    stream = build(reader())
    contents = of(stream.data)
    top = contents.tree.child(ROOT, 0)
    assert contents.tree.count(ROOT) == 1
    assert line(contents, top) == "archive | Legacy archive"
    assert contents.size(top) == len(stream.data)
    assert lines(contents, top) == [
        "number | magic number | 0x1950a86a20f9469cfc6c",
        "number | protocol version | 1001",
        "dict | system info | dict | entries: 3",
        "pickle | object | pickle, protocol 2",
        "list | storage keys | list | items: 4",
        "storage | storages",
    ]
    assert [contents.size(node) for node in contents.tree.children(top)][:2] == [15, 6]
    assert lines(contents, child(contents, top, "system info"))[0] == "number | protocol_version | 1001"
    assert lines(contents, child(contents, top, "storages"))[0] == "storage | 94268654570176 | float32"


def test_modules_hold_their_parameters_buffers_and_attributes_themselves() -> None:
    contents = of(build(reader()).data)
    net = child(contents, ROOT, "Legacy archive", "object", "ReaderNet")
    assert line(contents, net) == "module | ReaderNet | zoo"
    assert lines(contents, net) == [
        "module | conv1 | Conv2d",
        "module | conv2 | Conv2d",
        "bool | training | True",
    ]
    assert lines(contents, child(contents, net, "conv1")) == [
        "tensor | weight | [2, 1, 2, 2] | float32",
        "none | bias | None",
        "tensor | mean | = 3 | [] | int64",
        "bool | training | True",
        "tuple | kernel_size | (5, 5)",
        "number | groups | 1",
    ]
    assert contents.size(net) == 80
    assert contents.size(child(contents, net, "conv1")) == 40
    assert contents.size(child(contents, net, "conv1", "weight")) == 32


def test_machinery_is_shown_only_where_it_holds_something() -> None:
    contents = of(build(reader()).data)
    second = child(contents, ROOT, "Legacy archive", "object", "ReaderNet", "conv2")
    inner = child(contents, second, "internals")
    assert lines(contents, inner) == ["dict | _forward_hooks | OrderedDict | entries: 1"]
    assert contents.value(inner) == contents.value(second)
    assert contents.path(child(contents, inner, "_forward_hooks"))[-1] == Attribute("_forward_hooks")


def test_a_zip_shows_records_by_folder() -> None:
    data = torch_zip(OrderedDict(a=full("float32", (2, 3), range(6)), note="hello"))
    contents = of(data)
    top = contents.tree.child(ROOT, 0)
    assert lines(contents, top) == [
        "pickle | data.pkl | pickle, protocol 2",
        "record | .format_version",
        "record | .storage_alignment",
        "record | byteorder",
        "folder | data | records: 1",
        "record | version",
        "folder | .data | records: 1",
        "header | zip directory",
    ]
    root = child(contents, top, "data.pkl", "OrderedDict")
    assert line(contents, root) == "dict | OrderedDict | entries: 2"
    assert lines(contents, root) == ["tensor | a | [2, 3] | float32", "text | note | 'hello'"]
    assert lines(contents, child(contents, top, "data")) == ["storage | 0 | float32 | elements: 6"]
    assert contents.size(child(contents, top, "data", "0")) == 24


def test_arrays_of_an_npz_are_rows_themselves() -> None:
    contents = of(npz_of_two())
    top = contents.tree.child(ROOT, 0)
    assert [text.split(" | ")[:2] for text in lines(contents, top)[:2]] == [["tensor", "a.npy"], ["tensor", "b.npy"]]
    for number in range(2):
        node = contents.node_of_tensor(contents.document.tensors[number])
        assert node is not None
        assert contents.tensor(node) is contents.document.tensors[number]


def npz_of_two() -> bytes:
    file = io.BytesIO()
    np.savez(file, a=np.zeros(3), b=np.zeros((2, 2)))
    return file.getvalue()


def test_a_bare_pickle_opens_on_its_object() -> None:
    contents = of(dumps({"a": [1, 2]}))
    top = contents.tree.child(ROOT, 0)
    assert line(contents, top) == "pickle | Pickle | pickle, protocol 2"
    assert lines(contents, top) == ["dict | dict | entries: 1"]
    assert lines(contents, child(contents, top, "dict", "a")) == ["number | 0 | 1", "number | 1 | 2"]


def test_unknown_bytes_are_a_row() -> None:
    contents = of(b"\x00\x01\x02 nothing known \xff" * 10)
    top = contents.tree.child(ROOT, 0)
    assert lines(contents, top)[0].startswith("bytes | unknown bytes")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"hello world, this is text\n", "Text"),
        (b"<!doctype html><html><head><title>Sign in</title></head></html>", "Web page"),
        (bytes(64), "Zero bytes"),
    ],
)
def test_what_unread_bytes_look_like_is_said_in_words(data: bytes, words: str) -> None:
    contents = of(data)
    assert lines(contents, contents.tree.child(ROOT, 0)) == [f"bytes | unknown bytes | {words}"]


def test_unknown_calls_and_objects_show_what_they_were_given() -> None:
    contents = of(dumps({"f": Call(Global("app", "make"), (1, [2])), "o": Instance(Global("app", "A"), (), {"x": 1})}))
    root = child(contents, ROOT, "Pickle", "dict")
    assert lines(contents, root) == ["object | f | app.make(1, [2])", "object | o | app.A"]
    assert lines(contents, child(contents, root, "o")) == ["number | x | 1"]
    assert lines(contents, child(contents, root, "f"))[0] == "number | arguments[0] | 1"


def test_a_million_elements_show_pages() -> None:
    contents = of(dumps(list(range(1_000_000))))
    root = child(contents, ROOT, "Pickle", "list")
    assert contents.tree.count(root) == 1000
    first = contents.tree.child(root, 0)
    assert said(contents.label(first)) == "0 … 999"
    assert said(contents.label(contents.tree.child(root, 999))) == "999,000 … 999,999"
    made = len(contents.tree)
    node = contents.tree.nth(root, 123_456)
    assert line(contents, node) == "number | 123456 | 123456"
    assert len(contents.tree) == made + 1000


def test_a_value_inside_itself_is_a_leaf() -> None:
    cycle: dict[str, object] = {"x": 1}
    cycle["me"] = cycle
    contents = of(dumps(cycle))
    root = child(contents, ROOT, "Pickle", "dict")
    assert not contents.opens(child(contents, root, "me"))
    for offset in range(contents.document.source.size):
        assert contents.node_at_offset(offset) is not None


def test_the_row_of_a_byte() -> None:
    stream = build(reader())
    contents = of(stream.data)
    weight = stream.data.index(b"weight")
    node = contents.node_at_offset(weight)
    assert node is not None
    assert [said(contents.label(row)) for row in contents.crumbs(node)] == ["object", "conv1", "weight"]
    groups = contents.node_at_offset(stream.data.index(b"groups"))
    assert groups is not None
    assert line(contents, groups) == "number | groups | 1"
    first_storage = stream.starts[5]
    count = contents.node_at_offset(first_storage)
    assert count is not None
    assert line(contents, count) == "storage | 94268654570176 | float32"
    assert contents.node_at_offset(len(stream.data)) is None
    assert contents.node_at_offset(-1) is None


def test_bytes_of_a_zip_belong_to_their_records() -> None:
    data = torch_zip(OrderedDict(a=full("float32", (2, 3), range(6))))
    contents = of(data)
    labels = []
    padding = data.index(b"archive/data/0") + len("archive/data/0")
    for place in (data.index(b"PK\x03\x04", 100), padding, data.index(b"PK\x01\x02")):
        node = contents.node_at_offset(place)
        assert node is not None
        labels.append(said(contents.label(node)))
    assert labels == [".format_version", "0", "directory entry"]


def test_the_row_of_a_tensor_in_each_of_its_places() -> None:
    shared = full("float32", (2,), [1, 2])
    contents = of(torch_zip({"a": shared, "b": {"c": shared}}))
    nodes = [contents.node_of_tensor(tensor) for tensor in contents.document.tensors]
    assert [contents.path(node) for node in nodes if node is not None] == [("a",), ("b", "c")]
    assert [contents.tensor(node) for node in nodes if node is not None] == contents.document.tensors


def test_tied_weights_count_where_they_are_shown() -> None:
    weight = parameter(full("float32", (2,), [1, 2]))
    inner = {name: module(ModuleClass("nets", "B"), {}, {"w": weight}) for name in ("first", "second")}
    contents = of(torch_zip(module(ModuleClass("nets", "A"), {}, {}, {}, inner)))
    net = child(contents, ROOT, "Zip checkpoint", "data.pkl", "A")
    assert [contents.size(child(contents, net, name)) for name in ("first", "second")] == [8, 8]
    assert contents.size(net) == 8


def test_bytes_that_are_missing_are_told() -> None:
    stored = storage("float32", range(8))
    data = build({"a": tensor(stored, (4,)), "b": tensor(stored, (2,), offset=4), "c": tensor(stored, (1,), offset=7)})
    contents = of(data.data[:-14])
    root = child(contents, ROOT, "Legacy archive", "object", "dict")
    assert [contents.state(row) for row in contents.tree.children(root)] == ["", "cut", "missing"]


def test_a_row_knows_its_bytes() -> None:
    stream = build({"a": full("float32", (2,), [1, 2]), "n": 7})
    contents = of(stream.data)
    root = child(contents, ROOT, "Legacy archive", "object", "dict")
    first, second = contents.tree.children(root)
    assert contents.span(first) == Span(len(stream.data) - 8, len(stream.data))
    span = contents.span(second)
    assert span is not None
    assert stream.data[span.start : span.stop] == b"K\x07"
    assert contents.value(second) is not None
    assert contents.tensor(second) is None


def test_rows_of_a_deflated_pickle_have_no_bytes_in_the_file() -> None:
    contents = of(torch_zip({"n": 7}, deflated=True))
    root = child(contents, ROOT, "Zip checkpoint", "data.pkl", "dict")
    (row,) = contents.tree.children(root)
    assert contents.span(row) is None
    value = contents.value(row)
    assert value is not None
    assert contents.node_of_value(value) == row


def test_what_lies_inside_is_a_row_that_leads_there() -> None:
    data = build({"a": 1}).data + build({"b": 2}).data
    contents = of(data)
    top = contents.tree.child(ROOT, 0)
    last = list(contents.tree.children(top))[-1]
    inner = contents.child(last)
    assert inner is contents.document.children[0]
    assert contents.span(last) == Span(len(build({"a": 1}).data), len(data))
    assert contents.child(top) is None


def test_a_broken_stream_shows_what_was_decoded() -> None:
    data = dumps({"a": [1, 2], "b": {"c": 3}, "d": "x" * 50})[:-20]
    contents = of(data)
    root = child(contents, ROOT, "Pickle", "dict")
    assert lines(contents, root) == ["list | a | list | items: 2", "dict | b | dict | entries: 1"]
    node = contents.node_at_offset(data.index(b"c"))
    assert node is not None
    assert contents.path(node) == ("b", "c")


@pytest.mark.parametrize("count", [0, 1, 999, 1000, 1001, 2500])
def test_every_row_of_a_list_has_its_number(count: int) -> None:
    contents = of(dumps([str(number) for number in range(count)]))
    root = child(contents, ROOT, "Pickle", "list")
    assert contents.tree.total(root) == count
    for number in {0, count // 2, count - 1} if count else set():
        node = contents.tree.nth(root, number)
        assert line(contents, node) == f"text | {number} | '{number}'"


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(max_size=5) | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=60, deadline=None)
@given(plain, st.integers(0, 4))
def test_each_value_is_found_from_its_opcode_and_from_its_bytes(value: object, protocol: int) -> None:
    contents = of(dumps(value, protocol))
    waiting = [contents.tree.child(ROOT, 0)]
    while waiting:
        node = waiting.pop()
        waiting += contents.tree.children(node)
        found = contents.value(node)
        if found is None:
            continue
        place = contents.node_of_value(found)
        assert place is not None
        # A text that is a key or stands in several places leads to the first of them.
        values = contents.document.pickles[0].values
        assert contents.value(place) == found or values.is_atom(found.value)
        span = contents.span(node)
        assert span is not None
        again = contents.node_at_offset(span.start)
        assert again is not None
        assert contents.value(again) is not None
    for offset in range(contents.document.source.size):
        assert contents.node_at_offset(offset) is not None


def test_values_that_have_no_row_of_their_own_lead_to_the_row_around_them() -> None:
    contents = of(torch_zip({"a": full("float32", (2,), [1, 2])}))
    values = contents.document.pickles[0].values
    for persistent in values.persistents():
        node = contents.node_of_value(ValueRef(0, persistent))
        assert node is not None
        assert contents.path(node) == ("a",)


def test_a_safetensors_file() -> None:
    header = {"b": entry("U8", [2], 1, 3), "__metadata__": {"format": "pt"}, "a": entry("U8", [1], 0, 1)}
    data = safetensors({**header, "none": entry("F32", [0], 3, 3)}, b"\1\2\3")
    contents = of(data + b"rest")
    root = contents.tree.child(ROOT, 0)
    assert lines(contents, root) == [
        "header | header | entries: 4",
        "tensor | a | [1] | uint8",
        "tensor | b | [2] | uint8",
        "tensor | none | [0] | float32",
        "bytes | bytes behind the end",
    ]
    head = contents.tree.child(root, 0)
    assert lines(contents, head) == [
        "header | b | [2] | uint8",
        "dict | __metadata__ | entries: 1",
        "header | a | [1] | uint8",
        "header | none | [0] | float32",
    ]
    assert lines(contents, contents.tree.child(head, 1)) == ["text | format | 'pt'"]
    for stated in contents.document.tensors:
        node = contents.node_of_tensor(stated)
        assert node is not None
        assert contents.tensor(node) is stated
    place = data.index(b'"a"')
    node = contents.node_at_offset(place)
    assert node is not None
    assert said(contents.label(node)) == "a"
    assert contents.span(node) == Span(place, data.index(b',"none"'))


def test_the_members_of_a_tar_checkpoint() -> None:
    file = TorchTar(
        {"w": named(21)}, [TarStorage(11, "Float", [1, 2])], [TarTensor(21, 11, "Float", (2,), (1,))], views=None
    )
    contents = of(file.data)
    root = contents.tree.child(ROOT, 0)
    assert lines(contents, root) == [
        "dict | sys_info | dict | entries: 3",
        "pickle | pickle | pickle, protocol 2",
        "folder | tensors | entries: 2",
        "folder | storages | entries: 2",
        "bytes | end blocks",
    ]
    assert lines(contents, child(contents, root, "storages")) == [
        "number | number of storages | 1",
        "storage | 11 | float32",
    ]
    tensors = child(contents, root, "tensors")
    assert lines(contents, tensors) == ["number | number of tensors | 1", "tensor | 21"]
    assert lines(contents, child(contents, tensors, "21")) == ["tuple | tuple | (21, 11, torch.FloatTensor)"]
    storage = contents.document.tensors[0].storage
    assert storage is not None
    assert storage.span is not None
    node = contents.node_at_offset(storage.span.start)
    assert node is not None
    assert said(contents.label(node)) == "11"


def test_the_row_of_a_record_leads_to_the_file_inside() -> None:
    inner = torch_zip({"w": full("float32", (1,), [1])})
    data = tar(member(b"notes.txt", b"hello"), member(b"models/a.pt", inner), member(b"b.gz", gzip.compress(inner)))
    contents = of(data)
    root = contents.tree.child(ROOT, 0)
    assert lines(contents, root) == [
        "record | notes.txt",
        "folder | models | records: 1",
        "archive | b.gz | gzip file",
        "bytes | end blocks",
    ]
    packed = child(contents, root, "b.gz")
    assert contents.child(packed) is contents.document.children[1]
    plain = child(contents, root, "models", "a.pt")
    assert contents.child(plain) is contents.document.children[0]
    below = Contents(contents.document.children[1])
    row = child(below, below.tree.child(ROOT, 0), "Zip checkpoint")
    assert line(below, row) == "archive | Zip checkpoint | inside: gzip"
    assert below.child(row) is contents.document.children[1].children[0]


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_all_pickles_of_a_record_are_rows_with_their_offsets(compression):
    streams = [dumps({"a": 1}, 2), dumps(["second"], 2), dumps((7, 8), 2)]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        archive.writestr("x/data.pkl", b"".join(streams))
        archive.writestr("x/version", "3\n")
    document = opened(file.getvalue())
    contents = Contents(document)
    record = next(
        node
        for node in contents.tree.children(contents.tree.child(ROOT, 0))
        if said(contents.label(node)) == "data.pkl"
    )
    starts = [pickle.shown_at(0) for pickle in document.pickles]
    assert lines(contents, record) == [
        "dict | dict | entries: 1",
        f"pickle | next pickle | pickle, protocol 2 | at 0x{starts[1]:X}",
        f"pickle | next pickle | pickle, protocol 2 | at 0x{starts[2]:X}",
    ]
    assert contents.size(record) == sum(map(len, streams))
    for pickle, row in zip(document.pickles, contents.tree.children(record), strict=True):
        below = row if pickle.index == 0 else contents.tree.child(row, 0)
        assert contents.node_of_value(ValueRef(pickle.index, pickle.values.root)) == below
        if pickle.base is not None:
            assert contents.span(row) == (pickle.span() if pickle.index else pickle.values.span(pickle.values.root))
            assert below in contents.tree.path_to(contents.node_at_offset(pickle.values.span(pickle.values.root).start))


def test_pickles_behind_a_pickle_tell_where_they_begin():
    first = dumps({"a": 1}, 2)
    contents = Contents(opened(first + dumps([], 2)))
    assert lines(contents, contents.tree.child(ROOT, 0))[1:] == [
        f"archive | Pickle | inside: next pickle | at 0x{len(first):X}"
    ]
