"""Exports of each form by the command line, killed at ten points of the work and at all of its last moments.

Never is half a file under the target's name, and nothing but what it replaced is left behind by the next export.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.builders.torch_values import Storage, tensor
from tests.builders.torch_zip import torch_zip
from tests.shared import ROOT
from viewer.core.export import EXPORTERS, atomic

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no SIGKILL on Windows")
MB: Final = 1_000_000
MODEL: Final = ROOT / "resources" / "samples" / "whole_model_legacy.pth"
ONE: Final = dict.fromkeys(("npy", "csv"), ("--only", "conv.conv.bias"))
FILES: Final = {
    "npz": "nameless",
    "state_dict": "hidden",
    "safetensors": "nameless",
    "legacy_state_dict": "hidden fresh",
    "npy": "hidden",
    "csv": "nameless fresh",
    "imports": "hidden fresh",
    "listing": "nameless",
    "structure": "nameless fresh",
    "bytes": "hidden fresh",
}
"""How each form of one file is written: without a name or with a hidden one; where nothing stood, or over another."""
FOLDERS: Final = {"safetensors_shards": ("hidden",), "source": ("fresh", "hidden"), "recovery": ("fresh", "hidden")}


KILLED: Final = """
import hashlib, json, os, shutil, signal, sys
from pathlib import Path
from viewer.cli import main
from viewer.core.export import atomic
from viewer.core.progress import Progress

source, folder, pipe, ways = sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4].split()
fresh, target = "fresh" in ways, folder / "out"
if "hidden" in ways:
    atomic.NAMELESS = 0
seen, last = 0, -1


def look(*_):
    global seen
    seen += 1
    if seen == last:
        os.kill(os.getpid(), signal.SIGKILL)


def before(owner, name):
    plain = getattr(owner, name)

    def called(*arguments, **more):
        look()
        found = plain(*arguments, **more)
        look()
        return found

    setattr(owner, name, called)


for owner, name in ((os, "fsync"), (os, "link"), (os, "fchmod"), (Path, "replace"), (Path, "rename"), (Path, "mkdir")):
    before(owner, name)
before(Progress, "check")


def run(point):
    global last
    if fresh and target.is_dir():
        shutil.rmtree(target)
    elif fresh:
        target.unlink(missing_ok=True)
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    last = point
    asked = [] if fresh else ["--overwrite"]
    code = main(["export", source, str(target), "--no-verify", *sys.argv[5:], *asked])
    Path(pipe).write_text(str(seen))
    os._exit(code)


def kept():
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


found = [[os.waitstatus_to_exitcode(run(-1)), kept()]]
run(-1)  # over what stands there now, as all the others
total = int(Path(pipe).read_text())
for point in sorted({*(1 + at * (total - 1) // 9 for at in range(10)), *range(max(1, total - 7), total + 1)}):
    found.append([os.waitstatus_to_exitcode(run(point)), kept()])
found.append([os.waitstatus_to_exitcode(run(-1)), kept()])
print(json.dumps(found))
"""

Files = dict[str, str]


def killed(source: Path, folder: Path, ways: str, *arguments: str) -> list[tuple[int, Files]]:
    """Exit codes of an export that is left alone, of ones that are killed, and of one that is not; what then stands.

    Each file by its path with a digest.
    """
    given = [str(source), str(folder), str(folder.with_name("count")), ways, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", KILLED, *given], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout, done.stderr
    return [(code, left) for code, left in json.loads(done.stdout)]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A checkpoint of 3 MB, in a folder of its own."""
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / "in.pt"
    value = {name: tensor(Storage("uint8", bytes([number]) * MB), (MB,)) for number, name in enumerate("abc")}
    path.write_bytes(torch_zip(value))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where exports go."""
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def test_every_form_is_killed() -> None:
    assert {exporter.form for exporter in EXPORTERS} == {*FILES, *FOLDERS}


@pytest.mark.parametrize("form", FILES)
def test_a_file(form: str, source: Path, folder: Path) -> None:
    ways = FILES[form]
    path = source if form in ("npz", "state_dict", "safetensors", "bytes") else MODEL
    (first, whole), *others, (last, left) = killed(path, folder, ways, "--as", form, *ONE.get(form, ()))
    assert (first, list(whole)) == (0, ["out"])
    assert [code for code, _ in others] == [-signal.SIGKILL] * len(others)
    assert len(others) >= 10
    stood = {None, whole["out"]} if "fresh" in ways else {whole["out"]}
    assert {found.get("out") for _, found in others} == stood
    hidden = [name for _, found in others for name in found if name != "out"]
    assert all(name.startswith(".out.") and name.endswith(".part") for name in hidden)
    if "nameless fresh" in ways and atomic.NAMELESS:
        assert hidden == []
    assert (last, left) == (0, whole)


@pytest.mark.parametrize(("form", "ways"), [(form, ways) for form, every in FOLDERS.items() for ways in every])
def test_a_folder(form: str, ways: str, source: Path, folder: Path) -> None:
    path = source if form == "safetensors_shards" else MODEL
    (first, whole), *others, (last, left) = killed(path, folder, ways, "--as", form)
    assert first == 0
    assert whole
    assert all(name.startswith("out/") for name in whole)
    assert [code for code, _ in others] == [-signal.SIGKILL] * len(others)
    assert len(others) >= 10
    for _, found in others:
        assert named(found) in ({}, whole)
        # between two renames the folder that is replaced has a hidden name
        assert "fresh" in ways or named(found) or aside(found) == whole
    assert last == 0
    assert named(left) == whole
    assert left.keys() - whole.keys() == {name for name in left if name.partition("/")[0].endswith(".old")}
    assert "fresh" not in ways or left == whole


def named(found: Files) -> Files:
    """What stands under the target's name."""
    return {name: data for name, data in found.items() if name.startswith("out/")}


def aside(found: Files) -> Files:
    """What was set aside, as it was called before."""
    parts = ((name.partition("/"), data) for name, data in found.items())
    return {f"out/{inner}": data for (top, _, inner), data in parts if top.endswith(".old")}
