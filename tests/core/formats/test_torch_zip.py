"""Zips of torch.save: stored and deflated, cut, without parts, with other things inside."""

from __future__ import annotations

import struct
from collections import OrderedDict

import pytest

from tests.builders.legacy import legacy
from tests.builders.pickles import Stream
from tests.builders.torch_values import full, storage, tensor
from tests.builders.torch_zip import ZipPickler, ZipWriter, torch_zip
from tests.opened import codes, opened, regions_tile
from viewer.core.document import Document
from viewer.core.formats.base import Options
from viewer.core.span import Span


def value() -> OrderedDict[str, object]:
    return OrderedDict(a=full("float32", (2, 3), range(6)), b=full("int64", (1,), [7]))


def read(document: Document, number: int) -> bytes:
    stored = document.tensors[number].storage
    assert stored is not None
    assert stored.source is not None
    return stored.source.read(0, stored.nbytes)


@pytest.mark.parametrize("version", ["1.6", "2.1", "2.13"])
def test_a_whole_archive(version: str) -> None:
    data = torch_zip(value(), version=version)
    document = opened(data)
    assert document.format == "torch-zip"
    assert [(pickle.record, pickle.role) for pickle in document.pickles] == [("archive/data.pkl", "object")]
    assert document.main == 0
    assert [(t.path, t.dtype, t.shape) for t in document.tensors] == [
        (("a",), "float32", (2, 3)),
        (("b",), "int64", (1,)),
    ]
    stored = document.tensors[0].storage
    assert stored is not None
    assert (stored.record, stored.key, stored.location) == ("archive/data/0", "0", "cpu")
    assert stored.span is not None
    assert data[stored.span.start : stored.span.stop] == struct.pack("<6f", *range(6))
    assert document.byteorder == "little"
    assert document.problems == []
    regions_tile(document)


def test_offsets_of_the_pickle_count_in_the_file() -> None:
    data = torch_zip(value())
    code = opened(data).pickles[0].code
    assert data[code.start : code.stop].startswith(b"\x80\x02c")
    assert data[code.stop - 1 : code.stop] == b"."


def test_the_region_of_a_storage_names_its_type() -> None:
    document = opened(torch_zip(value()))
    found = [(region.kind, region.label) for region in document.regions if region.kind == "storage"]
    assert found == [("storage", "float32 0"), ("storage", "int64 1")]
    assert ("record", "archive/data.pkl") in [(region.kind, region.label) for region in document.regions]


def test_deflated_records_have_offsets_of_their_own() -> None:
    document = opened(torch_zip(value(), deflated=True))
    assert document.pickles[0].code.start == 0
    assert document.pickles[0].code.source is not document.source
    assert document.pickles[0].code.source.to_outer(0) is None
    stored = document.tensors[0].storage
    assert stored is not None
    assert stored.span is None
    assert read(document, 0) == struct.pack("<6f", *range(6))
    assert codes(document) == ["torch-deflated"]
    regions_tile(document)


def test_big_endian_and_the_persons_choice() -> None:
    kept = storage("int32", [1, 2])
    kept.data = struct.pack(">2i", 1, 2)
    data = torch_zip([tensor(kept, (2,))], byteorder="big")
    document = opened(data)
    assert document.byteorder == "big"
    assert document.tensors[0].storage.byteorder == "big"
    assert opened(data, Options(byteorder="little")).byteorder == "little"


def test_a_byteorder_that_is_not_exactly_stated() -> None:
    document = opened(torch_zip(value(), byteorder="little\n"))
    assert codes(document) == ["torch-byteorder"]
    assert document.byteorder == "little"


def archive(records: dict[str, bytes], root: str = "archive") -> bytes:
    writer = ZipWriter(root)
    for name, data in records.items():
        writer.add(name, data)
    return writer.finish()


def pickled(found: object) -> tuple[bytes, ZipPickler]:
    pickler = ZipPickler()
    return pickler.dumps(found), pickler


