"""Windows are killed; the next start has their files back, each as it was left, the one that was looked at in front."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tests.desktop import PATIENCE, Desktop, wait_until
from tests.journeys.program import Program
from tests.shared import ROOT

PRESS = 4.0
SAMPLES = ROOT / "resources" / "samples"
LEGACY = SAMPLES / "whole_model_legacy.pth"
ADAM = SAMPLES / "checkpoint_adam.pt"


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


def kept(desktop: Desktop, what: str) -> list[dict[str, Any]]:
    """What stands on the disk now: the lists of open files (`open`), or how files were left (`files`)."""
    folder = Path(desktop.environment["XDG_STATE_HOME"]) / "picklescope" / "picklescope" / what
    return [json.loads(path.read_bytes()) for path in sorted(folder.glob("*.json"))]


def kill(*processes: subprocess.Popen[bytes]) -> None:
    for process in processes:
        process.send_signal(signal.SIGKILL)
    for process in processes:
        process.wait(PATIENCE)


@pytest.mark.xvfb
def test_after_kill_the_tabs_come_back(desktop: Desktop, tmp_path: Path) -> None:
    program = Program(desktop, str(LEGACY), str(ADAM), log=tmp_path / "log.txt")
    program.wait_for_title("checkpoint_adam")
    turn_to(program, "whole_model_legacy")
    whole = [{"paths": [str(LEGACY), str(ADAM)], "current": 0, "tries": 0, "ended": False}]
    wait_until(lambda: kept(desktop, "open") == whole, "what is open was not kept")
    kill(program.process)
    again = Program(desktop, log=tmp_path / "log2.txt")
    again.wait_for_title("whole_model_legacy")
    turn_to(again, "checkpoint_adam")
    assert again.quit() == ""
    last = Program(desktop, log=tmp_path / "log3.txt")
    last.wait_for_title("Picklescope")
    assert last.title == "Picklescope"
    assert last.quit() == ""
