"""Checkpoints of torch.distributed.checkpoint: the set, its files, what does not fit in them."""

from __future__ import annotations

import gc
import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest
import zstandard

from tests.builders.distributed import (
    FILE,
    Chunk,
    Layout,
    Saved,
    Value,
    large_set,
    metadata,
    save,
    tensor_item,
    whole,
)
from tests.builders.safetensors import entry, safetensors
from tests.builders.torch_zip import torch_zip
from tests.expected import expected
from tests.opened import codes, regions_tile
from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.folder import Folder
from viewer.core.formats.base import Options
from viewer.core.formats.distributed import Distributed
from viewer.core.formats.distributed.items import Item, read_item
from viewer.core.formats.distributed.pieces import ItemSource
from viewer.core.opening import open_document
from viewer.core.problem import Problem
from viewer.core.span import Span
from viewer.core.summary.contents import Contents
from viewer.core.tensors import window
from viewer.core.tensors.hashing import sha256
from viewer.core.tensors.many import ManyTensors
from viewer.core.tensors.path import Attribute
from viewer.core.tensors.tensor import Tensor

OTHER: Final = "__1_0.distcp"


def named(document: Document) -> dict[str | None, Tensor]:
    """The tensors of a document by name."""
    return {tensor.name: tensor for tensor in document.tensors}


def problems_of(document: Document) -> dict[str, Problem]:
    """The Problems of a document and all inside it, by code."""
    return {problem.code: problem for part in document.walk() for problem in part.problems}


def divided() -> Saved:
    """A tensor of 4 x 2 float32, 0 to 7, in two pieces of two rows in two files."""
    first = Chunk((0, 0), (2, 2), FILE, tensor_item("float32", (2, 2), [0, 1, 2, 3]))
    second = Chunk((2, 0), (2, 2), OTHER, tensor_item("float32", (2, 2), [4, 5, 6, 7]))
    return Saved("w", "float32", (4, 2), [first, second])


@pytest.mark.shared
@pytest.mark.parametrize("name", ["G_dcp", "G_dcp_sharded"])
def test_samples_are_as_torch_reads_them(shared: Path, name: str) -> None:
    facts = expected("samples")[name]["result"]["tensors"]
    document = open_document(shared / "samples" / name)
    assert (document.format, document.detail) == ("distributed", "torch.distributed.checkpoint")
    found = {"/".join(map(str, tensor.path)): tensor for tensor in document.tensors}
    assert found.keys() == facts.keys()
    for path, fact in facts.items():
        tensor = found[path]
        assert f"torch.{tensor.dtype}" == fact["dtype"]
        assert (list(tensor.shape), list(tensor.stride)) == (fact["shape"], fact["stride"])
        assert sha256(tensor) == fact["sha256"]
    assert document.problems == []
    for part in document.walk():
        regions_tile(part)


@pytest.mark.shared
def test_a_missing_file_loses_its_pieces_only(shared: Path) -> None:
    document = open_document(shared / "samples" / "G_dcp_missing_file")
    assert codes(document) == ["set-file-lost"]
    assert document.problems[0].params == {
        "file": "__1_0.distcp",
        "count": 5,
        "names": "step, sharded0, sharded1, replicated, plain",
    }
    assert [(file.name, file.size) for file in document.files] == [
        (".metadata", 1735),
        ("__0_0.distcp", 3154),
        ("__1_0.distcp", None),
    ]
    found = named(document)
    assert (found["plain"].dtype, found["plain"].shape, found["plain"].member) == ("float32", (2,), "__1_0.distcp")
    assert (window.available(found["plain"]), window.complete(found["plain"])) == (0, False)
    assert window.available(found["sharded0"]) == 36
    assert window.read(found["sharded0"], (slice(0, 3),)).tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    with pytest.raises(window.IncompleteError):
        window.read(found["sharded0"], (3,))
    assert sha256(found["sharded0"]) is None


