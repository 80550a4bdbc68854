"""Nothing in a file is executed: every file is opened under an audit hook that ends the process at the first sign."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.audit import SLIPS
from tests.shared import ROOT

DESCRIPTIONS = frozenset({"README.md", "expected.json", "log.jsonl", "origins.md"})


def watched(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """`python -m tests.audit` in a folder of its own, with its stdout thrown away; temporary files go elsewhere."""
    temporary = cwd.parent / f"{cwd.name}-temporary"
    temporary.mkdir()
    return subprocess.run(
        [sys.executable, "-m", "tests.audit", *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env={
            "PYTHONPATH": str(ROOT),
            "PATH": "/usr/bin:/bin",
            "PYTHONDONTWRITEBYTECODE": "1",
            "TMPDIR": str(temporary),
        },
        check=False,
        timeout=600,
    )


@pytest.mark.parametrize("event", sorted(SLIPS))
def test_the_hook_sees(event: str, tmp_path: Path) -> None:
    done = watched("--slip", event, cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert b"forbidden: " in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("folder", ["tricks", "corpus", "samples", "cases"])
def test_files_that_ask_for_things_get_nothing(folder: str, shared: Path, tmp_path: Path) -> None:
    files = [path for path in sorted((shared / folder).rglob("*")) if path.is_file() and path.name not in DESCRIPTIONS]
    done = watched(*files, cwd=tmp_path)
    assert (done.returncode, done.stderr.decode()) == (0, f"\n{len(files)} files opened\n")
    assert list(tmp_path.iterdir()) == [], "a file was made beside the files"


@pytest.mark.parametrize("folder", ["tricks", "corpus/hostile"])
def test_asking_torch_does_nothing_itself(folder: str, shared: Path, tmp_path: Path) -> None:
    """A stand-in of the child answers: torch itself is not asked about these files here."""
    files = [path for path in sorted((shared / folder).iterdir()) if path.is_file() and path.name not in DESCRIPTIONS]
    done = watched("--ask", *files, cwd=tmp_path)
    assert (done.returncode, done.stderr.decode()) == (0, f"\n{len(files)} files opened\n")
    assert list(tmp_path.iterdir()) == []


def test_own_samples(tmp_path: Path) -> None:
    files = [path for path in sorted((ROOT / "resources" / "samples").iterdir()) if path.is_file()]
    assert any(path.suffix == ".pkl" for path in files)
    done = watched(*files, cwd=tmp_path)
    assert (done.returncode, done.stderr.decode()) == (0, f"\n{len(files)} files opened\n")
    assert list(tmp_path.iterdir()) == []