def test_a_storage_that_has_no_record() -> None:
    body, pickler = pickled(value())
    data = archive({"data.pkl": body, "data/0": pickler.storages["0"].data, "version": b"3\n"})
    document = opened(data)
    assert codes(document) == ["storage-record-missing"]
    assert document.problems[0].params["record"] == "archive/data/1"
    assert "Tensors in it: " in document.problems[0].text
    assert [t.storage.available for t in document.tensors if t.storage is not None] == [24, 0]


@pytest.mark.parametrize(("size", "available"), [(20, 20), (30, 24)])
def test_a_record_of_another_size(size: int, available: int) -> None:
    body, _ = pickled([full("float32", (6,), range(6))])
    document = opened(archive({"data.pkl": body, "data/0": bytes(size), "version": b"3\n"}))
    assert codes(document) == ["storage-size-differs"]
    stored = document.tensors[0].storage
    assert stored is not None
    assert stored.available == available
    assert stored.span is not None
    assert stored.span.length == 24


def test_torch_1_4_kept_storages_in_another_folder() -> None:
    body, pickler = pickled(value())
    records = {"version": b"1\n", "data.pkl": body}
    records.update((f"tensors/{key}", kept.data) for key, kept in pickler.storages.items())
    document = opened(archive(records))
    assert document.format == "torch-zip"
    assert read(document, 1) == struct.pack("<q", 7)
    assert codes(document) == ["torch-tensors-folder"]


def test_no_folder_around_the_records() -> None:
    body, pickler = pickled(value())
    records = {"data.pkl": body, "version": b"3\n"}
    records.update((f"data/{key}", kept.data) for key, kept in pickler.storages.items())
    document = opened(archive(records, ""))
    assert document.format == "torch-zip"
    assert read(document, 0) == struct.pack("<6f", *range(6))


@pytest.mark.parametrize("root", ["models/archive", "./archive", "a/b/c"])
def test_more_folders_around_the_records(root: str) -> None:
    body, pickler = pickled(value())
    records = {"data.pkl": body, "version": b"3\n"}
    records.update((f"data/{key}", kept.data) for key, kept in pickler.storages.items())
    document = opened(archive(records, root))
    assert document.format == "torch-zip"
    assert "torch-deeper" in codes(document)
    assert read(document, 0) == struct.pack("<6f", *range(6))


def test_two_checkpoints_in_a_zip_are_two_files() -> None:
    body, _ = pickled({"a": 1})
    document = opened(archive({"one/data.pkl": body, "two/data.pkl": body}, "models"))
    assert (document.format, len(document.children)) == ("zip", 2)


def test_no_object() -> None:
    document = opened(archive({"data/0": bytes(24), "data/1": bytes(8), "version": b"3\n", "byteorder": b"little"}))
    assert document.format == "torch-zip"
    assert "torch-no-object" in codes(document)
    regions_tile(document)


def test_an_object_that_breaks() -> None:
    data = torch_zip(value(), change=lambda body: body[:-1] + b"\xff.")
    document = opened(data)
    problem = next(problem for problem in document.problems if problem.code == "pickle-unknown-opcode")
    code = document.pickles[0].code
    assert problem.params["offset"] == code.stop
    assert problem.span == Span(code.stop, code.stop + 1)
    assert data[code.stop] == 0xFF


def test_a_pickle_never_runs_into_the_next_record() -> None:
    data = torch_zip(value(), change=lambda body: body[:-1])
    document = opened(data)
    assert not document.pickles[0].code.complete
    assert [t.path for t in document.tensors] == [("a",), ("b",)]


def test_a_second_pickle_behind_the_object() -> None:
    second = Stream().start().op("GLOBAL", "os getcwd").ops("EMPTY_TUPLE REDUCE STOP").data
    document = opened(torch_zip(value(), change=lambda body: body + second + b"??"))
    assert len(document.pickles) == 2
    assert document.main == 0
    assert codes(document) == ["pickle-trailing"]
    assert len(document.tensors) == 2


