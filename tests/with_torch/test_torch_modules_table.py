"""The table of torch's own module classes is what the pinned torch gives. torch runs in a child process."""

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
    kept: dict[str, Any] = json.loads(resources.read_text("torch_modules.json"))
    installed = importlib.metadata.version("torch").partition("+")[0]
    if installed != kept["torch"]:
        pytest.skip(f"the table tells of torch {kept['torch']}, and torch {installed} is installed")
    command = [sys.executable, "-m", "tests.with_torch.make_torch_modules"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made: dict[str, Any] = json.loads(done.stdout)
    assert {key: made[key] for key in made if key != "classes"} == {key: kept[key] for key in kept if key != "classes"}
    changed = {
        name for name in made["classes"] | kept["classes"] if made["classes"].get(name) != kept["classes"].get(name)
    }
    assert changed == set()
