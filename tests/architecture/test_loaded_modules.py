"""What is loaded when: no Qt in a command, no torch in this process, no Qt needed by the tests of core."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.shared import ROOT

SAMPLE: Final = ROOT / "resources" / "samples" / "checkpoint_adam.pt"
COMMAND: Final = """
import contextlib, io, json, sys
from viewer.cli import main
with contextlib.redirect_stdout(io.StringIO()):
    codes = [main(arguments) for arguments in json.loads(sys.argv[1])]
print(json.dumps([codes, sorted(name for name in sys.modules if "." not in name)]))
"""
COLLECT: Final = """
import sys
sys.modules["PySide6"] = None
import pytest
sys.exit(pytest.main(["-p", "no:pytest-qt", "-p", "no:cacheprovider", "--collect-only", "-q", "tests/core"]))
"""


def run_commands(*commands: list[str]) -> tuple[list[int], set[str]]:
    """Exit codes of the commands, run one after the other in one process, and the packages loaded at its end."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, json.dumps(commands)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    codes, loaded = json.loads(done.stdout)
    return codes, set(loaded)


def test_inspect_and_export_load_neither_qt_nor_torch(tmp_path: Path) -> None:
    npz, state_dict = str(tmp_path / "out.npz"), str(tmp_path / "out.pt")
    codes, loaded = run_commands(
        ["inspect", str(SAMPLE), "--json", "--hash"],
        ["export", str(SAMPLE), npz, "--root", "model_state_dict", "--no-verify"],
        ["export", str(SAMPLE), state_dict, "--root", "model_state_dict", "--no-verify"],
    )
    assert codes == [0, 0, 0]
    assert {"torch", "PySide6", "shiboken6", "pyqtgraph"}.isdisjoint(loaded)


@pytest.mark.torch
def test_verifying_an_export_loads_torch_in_the_child_only(tmp_path: Path) -> None:
    codes, loaded = run_commands(["export", str(SAMPLE), str(tmp_path / "out.pt"), "--root", "model_state_dict"])
    assert codes == [0]
    assert "torch" not in loaded


def test_tests_of_core_need_no_qt() -> None:
    done = subprocess.run([sys.executable, "-c", COLLECT], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
