"""Where torch is looked for, and how its process is started."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.builders.torch_values import full, state_dict
from tests.core.export.reading import document_of, exported
from tests.shared import ROOT
from viewer import torch_client, torch_python
from viewer.core.export.plan import Report
from viewer.core.progress import Progress

PLANTED: Final = "raise SystemExit('a module beside the file was imported')"


@pytest.fixture
def report(tmp_path: Path) -> Report:
    """A written state_dict."""
    return exported(document_of(state_dict({"w": full("float32", (2, 3), range(6))})), tmp_path / "out.pt")


@pytest.fixture
def no_torch_here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This Python has no torch; others may have one."""
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else find(name))
    monkeypatch.delenv(torch_python.OTHER, raising=False)
    yield
    torch_python.use_python("")


def test_modules_beside_the_file_are_not_imported(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of downloads may hold a torch.py; the child must not find it there."""
    folder = report.path.parent
    for name in ("torch", "json", "hashlib", "viewer"):
        (folder / f"{name}.py").write_text(PLANTED)
    monkeypatch.chdir(folder)
    environment = torch_python.child_environment()
    command = [*torch_python.child_command()[:-2], "-c", "import json, hashlib, viewer; print(viewer.__file__)"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == str(ROOT / "viewer" / "__init__.py"), done.stderr


def test_a_frozen_program_is_its_own_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert torch_python.child_command() == [sys.executable, "--torch-process"]


def test_another_python_does_not_load_the_libraries_of_the_frozen_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/bundle")
    assert "LD_LIBRARY_PATH" not in torch_python.child_environment()
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/person")
    assert torch_python.child_environment()["LD_LIBRARY_PATH"] == "/person"


@pytest.mark.usefixtures("no_torch_here")
def test_without_another_python_there_is_no_torch() -> None:
    assert not torch_python.torch_is_there()


@pytest.mark.usefixtures("no_torch_here")
@pytest.mark.parametrize("path", ["/nowhere/at/all", "", "a\0b"])
def test_what_is_no_python_has_no_torch(path: str) -> None:
    torch_python.use_python(path)
    assert not torch_python.torch_is_there()


@pytest.mark.torch
@pytest.mark.usefixtures("no_torch_here")
def test_another_python_verifies(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    torch_python.use_python(sys.executable)
    assert torch_python.torch_is_there()
    folder = report.path.parent
    for name in ("torch", "json", "viewer", "runpy", "contextlib", "types"):
        (folder / f"{name}.py").write_text(PLANTED)
    monkeypatch.chdir(folder)
    command = torch_python.child_command()
    assert command[0] == sys.executable
    assert command[-1] == str(ROOT)
    assert torch_client.verify(report, Progress()).code == "torch-verified"


def test_a_torch_beside_the_file_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "beside.py").touch()
    monkeypatch.chdir(tmp_path)
    asked = torch_python.HAS_TORCH.replace("torch", "beside")
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout == "no"


def test_another_python_imports_no_other_package_that_is_installed_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = tmp_path / "viewer" / "torch_process"
    child.mkdir(parents=True)
    for folder in (child.parent, child):
        (folder / "__init__.py").touch()
    (child / "__main__.py").write_text("import sys; from viewer.torch_process import __file__; print(sys.path)")
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-c", torch_python.START, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not {"", str(tmp_path)} & set(ast.literal_eval(done.stdout))


@pytest.mark.usefixtures("no_torch_here")
def test_the_environment_names_one_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nprintf yes\n", encoding="utf-8")
    python.chmod(0o755)
    monkeypatch.setenv(torch_python.OTHER, str(python))
    assert torch_python.torch_is_there()
    assert torch_python.child_command()[0] == str(python)