@pytest.mark.shared
def test_shards_in_safetensors(shared: Path) -> None:
    document = open_document(shared / "samples" / "G_dcp_hf")
    name = "shard-00001-model-00001-of-00001.safetensors"
    assert (document.format, document.source.size, [file.name for file in document.files]) == ("distributed", 0, [name])
    assert [(tensor.name, tensor.dtype, tensor.shape, tensor.member) for tensor in document.tensors] == [
        ("a", "float32", (2, 3), name),
        ("b", "bfloat16", (3,), name),
    ]
    assert window.read(document.tensors[0]).tolist() == [[0, 1, 2], [3, 4, 5]]


def test_the_whole_and_its_pieces(tmp_path: Path) -> None:
    places = save(tmp_path, [divided(), whole("model.b", "bfloat16", (3,), [1, 2, 3])])
    document = open_document(tmp_path)
    assert codes(document) == []
    tensor = document.tensors[0]
    assert (tensor.name, tensor.path, tensor.shape, tensor.stride, tensor.member) == ("w", ("w",), (4, 2), (2, 1), "")
    assert window.read(tensor).tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]
    first, second = (piece for _, piece in tensor.parts)
    assert [role for role, _ in tensor.parts] == ["piece", "piece"]
    assert (first.member, first.offsets, first.shape, first.path) == (FILE, (0, 0), (2, 2), ("w", Attribute("piece 0")))
    assert (second.member, second.offsets, second.path) == (OTHER, (2, 0), ("w", Attribute("piece 1")))
    span = window.span(second)
    assert span is not None
    assert (tmp_path / OTHER).read_bytes()[span.start : span.stop] == struct.pack("<4f", 4, 5, 6, 7)
    assert window.element_at(second, span.start + 8) == (1, 0)
    plain = document.tensors[1]
    assert (plain.member, plain.parts, window.read(plain).tolist()) == (FILE, (), [1, 2, 3])
    assert plain.stated is not None
    assert places["model.b"][0] == FILE


def test_paths_are_those_of_the_planner(tmp_path: Path) -> None:
    saved = [whole("model.b.c", "int64", (1,), [5]), whole("list.1", "int64", (1,), [6])]
    saved[0].path, saved[1].path = ("model", "b.c"), ("list", 1)
    values = [Value("step", torch_zip(7)), Value("list.0", torch_zip("seven"), path=("list", 0))]
    save(tmp_path, saved, values)
    document = open_document(tmp_path)
    assert [(tensor.name, tensor.path) for tensor in document.tensors] == [
        ("model.b.c", ("model", "b.c")),
        ("list.1", ("list", 1)),
    ]
    found = [(value.name, value.path, value.member) for value in document.others]
    assert found == [("step", ("step",), FILE), ("list.0", ("list", 0), FILE)]
    inner = document.others[1].document
    assert inner is not None
    assert (inner.how, inner.format, inner.file) == ("item list.0", "torch-zip", 1)
    assert inner.main_pickle is not None
    assert inner.main_pickle.values.text(inner.main_pickle.values.root) == "seven"


def test_names_that_the_planner_does_not_know_are_their_own_paths(tmp_path: Path) -> None:
    save(tmp_path, [whole("a.b", "int64", (1,), [5])], layout=Layout(None, storage_meta=False, planner_data=False))
    document = open_document(tmp_path)
    assert [(tensor.name, tensor.path) for tensor in document.tensors] == [("a.b", ("a.b",))]
    assert window.read(document.tensors[0]).tolist() == [5]


def test_a_tensor_is_made_when_it_is_looked_at_and_stays_while_it_is_held(tmp_path: Path) -> None:
    save(tmp_path, [whole(f"t{row}", "float32", (2,), [row, 1]) for row in range(30)])
    document = open_document(tmp_path)
    held = document.tensors[7]
    assert document.tensors[7] is held
    assert held.index == 7
    assert isinstance(held.storage, object)
    gc.collect()
    assert document.tensors[7] is held
    assert len(document.tensors[3:6]) == 3
    assert document.tensors[-1].name == "t29"


