"""A model in several files, opened by its index: tensors of the whole, each with its file and its bytes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders.sets import BIN_INDEX, INDEX, bin_shard, index, numbered, shard, sparse_set, write_set
from tests.builders.torch_values import full, state_dict, storage
from tests.builders.torch_values import tensor as view
from tests.builders.torch_zip import torch_zip
from tests.opened import codes, opened, regions_tile
from viewer.core.document import Document, SetFile
from viewer.core.errors import CancelledError
from viewer.core.formats.base import Options
from viewer.core.opening import open_document
from viewer.core.progress import Progress, Step
from viewer.core.summary.facts import facts
from viewer.core.summary.prediction import predict
from viewer.core.tensors import window
from viewer.core.tensors.many import ManyTensors, totals_of

FIRST, SECOND = numbered(1, 2), numbered(2, 2)
A = {"a.weight": ([2, 2], [1.0, 2.0, 3.0, 4.0]), "a.bias": ([2], [5.0, 6.0])}
B = {"b.weight": ([3], [7.0, 8.0, 9.0])}
MAP = {"a.weight": FIRST, "b.weight": SECOND, "a.bias": FIRST}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_set(tmp_path, {FIRST: shard(A), SECOND: shard(B, {"format": "pt"})}, MAP, 36)
    return tmp_path


def bin_folder(path: Path) -> Path:
    names = {name: name.replace("safetensors", "bin") for name in (FIRST, SECOND)}
    (path / names[FIRST]).write_bytes(bin_shard(A))
    (path / names[SECOND]).write_bytes(bin_shard(B))
    (path / BIN_INDEX).write_bytes(index({name: names[file] for name, file in MAP.items()}, 36))
    return path


def values(document: Document) -> dict[str, object]:
    return {str(tensor.name): window.read(tensor).tolist() for tensor in document.tensors}


def test_the_folder_opens_as_one_document(folder: Path) -> None:
    document = open_document(folder)
    assert (document.format, codes(document)) == ("sharded-index", [])
    assert document.path == folder / INDEX
    assert [file.name for file in document.files] == [INDEX, FIRST, SECOND]
    assert [child.how for child in document.children] == [f"file {FIRST}", f"file {SECOND}"]
    assert [child.file for child in document.children] == [1, 2]
    assert values(document) == {"a.weight": [[1, 2], [3, 4]], "a.bias": [5, 6], "b.weight": [7, 8, 9]}
    document.close()


def test_files_have_their_sizes(folder: Path) -> None:
    document = open_document(folder / INDEX)
    assert document.files[1] == SetFile(FIRST, len(shard(A)))
    assert document.files[0].size == (folder / INDEX).stat().st_size
    document.close()


def test_tensors_stand_in_the_order_of_the_index_with_their_entry(folder: Path) -> None:
    document = open_document(folder)
    text = (folder / INDEX).read_bytes()
    assert [tensor.name for tensor in document.tensors] == ["a.bias", "a.weight", "b.weight"]
    for number, tensor in enumerate(document.tensors):
        assert tensor.index == number
        assert tensor.stated is not None
        entry = text[tensor.stated.start : tensor.stated.stop].decode()
        assert entry == f'"{tensor.name}": "{tensor.member}"'
    document.close()


def test_the_bytes_of_a_tensor_are_those_of_its_file(folder: Path) -> None:
    document = open_document(folder)
    tensor = next(one for one in document.tensors if one.name == "b.weight")
    span = window.span(tensor)
    assert (tensor.member, tensor.path) == (SECOND, ("b.weight",))
    assert span is not None
    assert (folder / SECOND).read_bytes()[span.start : span.stop] == shard(B)[-12:]
    member = document.member(SECOND)
    assert member is not None
    assert document.tensors_in is not None
    assert [document.tensors[number].name for number in document.tensors_in(SECOND)] == ["b.weight"]
    document.close()


def test_a_tensor_is_one_object_while_it_is_held(folder: Path) -> None:
    document = open_document(folder)
    held = document.tensors[1]
    assert document.tensors[1] is held
    assert document.tensors[-2] is held
    assert document.tensors[:2][1] is held
    with pytest.raises(IndexError):
        document.tensors[3]
    document.close()


@pytest.mark.parametrize("name", [FIRST, SECOND])
def test_a_member_is_as_when_it_is_opened_alone(folder: Path, name: str) -> None:
    document, alone = open_document(folder), open_document(folder / name)
    member = document.member(name)
    assert member is not None
    regions_tile(member)
    assert list(member.regions) == list(alone.regions)
    assert member.metadata == alone.metadata
    assert member.byteorder == alone.byteorder
    assert len(member.tensors) == len(alone.tensors)
    assert isinstance(member.tensors, ManyTensors)
    assert member.tensors.totals() == totals_of(alone.tensors)
    for one, other in zip(member.tensors, alone.tensors, strict=True):
        assert other.stated is not None
        assert member.tensors.stated_at(other.stated.start) == one.index
        assert member.tensors.stated_at(other.stated.stop) == -1
        assert (one.name, one.path, one.index, one.dtype, one.shape, one.stated, one.member) == (
            *(other.name, other.path, other.index, other.dtype, other.shape, other.stated, ""),
        )
        assert window.span(one) == window.span(other)
    document.close()
    alone.close()


def test_every_byte_of_the_index_has_an_owner(folder: Path) -> None:
    document = open_document(folder)
    regions_tile(document)
    named = {region.label for region in document.regions if region.kind == "index-entry"}
    assert named == set(MAP)
    assert [region.label for region in document.regions if region.kind == "index-metadata"] == ["total_size 36"]
    assert isinstance(document.tensors, ManyTensors)
    start = (folder / INDEX).read_bytes().index(b'"b.weight"')
    assert document.tensors.stated_at(start) == 2
    assert document.tensors.stated_at(start - 1) == -1
    assert document.tensors.stated_at(0) == -1
    document.close()


def test_shards_of_torch(tmp_path: Path) -> None:
    document = open_document(bin_folder(tmp_path))
    assert codes(document) == []
    assert [child.format for child in document.children] == ["torch-zip", "torch-zip"]
    assert document.written_by == document.children[0].written_by == "torch 2.7 or later"
    assert values(document) == {"a.weight": [[1, 2], [3, 4]], "a.bias": [5, 6], "b.weight": [7, 8, 9]}
    tensor = document.tensors[1]
    assert (tensor.name, tensor.value, tensor.member) == ("a.weight", None, FIRST.replace("safetensors", "bin"))
    member = document.member(tensor.member)
    assert member is not None
    assert tensor.storage is member.tensors[0].storage
    assert tensor.stated is not None
    document.close()


def test_tied_tensors_of_a_shard_share_their_bytes(tmp_path: Path) -> None:
    (tmp_path / "part.bin").write_bytes(tied_shard())
    (tmp_path / BIN_INDEX).write_bytes(index({"a": "part.bin", "b": "part.bin", "c": "part.bin"}, 12))
    document = open_document(tmp_path)
    assert [(tensor.name, tensor.shared_with) for tensor in document.tensors] == [("a", [2]), ("b", []), ("c", [0])]
    # Writers count the bytes once.
    assert codes(document) == []
    found = facts(document)
    assert (found.parameters, found.unique_parameters, found.parameter_bytes) == (5, 3, 12)
    document.close()


def tied_shard() -> bytes:
    held = storage("float32", [1.0, 2.0])
    return torch_zip(state_dict({"a": view(held, (2,)), "b": full("float32", (1,), [3.0]), "c": view(held, (2,))}))


def test_what_it_holds_in_sums(folder: Path) -> None:
    document = open_document(folder)
    found = facts(document)
    assert (found.tensors, found.parameters, found.parameter_bytes) == (3, 9, 36)
    assert [(tally.name, tally.count, tally.nbytes) for tally in found.dtypes] == [("float32", 3, 36)]
    assert [(tally.name, tally.count) for tally in found.locations] == [("cpu", 3)]
    assert [say.params for say in found.holds] == [{"count": 3, "files": 2}]
    assert found.size == sum(path.stat().st_size for path in folder.iterdir())
    assert found.steps == ["export"]
    document.close()


def test_the_byte_order_that_the_person_chose(folder: Path) -> None:
    document = open_document(folder, options=Options(byteorder="big"))
    assert document.tensors[2].storage is not None
    assert document.tensors[2].storage.byteorder == "big"
    member = document.member(SECOND)
    assert member is not None
    assert member.tensors[0].storage is not None
    assert member.tensors[0].storage.byteorder == "big"
    document.close()


def test_an_index_without_a_folder_is_text_with_a_sentence() -> None:
    document = opened(index(MAP, 36))
    assert (document.format, codes(document), len(document.tensors)) == ("sharded-index", ["kind-sharded-index"], 0)
    regions_tile(document)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"weight_map": MAP}),
        json.dumps({"metadata": {"total_size": 36, "note": "a } in a text"}, "weight_map": MAP}, separators=(",", ":")),
        json.dumps({"weight_map": MAP, "metadata": {"total_size": 36.0}}, indent=8),
        '\n\t{ "weight_map" : { ' + " , ".join(f'"{name}" : "{file}"' for name, file in MAP.items()) + " } }  \n",
        json.dumps({"weight_map": MAP}).replace("a.weight", "a\\u002eweight"),
        json.dumps({"weight_map": MAP}).replace(f'{FIRST}"}}', FIRST.replace("-", "\\u002d") + '"}'),
    ],
    ids=["plain", "compact", "behind", "spaces", "escaped name", "escaped file"],
)
def test_every_way_to_write_an_index(folder: Path, text: str) -> None:
    (folder / INDEX).write_text(text)
    document = open_document(folder)
    assert codes(document) == []
    assert values(document) == {"a.weight": [[1, 2], [3, 4]], "a.bias": [5, 6], "b.weight": [7, 8, 9]}
    regions_tile(document)
    document.close()


def test_names_of_any_kind(tmp_path: Path) -> None:
    names = ['say "a"', "x}y{", "schräg", "@attribute", "back\\slash", "", "\u20ac" * 9, "a\nb"]
    held = {name: ([1], [float(number)]) for number, name in enumerate(names)}
    write_set(tmp_path, {"one.safetensors": shard(held)}, dict.fromkeys(names, "one.safetensors"), 4 * len(names))
    document = open_document(tmp_path)
    assert codes(document) == []
    assert values(document) == {name: [number] for number, name in enumerate(names)}
    document.close()


def test_a_set_of_many_shards_is_read_with_progress(tmp_path: Path) -> None:
    sparse_set(tmp_path, 150, 3, (1024, 1024))
    steps: list[Step] = []
    document = open_document(tmp_path, Progress(steps.append))
    assert codes(document) == []
    assert len(document.tensors) == 450
    assert {step.what for step in steps} <= {"opening", "set"}
    tensor = document.tensors[449]
    assert (tensor.name, tensor.dtype) == ("model.layers.00149.mlp.experts.002.gate_proj.weight", "bfloat16")
    assert window.span(tensor) is not None
    assert window.read(tensor, (1023, slice(1020, 1024))).tolist() == [0, 0, 0, 0]
    assert isinstance(document.tensors, ManyTensors)
    totals = document.tensors.totals()
    assert (totals.count, totals.whole, totals.nbytes) == (450, 450, 450 * 2 * 1024 * 1024)
    document.close()


def test_an_unread_member_is_light_and_can_be_looked_at_again(tmp_path: Path) -> None:
    sparse_set(tmp_path, 80, 2, (16, 16))
    document = open_document(tmp_path)
    held = document.children[0].tensors[1]
    # More files than are kept read: the first one is read a second time.
    assert all(len(list(child.tensors)) == 2 for child in document.children)
    assert document.children[0].tensors[1] is held
    assert held.stated is not None
    text = (tmp_path / numbered(1, 80)).read_bytes()[held.stated.start : held.stated.stop]
    assert text.startswith(b'"model.layers.00000.mlp.experts.001.gate_proj.weight":{')
    document.close()


def test_a_member_that_was_changed_meanwhile(tmp_path: Path) -> None:
    sparse_set(tmp_path, 2, 2, (16, 16))
    document = open_document(tmp_path)
    (tmp_path / numbered(1, 2)).write_bytes(b"")
    tensor = document.children[0].tensors[0]
    assert (tensor.shape, window.nbytes(tensor)) == ((0,), 0)
    document.close()


def test_the_code_that_joins_the_files(folder: Path) -> None:
    document = open_document(folder)
    found = predict(document)
    document.close()
    assert found.code == (
        "import json\n\nfrom safetensors.torch import load_file\n\n"
        "with open('model.safetensors.index.json') as file:\n"
        '    names = sorted(set(json.load(file)["weight_map"].values()))\n'
        "state_dict = {}\nfor name in names:\n    state_dict.update(load_file(name))"
    )
    assert [(device.location, device.storages) for device in found.devices] == [("cpu", 3)]


def test_the_code_for_shards_of_torch(tmp_path: Path) -> None:
    document = open_document(bin_folder(tmp_path))
    code = predict(document).code
    document.close()
    assert code is not None
    assert code.splitlines()[2] == "import torch"
    assert code.splitlines()[-1] == "    state_dict.update(torch.load(name, weights_only=True))"


def test_it_can_be_stopped(tmp_path: Path) -> None:
    sparse_set(tmp_path, 20, 1, (4, 4))
    progress = Progress(lambda step: progress.cancel())
    with pytest.raises(CancelledError):
        open_document(tmp_path, progress)
