"""Files that torch saved, cut anywhere or with a byte flipped: only what is whole is called whole."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.opened import opened, regions_tile
from tests.shared import ROOT
from tests.sweep.truth import Truth
from viewer.core.problem import Severity

pytestmark = pytest.mark.torch

NAMES: Final = ("zip.pt", "legacy.pt", "optimizer.pt", "script.pt", "package.pt")
CUTS: Final = 120
FLIPS: Final = 120


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of cut_files_child."""
    folder = tmp_path_factory.mktemp("cut")
    command = [sys.executable, "-m", "tests.with_torch.cut_files_child", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def bounds(data: bytes, chance: random.Random, count: int) -> list[int]:
    """The bounds of all regions with a byte on each side, and places by chance."""
    near = {region.span.start + step for region in opened(data).regions for step in (-1, 0, 1)}
    some = chance.sample(sorted(near), min(count, len(near)))
    return sorted(at for at in {*some, *(chance.randrange(len(data)) for _ in range(count))} if 0 <= at < len(data))


@pytest.mark.parametrize("name", NAMES)
def test_cut_anywhere(folder: Path, name: str) -> None:
    data = (folder / name).read_bytes()
    truth = Truth(opened(data))
    assert truth.known
    for at in bounds(data, random.Random(name), CUTS):
        document = opened(data[:at])
        for part in document.walk():
            regions_tile(part)
        assert truth.faults(document, at) == [], at


@pytest.mark.parametrize("name", NAMES)
def test_flipped_anywhere(folder: Path, name: str) -> None:
    data = (folder / name).read_bytes()
    whole = opened(data)
    truth, chance = Truth(whole), random.Random(name)
    known = {problem.code for problem in whole.problems}
    for at in bounds(data, chance, FLIPS):
        mask = chance.randrange(1, 256)
        document = opened(data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :])
        wrong = truth.changed(document) - truth.over(at)
        if not wrong:
            continue
        region = next(region for region in whole.regions if region.span.start <= at < region.span.stop)
        if region.kind == "zip-directory":
            # the name of a record is damaged: its pickle is read all the same
            assert truth.is_kept(document), (at, mask, wrong)
            continue
        assert region.kind in ("pickle", "record"), (at, mask, region, wrong)
        # a stream states no checksum of its pickles
        if name != "legacy.pt":
            found = {one.code for part in document.walk() for one in part.problems if one.severity is not Severity.NOTE}
            assert found - known, (at, mask, wrong)
