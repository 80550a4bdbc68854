"""torch reads what the builders made, and writes the same bytes. torch runs in a child process."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.shared import ROOT

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the child found."""
    command = [sys.executable, "-m", "tests.with_torch.builders_child", str(tmp_path_factory.mktemp("saved"))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("which", ["checkpoint", "shared", "autoencoder"])
def test_torch_writes_the_same_archive(told: dict[str, Any], which: str) -> None:
    assert told[f"{which} as torch"] is True


def test_a_checkpoint_with_an_optimizer(told: dict[str, Any]) -> None:
    assert told["checkpoint keys"] == ["epoch", "model_state_dict", "optimizer_state_dict", "loss"]
    assert told["metadata"] == {
        "": {"version": 1},
        "conv1": {"version": 1},
        "bn1": {"version": 2},
        "conv2": {"version": 1},
        "bn2": {"version": 2},
        "fc": {"version": 1},
    }
    assert told["bn1.running_var"] == ["torch.float32", [8], [1], 0]
    assert told["step"] == 1875.0


def test_shared_and_strided_tensors(told: dict[str, Any]) -> None:
    assert told["tied"] is True
    assert told["shared"]["transposed"] == ["torch.float32", [4, 6], [1, 4], 0]
    assert told["shared"]["expanded"] == ["torch.float32", [5, 3], [0, 1], 0]
    assert told["shared"]["four_of_many"] == ["torch.float32", [4], [1], 100]
    assert told["shared"]["channels_last"] == ["torch.float32", [1, 3, 4, 4], [48, 1, 12, 3], 0]
    assert told["shared"]["bfloat16"] == ["torch.bfloat16", [2, 4], [4, 1], 0]
    assert told["bfloat16"] == [-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5]
    assert told["third_row"] == [8.0, 9.0, 10.0, 11.0]


def test_whole_models_run(told: dict[str, Any]) -> None:
    assert told["autoencoder"] == [1, 64]
    assert told["digits"] == [2, 10]
    assert told["digits keys"] == [
        "conv.conv.weight",
        "conv.conv.bias",
        "blocks.0.conv.weight",
        "blocks.0.conv.bias",
        "blocks.1.conv.weight",
        "blocks.1.conv.bias",
        "fc.weight",
        "fc.bias",
    ]


def test_torch_compares_all_stored_sources(told: dict[str, Any]) -> None:
    # Seven texts differ from today's classes; the two classes of zoo.blocks have no file in the child.
    assert sum(sentence.startswith("source code of class") for sentence in told["heard"]) == 7
    assert sum(sentence.startswith("Couldn't retrieve source code") for sentence in told["heard"]) == 2


def test_half_a_download_ends_in_a_storage(told: dict[str, Any]) -> None:
    assert told["half"] == "unexpected EOF"
