"""A person's desktop: the program makes itself known, and a file manager opens files in it, by double-click and drag.

Needs pcmanfm; skips without it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desktop import Desktop, wait_until
from tests.journeys.driven_program import Driven
from tests.journeys.hand import ICON, drag_icon, wait_for_icon
from tests.journeys.program import CLASS
from tests.shared import ROOT

SAMPLES = ROOT / "resources" / "samples"
MANAGER = "pcmanfm"
WAY = ((260, 130), (500, 300), (800, 450), (1000, 500))
"""Over the screen, from the file manager into the program's window."""


@pytest.fixture
def known(desktop: Desktop, tmp_path: Path) -> Iterator[Desktop]:
    """A desktop that knows the program, as after `picklescope --install-desktop`."""
    missing = [name for name in (MANAGER, "dbus-run-session", "update-mime-database") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)}: not installed, so no file manager could be driven")
    program = tmp_path / "bin" / "picklescope"
    program.parent.mkdir()
    command = f'PYTHONPATH="{ROOT}" exec "{sys.executable}" -m viewer "$@"'
    program.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    program.chmod(0o755)
    done = subprocess.run(
        [program, "--install-desktop"],
        env=desktop.environment | {"PATH": f"{program.parent}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    yield desktop
    for window in desktop.windows(CLASS):
        desktop.xdotool("windowclose", window)
    wait_until(lambda: not desktop.windows(CLASS), "a window did not close")


def manager(desktop: Desktop, folder: Path) -> str:
    """The window of a file manager that shows a folder; its errors are its own."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    desktop.start(["dbus-run-session", "--", MANAGER, str(folder)], **quiet)
    window = desktop.window(MANAGER)
    wait_until(lambda: desktop.xdotool("getwindowname", window) == folder.name, "the folder was not shown")
    desktop.xdotool("windowactivate", "--sync", window)
    return window


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that holds one checkpoint."""
    folder = tmp_path / "files"
    folder.mkdir()
    shutil.copy(SAMPLES / "checkpoint_adam.pt", folder / "odd name é #1.pt")
    return folder


@pytest.mark.xvfb
def test_a_double_click_opens_the_file(known: Desktop, folder: Path) -> None:
    window = manager(known, folder)
    wait_for_icon(known, window)
    known.xdotool("mousemove", "--sync", "--window", window, *ICON, "click", "--repeat", "2", "--delay", "60", "1")
    opened = known.window(CLASS)
    wait_until(lambda: "odd name é #1.pt" in known.xdotool("getwindowname", opened), "the file was not opened")


@pytest.mark.xvfb
def test_a_file_is_dragged_in(known: Desktop, folder: Path) -> None:
    program = Driven(known)
    own = known.window(CLASS)
    window = manager(known, folder)
    known.xdotool("windowmove", "--sync", window, "0", "0")
    known.xdotool("windowsize", "--sync", own, "800", "600", "windowmove", "--sync", own, "640", "200")
    known.xdotool("windowraise", window)
    drag_icon(known, window, WAY, lambda: program.look("zone Drop to open") is not None)
    program.wait("decoded", file="odd name é #1.pt")
    wait_until(lambda: "odd name é #1.pt" in known.xdotool("getwindowname", own), "the title does not name the file")
    known.xdotool("windowactivate", "--sync", own)
    program.close()