@pytest.mark.parametrize(
    ("shape", "stride", "numbers", "values"),
    [
        ((2, 3), (1, 2), [0, 3, 1, 4, 2, 5], [[0, 1, 2], [3, 4, 5]]),
        ((), (), [2.5], 2.5),
        ((0, 3), (3, 1), [], []),
    ],
)
def test_items_of_any_stride_are_read_in_order(
    tmp_path: Path, shape: tuple[int, ...], stride: tuple[int, ...], numbers: list[float], values: object
) -> None:
    item = tensor_item("float32", shape, numbers, stride)
    save(tmp_path, [Saved("t", "float32", shape, [Chunk((0,) * len(shape), shape, FILE, item)])])
    document = open_document(tmp_path)
    tensor = document.tensors[0]
    assert window.read(tensor).tolist() == values
    assert window.complete(tensor)
    assert codes(document) == []
    member = document.member(FILE)
    assert member is not None
    assert member.tensors[0].stride == stride


def test_items_that_are_packed_are_unpacked_within_the_bound(tmp_path: Path) -> None:
    saved = divided()
    for chunk in saved.chunks:
        chunk.item = zstandard.compress(chunk.item)
    values = [Value("step", zstandard.compress(torch_zip(7)))]
    save(tmp_path, [saved], values, Layout(transforms=["stream.zstd/1"]))
    document = open_document(tmp_path)
    assert codes(document) == []
    assert window.read(document.tensors[0]).tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert [window.span(piece) for _, piece in document.tensors[0].parts] == [None, None]
    inner = document.others[0].document
    assert inner is not None
    assert inner.offset is None
    small = open_document(tmp_path, options=Options(most_unpacked=100))
    assert set(codes(small)) == {"set-item-unreadable"}
    assert "100" in small.problems[0].text


def test_items_that_are_packed_in_an_unknown_way(tmp_path: Path) -> None:
    save(tmp_path, [whole("t", "float32", (1,), [1])], layout=Layout(transforms=["stream.secret/1"]))
    document = open_document(tmp_path)
    assert codes(document) == ["set-item-unreadable"]
    assert "stream.secret/1" in document.problems[0].text
    with pytest.raises(SourceError):
        window.read(document.tensors[0])


# -- what does not fit -----------------------------------------------------------------------------------------------


def item(numbers: Sequence[float] = (1, 2), dtype: str = "float32") -> bytes:
    return tensor_item(dtype, (len(numbers),), numbers)


def test_an_item_that_is_another_tensor_shows_no_values(tmp_path: Path) -> None:
    saved = [
        Saved("shape", "float32", (2,), [Chunk((0,), (2,), FILE, item((1, 2, 3)))]),
        Saved("dtype", "float64", (2,), [Chunk((0,), (2,), FILE, item())]),
        Saved("value", "float32", (2,), [Chunk((0,), (2,), FILE, torch_zip(7))]),
        Saved("noise", "float32", (2,), [Chunk((0,), (2,), FILE, b"no archive at all")]),
    ]
    save(tmp_path, saved)
    document = open_document(tmp_path)
    assert codes(document) == ["set-item-differs"] * 2 + ["set-item-unreadable"] * 2
    assert document.problems[0].params["expected"] == "float32 [2]"
    assert document.problems[0].params["found"] == "float32 [3]"
    assert document.problems[1].params["found"] == "float32 [2]"
    for tensor in document.tensors:
        with pytest.raises(window.IncompleteError):
            window.read(tensor)


def test_items_beyond_the_end_of_a_cut_file(tmp_path: Path) -> None:
    places = save(tmp_path, [whole("a", "float32", (2,), [1, 2]), whole("b", "float32", (64,), list(range(64)))])
    path = tmp_path / FILE
    data = path.read_bytes()
    stop = places["b"][1] + data[places["b"][1] :].index(struct.pack("<8f", *range(8)))
    path.write_bytes(data[: stop + 32])
    document = open_document(tmp_path)
    assert set(problems_of(document)) == {"set-item-beyond"}
    found = named(document)
    assert window.read(found["a"]).tolist() == [1, 2]
    assert window.available(found["b"]) == 32
    assert window.read(found["b"], (slice(0, 8),)).tolist() == list(range(8))
    member = document.member(FILE)
    assert member is not None
    regions_tile(member)


