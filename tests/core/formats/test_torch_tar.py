"""Tar checkpoints: both layouts, views, classes with their source, any order of members, cut anywhere; plain tars."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Any, Final

import pytest

from tests.builders.tars import member, tar
from tests.builders.torch_tar import NAMES, TarStorage, TarTensor, TorchTar, named
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global, Instance, Persistent, dumps
from tests.opened import codes, opened, regions_tile
from viewer.core.document import Document
from viewer.core.formats.base import Options
from viewer.core.formats.recognition import recognise
from viewer.core.source import MemorySource
from viewer.core.span import Region, Span
from viewer.core.tensors import window

STORAGES: Final = (TarStorage(11, "Float", [0, 0.5, 1, 1.5, 2, 2.5]), TarStorage(12, "Long", [7, -8]))
TENSORS: Final = (TarTensor(21, 11, "Float", (2, 3), (3, 1)), TarTensor(22, 12, "Long", (1,), (1,), 1))
# n is the second of two elements
SLICED: Final = ["storage-part-used"]
VALUE: Final = OrderedDict(w=named(21), n=named(22), epoch=3)


def whole(**changes: Any) -> TorchTar:
    return replace(TorchTar(VALUE, STORAGES, TENSORS), **changes)


def values(document: Document) -> dict[str | None, object]:
    return {tensor.name: window.read(tensor).tolist() for tensor in document.tensors}


EXPECTED: Final = {"w": [[0, 0.5, 1], [1.5, 2, 2.5]], "n": [-8]}


def test_a_whole_file() -> None:
    document = opened(whole().data)
    assert (document.format, document.written_by, document.byteorder) == (
        "torch-tar",
        "torch 0.1.9 or earlier",
        "little",
    )
    assert [(t.path, t.name, t.dtype, t.shape, t.stride, t.storage_offset) for t in document.tensors] == [
        (("w",), "w", "float32", (2, 3), (3, 1), 0),
        (("n",), "n", "int64", (1,), (1,), 1),
    ]
    assert values(document) == EXPECTED
    assert codes(document) == SLICED
    assert [record.name for record in document.records] == list(NAMES)
    assert document.main_pickle is not None
    assert document.main_pickle.role == "object"
    regions_tile(document)


def test_every_part_of_a_member_is_a_region() -> None:
    file = whole()
    start = 6 * 512 + 512
    contents = file.contents["storages"]
    document = opened(file.data)
    inside = [region for region in document.regions if start <= region.span.start < start + len(contents)]
    first = contents.index(b"\x06\0\0\0\0\0\0\0")
    assert [(region.kind, region.label) for region in inside] == [
        ("pickle", "number of storages"),
        ("pickle", "storage"),
        ("storage-count", "11"),
        ("storage", "float32 11"),
        ("pickle", "storage"),
        ("storage-count", "12"),
        ("storage", "int64 12"),
        ("pickle", "views"),
    ]
    assert inside[2].span == Span(start + first, start + first + 8)
    assert inside[3].span == Span(start + first + 8, start + first + 32)
    storage = document.tensors[0].storage
    assert storage is not None
    assert (storage.span, storage.record, storage.key) == (inside[3].span, "storages", 11)


@pytest.mark.parametrize("order", [NAMES[::-1], ("tensors", "pickle", "storages"), ("storages", "tensors", "pickle")])
def test_the_order_of_members_does_not_matter(order: tuple[str, ...]) -> None:
    document = opened(whole(order=order).data)
    assert values(document) == EXPECTED
    assert codes(document) == SLICED
    regions_tile(document)


def test_dotted_names_are_found_and_told() -> None:
    document = opened(whole(prefix="./").data)
    assert values(document) == EXPECTED
    assert codes(document) == ["tar-names-dotted", *SLICED]


def test_the_form_of_2016() -> None:
    document = opened(whole(early=True).data)
    assert values(document) == EXPECTED
    assert codes(document) == ["tar-early", *SLICED]


def test_views_are_parts_of_their_root() -> None:
    tensors = [TENSORS[0], TarTensor(22, 13, "Float", (2,), (2,), 0)]
    document = opened(whole(tensors=tensors, views=[(13, 11, 2, 3)]).data)
    assert values(document) == {"w": EXPECTED["w"], "n": [1, 2]}
    root, view = (tensor.storage for tensor in document.tensors)
    assert root is not None
    assert view is not None
    assert root.span is not None
    assert view.span == Span(root.span.start + 8, root.span.start + 20)


def test_any_bytes_beside_the_number_of_axes() -> None:
    tensors = [TarTensor(21, 11, "Float", (2, 3), (3, 1), beside=b"\xde\xad\xbe\xef"), TENSORS[1]]
    assert values(opened(whole(tensors=tensors).data)) == EXPECTED


def test_big_endian_machines() -> None:
    document = opened(whole(little=False).data)
    assert document.byteorder == "big"
    assert values(document) == EXPECTED
    assert codes(document) == SLICED


def test_the_byte_order_can_be_chosen() -> None:
    document = opened(whole(order=NAMES[1:], little=False).data, Options(byteorder="big"))
    assert values(document) == EXPECTED


def test_shared_and_bare_storages() -> None:
    value = {"a": named(21), "b": named(21), "s": named(11)}
    document = opened(whole(value=value).data)
    assert [(t.name, t.kind, t.shared_with) for t in document.tensors] == [
        ("a", "tensor", [1, 2]),
        ("b", "tensor", [0, 2]),
        ("s", "storage", [0, 1]),
    ]
    assert values(document)["s"] == [0, 0.5, 1, 1.5, 2, 2.5]


def test_a_module_with_its_source() -> None:
    cls = Global("net", "Net")
    text = "class Net(nn.Module):\n    pass\n"
    hooks: OrderedDict[str, object] = OrderedDict()
    parameter = Call(Global("torch.nn.parameter", "Parameter"), (named(21),), (True, False, hooks))
    state = {"_parameters": OrderedDict(weight=parameter), "_buffers": {}, "_modules": {}, "training": True}
    model = Instance(Persistent((cls, "/home/net.py", text)), (), state)
    document = opened(whole(value=model).data)
    assert [(s.name, s.module, s.qualname, s.file, s.text) for s in document.sources] == [
        ("net.Net", "net", "Net", "/home/net.py", text)
    ]
    span = document.sources[0].span
    assert span is not None
    assert document.source.read(span.start, span.length) == text.encode()
    assert [(t.name, t.requires_grad) for t in document.tensors] == [("weight", True)]


def test_a_class_whose_source_was_not_found() -> None:
    model = Instance(Persistent((Global("net", "Net"), None, None)), (), {"w": named(21)})
    document = opened(whole(value=model).data)
    assert [(source.name, source.file, source.text) for source in document.sources] == [("net.Net", None, None)]
    assert [tensor.shape for tensor in document.tensors] == [(2, 3)]


def test_tensors_that_never_had_a_storage() -> None:
    document = opened(whole(tensors=[TarTensor(21, None, "Float", (), ()), TENSORS[1]]).data)
    assert [(t.name, t.shape, t.storage is None) for t in document.tensors] == [("w", (0,), True), ("n", (1,), False)]
    assert codes(document) == ["tar-without-storage", *SLICED]


def test_a_storage_that_is_missing() -> None:
    document = opened(whole(storages=STORAGES[1:]).data)
    lost = document.tensors[0]
    assert codes(document) == ["storage-missing"]
    assert window.missing_bytes(lost) == (24, 24)
    assert window.read(document.tensors[1]).tolist() == [-8]


def test_a_tensor_beyond_its_storage() -> None:
    document = opened(whole(tensors=[TarTensor(21, 12, "Long", (5,), (1,)), TENSORS[1]]).data)
    assert codes(document) == ["tensor-outside-storage"]


@pytest.mark.parametrize("axes", [-1, 100_000])
def test_an_impossible_layout(axes: int) -> None:
    document = opened(whole(tensors=[TENSORS[1], TarTensor(21, 11, "Float", (), (), axes=axes)]).data)
    assert [tensor.name for tensor in document.tensors] == ["n"]
    assert "tar-layout" in codes(document)
    regions_tile(document)


def test_a_count_beyond_the_member() -> None:
    storages = [STORAGES[0], TarStorage(12, "Long", [7, -8], count=1 << 40)]
    document = opened(whole(storages=storages).data)
    assert codes(document) == ["storage-cut"]
    assert document.problems[0].params["names"] == "n"
    assert window.read(document.tensors[0]).tolist() == EXPECTED["w"]
    regions_tile(document)


@pytest.mark.parametrize("count", ["x", -1, None])
@pytest.mark.parametrize("name", ["storages", "tensors"])
def test_a_member_without_its_number_of_entries(name: str, count: object) -> None:
    contents = whole().contents
    rest = contents[name].removeprefix(dumps(2))
    members = [member(key.encode(), dumps(count) + rest if key == name else data) for key, data in contents.items()]
    document = opened(tar(*members))
    problem = document.problems[0]
    assert (problem.code, problem.severity, problem.params) == ("tar-count", "error", {"name": name})
    assert problem.span is not None
    assert [problem.span.start - 2] == [record.data.start for record in document.records if record.name == name]
    assert [region.label for region in document.regions if region.kind == "trailing"] == [name]
    regions_tile(document)


def test_members_that_are_missing() -> None:
    without = opened(whole(order=("sys_info", "pickle", "storages")).data)
    assert codes(without) == ["tar-member-missing"]
    assert without.tensors == []
    no_object = opened(whole(order=("sys_info", "tensors", "storages")).data)
    assert codes(no_object) == ["tar-member-missing"]
    assert [(t.path, window.read(t).tolist()) for t in no_object.tensors] == [((21,), EXPECTED["w"]), ((22,), [-8])]


@pytest.mark.parametrize("protocol", [1, 2, 3, 4])
def test_protocols_of_the_object(protocol: int) -> None:
    assert values(opened(whole(protocol=protocol).data)) == EXPECTED


def test_a_file_inside_the_archive() -> None:
    document = opened(whole(more={"extra.pt": torch_zip({"x": full("float32", (1,), [4])})}).data)
    assert [(child.how, child.format) for child in document.children] == [("record extra.pt", "torch-zip")]
    assert values(document) == EXPECTED


def test_each_tensor_is_whole_or_cut_wherever_the_file_ends() -> None:
    data = whole().data
    end = data.index(b"\x02\0\0\0\0\0\0\0", 7 * 512) + 24
    for length in range(512, end + 1, 7):
        document = opened(data[:length])
        regions_tile(document)
        assert document.format == "torch-tar"
        assert "error" in {problem.severity for problem in document.problems}, length
        for tensor in document.tensors:
            missing, size = window.missing_bytes(tensor)
            assert 0 <= missing <= size
            if tensor.storage is not None and not missing:
                assert window.read(tensor).tolist() == EXPECTED[tensor.name or ""]


def test_the_report_of_a_cut_file() -> None:
    data = whole().data
    cut = data[: data.index(b"\x06\0\0\0\0\0\0\0", 7 * 512) + 8 + 10]
    document = opened(cut)
    assert codes(document) == ["tar-record-cut", "storage-missing", "file-ends-early", "storage-cut"]
    ends = document.problems[2]
    assert (ends.params["whole"], ends.params["count"]) == (0, 2)
    assert document.problems[3].params == {"key": "11", "names": "w", "stated": 24, "present": 10, "missing": 14}
    assert [window.missing_bytes(tensor) for tensor in document.tensors] == [(14, 24), (8, 8)]


# -- tars that are no checkpoints ------------------------------------------------------------------------


def test_a_tar_around_files() -> None:
    inner = torch_zip({"x": full("float32", (2,), [1, 2])})
    data = tar(member(b"notes.txt", b"hello"), member(b"model.pt", inner), member(b"../evil.pt", inner))
    document = opened(data)
    assert (document.format, len(document.records)) == ("tar", 3)
    assert [(c.how, c.format, c.offset, c.parent) for c in document.children] == [
        ("record model.pt", "torch-zip", 1536, 0),
        ("record ../evil.pt", "torch-zip", 1536 + len(inner) + -len(inner) % 512 + 512, 0),
    ]
    assert codes(document) == ["archive-of-files"]
    regions_tile(document)


def test_a_tar_without_anything_to_open() -> None:
    document = opened(tar(member(b"notes.txt", b"hello")))
    assert (document.format, document.children, codes(document)) == ("tar", [], ["kind-tar"])
    assert Region(Span(512, 517), "record", "notes.txt") in document.regions


def test_what_a_cut_checkpoint_is_known_by() -> None:
    def kind(*names: bytes) -> str:
        return recognise(MemorySource(tar(*(member(name, b"x") for name in names)))).format

    assert kind(b"sys_info") == "torch-tar"
    assert kind(b"pickle", b"tensors") == "torch-tar"
    assert kind(b"pickle") == "tar"
    assert kind(b"pickle", b"storages", b"notes") == "tar"
    assert kind(b"pickle", b"storages", b"tensors", b"notes") == "torch-tar"


def test_a_storage_that_stands_twice() -> None:
    twice = (*STORAGES, TarStorage(12, "Long", [5, 6]))
    document = opened(whole(storages=twice).data)
    assert codes(document) == ["tar-key-twice", *SLICED]
    problem = document.problems[0]
    assert problem.params == {"key": "12"}
    # The later one counts, and its elements are what is pointed at.
    assert problem.span is not None
    assert document.source.read(problem.span.start, 8) == (5).to_bytes(8, "little")
    assert values(document) == {**EXPECTED, "n": [6]}
    regions_tile(document)
