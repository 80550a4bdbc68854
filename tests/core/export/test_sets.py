"""Exports over sets of files: what is chosen, what is named as left out, what is never written over."""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from pathlib import Path

import pytest
from safetensors import safe_open

from tests.builders.distributed import Chunk, Saved, Value, save, tensor_item, whole
from tests.builders.sets import numbered, shard, write_set
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.core.export.reading import exported, read_state_dict
from viewer.core.document import Document
from viewer.core.errors import CancelledError, ChoiceError, ExportError
from viewer.core.export import exporter_of
from viewer.core.export.plan import Plan
from viewer.core.export.rescue import remains
from viewer.core.export.selection import Wanted
from viewer.core.formats.base import Options
from viewer.core.opening import open_document
from viewer.core.progress import Progress, Step

ONE, TWO = numbered(1, 2), numbered(2, 2)
MAP = {"a.weight": ONE, "a.bias": ONE, "b.weight": TWO}


def index_set(folder: Path, weight_map: Mapping[str, object] = MAP) -> Path:
    """Two shards: three tensors of two parts of a model."""
    files = {
        ONE: shard({"a.weight": ([2, 2], [1, 2, 3, 4]), "a.bias": ([2], [5, 6])}),
        TWO: shard({"b.weight": ([3], [7, 8, 9])}),
    }
    return write_set(folder, files, weight_map)


def planned(document: Document, form: str = "state_dict", wanted: Wanted | None = None) -> Plan:
    return exporter_of(form).plan(document, wanted or Wanted())


def names(plan: Plan) -> list[str]:
    return [item.name for item in plan.items]


def numbers(path: Path) -> dict[str, list[float]]:
    """The elements of a safetensors file of float32, as the library reads them."""
    with safe_open(str(path), "np") as file:
        return {name: file.get_tensor(name).ravel().tolist() for name in sorted(file.keys())}


def divided() -> Saved:
    """A matrix whose columns stand in two files."""
    return Saved(
        "model.w",
        "float32",
        (2, 2),
        [
            Chunk((0, 0), (2, 1), "__0_0.distcp", tensor_item("float32", (2, 1), [1, 3])),
            Chunk((0, 1), (2, 1), "__1_0.distcp", tensor_item("float32", (2, 1), [2, 4])),
        ],
        ("model", "w"),
    )


def moment() -> Saved:
    found = whole("optimizer.state.0.exp_avg", "float32", (1,), [9])
    found.path = ("optimizer", "state", 0, "exp_avg")
    return found


def test_an_index_gives_all_of_its_files_in_one(tmp_path: Path) -> None:
    document = open_document(index_set(tmp_path))
    exported(document, tmp_path / "out.safetensors", "safetensors")
    assert numbers(tmp_path / "out.safetensors") == {"a.weight": [1, 2, 3, 4], "a.bias": [5, 6], "b.weight": [7, 8, 9]}
    document.close()


@pytest.mark.parametrize("name", [ONE, TWO])
def test_a_shard_gives_itself_or_the_whole(tmp_path: Path, name: str) -> None:
    index_set(tmp_path)
    alone = open_document(tmp_path / name)
    whole_set = open_document(tmp_path / name, options=Options(whole_set=True))
    assert sorted(names(planned(alone))) == sorted(key for key, file in MAP.items() if file == name)
    assert sorted(names(planned(whole_set))) == sorted(MAP)
    alone.close()
    whole_set.close()


def test_names_without_a_file_are_named_as_left_out(tmp_path: Path) -> None:
    weight_map = {**MAP, "b.bias": TWO, "c.weight": "gone.safetensors", "d": "../d.safetensors"}
    document = open_document(index_set(tmp_path, weight_map))
    plan = planned(document)
    assert names(plan) == ["a.bias", "a.weight", "b.weight"]
    assert [(one.name, one.reason, one.params.get("file")) for one in plan.dropped] == [
        ("b.bias", "not-in-file", TWO),
        ("c.weight", "not-in-file", "gone.safetensors"),
        ("d", "not-in-file", "../d.safetensors"),
    ]
    below_b = planned(document, wanted=Wanted(root="b"))
    assert (names(below_b), [one.name for one in below_b.dropped]) == (["weight"], ["bias"])
    only = planned(document, wanted=Wanted(only=("b.*",)))
    assert (names(only), [one.name for one in only.dropped]) == (["b.weight"], ["b.bias"])
    document.close()


def test_a_branch_of_names_is_found_in_a_single_file_too(tmp_path: Path) -> None:
    index_set(tmp_path)
    document = open_document(tmp_path / ONE)
    assert names(planned(document, wanted=Wanted(root="a"))) == ["weight", "bias"]
    with pytest.raises(ExportError) as caught:
        planned(document, wanted=Wanted(root="z"))
    assert caught.value.code == "export-root-missing"
    document.close()


def test_a_checkpoint_gives_the_model_and_never_the_optimizer(tmp_path: Path) -> None:
    step = Value("step", torch_zip(7), path=("step",))
    inner = Value("model._extra", torch_zip("text"), path=("model", "_extra"))
    save(tmp_path, [divided(), moment()], [step, inner])
    document = open_document(tmp_path)
    plan = planned(document)
    assert (plan.title, names(plan), plan.kept) == ("model", ["w"], ("_extra",))
    exported(document, tmp_path / "out.safetensors", "safetensors")
    assert numbers(tmp_path / "out.safetensors") == {"w": [1, 2, 3, 4]}
    optimizer = planned(document, wanted=Wanted(root="optimizer"))
    assert names(optimizer) == ["state.0.exp_avg"]
    every = planned(document, "npz", Wanted(root="model"))
    assert [(one.name, one.reason) for one in every.dropped] == [("_extra", "not-tensor")]
    document.close()