def test_bytes_of_no_item_and_of_two(tmp_path: Path) -> None:
    one, two = item((1, 2)), item((3, 4))
    (tmp_path / FILE).write_bytes(one + b"?" * 10 + two)
    places = [(FILE, 0, len(one)), (FILE, len(one) + 10, len(two)), (FILE, 5, 20)]
    saved = [
        Saved(name, "float32", (2,), [Chunk((0,), (2,), place=place)])
        for name, place in zip("abc", places, strict=True)
    ]
    (tmp_path / ".metadata").write_bytes(metadata(saved))
    document = open_document(tmp_path)
    member = document.member(FILE)
    assert member is not None
    assert [(problem.code, problem.span) for problem in member.problems] == [
        ("set-item-overlap", Span(5, 25)),
        ("set-file-gap", Span(len(one), len(one) + 10)),
    ]
    assert [region.label for region in member.regions] == ["a [0]", "", "b [0]"]
    regions_tile(member)


@pytest.mark.parametrize(
    ("chunks", "code"),
    [
        ([((0,), (2,)), ((3,), (1,))], "set-pieces-hole"),
        ([((0,), (3,)), ((2,), (2,))], "set-pieces-overlap"),
        ([((0,), (2,)), ((2,), (3,))], "set-piece-outside"),
    ],
)
def test_pieces_that_do_not_make_the_tensor(
    tmp_path: Path, chunks: list[tuple[tuple[int], tuple[int]]], code: str
) -> None:
    pieces = [Chunk(at, size, FILE, item([row + at[0] for row in range(size[0])])) for at, size in chunks]
    save(tmp_path, [Saved("t", "float32", (4,), pieces)])
    document = open_document(tmp_path)
    assert code in codes(document)
    assert window.read(document.tensors[0], (slice(0, 2),)).tolist() == [0, 1]


def test_a_grid_of_pieces_is_sound(tmp_path: Path) -> None:
    pieces = [
        Chunk((row, column), (1, 1), FILE, tensor_item("int64", (1, 1), [2 * row + column]))
        for row in range(2)
        for column in range(2)
    ]
    save(tmp_path, [Saved("t", "int64", (2, 2), pieces)])
    document = open_document(tmp_path)
    assert codes(document) == []
    assert window.read(document.tensors[0]).tolist() == [[0, 1], [2, 3]]


def test_entries_without_items_and_items_without_entries(tmp_path: Path) -> None:
    lost = Saved("lost", "float32", (2,), [Chunk((0,), (2,))])
    saved = [whole("t", "float32", (2,), [1, 2]), lost]
    save(tmp_path, saved, [Value("gone", b"")], Layout(extra={"more": (FILE, 0, 10)}))
    document = open_document(tmp_path)
    assert codes(document) == ["set-value-lost", "set-item-unused", "set-piece-lost"]
    assert window.available(named(document)["lost"]) == 0


