"""The code that loads a file, run as a person would: in a clean process, with today's torch, beside their modules."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.builders.legacy import legacy
from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from tests.shared import ROOT
from viewer.core.opening import open_document
from viewer.core.summary.prediction import Prediction, predict

pytestmark = pytest.mark.torch
NETS: Final = '''"""The person's own module."""

import torch


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(2)

    def forward(self, x):
        return self.norm(x)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 2)
        self.block = Block().eval()

    def forward(self, x):
        return self.block(self.fc(x))


class Dictionary(dict):
    pass
'''
LOG: Final = "class Log:\n    pass\n\n"
TOLD: Final = "\nprint(sorted(state_dict), next(iter(state_dict.values())).device)\n"
NAMES: Final = sorted(
    ["fc.weight", "fc.bias"]
    + [f"block.norm.{name}" for name in ("weight", "bias", "running_mean", "running_var", "num_batches_tracked")]
)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What torch saved, beside the module of its classes; and files of devices that are not here."""
    folder = tmp_path_factory.mktemp("saved")
    (folder / "nets.py").write_text(NETS, encoding="utf-8")
    child("save", folder)
    tagged = state_dict({"a": full("float32", (2,), [1, 2], "cuda:3"), "b": full("float32", (2,), [3, 4], "gpu")})
    (folder / "tagged.pt").write_bytes(torch_zip(tagged))
    (folder / "tagged_legacy.pt").write_bytes(legacy({"model": tagged}))
    return folder


def child(what: str, folder: Path) -> str:
    """What loading_child.py prints."""
    command = [sys.executable, "-m", "tests.with_torch.loading_child", what, str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def predicted(path: Path) -> Prediction:
    document = open_document(path)
    try:
        return predict(document)
    finally:
        document.source.close()


def run(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """A script in the folder of the files; Python looks for its modules there."""
    (folder / "script.py").write_text(code, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "script.py"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def code_of(path: Path) -> str:
    code = predicted(path).code
    assert code is not None
    return code


@pytest.mark.parametrize(
    ("name", "before", "arguments"),
    [
        ("state_dict", "", "weights_only=True"),
        ("dict_root", "", "weights_only=True"),
        ("dict_root_legacy", "", "weights_only=True"),
        ("whole", "", "weights_only=True"),
        ("whole_legacy", "", "weights_only=False"),
        ("helper", LOG, "weights_only=True"),
        ("helper_legacy", LOG, "weights_only=True"),
        ("namespace", "", "weights_only=True"),
        ("dictionary", "", "weights_only=False"),
    ],
)
def test_the_code_gives_the_state_dict(saved: Path, name: str, before: str, arguments: str) -> None:
    code = code_of(saved / f"{name}.pt")
    assert arguments in code
    done = run(saved, before + code + TOLD)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{NAMES} cpu\n"


@pytest.mark.parametrize("name", ["tagged", "tagged_legacy"])
def test_locations_that_are_not_here_are_read(saved: Path, name: str) -> None:
    code = code_of(saved / f"{name}.pt")
    assert 'map_location="cpu"' in code
    done = run(saved, code + TOLD)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "['a', 'b'] cpu\n"
    refused = run(saved, code.replace('map_location="cpu", ', "") + TOLD)
    assert refused.returncode == 1
    assert "cuda" in refused.stderr.lower()


def test_a_model_in_data_parallel(saved: Path) -> None:
    done = run(saved, code_of(saved / "parallel.pt") + TOLD)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{[f'module.{name}' for name in NAMES]} cpu\n"


def test_functions_beside_a_model(saved: Path) -> None:
    code = code_of(saved / "function.pt")
    assert '(relu, "torch.nn.functional.relu")' in code
    done = run(saved, code + "\nprint(loaded['activation'] is torch.nn.functional.relu)")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "True\n"


@pytest.mark.parametrize("name", ["whole", "whole_legacy"])
def test_without_the_module_torch_stops_as_predicted(saved: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.pt").write_bytes((saved / f"{name}.pt").read_bytes())
    found = predicted(tmp_path / f"{name}.pt")
    assert found.missing
    done = run(tmp_path, found.code or "")
    assert done.returncode == 1
    assert "No module named 'nets'" in done.stderr


def test_without_the_class_of_the_script_torch_stops_as_predicted(saved: Path) -> None:
    found = predicted(saved / "helper.pt")
    assert [entry.name for entry in found.missing] == ["__main__.Log"]
    assert "cannot import name 'Log'" in run(saved, found.code or "").stderr


def test_the_safe_loader_refuses_what_is_predicted(saved: Path) -> None:
    said: dict[str, Any] = json.loads(child("judge", saved))
    ours = {name: not predicted(saved / f"{name}.pt").refusals for name in said}
    assert len(said) == 13
    assert ours == said


def test_a_changed_class_is_warned_of(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "nets.py").write_text(NETS.replace("return self.norm(x)", "return 2 * self.norm(x)"), encoding="utf-8")
    (tmp_path / "whole_legacy.pt").write_bytes((saved / "whole_legacy.pt").read_bytes())
    found = predicted(tmp_path / "whole_legacy.pt")
    compared = next(told for told in found.expectations if told.code == "source-compared")
    assert "nets.Block" in str(compared.params["names"])
    done = run(tmp_path, (found.code or "") + TOLD)
    assert done.returncode == 0, done.stderr
    assert "SourceChangeWarning: source code of class 'nets.Block' has changed" in done.stderr
    assert "nets.Net'" not in done.stderr