def test_values_of_a_flat_checkpoint_are_kept(tmp_path: Path) -> None:
    save(tmp_path, [whole("w", "float32", (1,), [1])], [Value("step", torch_zip(7))])
    document = open_document(tmp_path)
    plan = planned(document)
    assert (names(plan), plan.kept) == (["w"], ("step",))
    assert dict(plan.content.plain) == {"step": 7}
    document.close()


def test_a_list_of_tensors_is_no_state_dict(tmp_path: Path) -> None:
    item = whole("list.0", "float32", (1,), [1])
    item.path = ("list", 0)
    save(tmp_path, [divided(), item])
    document = open_document(tmp_path)
    assert planned(document).title == "model"
    document.close()


def test_two_models_are_a_choice(tmp_path: Path) -> None:
    found = []
    for name in ("generator", "critic"):
        found.append(whole(f"{name}.w", "float32", (1,), [1]))
        found[-1].path = (name, "w")
    save(tmp_path, found)
    document = open_document(tmp_path)
    with pytest.raises(ChoiceError) as caught:
        planned(document)
    assert list(caught.value.choices) == ["generator", "critic"]
    document.close()


def test_a_missing_piece_leaves_its_tensor_out(tmp_path: Path) -> None:
    other = whole("model.b", "float32", (1,), [5])
    other.path = ("model", "b")
    save(tmp_path, [divided(), other])
    (tmp_path / "__1_0.distcp").unlink()
    document = open_document(tmp_path)
    plan = planned(document)
    assert names(plan) == ["b"]
    assert [(one.name, dict(one.params)) for one in plan.dropped] == [("w", {"missing": 8, "nbytes": 16})]
    document.close()


def test_parts_of_a_model_are_written_whole(tmp_path: Path) -> None:
    for rank in range(2):
        value = {
            "tok_embeddings.weight": full("float32", (2, 1), [rank, 2 + rank]),
            "norm.weight": full("float32", (2,), [1, 1]),
        }
        (tmp_path / f"consolidated.{rank:02}.pth").write_bytes(torch_zip(value))
    document = open_document(tmp_path)
    exported(document, tmp_path / "out.safetensors", "safetensors")
    assert numbers(tmp_path / "out.safetensors") == {"tok_embeddings.weight": [0, 1, 2, 3], "norm.weight": [1, 1]}
    document.close()


@pytest.mark.parametrize("form", ["state_dict", "npz", "safetensors"])
def test_no_file_of_a_set_is_written_over(tmp_path: Path, form: str) -> None:
    path = index_set(tmp_path)
    document = open_document(path)
    os.link(tmp_path / TWO, tmp_path / "hard")
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    exporter = exporter_of(form)
    for name in (ONE, TWO, path.name, "hard"):
        with pytest.raises(ExportError) as caught:
            exporter.write(exporter.plan(document, Wanted()), tmp_path / name, Progress(), overwrite=True)
        assert caught.value.code == "target-is-source"
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before
    document.close()


def test_a_shard_that_was_changed_since_is_refused(tmp_path: Path) -> None:
    document = open_document(index_set(tmp_path))
    plan = planned(document)
    data = bytearray((tmp_path / TWO).read_bytes())
    data[-4:] = struct.pack("<f", 0.5)
    (tmp_path / TWO).write_bytes(data)
    os.utime(tmp_path / TWO, ns=(1, 1))
    with pytest.raises(ExportError) as caught:
        exporter_of("state_dict").write(plan, tmp_path / "out.pt", Progress())
    assert caught.value.code == "source-changed"
    assert not (tmp_path / "out.pt").exists()
    document.close()


def test_progress_is_told_and_stops_an_export(tmp_path: Path) -> None:
    document = open_document(index_set(tmp_path))
    steps: list[Step] = []
    progress = Progress(steps.append)
    exporter = exporter_of("safetensors_shards")
    exporter.write(exporter.plan(document, Wanted(shard_size=12)), tmp_path / "shards", progress)
    assert any(step.what == "export" and step.total == 36 for step in steps)
    progress.cancel()
    with pytest.raises(CancelledError):
        exporter.write(exporter.plan(document, Wanted()), tmp_path / "stopped", progress)
    assert sorted(one.name for one in tmp_path.iterdir() if "stopped" in one.name) == []
    document.close()


def test_shards_of_shards_are_the_same_model(tmp_path: Path) -> None:
    document = open_document(index_set(tmp_path))
    report = exported(document, tmp_path / "again", "safetensors_shards", Wanted(shard_size=16))
    assert report.plan.files[-1] == "model.safetensors.index.json"
    again = open_document(tmp_path / "again")
    assert sorted(str(tensor.name) for tensor in again.tensors) == sorted(MAP)
    assert [problem.code for problem in again.problems] == []
    exported(again, tmp_path / "out.pt")
    exported(document, tmp_path / "first.pt")
    assert read_state_dict(tmp_path / "out.pt") == read_state_dict(tmp_path / "first.pt")
    document.close()
    again.close()


def test_a_rescue_counts_each_tensor_of_a_set_once(tmp_path: Path) -> None:
    document = open_document(index_set(tmp_path))
    assert [one.tensor.name for one in remains(document)] == ["a.bias", "a.weight", "b.weight"]
    document.close()
