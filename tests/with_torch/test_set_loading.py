"""The code that loads a set of files, run with today's torch: it gives the tensors that are shown."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders.distributed import Chunk, Saved, Value, save, tensor_item
from tests.builders.sets import BIN_INDEX, bin_shard, index, numbered, shard, write_set
from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from tests.shared import ROOT
from viewer.core.opening import open_document
from viewer.core.summary.prediction import predict

pytestmark = pytest.mark.torch


def code_of(path: Path) -> str:
    document = open_document(path)
    found = predict(document)
    document.close()
    assert found.code is not None
    return found.code


def run(folder: Path, code: str, last: str) -> str:
    """What the code and a last line print, in a process that stands in the folder."""
    (folder / "script.py").write_text(f"{code}\n{last}\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-W", "ignore", "script.py"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_index_of_safetensors(tmp_path: Path) -> None:
    one, two = numbered(1, 2), numbered(2, 2)
    files = {one: shard({"a": ([1], [1])}), two: shard({"b": ([2], [2, 3])})}
    path = write_set(tmp_path, files, {"a": one, "b": two})
    shown = run(tmp_path, code_of(path), "print({name: each.tolist() for name, each in state_dict.items()})")
    assert shown == "{'a': [1.0], 'b': [2.0, 3.0]}\n"


@pytest.mark.parametrize("location", ["cpu", "cuda:3"])
def test_an_index_of_torch_files(tmp_path: Path, location: str) -> None:
    one, two = numbered(1, 2, "pytorch_model", "bin"), numbered(2, 2, "pytorch_model", "bin")
    (tmp_path / one).write_bytes(bin_shard({"a": ([1], [1])}))
    (tmp_path / two).write_bytes(torch_zip(state_dict({"b": full("float32", (2,), [2, 3], location)})))
    (tmp_path / BIN_INDEX).write_bytes(index({"a": one, "b": two}))
    code = code_of(tmp_path)
    assert ("map_location" in code) == (location != "cpu")
    shown = run(tmp_path, code, "print({name: each.tolist() for name, each in state_dict.items()})")
    assert shown == "{'a': [1.0], 'b': [2.0, 3.0]}\n"


def test_a_distributed_checkpoint(tmp_path: Path) -> None:
    folder = tmp_path / "step_7"
    folder.mkdir()
    pieces = [
        Chunk((0, 0), (2, 1), "__0_0.distcp", tensor_item("float32", (2, 1), [1, 3])),
        Chunk((0, 1), (2, 1), "__1_0.distcp", tensor_item("float32", (2, 1), [2, 4])),
    ]
    saved = Saved("model.w", "float32", (2, 2), pieces, ("model", "w"))
    save(folder, [saved], [Value("step", torch_zip(7))])
    shown = run(tmp_path, code_of(folder), "print(state_dict['model']['w'].tolist(), state_dict['step'])")
    assert shown == "[[1.0, 2.0], [3.0, 4.0]] 7\n"


def test_files_of_ranks_that_hold_parts(tmp_path: Path) -> None:
    for rank in range(2):
        value = {"tok_embeddings.weight": full("float32", (2, 1), [rank, 2 + rank])}
        (tmp_path / f"consolidated.{rank:02}.pth").write_bytes(torch_zip(value))
    shown = run(tmp_path, code_of(tmp_path), "print([next(iter(rank.values())).tolist() for rank in ranks])")
    assert shown == "[[[0.0], [2.0]], [[1.0], [3.0]]]\n"


def test_files_of_ranks_that_hold_distributed_tensors(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.with_torch.ranks_child", str(tmp_path), "2-0"]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    shown = run(tmp_path / "2-0", code_of(tmp_path / "2-0"), "print(ranks[1]['kept'].to_local().tolist())")
    assert shown == "[0.0, 1.0, 2.0]\n"
