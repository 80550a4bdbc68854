"""Files that are not as they should be, in a real window: half a download, swapped bytes, a file inside a file."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from tests.builders.torch_values import Storage, packed, state_dict, tensor
from tests.builders.torch_zip import torch_zip
from tests.desktop import wait_until
from tests.journeys.driven_program import SAMPLE, Driven
from tests.journeys.test_source import lead, write
from viewer.core.opening import open_document

HALF = SAMPLE.parent / "half_download.pth"
VALUES = Storage("float32", packed("float32", [1.0, 2.5, -3.0, 4.0], ">"))
SWAPPED = torch_zip(state_dict({"w": tensor(VALUES, (4,))}), version="1.6")

pytestmark = pytest.mark.xvfb


@pytest.fixture
def started(desktop: Any) -> Any:
    made: list[Driven] = []

    def start(path: Path) -> Driven:
        made.append(Driven(desktop, path))
        desktop.window("picklescope")
        return made[-1]

    yield start
    for program in made:
        if program.process.poll() is None:
            program.close()


def test_half_a_download_is_rescued_and_opened(started: Any, tmp_path: Path) -> None:
    program = started(HALF)
    program.wait("decoded", file=HALF.name, tensors=46)
    lead(program, "bar Rescue 30 whole tensors", "dialog target")
    target = tmp_path / "rescued.pt"
    write(program, target, then="Open it")
    program.wait("decoded", file="rescued.pt", tensors=30)
    assert [problem.code for problem in open_document(target).problems if problem.severity == "error"] == []


def test_swapped_numbers_are_read_right_by_the_status_line(started: Any, tmp_path: Path) -> None:
    path = tmp_path / "swapped.pt"
    path.write_bytes(SWAPPED)
    program = started(path)
    program.wait("decoded", file=path.name, tensors=1)
    lead(program, "status byte_order", "menu big-endian")
    program.desktop.picture(tmp_path / "menu.png")
    program.click("menu big-endian")
    seen = program.wait("selection")
    assert "big-endian, chosen" in seen["status"]


def test_into_a_file_inside_the_file_and_back(started: Any, tmp_path: Path) -> None:
    path = tmp_path / "packed.gz"
    path.write_bytes(gzip.compress(SAMPLE.read_bytes()))
    program = started(path)
    program.wait("decoded", file=path.name, tensors=8)
    program.choose(0xA5)
    program.click("button hex Back to packed.gz")
    program.wait("decoded", file=path.name, tensors=0)
    program.keys("alt+Left")
    seen = program.wait("selection", start=0xA5)
    assert seen["opcode"].startswith("GLOBAL")
    wait_until(lambda: program.look("button hex Back to packed.gz") is not None, "the way back is gone")
