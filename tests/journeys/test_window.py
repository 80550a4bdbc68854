"""A real window on a real X server: it comes up, hears keys, closes without a word."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.desktop import PATIENCE, Desktop, wait_until
from tests.journeys.program import Program
from tests.journeys.test_coming_back import kept
from tests.shared import ROOT

SAMPLES = ROOT / "resources" / "samples"
pytestmark = pytest.mark.xvfb


def test_open_by_command_go_somewhere_and_leave(desktop: Desktop, tmp_path: Path) -> None:
    file = SAMPLES / "whole_model_legacy.pth"
    program = Program(desktop, str(file), log=tmp_path / "log.txt")
    program.wait_for_title("whole_model_legacy.pth")
    program.keys("ctrl+g")
    program.type("0x1F4")
    program.keys("Return")
    program.keys("ctrl+w")
    program.wait_for_title("Picklescope")
    wait_until(lambda: "whole_model" not in program.title, "the tab did not close")
    assert program.quit() == ""
    assert [(row["path"], row["span"]) for row in kept(desktop, "files")] == [(str(file), [500, 501])]


def test_leaving_in_the_middle_of_reading(desktop: Desktop, tmp_path: Path) -> None:
    paths = [str(path) for path in sorted(SAMPLES.glob("*.p*"))]
    program = Program(desktop, *paths, log=tmp_path / "log.txt")
    assert program.quit() == ""


def test_a_screen_that_goes_away_ends_the_program(desktop: Desktop, tmp_path: Path) -> None:
    """It is in the middle of leaving: a call from Python hears first that the screen is gone."""
    program = Program(desktop, str(SAMPLES / "checkpoint_adam.pt"), log=tmp_path / "log.txt")
    desktop.xdotool("windowclose", program.window)
    desktop.end_screen()
    program.process.wait(PATIENCE)
    assert program.process.returncode in (0, 1)


@pytest.mark.parametrize("bus", [False, True], ids=["alone", "with a bus"])
def test_a_screen_that_goes_away_ends_the_program_in_a_call_from_python(desktop: Desktop, bus: bool) -> None:
    """Python is held by the call that hears of it; the thread of Qt that speaks to the bus waits for Python then."""
    if bus:
        if shutil.which("dbus-daemon") is None:
            pytest.skip("dbus-daemon: not installed, so there is no bus")
        daemon = desktop.start(["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE)
        with daemon.stdout as told:
            desktop.environment["DBUS_SESSION_BUS_ADDRESS"] = told.readline().decode().strip()
    command = [sys.executable, "-m", "tests.journeys.retitled"]
    program = desktop.start(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with program.stdout as told:
        assert told.readline() == b"up\n"
        desktop.end_screen()
        assert program.wait(PATIENCE) == 1