@pytest.mark.parametrize("name", ["../up.distcp", "/etc/passwd", "c:\\up.distcp", "a/../../up.distcp"])
def test_files_outside_of_the_folder_are_never_opened(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (tmp_path / "up.distcp").write_bytes(item())
    saved = Saved("t", "float32", (2,), [Chunk((0,), (2,), place=(name, 0, len(item())))])
    (folder / ".metadata").write_bytes(metadata([saved]))
    document = open_document(folder)
    assert codes(document) == ["set-file-outside"]
    assert [file.name for file in document.files] == [".metadata"]
    assert window.available(document.tensors[0]) == 0


def test_other_files_of_items_are_named(tmp_path: Path) -> None:
    save(tmp_path, [whole("t", "float32", (2,), [1, 2])])
    (tmp_path / OTHER).write_bytes(item())
    document = open_document(tmp_path)
    assert codes(document) == ["set-file-extra"]
    assert document.problems[0].params["files"] == OTHER


def test_metadata_that_is_cut_shows_what_it_has(tmp_path: Path) -> None:
    save(tmp_path, [whole(f"t{row}", "float32", (2,), [row, 1]) for row in range(5)])
    path = tmp_path / ".metadata"
    data = path.read_bytes()
    path.write_bytes(data[: data.index(b"storage_data") + 400])
    document = open_document(tmp_path)
    assert {"pickle-cut", "set-metadata-incomplete"} <= set(codes(document))
    assert [tensor.name for tensor in document.tensors] == ["t0", "t1", "t2", "t3", "t4"]
    assert window.read(document.tensors[0]).tolist() == [0, 1]
    path.write_bytes(data[: data.index(b"\x02t3")])
    document = open_document(tmp_path)
    assert [tensor.name for tensor in document.tensors] == ["t0", "t1", "t2"]
    assert window.available(document.tensors[0]) == 0


@pytest.mark.parametrize("step", [1, 7])
def test_no_cut_of_the_metadata_stops_the_reading(tmp_path: Path, step: int) -> None:
    save(tmp_path, [divided()], [Value("step", torch_zip(7))])
    path = tmp_path / ".metadata"
    data = path.read_bytes()
    for stop in range(step + 140, len(data), 7 * step):
        path.write_bytes(data[:stop])
        document = open_document(tmp_path)
        assert document.format == "distributed"
        assert {"pickle-cut", "pickle-no-stop"} & set(codes(document))
        assert "set-metadata-incomplete" in codes(document)
        document.close()


def test_entries_that_are_none(tmp_path: Path) -> None:
    saved = [Saved("t", "no_dtype", (2,), []), Saved("u", "float32", (-1,), []), Saved("v", "float32", (2,), [])]
    saved[2].chunks = [Chunk((0, 0), (2, 2))]
    (tmp_path / ".metadata").write_bytes(metadata(saved))
    document = open_document(tmp_path)
    reasons = [problem.params["reason"] for problem in document.problems if problem.code == "set-metadata-entry"]
    assert reasons == ["its dtype is no_dtype", "its size cannot be read", "a chunk of it cannot be read"]
    assert [tensor.name for tensor in document.tensors] == ["v"]


@pytest.mark.parametrize(
    ("shape", "chunk", "place"),
    [
        ((2**61, 1), ((0, 0), (2**61, 1)), (FILE, 0, 10)),
        ((2**40, 2**40), ((0, 0), (2**40, 2**40)), (FILE, 0, 10)),
        ((2**62 - 1,), ((2**61,), (2**61,)), (FILE, 2**62 - 1, 2**62 - 1)),
        ((4,), ((2**63,), (2,)), (FILE, 2**63, 2**70)),
        ((4,), ((0,), (4,)), (FILE, 2**63 - 1, 2**63 - 1)),
        ((0, 2**61), ((0, 2**60), (0, 2)), (FILE, -1, -5)),
    ],
)
def test_numbers_that_cannot_be(
    tmp_path: Path,
    shape: tuple[int, ...],
    chunk: tuple[tuple[int, ...], tuple[int, ...]],
    place: tuple[str, int, int],
) -> None:
    (tmp_path / FILE).write_bytes(item())
    saved = [Saved("t", "float32", shape, [Chunk(*chunk, place=place), Chunk(*chunk, place=place)])]
    (tmp_path / ".metadata").write_bytes(metadata(saved))
    document = open_document(tmp_path)
    assert document.problems
    for tensor in document.tensors:
        assert window.available(tensor) == 0
    for part in document.walk():
        regions_tile(part)


# -- by what it is opened --------------------------------------------------------------------------------------------


def test_a_file_of_items_alone(tmp_path: Path) -> None:
    places = save(tmp_path, [divided()], [Value("step", torch_zip(7))])
    document = open_document(tmp_path / FILE)
    assert (document.format, document.detail) == ("distributed", "items of torch.distributed.checkpoint")
    assert codes(document) == ["set-part-of-checkpoint"]
    assert [(tensor.path, tensor.name, tensor.shape) for tensor in document.tensors] == [((1,), None, (2, 2))]
    assert [child.how for child in document.children] == ["item 0"]
    assert [region.span.start for region in document.regions] == [0, places["step"][2]]
    regions_tile(document)
    (tmp_path / ".metadata").unlink()
    assert codes(open_document(tmp_path / FILE)) == ["set-part-of-nothing"]


def test_a_cut_file_of_items_alone_shows_those_that_are_whole(tmp_path: Path) -> None:
    places = save(tmp_path, [whole(f"t{row}", "float32", (2,), [row, 1]) for row in range(3)])
    path = tmp_path / FILE
    data = path.read_bytes()
    path.write_bytes(data[: places["t2"][1] + 300])
    document = open_document(path)
    assert [(tensor.shape, window.available(tensor)) for tensor in document.tensors] == [
        ((2,), 8),
        ((2,), 8),
        ((2,), 0),
    ]
    assert window.read(document.tensors[1]).tolist() == [1, 1]
    regions_tile(document)
    path.write_bytes(b"?" * 100 + data[: places["t1"][1]] + b"?" * 50)
    document = open_document(path)
    assert window.read(document.tensors[0]).tolist() == [0, 1]
    assert problems_of(document)["set-file-gap"].params == {"file": FILE, "count": 150, "offset": 0}


def test_a_file_of_items_opens_its_set_in_the_window(tmp_path: Path) -> None:
    save(tmp_path, [divided()])
    document = open_document(tmp_path / OTHER, options=Options(whole_set=True))
    assert (document.source.size, document.opened_by) == ((tmp_path / ".metadata").stat().st_size, OTHER)
    assert Distributed().set_of(".metadata", Folder(tmp_path)) is None
    alone = open_document(tmp_path / ".metadata")
    assert [tensor.name for tensor in alone.tensors] == ["w"]


def test_a_folder_without_metadata(tmp_path: Path) -> None:
    save(tmp_path, [divided()])
    (tmp_path / ".metadata").unlink()
    document = open_document(tmp_path)
    assert codes(document) == ["set-metadata-lost"]
    assert [(tensor.path, tensor.name, tensor.member) for tensor in document.tensors] == [
        ((FILE, 0), None, FILE),
        ((OTHER, 0), None, OTHER),
    ]
    assert window.read(document.tensors[1]).tolist() == [[4, 5], [6, 7]]


def test_a_save_that_did_not_end(tmp_path: Path) -> None:
    save(tmp_path, [divided()])
    (tmp_path / ".metadata").rename(tmp_path / ".metadata.tmp")
    document = open_document(tmp_path)
    assert codes(document) == ["set-metadata-temporary"]
    assert window.read(document.tensors[0]).tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]