def test_whole_pickles_behind_the_break_of_a_record() -> None:
    behind = Stream().start().op("GLOBAL", "os getcwd").ops("EMPTY_TUPLE REDUCE STOP").data
    data = torch_zip(value(), change=lambda body: body[:-1] + b"\xff?" + behind + b"??" + behind)
    document = opened(data)
    assert sorted(codes(document)) == ["pickle-behind-break", "pickle-unknown-opcode"]
    problem = next(problem for problem in document.problems if problem.code == "pickle-behind-break")
    begin, last = data.index(behind), data.rindex(behind)
    assert problem.params == {"count": 2, "offset": begin}
    assert problem.span == Span(begin, last + len(behind))
    assert document.main == 0
    assert [(pickle.span().start, pickle.record) for pickle in document.pickles[1:]] == [
        (begin, "archive/data.pkl"),
        (last, "archive/data.pkl"),
    ]
    regions_tile(document)


def test_a_whole_pickle_behind_the_break_of_a_deflated_record() -> None:
    behind = Stream().start().op("GLOBAL", "os getcwd").ops("EMPTY_TUPLE REDUCE STOP").data
    writer = ZipWriter()
    writer.add("archive/data.pkl", b"\x80\x02}\xff" + behind, deflated=True)
    writer.add("archive/version", b"3\n")
    document = opened(writer.finish())
    problem = next(problem for problem in document.problems if problem.code == "pickle-behind-break")
    assert problem.params == {"count": 1, "offset": 4}
    assert problem.span == document.records[0].data
    assert [(pickle.span().start, pickle.base) for pickle in document.pickles] == [(0, None), (4, None)]


def test_documents_in_other_records() -> None:
    body, _ = pickled({"x": 1})
    inner = legacy({"w": full("int16", (2,), [5, 6])})
    nested = torch_zip({"v": full("uint8", (1,), [9])})
    records = {
        "data.pkl": body,
        "extra.pkl": pickled([1])[0],
        "old.pth": inner,
        "new.pt": nested,
        "notes.txt": b"hello",
    }
    document = opened(archive({**records, "version": b"3\n"}))
    assert [(child.how, child.format) for child in document.children] == [
        ("record archive/extra.pkl", "pickle"),
        ("record archive/old.pth", "torch-legacy"),
        ("record archive/new.pt", "torch-zip"),
    ]
    for part in document.walk():
        regions_tile(part)
    last = document.children[2].tensors[0].storage
    assert last is not None
    assert last.source is not None
    assert last.source.read(0, 1) == b"\x09"


def test_cut_anywhere_opens_and_tiles() -> None:
    data = torch_zip(value())
    for length in range(len(data)):
        document = opened(data[:length])
        regions_tile(document)
        assert any(problem.severity == "error" for part in document.walk() for problem in part.problems), length


def test_cut_behind_the_first_storage_keeps_it() -> None:
    data = torch_zip(value())
    whole = opened(data).tensors[1].storage
    assert whole is not None
    assert whole.span is not None
    document = opened(data[: whole.span.start + 3])
    assert document.format == "torch-zip"
    assert [t.storage.available for t in document.tensors if t.storage is not None] == [24, 3]
    assert document.tensors[1].storage.span == whole.span


def test_two_checkpoints_in_one_file_are_no_items_of_a_distributed_one() -> None:
    first = torch_zip({"a": full("float32", (1,), [1])})
    last = torch_zip({"b": full("float32", (1,), [2]), "c": full("float32", (1,), [3])})
    document = opened(first + last)
    assert document.format == "torch-zip"
    assert [tensor.name for tensor in document.tensors] == ["b", "c"]
    assert [(child.how, child.offset) for child in document.children] == [("archive in front", 0)]
    assert [tensor.name for tensor in document.children[0].tensors] == ["a"]
    # Items hold one tensor each.
    assert opened(first + first).format == "distributed"
