"""What is said of loading sets of files with torch, and the code for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.distributed import Value, save, whole
from tests.builders.sets import BIN_INDEX, bin_shard, index, numbered, shard, write_set
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from tests.builders.values import Call, Global
from viewer.core.opening import open_document
from viewer.core.summary.prediction import Prediction, predict

ONE, TWO = numbered(1, 2), numbered(2, 2)
EVIL = Call(Global("os", "system"), ("true",))
DATE = Call(Global("datetime", "date"), (b"\x07\xe8\x01\x01",))


def predicted(path: Path) -> Prediction:
    document = open_document(path)
    found = predict(document)
    document.close()
    return found


def codes_of(found: Prediction) -> list[str]:
    return [told.code for told in found.expectations]


def test_an_index_is_joined_by_its_code(tmp_path: Path) -> None:
    files = {ONE: shard({"a": ([1], [1])}), TWO: shard({"b": ([1], [2])})}
    path = write_set(tmp_path, files, {"a": ONE, "b": TWO})
    found = predicted(path)
    assert codes_of(found) == ["not-torch-index"]
    assert found.code is not None
    assert found.code.splitlines()[-3:] == [
        *("state_dict = {}", "for name in names:", "    state_dict.update(load_file(name))")
    ]
    (tmp_path / TWO).unlink()
    found = predicted(path)
    assert (codes_of(found), found.code) == (["not-torch-set-stops"], None)


def bin_set(folder: Path, second: bytes) -> Path:
    one, two = numbered(1, 2, "pytorch_model", "bin"), numbered(2, 2, "pytorch_model", "bin")
    (folder / one).write_bytes(bin_shard({"a": ([1], [1])}))
    (folder / two).write_bytes(second)
    (folder / BIN_INDEX).write_bytes(index({"a": one, "b": two}))
    return folder / BIN_INDEX


@pytest.mark.parametrize(
    ("second", "line"),
    [
        (
            bin_shard({"b": ([1], [2])}),
            "    state_dict.update(torch.load(name, weights_only=True))",
        ),
        (
            torch_zip({"b": full("float32", (1,), [2]), "day": DATE}),
            "    state_dict.update(torch.load(name, weights_only=False))",
        ),
        (torch_zip({"b": full("float32", (1,), [2]), "evil": EVIL}), None),
    ],
)
def test_torch_shards_say_what_their_loading_takes(tmp_path: Path, second: bytes, line: str | None) -> None:
    found = predicted(bin_set(tmp_path, second))
    assert (found.code.splitlines()[-1] if found.code else None) == line
    assert codes_of(found) == (["not-torch-index"] if line else ["not-torch-index", "runs-names"])
    assert found.code is None or ("people you trust" in found.code) == ("False" in found.code)


def test_a_checkpoint_is_made_one_file_by_its_code(tmp_path: Path) -> None:
    folder = tmp_path / "step_7"
    folder.mkdir()
    save(folder, [whole("w", "float32", (1,), [1])], [Value("step", torch_zip(7))])
    found = predicted(folder)
    assert codes_of(found) == ["not-torch-checkpoint"]
    assert found.code is not None
    assert "dcp_to_torch_save('step_7', 'whole.pt')" in found.code
    alone = predicted(folder / "__0_0.distcp")
    assert (codes_of(alone), alone.code) == (["not-torch-items"], None)
    (folder / ".metadata").unlink()
    lost = predicted(folder)
    assert (codes_of(lost), lost.code) == (["not-torch-nameless"], None)


def test_a_checkpoint_whose_values_reach_beyond_it_gets_no_code(tmp_path: Path) -> None:
    save(tmp_path, [whole("w", "float32", (1,), [1])], [Value("evil", torch_zip(EVIL))])
    found = predicted(tmp_path)
    assert (codes_of(found), found.code) == (["not-torch-checkpoint", "runs-names"], None)


def test_files_of_ranks_are_loaded_one_by_one(tmp_path: Path) -> None:
    for rank in range(10):
        value = {"tok_embeddings.weight": full("float32", (2, 1), [rank, rank])}
        (tmp_path / f"consolidated.{rank:02}.pth").write_bytes(torch_zip(value))
    found = predicted(tmp_path)
    assert codes_of(found) == ["not-torch-ranks"]
    assert found.code is not None
    lines = found.code.splitlines()
    assert lines[3] == "    'consolidated.00.pth',"
    assert lines[-3:] == [
        *("    'consolidated.09.pth',", "]", "ranks = [torch.load(name, weights_only=True) for name in names]")
    ]
