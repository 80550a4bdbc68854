"""The import report on the files of ../shared: what is hostile is dangerous, what is honest is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from viewer.core.opening import open_document
from viewer.core.safety.report import Finding, import_report

DESCRIPTIONS: Final = frozenset({"README.md", "expected.json", "log.jsonl", "origins.md"})
# Honest files that carry code which loading makes functions of, and one builtin that is only named to be an error.
MAKING_CODE: Final = frozenset({"last_iteration.tar", "H_cloudpickle.pkl", "H_dill.pkl"})
HARMLESS_TRICKS: Final = frozenset({"32_newobj_ex_kwargs.pkl", "38_global_space.pkl", "66_stream_trunc.pt"})
DANGEROUS_CASES: Final = {
    "sec-os-system": {"posix.system"},
    "sec-numpy-builtins": {"numpy.__builtins__", "operator.getitem"},
}


def report(path: Path) -> list[Finding]:
    document = open_document(path)
    found = [each for part in document.walk() for each in import_report(pickle.values for pickle in part.pickles)]
    document.close()
    return found


def dangerous(path: Path) -> set[str]:
    return {found.text for found in report(path) if found.severity == "dangerous"}


def files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in DESCRIPTIONS]


def test_each_trick_is_rated(shared: Path) -> None:
    told = json.loads((shared / "tricks" / "expected.json").read_text("utf-8"))
    for name, facts in told.items():
        found = dangerous(shared / "tricks" / name)
        if facts.get("imports") and name not in HARMLESS_TRICKS:
            assert found, name
        else:
            assert not found, name


def test_security_cases(shared: Path) -> None:
    told = json.loads((shared / "cases" / "expected.json").read_text("utf-8"))
    cases = {name: facts for name, facts in told.items() if name.startswith("sec-")}
    assert len(cases) == 4
    for name, facts in cases.items():
        path = shared / "cases" / name / facts["open"]
        assert dangerous(path) == DANGEROUS_CASES.get(name, set()), name
        shown = " ".join(" ".join([found.text, *found.called_with()]) for found in report(path))
        assert all(text in shown for text in facts.get("must_show", ())), name


@pytest.mark.parametrize("folder", ["corpus", "samples", "cases"])
def test_honest_files_have_nothing_dangerous(folder: str, shared: Path) -> None:
    hostile = {"hostile", *DANGEROUS_CASES}
    for path in files(shared / folder):
        is_hostile = bool(hostile & set(path.parts)) or path.name.startswith("H_evil") or path.name in MAKING_CODE
        assert bool(dangerous(path)) <= is_hostile, path


def test_hostile_files_of_the_corpus(shared: Path) -> None:
    found = {path.name: dangerous(path) for path in files(shared / "corpus" / "hostile")}
    assert found["magic-bypass.pt"] == {"posix.system", "eval"}
    assert found["malicious0.pkl"] == {"globals", "compile", "eval", "apply"}
