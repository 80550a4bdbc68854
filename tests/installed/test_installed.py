"""A program as it was installed, asked by its command alone: nothing of the checkout helps it.

`python -m pytest tests/installed` asks the checkout; PICKLESCOPE_INSTALLED=/usr/bin/picklescope asks another one: what
a wheel put into an environment, a bundle, a Debian package. numpy and safetensors here read back what it wrote.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from safetensors.numpy import load_file

from tests.shared import ROOT
from viewer import __version__

ASKED: Final = shlex.split(os.environ.get("PICKLESCOPE_INSTALLED", ""))
SAMPLES: Final = ROOT / "resources" / "samples"
WHOLE: Final = SAMPLES / "whole_model_zip.pt"
STATE: Final = SAMPLES / "checkpoint_adam.pt"
BRANCH: Final = "model_state_dict"
Tell = Callable[..., str]


@pytest.fixture
def tell(tmp_path: Path) -> Tell:
    """Runs a command of the program, elsewhere, as a person without settings; gives what it printed."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP") if name in os.environ}
    home = tmp_path / "home"
    home.mkdir()
    environment = kept | {"HOME": str(home), "LC_ALL": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen"}
    command = ASKED or [sys.executable, "-m", "viewer"]
    if not ASKED:
        environment["PYTHONPATH"] = str(ROOT)

    def run(*words: object, code: int = 0) -> str:
        told = [str(word) for word in words]
        done = subprocess.run(
            [*command, *told], cwd=home, env=environment, capture_output=True, encoding="utf-8", check=False
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    return run


def test_it_is_this_version(tell: Tell) -> None:
    assert tell("--version") == f"picklescope {__version__}\n"


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.p*")), ids=lambda path: path.name)
def test_it_reads_every_sample(tell: Tell, path: Path) -> None:
    told = json.loads(tell("inspect", path, "--json", code=1 if path.stem == "half_download" else 0))
    assert told["file"]["size"] == path.stat().st_size
    command = [sys.executable, "-m", "viewer", "inspect", str(path), "--json"]
    here = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False).stdout
    assert told == json.loads(here)


def test_it_writes_what_numpy_and_safetensors_read(tell: Tell, tmp_path: Path) -> None:
    tell("export", STATE, tmp_path / "out.npz", "--root", BRANCH)
    tell("export", STATE, tmp_path / "out.safetensors", "--root", BRANCH)
    tensors = load_file(tmp_path / "out.safetensors")
    with np.load(tmp_path / "out.npz") as arrays:
        assert sorted(arrays.files) == sorted(tensors)
        assert tensors
        for name, array in tensors.items():
            assert arrays[name].dtype == array.dtype
            np.testing.assert_array_equal(arrays[name], array)


def test_it_writes_a_state_dict(tell: Tell, tmp_path: Path) -> None:
    tell("export", STATE, tmp_path / "out.pt", "--root", BRANCH)
    with zipfile.ZipFile(tmp_path / "out.pt") as archive:
        assert archive.testzip() is None
        assert any(name.endswith("/data.pkl") for name in archive.namelist())
    again = json.loads(tell("inspect", tmp_path / "out.pt", "--json"))
    first = json.loads(tell("inspect", STATE, "--json"))
    shapes = {row["name"]: row["shape"] for row in first["tensors"] if row["path"][0] == BRANCH}
    assert shapes
    assert {row["name"]: row["shape"] for row in again["tensors"]} == shapes


def test_it_writes_the_sources_and_a_recovery_kit(tell: Tell, tmp_path: Path) -> None:
    path = SAMPLES / "whole_model_legacy.pth"
    tell("export", path, tmp_path / "sources", "--as", "source")
    assert list((tmp_path / "sources").rglob("*.py"))
    tell("export", path, tmp_path / "kit", "--as", "recovery")
    assert next((tmp_path / "kit").rglob("load.py"))


def test_it_finds_its_own_files(tell: Tell, tmp_path: Path) -> None:
    """The lists of names lie beside the program, wherever it lies."""
    tell("export", SAMPLES / "runs_a_command.pkl", tmp_path / "imports.txt", "--as", "imports")
    assert "dangerous 1, unknown 0" in (tmp_path / "imports.txt").read_text(encoding="utf-8")


@pytest.mark.skipif(not ASKED, reason="a checkout has no program of its own for a desktop to start")
@pytest.mark.skipif(shutil.which("xdg-mime") is None, reason="xdg-utils are not installed")
def test_it_makes_itself_known_to_the_desktop(tell: Tell, tmp_path: Path) -> None:
    data = tmp_path / "home" / ".local" / "share"
    tell("--install-desktop")
    assert list((data / "applications").glob("*.desktop"))
    assert list((data / "icons").rglob("*.png"))
    tell("--uninstall-desktop")
    assert not list((data / "applications").glob("*.desktop"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_draws_its_window(tell: Tell, tmp_path: Path, theme: str) -> None:
    tell("render", WHOLE, tmp_path / "window.png", "--theme", theme)
    picture = (tmp_path / "window.png").read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert len(picture) > 50_000
