"""Kits of odd models, run in clean processes: right to the bit, or wrong in words."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.core.export.reading import exported
from tests.with_torch.warm import run_clean
from viewer.core.code.supplied import read_supplied
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document

pytestmark = pytest.mark.torch
HERE: Final = Path(__file__).parent
CHILD: Final = HERE / "odd_models.py"
FILES: Final = ("blocks.py", "models.py")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The models."""
    folder = tmp_path_factory.mktemp("odd")
    shutil.copytree(HERE / "odd_zoo", folder / "odd_zoo", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-W", "ignore", str(CHILD), "save", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def tried(saved: Path, name: str, form: str, folder: Path, supplied: bool = False) -> dict[str, Any]:
    """What the kit of a model gives; `supplied`: with the files that it came from."""
    texts = tuple(read_supplied(saved / "odd_zoo" / file) for file in FILES) if supplied else ()
    document = open_document(saved / f"{name}.{form}.pth")
    try:
        exported(document, folder / "kit", "recovery", Wanted(supplied=texts))
    finally:
        document.source.close()
    done = run_clean(CHILD, "try", folder / "kit", saved / f"{name}.expected")
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("name", ["Twins", "Scaled", "Packed", "Replaced", "Configured", "Pruned"])
def test_files_of_the_person_compute_the_same_bits(name: str, saved: Path, tmp_path: Path) -> None:
    answer = tried(saved, name, "zip", tmp_path, supplied=True)
    assert answer["notes"] == []
    assert answer["same"] is True


@pytest.mark.parametrize("name", ["Packed", "Replaced", "Pruned"])
def test_stored_texts_compute_the_same_bits(name: str, saved: Path, tmp_path: Path) -> None:
    answer = tried(saved, name, "legacy", tmp_path)
    assert answer["notes"] == []
    assert answer["same"] is True


def test_a_method_without_code_is_told(saved: Path, tmp_path: Path) -> None:
    answer = tried(saved, "Replaced", "zip", tmp_path)
    assert answer["notes"] == ["other of a Replaced cannot be had: its class has no such method."]
    assert answer["failure"] == "NotImplementedError: other cannot be used: its class has no such method"


def test_a_hook_without_code_is_told(saved: Path, tmp_path: Path) -> None:
    answer = tried(saved, "Hooked", "legacy", tmp_path)
    assert answer["notes"] == [
        (
            "odd_zoo.models.doubled, a hook of a torch.nn.modules.linear.Linear, is not in the checkpoint, "
            "so what is computed may differ."
        )
    ]
    assert answer["same"] is False


def test_a_quantised_tensor_is_told_in_a_line(saved: Path, tmp_path: Path) -> None:
    answer = tried(saved, "Quantised", "legacy", tmp_path)
    assert answer["notes"] == ["A tensor of shape [4] is not in the checkpoint (_rebuild_qtensor)."]
    assert answer["same"] is True


def test_parameters_that_never_met_an_input_stay_so(saved: Path, tmp_path: Path) -> None:
    assert tried(saved, "Lazy", "legacy", tmp_path)["kinds"] == ["UninitializedParameter"]


def test_a_class_is_had_without_its_metaclass_and_constants(saved: Path, tmp_path: Path) -> None:
    answer = tried(saved, "Made", "legacy", tmp_path)
    assert sorted(answer["notes"]) == [
        "odd_zoo.models needs FACTOR to be imported, and the checkpoint does not hold it.",
        "odd_zoo.models needs Meta to be imported, and the checkpoint does not hold it.",
    ]
    assert answer["same"] is True
