"""Codes of Problems: each has one sentence, one severity, and a place in core that finds it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.shared import ROOT
from viewer.core.opening import open_document
from viewer.core.problem import Severity
from viewer.core.source import FileSource
from viewer.wording.problems import PROBLEMS
from viewer.wording.severities import ERRORS, NOTES, SEVERITIES, WARNINGS

CORE: Final = ROOT / "viewer" / "core"
MAKERS: Final = {"error", "warning", "note"}
MADE_OF_PARTS: Final = ("kind-", "legacy-as-text-")
"""Codes of which core knows the beginning; the rest is a format, or what was done to the file."""


@pytest.fixture(scope="module")
def trees() -> list[tuple[Path, ast.Module]]:
    """The text of core, parsed."""
    return [(path, ast.parse(path.read_text("utf-8"))) for path in sorted(CORE.rglob("*.py"))]


def made(tree: ast.Module) -> Iterator[tuple[str, str, int]]:
    """(code, severity, line) of each call of error, warning and note with a literal code."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not call.args:
            continue
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        code = call.args[0]
        if name in MAKERS and isinstance(code, ast.Constant) and isinstance(code.value, str):
            yield code.value, name, code.lineno


def test_each_code_has_one_severity() -> None:
    assert SEVERITIES.keys() == PROBLEMS.keys()
    assert len(ERRORS) + len(WARNINGS) + len(NOTES) == len(SEVERITIES)
    assert set(SEVERITIES.values()) == set(Severity)
    for codes in (ERRORS, WARNINGS, NOTES):
        assert list(codes) == sorted(codes)


def test_the_severities_are_those_that_core_gives(trees: list[tuple[Path, ast.Module]]) -> None:
    found = [(path.name, line, code, severity) for path, tree in trees for code, severity, line in made(tree)]
    assert len(found) > 100
    assert [one for one in found if SEVERITIES.get(one[2]) != one[3]] == []


def test_each_code_is_found_somewhere(trees: list[tuple[Path, ast.Module]]) -> None:
    literals = {
        node.value
        for _, tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    unused = [code for code in PROBLEMS if code not in literals and not is_made_of_parts(code, literals)]
    assert unused == []


def is_made_of_parts(code: str, literals: set[str]) -> bool:
    """True when core holds the beginning of the code and its end."""
    return any(
        code.startswith(start) and start in literals and code.removeprefix(start) in literals for start in MADE_OF_PARTS
    )


@pytest.mark.shared
def test_the_severities_are_those_of_the_files(shared: Path) -> None:
    found: dict[str, set[str]] = {}
    for path in sorted((shared / "samples").iterdir()):
        if path.is_file():
            for document in open_document(FileSource(path)).walk():
                for problem in document.problems:
                    found.setdefault(problem.code, set()).add(problem.severity)
    assert len(found) > 80
    assert {code: severities for code, severities in found.items() if severities != {SEVERITIES[code]}} == {}
