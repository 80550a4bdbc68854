"""DTensors of several ranks, saved by torch, are put together as they were before they were divided."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.shared import ROOT
from viewer.core.opening import open_document
from viewer.core.tensors import window
from viewer.core.tensors.path import shown

pytestmark = pytest.mark.torch


SIZES = ("2-0", "3-0", "4-2")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ranks")
    command = [sys.executable, "-W", "ignore", "-m", "tests.with_torch.ranks_child", str(folder), *SIZES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("size", SIZES)
def test_divided_tensors(saved: Path, size: str) -> None:
    document = open_document(saved / size)
    found = {shown(tensor.path): tensor for tensor in document.tensors}
    assert list(found) == ["plain", "rows", "columns", "half", "kept", "few"]
    assert {name: tensor.dtype for name, tensor in found.items() if tensor.dtype != "float32"} == {
        "columns": "int64",
        "half": "bfloat16",
    }
    values = {name: window.read(tensor).astype(np.float64) for name, tensor in found.items()}
    document.close()
    assert np.array_equal(values["rows"], np.arange(35.0).reshape(7, 5))
    assert np.array_equal(values["columns"], np.arange(24.0).reshape(3, 8))
    assert np.allclose(values["half"], np.linspace(-2, 2, 12), atol=0.01)
    assert values["kept"].tolist() == [0, 1, 2]
    assert values["few"].tolist() == [0, 1]
    assert [problem.code for problem in document.problems] == ["ranks-kind", "ranks-pieces"]
