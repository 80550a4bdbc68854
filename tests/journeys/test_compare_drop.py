"""Files dragged from a file manager onto the zone that compares: two with each other, one with the file that is open.

Needs pcmanfm; skips without it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import torch_zip
from tests.desktop import Desktop, wait_until
from tests.journeys.driven_program import Driven
from tests.journeys.hand import drag_icon
from tests.journeys.program import CLASS
from tests.journeys.test_file_manager import MANAGER, manager

pytestmark = pytest.mark.xvfb
PLACE = ("640", "200")
SIZE = ("800", "600")
WAY = ((260, 130), (500, 300), (800, 450), (1200, 490), (1300, 500))
"""Over the screen, into the right zone of the program's window."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two checkpoints, in one of which a tensor is another."""
    folder = tmp_path / "files"
    folder.mkdir()
    for name, last in (("a.pt", 3), ("b.pt", 4)):
        tensors = {"fc.w": full("float32", (3,), [1, 2, last]), "fc.b": full("float32", (1,), [0])}
        (folder / name).write_bytes(torch_zip(state_dict(tensors)))
    return folder


@pytest.fixture
def files(desktop: Desktop, folder: Path) -> Iterator[str]:
    """The window of a file manager that shows them."""
    if shutil.which(MANAGER) is None or shutil.which("dbus-run-session") is None:
        pytest.skip(f"{MANAGER}: not installed, so nothing could be dragged")
    window = manager(desktop, folder)
    desktop.xdotool("windowmove", "--sync", window, "0", "0")
    yield window
    desktop.xdotool("windowclose", window)


@contextmanager
def started(desktop: Desktop, *paths: Path) -> Iterator[Driven]:
    """The program beside the file manager."""
    program = Driven(desktop, *paths)
    try:
        window = desktop.window(CLASS)
        desktop.xdotool("windowsize", "--sync", window, *SIZE, "windowmove", "--sync", window, *PLACE)
        yield program
    finally:
        desktop.xdotool("windowactivate", "--sync", desktop.window(CLASS))
        program.close()


def drag(desktop: Desktop, files: str, program: Driven) -> None:
    """Take what is selected at the first icon, over the zone, and let it fall once the program says what that does."""
    drag_icon(desktop, files, WAY, lambda: program.look("zone Drop to compare") is not None)


def assert_compared(desktop: Desktop, program: Driven, tmp_path: Path) -> None:
    """The rows of the comparison are there, what differs first."""
    wait_until(lambda: program.look("row compare changed") is not None, "nothing was compared")
    changed, equal = program.where("row compare changed"), program.where("row compare equal")
    desktop.picture(tmp_path / "compared.png")
    assert int(changed[1]) < int(equal[1])
    program.click("row compare changed")
    assert program.wait("selection", tensor="fc.w")["tensor"] == "fc.w"


def test_two_files_dropped_on_the_zone_are_compared_with_each_other(
    desktop: Desktop, files: str, tmp_path: Path
) -> None:
    with started(desktop) as program:
        desktop.xdotool("windowactivate", "--sync", files)
        desktop.xdotool("key", "--window", files, "ctrl+a")
        drag(desktop, files, program)
        program.wait("decoded", tensors=2)
        assert_compared(desktop, program, tmp_path)


def test_a_file_dropped_on_the_zone_is_compared_with_the_open_one(
    desktop: Desktop, files: str, folder: Path, tmp_path: Path
) -> None:
    with started(desktop, folder / "b.pt") as program:
        program.wait("decoded", file="b.pt", tensors=2)
        desktop.xdotool("windowactivate", "--sync", files)
        drag(desktop, files, program)
        program.wait("decoded", file="a.pt", tensors=2)
        assert_compared(desktop, program, tmp_path)