# -- which bytes are whose -------------------------------------------------------------------------------------------


def many(document: Document) -> ManyTensors:
    """The tensors of a set, which are made when they are looked at."""
    assert isinstance(document.tensors, ManyTensors)
    return document.tensors


def test_bytes_lead_to_tensors(tmp_path: Path) -> None:
    save(tmp_path, [whole("a", "float32", (2,), [1, 2]), divided()])
    document = open_document(tmp_path)
    assert document.tensors_in is not None
    assert [list(document.tensors_in(name)) for name in (FILE, OTHER, "none")] == [[0, 1], [1], []]
    tensors = many(document)
    stated = tensors[1].stated
    assert stated is not None
    assert tensors.stated_at(stated.start + 3) == 1
    data = (tmp_path / ".metadata").read_bytes()
    assert tensors.stated_at(data.index(b"relative_path")) == 0
    assert tensors.stated_at(0) == -1


def test_totals_are_told_without_making_tensors(tmp_path: Path) -> None:
    save(tmp_path, [whole("a", "float32", (2,), [1, 2]), divided()])
    document = open_document(tmp_path)
    totals = many(document).totals()
    assert (totals.count, totals.whole, totals.elements, totals.nbytes) == (2, 2, 10, 40)
    (tmp_path / OTHER).unlink()
    assert many(open_document(tmp_path)).totals().whole == 1


