"""ShardedTensors of several ranks, saved by torch, are put together; the code that is shown loads them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.shared import ROOT
from viewer.core.opening import open_document
from viewer.core.summary.prediction import predict
from viewer.core.tensors import window

pytestmark = pytest.mark.torch

SIZES = (1, 2, 3)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shards")
    for world in SIZES:
        (folder / str(world)).mkdir()
        command = [sys.executable, "-W", "ignore", "-m", "tests.with_torch.shards_child", str(folder / str(world))]
        done = subprocess.run([*command, str(world)], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("world", SIZES[1:])
def test_shards_are_put_where_they_were(saved: Path, world: int) -> None:
    document = open_document(saved / str(world))
    found = {tensor.name: tensor for tensor in document.tensors}
    assert list(found) == ["rows", "grid", "flat", "few", "plain"]
    assert {name: (tensor.dtype, len(tensor.parts)) for name, tensor in found.items()} == {
        "rows": ("float32", world),
        "grid": ("bfloat16", 4),
        "flat": ("int64", world),
        "few": ("float32", 1),
        "plain": ("float32", 0),
    }
    values = {name: window.read(tensor).astype(np.float64) for name, tensor in found.items()}
    document.close()
    base = np.arange(35.0).reshape(5, 7)
    assert np.array_equal(values["rows"], base)
    assert np.array_equal(values["grid"], base)
    assert np.array_equal(values["flat"], np.arange(11))
    assert np.array_equal(values["few"], base[:1])
    assert [problem.code for problem in document.problems] == ["ranks-kind", "ranks-pieces"]


def run(folder: Path, path: Path, last: str) -> object:
    """What a last line behind the code for a file or folder prints, as JSON."""
    document = open_document(path)
    code = predict(document).code
    document.close()
    assert code is not None
    (folder / "script.py").write_text(f"import json\n{code}\n{last}\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-W", "ignore", "script.py"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_the_code_for_the_files_of_all_ranks(saved: Path) -> None:
    folder = saved / "3"
    shown = 'print(json.dumps([[s.tensor.tolist() for s in rank["flat"].local_shards()] for rank in ranks]))'
    assert run(folder, folder, shown) == [[[0, 1, 2, 3]], [[4, 5, 6, 7]], [[8, 9, 10]]]


@pytest.mark.parametrize(("world", "rank", "held"), [(3, 1, [4, 5, 6, 7]), (1, 0, list(range(11)))])
def test_the_code_for_the_file_of_one_rank(saved: Path, world: int, rank: int, held: list[int]) -> None:
    folder = saved / str(world)
    shown = 'print(json.dumps(state_dict["flat"].local_shards()[0].tensor.tolist()))'
    assert run(folder, folder / f"shards_rank_{rank}.pt", shown) == held
