"""`inspect` and `export` of sets of files: sizes of the whole, plurals, choices, exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.sets import BIN_INDEX, bin_shard, index, numbered, shard, write_set
from tests.builders.torch_values import full
from tests.builders.torch_zip import torch_zip
from viewer.cli import main

ONE, TWO = numbered(1, 2), numbered(2, 2)


def index_set(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    files = {ONE: shard({"a": ([1], [1])}), TWO: shard({"b": ([2], [2, 3])})}
    return write_set(folder, files, {"a": ONE, "b": TWO})


def test_the_first_line_counts_all_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = index_set(tmp_path)
    total = sum(one.stat().st_size for one in tmp_path.iterdir())
    assert main(["inspect", str(tmp_path)]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == f"{path}: sharded-index, {total:,} bytes in 3 files"
    left = total - (tmp_path / TWO).stat().st_size
    (tmp_path / TWO).unlink()
    assert main(["inspect", str(tmp_path)]) == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert first == f"{path}: sharded-index, {left:,} bytes in 2 files, missing: 1"


def test_what_all_files_have_in_common_is_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = numbered(1, 2, "pytorch_model", "bin"), numbered(2, 2, "pytorch_model", "bin")
    (tmp_path / one).write_bytes(bin_shard({"a": ([1], [1])}))
    (tmp_path / two).write_bytes(bin_shard({"b": ([1], [2])}))
    (tmp_path / BIN_INDEX).write_bytes(index({"a": one, "b": two}))
    assert main(["inspect", str(tmp_path)]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  note: No versions")]
    assert len(lines) <= 1


def test_pieces_and_their_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for rank in range(2):
        value = {
            "tok_embeddings.weight": full("float32", (2, 1), [rank, 2 + rank]),
            "norm.weight": full("float32", (2,), [1, 1]),
        }
        (tmp_path / f"consolidated.{rank:02}.pth").write_bytes(torch_zip(value))
    assert main(["inspect", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "2 pieces in 2 files" in out
    assert f"Folder: {tmp_path.name}." in out


def test_a_folder_of_several_sets_is_a_choice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    index_set(tmp_path / "a")
    index_set(tmp_path / "b")
    assert main(["inspect", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert "a/model.safetensors.index.json, b/model.safetensors.index.json" in told


def test_names_that_no_file_has_are_told_before_writing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    index_set(tmp_path / "a")
    (tmp_path / "a" / TWO).unlink()
    target = tmp_path / "out.safetensors"
    assert main(["export", str(tmp_path / "a"), str(target), "--no-verify"]) == 1
    told = capsys.readouterr().err
    assert "From all files of the set: tensors 1, left out 1." in told
    assert f"Left out b: {TWO} does not hold it or is missing, and no other file has it." in told
    assert target.exists()
