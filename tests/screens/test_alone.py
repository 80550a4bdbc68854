"""Draws and compares each file of pictures in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.screens import ALONE
from tests.shared import ROOT

FILES = sorted(path.name for path in Path(__file__).parent.glob("test_*.py") if path.name != Path(__file__).name)


@pytest.mark.parametrize("name", FILES)
def test_the_pictures_are_as_approved(name: str) -> None:
    environment = os.environ | {ALONE: "1"}
    environment.pop("PYTEST_ADDOPTS", None)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/screens/{name}"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
