"""The program is killed in a real window; the next start has the files back, the one that was looked at in front."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path

import pytest

from tests.desktop import PATIENCE, Desktop, wait_until
from tests.journeys.program import Program
from tests.shared import ROOT

PRESS = 4.0
SAMPLES = ROOT / "resources" / "samples"


def turn_to(program: Program, name: str) -> None:
    """Turn to the other of two tabs. A key that comes while the window is still busy with a file can be lost."""

    def turned() -> bool:
        program.desktop.xdotool("windowactivate", "--sync", program.window)
        program.keys("ctrl+Tab")
        end = time.monotonic() + PRESS
        while name not in program.title and time.monotonic() < end:
            threading.Event().wait(0.1)
        return name in program.title

    wait_until(turned, f"no key turned to {name}", 60)


def kept(settings: Path) -> str:
    """What the settings hold now of the files that are open."""
    lines = settings.read_text(encoding="utf-8").splitlines() if settings.exists() else []
    return "".join(line for line in lines if line.startswith("open_now_"))


@pytest.mark.xvfb
def test_after_kill_the_tabs_come_back(desktop: Desktop, tmp_path: Path) -> None:
    names = ("whole_model_legacy.pth", "checkpoint_adam.pt")
    program = Program(desktop, *(str(SAMPLES / name) for name in names), log=tmp_path / "log.txt")
    program.wait_for_title("checkpoint_adam")
    turn_to(program, "whole_model_legacy")
    settings = Path(desktop.environment["XDG_CONFIG_HOME"]) / "picklescope" / "picklescope.ini"
    # Both names: a list without files was written at the start, and is of the first tab too.
    wait_until(
        lambda: all(part in kept(settings) for part in (*names, '\\"current\\": 0')), "what is open was not kept"
    )
    program.process.send_signal(signal.SIGKILL)
    program.process.wait(PATIENCE)
    again = Program(desktop, log=tmp_path / "log2.txt")
    again.wait_for_title("whole_model_legacy")
    turn_to(again, "checkpoint_adam")
    assert again.quit() == ""
    last = Program(desktop, log=tmp_path / "log3.txt")
    last.wait_for_title("Picklescope")
    assert last.title == "Picklescope"
    assert last.quit() == ""
