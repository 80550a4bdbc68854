"""Texts of classes for tests, and folders made of them, imported in a process of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from viewer.core.code.files import STORED, ClassText, SourcePlan, plan_sources

IMPORT = "import sys, importlib; sys.path.insert(0, sys.argv[1]); sys.dont_write_bytecode = True; "


def stored(name: str, text: str, module: str = "zoo", file: str | None = "/home/ada/zoo.py") -> ClassText:
    """A class of a module."""
    return ClassText(f"{module}.{name}", module, name, text, STORED, file)


def planned(*classes: ClassText) -> SourcePlan:
    """The plan of some classes; every Python file of it compiles, and its paths are plain."""
    plan = plan_sources(classes)
    paths = ["/".join(file.path) for file in plan.files]
    assert len({path.casefold() for path in paths}) == len(paths), paths
    for file in plan.files:
        assert all(part not in ("", ".", "..") and not set(part) & set("/\\:\0\n") for part in file.path), file.path
        assert max(len(part.encode()) for part in file.path) <= 255
        if file.is_python:
            compile(file.data, "/".join(file.path), "exec", dont_inherit=True)
            assert "\r" not in file.text
    return plan


def text_of(plan: SourcePlan, path: str) -> str:
    """The text of one file."""
    return next(file.text for file in plan.files if "/".join(file.path) == path)


def code_of(plan: SourcePlan, path: str) -> list[str]:
    """The lines of one file that are neither comments nor empty."""
    return [line for line in text_of(plan, path).split("\n") if line and not line.startswith("#")]


def written(plan: SourcePlan, folder: Path) -> Path:
    """The files of a plan, written."""
    for file in plan.files:
        place = folder.joinpath(*file.path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.data)
    return folder


def run(folder: Path, code: str) -> str:
    """What a clean process prints that has the folder among its modules, with its last line of error."""
    command = [sys.executable, "-I", "-c", IMPORT + code, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + (done.stderr.strip().rpartition("\n")[2] if done.returncode else "")


def imported(plan: SourcePlan, folder: Path, names: Iterable[str] | None = None) -> str:
    """Write a plan, import each of its classes in a clean process, and give what went wrong."""
    chosen = plan.placed.values() if names is None else [plan.placed[name] for name in names]
    lines = [
        f"assert importlib.import_module({placed.module!r}).{placed.qualname}.__qualname__ == {placed.qualname!r}"
        for placed in chosen
    ]
    return run(written(plan, folder), "\n" + "\n".join(lines))
