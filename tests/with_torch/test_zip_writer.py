"""An archive of torch that is written again by ours has the same bytes, and torch loads it in every way."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared import ROOT
from viewer.core.archive.zip_reader import ZipArchive, read_zip
from viewer.core.archive.zip_writer import TorchZipWriter
from viewer.core.progress import Progress
from viewer.core.source import FileSource

pytestmark = pytest.mark.torch

SEAL = "net/.data/serialization_id"


def child(task: str, folder: Path) -> str:
    command = [sys.executable, "-m", "tests.with_torch.zip_writer_child", task, str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def opened(path: Path) -> ZipArchive:
    return read_zip(FileSource(path), Progress())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """net.pt as torch saves it, again.pt as we write its records again."""
    folder = tmp_path_factory.mktemp("archives")
    child("save", folder)
    archive = opened(folder / "net.pt")
    with (folder / "again.pt").open("wb") as file, TorchZipWriter(file, "net") as writer:
        for record in archive.records:
            name = record.name.partition("/")[2]
            if name == "data.pkl" or name.startswith("data/"):
                assert record.source is not None
                writer.add(name, record.source.read(0, record.size))
    return folder


def test_only_the_half_of_the_id_that_stands_for_the_names_differs(folder: Path) -> None:
    theirs, ours = opened(folder / "net.pt"), opened(folder / "again.pt")
    assert theirs.names == ours.names
    assert [record.data for record in theirs.records] == [record.data for record in ours.records]
    assert theirs.regions == ours.regions
    first, second = ((folder / name).read_bytes() for name in ("net.pt", "again.pt"))
    seal, entry = theirs.find(SEAL), ours.find(SEAL)
    assert seal is not None
    assert entry is not None
    assert entry.entry is not None
    start = seal.data.start
    # 20 digits, then the checksum of all 40 in the descriptor and in the directory
    differ = {at for at in range(len(first)) if first[at] != second[at]}
    allowed = {*range(start, start + 20), *range(start + 44, start + 48)}
    allowed |= set(range(entry.entry.start + 16, entry.entry.start + 20))
    assert len(first) == len(second)
    assert differ <= allowed


def test_torch_loads_it_in_every_way(folder: Path) -> None:
    assert json.loads(child("load", folder)) == {
        "original": True,
        "plain": True,
        "mapped": True,
        "computed places": True,
    }
