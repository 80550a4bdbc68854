"""The rings and layers of pyproject.toml hold, and files stay short."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.shared import ROOT

LONGEST_FILE: Final = 400
VIEWER: Final = sorted((ROOT / "viewer").rglob("*.py"))
TESTS: Final = sorted((ROOT / "tests").rglob("*.py"))
RUNS_CODE: Final = frozenset({"eval", "exec", "compile", "__import__"})
COMPILES: Final = "viewer/core/code/compiling.py"
"""Asks the compiler what it has against a text, and drops the code."""
UNPICKLES: Final = frozenset(
    {"pickle", "_pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "mmap"}
)
WAITS: Final = frozenset(
    {("time", "sleep"), ("qtbot", "wait"), ("QTest", "qWait"), ("QThread", "msleep"), ("QThread", "sleep")}
)
CLOCKS: Final = frozenset({"monotonic", "perf_counter", "process_time", "thread_time"})


def short(path: Path) -> str:
    """The path as people say it."""
    return path.relative_to(ROOT).as_posix()


def nodes(path: Path) -> Iterator[ast.AST]:
    """All syntax of a file."""
    return ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path)))


def imported(node: ast.AST) -> list[str]:
    """Top-level packages that a statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [node.module.partition(".")[0]]
    return []


def test_import_contracts() -> None:
    program = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", VIEWER, ids=short)
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("path", VIEWER, ids=short)
def test_nothing_of_a_file_can_be_run(path: Path) -> None:
    found = [name for node in nodes(path) for name in imported(node) if name in UNPICKLES]
    found += [
        node.func.id
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RUNS_CODE
    ]
    assert found == (["compile"] if short(path) == COMPILES else [])


def test_what_is_compiled_is_dropped() -> None:
    """The call is a statement of its own: nobody has the code."""
    dropped = [node.value for node in nodes(ROOT / COMPILES) if isinstance(node, ast.Expr)]
    calls = [node.func.id for node in dropped if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    assert calls == ["compile"]


@pytest.mark.parametrize("path", VIEWER + TESTS, ids=short)
def test_nothing_waits_for_a_fixed_time(path: Path) -> None:
    found = []
    for node in nodes(path):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        owner = node.func.value
        name = owner.id if isinstance(owner, ast.Name) else ""
        if (name, node.func.attr) in WAITS or node.func.attr == "processEvents":
            found.append(f"line {node.lineno}: {name}.{node.func.attr}")
    assert found == []


@pytest.mark.parametrize("path", TESTS, ids=short)
def test_all_waits_have_one_patience(path: Path) -> None:
    calls = [node for node in nodes(path) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    waits = [call for call in calls if isinstance(call.func.value, ast.Name) and call.func.value.id == "qtbot"]
    assert [call.lineno for call in waits if any(word.arg == "timeout" for word in call.keywords)] == []


@pytest.mark.parametrize("path", TESTS, ids=short)
def test_nothing_is_judged_by_the_clock(path: Path) -> None:
    # how long a thing takes is the machine's affair: tests count what is done, tests/bench measures
    asserted = [inner for node in nodes(path) if isinstance(node, ast.Assert) for inner in ast.walk(node)]
    called = [node.func for node in asserted if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    assert [clock.lineno for clock in called if clock.attr in CLOCKS] == []


def test_the_top_level_is_what_was_ordered() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no git checkout, so what belongs to it is unknown")
    top = {line.partition("/")[0] for line in listed.stdout.splitlines()}
    ordered = {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        ".gitignore",
        ".ci",
        "viewer",
        "resources",
        "tests",
        "packaging",
    }
    assert top - {".github"} == ordered
