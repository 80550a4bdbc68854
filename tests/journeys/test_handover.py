"""A second start in a real window: the first one shows its files and comes to the front."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.desktop import PATIENCE, Desktop, wait_until
from tests.journeys.program import CLASS, Program
from tests.shared import ROOT

SAMPLES = ROOT / "resources" / "samples"


def start(desktop: Desktop, *words: str, cwd: Path) -> int:
    """Run the program until it ends; its exit code."""
    options = {"cwd": cwd, "env": desktop.environment | {"PYTHONPATH": str(ROOT)}}
    return desktop.start([sys.executable, "-m", "viewer", *words], **options).wait(PATIENCE)


@pytest.mark.xvfb
def test_a_second_start_hands_its_files_over(desktop: Desktop, tmp_path: Path) -> None:
    program = Program(desktop, str(SAMPLES / "whole_model_legacy.pth"), log=tmp_path / "log.txt")
    program.wait_for_title("whole_model_legacy")
    desktop.xdotool("windowminimize", "--sync", program.window)
    assert start(desktop, "half_download.pth#0x10", cwd=SAMPLES) == 0
    program.wait_for_title("half_download")
    wait_until(lambda: desktop.xdotool("getactivewindow") == program.window, "the window did not come to the front")
    assert desktop.windows(CLASS) == [program.window]
    assert program.quit() == ""


@pytest.mark.xvfb
def test_a_new_window_is_one_when_it_is_asked_for(desktop: Desktop, tmp_path: Path) -> None:
    program = Program(desktop, log=tmp_path / "log.txt")
    second = desktop.start([sys.executable, "-m", "viewer", "--new-window"], cwd=ROOT)
    wait_until(lambda: len(desktop.windows(CLASS)) == 2, "no second window came")
    desktop.xdotool("windowactivate", "--sync", program.window)
    assert program.quit() == ""
    second.terminate()
    second.wait(PATIENCE)
