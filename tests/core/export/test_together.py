"""Two files that belong together: both are there, or neither is, whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared import ROOT
from viewer.core.errors import ExportError, TargetExistsError
from viewer.core.export.atomic import check_target
from viewer.core.export.together import all_or_none, check_apart
from viewer.core.progress import Progress


def write(folder: Path, overwrite: bool = False, failure: BaseException | None = None) -> None:
    targets = [check_target(folder / name, overwrite, ()) for name in ("a", "b")]
    with all_or_none(targets, overwrite, Progress()) as files:
        for file in files:
            file.write(b"new")
        if failure is not None:
            raise failure


def held(folder: Path) -> dict[str, bytes]:
    return {entry.name: entry.read_bytes() for entry in sorted(folder.iterdir())}


def test_both_appear(tmp_path: Path) -> None:
    write(tmp_path)
    assert held(tmp_path) == {"a": b"new", "b": b"new"}


@pytest.mark.parametrize("failure", [RuntimeError("anything"), KeyboardInterrupt(), OSError(5, "broken")])
def test_a_failure_leaves_what_was_there(tmp_path: Path, failure: BaseException) -> None:
    expected = ExportError if isinstance(failure, OSError) else type(failure)
    with pytest.raises(expected):
        write(tmp_path, failure=failure)
    assert held(tmp_path) == {}
    (tmp_path / "b").write_bytes(b"old")
    with pytest.raises(expected):
        write(tmp_path, True, failure)
    assert held(tmp_path) == {"b": b"old"}


@pytest.mark.parametrize("there", [("a",), ("b",), ("a", "b")])
def test_old_ones_are_replaced(tmp_path: Path, there: tuple[str, ...]) -> None:
    for name in there:
        (tmp_path / name).write_bytes(b"old")
    write(tmp_path, overwrite=True)
    assert held(tmp_path) == {"a": b"new", "b": b"new"}


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_file_that_appears_meanwhile_stays_alone(tmp_path: Path, name: str) -> None:
    targets = [check_target(tmp_path / each, False, ()) for each in ("a", "b")]
    with pytest.raises(TargetExistsError), all_or_none(targets, False, Progress()):
        (tmp_path / name).write_bytes(b"of someone else")
    assert held(tmp_path) == {name: b"of someone else"}


def test_files_that_go_with_it(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "b").write_bytes(b"old")
    first, gone = (check_target(tmp_path / name, True, ()) for name in ("a", "b"))
    with pytest.raises(RuntimeError), all_or_none([first], True, Progress(), [gone]):
        raise RuntimeError
    assert held(tmp_path) == {"a": b"old", "b": b"old"}
    with all_or_none([first], True, Progress(), [gone]) as (file,):
        file.write(b"new")
    assert held(tmp_path) == {"a": b"new"}


def test_two_names_of_one_place_are_refused(tmp_path: Path) -> None:
    first, same = check_target(tmp_path / "a", True, ()), check_target(tmp_path / "." / "a", True, ())
    with pytest.raises(TargetExistsError):
        check_apart([first, same])
    check_apart([first, check_target(tmp_path / "b", True, ())])


KILLED = """
import os, signal, sys, pathlib
from viewer.core.export.atomic import FileDraft, check_target
from viewer.core.export.together import all_or_none
from viewer.core.progress import Progress
folder, at = pathlib.Path(sys.argv[1]), int(sys.argv[2])
steps = 0
def step():
    global steps
    if steps == at:
        os.kill(os.getpid(), signal.SIGKILL)
    steps += 1
take = FileDraft.take_name
def killing(self, *more):
    step()
    take(self, *more)
    step()
FileDraft.take_name = killing
targets = [check_target(folder / name, True, ()) for name in ("a", "b")]
with all_or_none(targets, True, Progress()) as files:
    for file in files:
        file.write(b"new")
    step()
"""


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL on Windows")
@pytest.mark.parametrize(
    ("at", "left"),
    [(0, ("old", "old")), (1, ("old", None)), (2, ("new", None)), (3, ("new", None)), (4, ("new", "new"))],
)
def test_a_killed_program_leaves_no_mixed_pair(tmp_path: Path, at: int, left: tuple[str, str | None]) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), str(at)], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    found = held(tmp_path)
    assert tuple(found[name].decode() if name in found else None for name in ("a", "b")) == left
    # what was replaced is still there
    olds = [data for name, data in found.items() if name in ("a", "b") or name.endswith(".old")]
    assert olds.count(b"old") >= 2
