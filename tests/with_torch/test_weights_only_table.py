"""The table of names that weights_only takes is what the pinned torch has. torch runs in a child process."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
from typing import Any

import pytest

from tests.shared import ROOT
from viewer import resources

pytestmark = pytest.mark.torch


def test_the_table_is_current() -> None:
    kept: dict[str, Any] = json.loads(resources.read_text("weights_only.json"))
    installed = importlib.metadata.version("torch").partition("+")[0]
    if installed != kept["torch"]:
        pytest.skip(f"the table tells of torch {kept['torch']}, and torch {installed} is installed")
    command = [sys.executable, "packaging/make_weights_only.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made: dict[str, Any] = json.loads(done.stdout)
    assert made["names"] == kept["names"]
    assert made["blocked_modules"] == kept["blocked_modules"]