def test_of_many_items_only_some_are_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large_set(tmp_path, 2100, 3, (2, 2))
    looked: list[int] = []

    def counted(item: Item, options: Options) -> Tensor | None:
        looked.append(item.start)
        return read_item(item, options)

    monkeypatch.setattr("viewer.core.formats.distributed.checks.read_item", counted)
    monkeypatch.setattr("viewer.core.formats.distributed.pieces.read_item", counted)
    document = open_document(tmp_path)
    assert codes(document) == ["set-items-unchecked"]
    assert document.problems[0].params == {"count": 2000, "total": 2100}
    assert len(looked) == 2000
    assert len(document.tensors) == 2100
    Contents(document)
    assert window.nbytes(document.tensors[5]) == 8
    assert len(looked) == 2000
    assert window.read(document.tensors[5]).tolist() == [[0, 0], [0, 0]]
    assert len(looked) == 2001


# -- pieces in safetensors -------------------------------------------------------------------------------------------


def shard(tensors: dict[str, tuple[list[int], list[float], list[int] | None]]) -> bytes:
    """A shard of float32 tensors: name -> (shape, numbers, saved offsets)."""
    info = {name: {"saved_offsets": offsets} for name, (_, _, offsets) in tensors.items() if offsets is not None}
    header: dict[str, object] = {"__metadata__": {"DCP_SHARDING_INFO": json.dumps(info), "DCP_VERSION": "1.0"}}
    data = b""
    for name, (shape, numbers, _) in tensors.items():
        raw = struct.pack(f"<{len(numbers)}f", *numbers)
        header[name] = entry("F32", shape, len(data), len(data) + len(raw))
        data += raw
    return safetensors(header, data)


def shard_name(rank: int) -> str:
    return f"shard-{rank:05d}-model-00001-of-00001.safetensors"


def test_pieces_in_safetensors_make_one_tensor(tmp_path: Path) -> None:
    (tmp_path / shard_name(1)).write_bytes(shard({"t": ([2, 2], [0, 1, 3, 4], [0, 0]), "u": ([1], [9], [0])}))
    (tmp_path / shard_name(2)).write_bytes(shard({"t": ([2, 1], [2, 5], [0, 2])}))
    document = open_document(tmp_path)
    assert codes(document) == []
    tensor = named(document)["t"]
    assert window.read(tensor).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert [(piece.member, piece.offsets) for _, piece in tensor.parts] == [
        (shard_name(1), (0, 0)),
        (shard_name(2), (0, 2)),
    ]
    assert named(document)["u"].member == shard_name(1)
    chosen = open_document(tmp_path / shard_name(2), options=Options(whole_set=True))
    assert (chosen.format, chosen.opened_by) == ("distributed", shard_name(2))


def test_pieces_in_safetensors_that_do_not_fit(tmp_path: Path) -> None:
    (tmp_path / shard_name(1)).write_bytes(shard({"t": ([2], [0, 1], [0]), "u": ([1], [9], None)}))
    (tmp_path / shard_name(2)).write_bytes(shard({"t": ([1], [4], [3])}))
    (tmp_path / shard_name(3)).write_bytes(shard({"t": ([1, 1], [4], [3, 0])}))
    document = open_document(tmp_path)
    assert codes(document) == ["set-sharding-info", "set-sharding-differs", "set-pieces-hole"]
    assert window.available(named(document)["t"]) == 12
    (tmp_path / shard_name(2)).write_bytes(shard({"t": ([1], [4], [2**62 - 1])}))
    (tmp_path / shard_name(3)).unlink()
    document = open_document(tmp_path)
    assert window.read(named(document)["t"]).tolist() == [0, 1]
    assert "set-sharding-differs" in codes(document)


def test_an_item_tells_where_its_bytes_are_only_when_asked(tmp_path: Path) -> None:
    places = save(tmp_path, [whole("a", "float32", (2,), [1, 2])])
    storage = open_document(tmp_path).tensors[0].storage
    assert storage is not None
    assert isinstance(storage.source, ItemSource)
    assert storage.span is not None
    assert storage.source.to_outer(0) == storage.span.start
    assert places["a"][1] < storage.span.start < places["a"][1] + places["a"][2]
