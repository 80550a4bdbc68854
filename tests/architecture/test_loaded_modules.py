"""What is loaded when: no Qt in a command, no torch in this process, no Qt needed by the tests of core."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.conftest import XDG
from tests.loading import START
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


LATE: Final = frozenset(
    [
        "numpy",
        "ml_dtypes",
        "safetensors",
        "pyqtgraph",
        "pygments",
        "picklescan",
        "zstandard",
        "isal",
        "torch",
        "viewer.core.opening",
        "viewer.core.document",
        "viewer.core.formats",
        "viewer.core.export",
        "viewer.core.search",
        "viewer.core.pickles.values",
        "viewer.session.session",
        "viewer.session.linking",
        "viewer.torch_client",
        "viewer.ui.window.file_view",
        "viewer.ui.dialogs.export",
        "viewer.ui.dialogs.preferences",
        "viewer.ui.panes.hex",
        "viewer.wording.problems",
        "viewer.cli",
    ]
)
"""What an empty window does without."""
MOST_EMPTY: Final = 95
MOST_WITH_FILE: Final = 250
"""Modules of ours that are loaded until the window is shown; 81 and 228 when this was written."""
NOT_BY_A_FILE: Final = frozenset(
    [
        "torch",
        "pyqtgraph",
        "pygments",
        "picklescan",
        "safetensors",
        "viewer.core.opening",
        "viewer.core.export.plan",
        "viewer.ui.dialogs.export",
        "viewer.ui.panes.tensor",
        "viewer.ui.panes.summary",
    ]
)
"""What the first picture of a file does without: it is read behind the window."""


def loaded_at_start(home: Path, *files: str) -> set[str]:
    """Modules that are loaded when the window is shown."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", **{name: str(home) for name in XDG}}
    done = subprocess.run(
        [sys.executable, "-c", START, *files], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


def ours(loaded: set[str]) -> list[str]:
    return sorted(name for name in loaded if name.partition(".")[0] == "viewer")


def test_an_empty_window_loads_nothing_that_reads_files(tmp_path: Path) -> None:
    loaded = loaded_at_start(tmp_path)
    assert "viewer.ui.window.main_window" in loaded
    assert LATE & loaded == set()
    assert len(ours(loaded)) <= MOST_EMPTY, ours(loaded)


def test_the_first_picture_of_a_file_loads_neither_what_decodes_it_nor_other_panes(tmp_path: Path) -> None:
    loaded = loaded_at_start(tmp_path, str(SAMPLE))
    assert "viewer.ui.panes.hex" in loaded
    assert NOT_BY_A_FILE & loaded == set()
    assert len(ours(loaded)) <= MOST_WITH_FILE, ours(loaded)


NO_THREADS: Final = ("viewer.ui.window", "viewer.wording", "viewer.cli")
"""Packages that the start loads before any thread, and the commands, which have none."""


def loads(path: Path) -> Iterator[str]:
    """What a file imports while it is loaded itself, in its order: modules, and names of packages as modules too."""
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.ImportFrom) and statement.module is not None:
            yield statement.module
        elif isinstance(statement, ast.Import):
            yield from (name.name for name in statement.names)


def test_threads_that_load_cannot_wait_for_each_other() -> None:
    """Modules know no cycles, but a package that loads its own modules would be one with them.

    Such a package is loaded whole before a module of it: by the start, or by who wants one of them.
    """
    files = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in (ROOT / "viewer").rglob("*.py")}
    packages = {name.removesuffix(".__init__"): path for path, name in files.items() if path.name == "__init__.py"}
    whole = {
        name: {inner for inner in loads(path) if inner.startswith(f"{name}.")}
        for name, path in packages.items()
        if name not in NO_THREADS
    }
    for path, name in files.items():
        wanted = list(loads(path))
        for package, inner in whole.items():
            if not name.startswith(f"{package}.") and (asked := [one for one in wanted if one in inner]):
                assert package in wanted[: wanted.index(asked[0])], f"{name} loads {asked[0]} before {package}"
