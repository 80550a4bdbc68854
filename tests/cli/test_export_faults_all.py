"""Faults for every form: a full disk, a closed folder, stops and changes in the middle. None leaves a half file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.core.export.reading import open_folder
from tests.shared import ROOT
from viewer.cli import main
from viewer.core.errors import CancelledError, ViewerError
from viewer.core.export import EXPORTERS, atomic, exporter_of
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress

needs_root = pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can mount and change users")
MODEL: Final = ROOT / "resources" / "samples" / "whole_model_legacy.pth"
FORMS: Final = tuple(exporter.form for exporter in EXPORTERS)
ONE: Final = {"npy": "conv.conv.bias", "csv": "conv.conv.bias"}
"""Forms of one tensor, and one that the model has."""
POINTS: Final = 10


def arguments(source: Path, target: Path, form: str) -> list[str]:
    chosen = ["--only", ONE[form]] if form in ONE else []
    return ["export", str(source), str(target), "--as", form, "--no-verify", *chosen]


def wanted(form: str) -> Wanted:
    return Wanted(only=(ONE[form],)) if form in ONE else Wanted()


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@pytest.fixture(scope="module")
def full_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file system of a megabyte in which no byte is free."""
    place = tmp_path_factory.mktemp("full")
    if os.name == "nt" or shutil.which("mount") is None:
        pytest.skip("there is no mount here")
    command = ["mount", "-t", "tmpfs", "-o", "size=1m,mode=755", "none", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    try:
        with pytest.raises(OSError, match="No space left"):
            fill_up(place / "others")
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


@needs_root
@pytest.mark.parametrize("form", FORMS)
def test_a_disk_that_is_full(
    form: str, full_disk: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its room went after it was looked at."""
    usage = type(shutil.disk_usage(full_disk))
    monkeypatch.setattr(atomic.shutil, "disk_usage", lambda path: usage(2**40, 0, 2**40))
    code = main(arguments(MODEL, full_disk / "out", form))
    told = capsys.readouterr().err.splitlines()[-1]
    words = f"The disk of {full_disk}/out is full. Nothing was left there; make room and try again."
    assert (code, told) == (2, f"picklescope: {words}")
    assert names(full_disk) == ["others"]


def fill_up(path: Path) -> None:
    """Write until the disk takes no more. Raises OSError."""
    with path.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


AS_OTHER: Final = """
import json, sys
from viewer.cli import main
print(json.dumps([main(arguments) for arguments in json.loads(sys.argv[1])]))
"""


@needs_root
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="there is no setpriv here")
def test_a_folder_that_only_others_may_write_in() -> None:
    with open_folder() as folder:
        closed, mine = folder / "closed", folder / "in.pth"
        closed.mkdir(mode=0o555)
        shutil.copy(MODEL, mine)
        mine.chmod(0o644)
        every = json.dumps([arguments(mine, closed / "out", form) for form in FORMS])
        user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [*user, sys.executable, "-P", "-c", AS_OTHER, every]
        done = subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True, check=False)
        left = names(closed)
    if "ModuleNotFoundError" in done.stderr or "can't open file" in done.stderr or not done.stdout:
        pytest.skip("the other user may not read the program")
    words = f"picklescope: Writing in {closed} is not permitted. Choose another folder."
    assert json.loads(done.stdout) == [2] * len(FORMS)
    assert done.stderr.splitlines().count(words) == len(FORMS)
    assert left == []


class Acting(Progress):
    """Counts the places to stop; at one of them something happens."""

    def __init__(self, at: int = 0, then: object = None) -> None:
        super().__init__()
        self.looks = 0
        self._at, self._then = at, then

    def check(self) -> None:
        self.looks += 1
        if self.looks == self._at:
            if callable(self._then):
                self._then()
            else:
                self.cancel()
        super().check()


def looks_of(source: Path, target: Path, form: str) -> int:
    """Places to stop of a whole export."""
    document, exporter = open_document(source), exporter_of(form)
    try:
        whole = Acting()
        exporter.write(exporter.plan(document, wanted(form)), target, whole)
        return whole.looks
    finally:
        document.source.close()


@pytest.mark.parametrize("form", FORMS)
def test_cancelled_at_ten_points(form: str, tmp_path: Path) -> None:
    looks = looks_of(MODEL, tmp_path / "whole", form)
    exporter, document = exporter_of(form), open_document(MODEL)
    try:
        plan = exporter.plan(document, wanted(form))
        for point in sorted({1 + point * (looks - 1) // (POINTS - 1) for point in range(POINTS)}):
            with pytest.raises(CancelledError):
                exporter.write(plan, tmp_path / "out", Acting(point))
            assert names(tmp_path) == ["whole"]
    finally:
        document.source.close()


@pytest.mark.parametrize("form", FORMS)
def test_a_source_that_is_cut_in_the_middle(form: str, tmp_path: Path) -> None:
    """Where bytes are missed, or the file is seen to be another than was planned, nothing is written."""
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    source = tmp_path / "in" / "in.pth"
    shutil.copy(MODEL, source)
    looks = looks_of(source, tmp_path / "whole", form)
    for point in (2, looks // 2, looks - 1):
        shutil.copy(MODEL, source)
        document, exporter = open_document(source), exporter_of(form)
        plan = exporter.plan(document, wanted(form))
        try:
            with pytest.raises(ViewerError) as told:
                exporter.write(plan, tmp_path / "out" / "out", Acting(point, lambda: os.truncate(source, 100)))
        finally:
            document.source.close()
        assert told.value.code in ("source-cut", "source-changed", "tensor-incomplete"), point
        assert names(tmp_path / "out") == []
