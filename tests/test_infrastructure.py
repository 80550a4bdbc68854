"""The safety nets of conftest.py catch what they are there for."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths, QTimer
from pytestqt.qtbot import QtBot

from tests.conftest import still_running
from tests.desktop import PATIENCE, Desktop
from tests.shared import SHARED, shared_files
from tests.stall import Beats, delays, least_stall, stolen

NoStall = Callable[..., AbstractContextManager[Beats]]


def hold(seconds: float) -> None:
    """Keep the thread busy for that much of its own processor time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_a_held_gui_thread_is_caught(qtbot: QtBot, no_stall: NoStall) -> None:
    timer = QTimer(singleShot=True)
    timer.timeout.connect(lambda: hold(0.3))
    with pytest.raises(pytest.fail.Exception, match=r"held for \d+ ms"), no_stall(), qtbot.waitSignal(timer.timeout):
        timer.start(10)


def test_a_free_gui_thread_passes(qtbot: QtBot, no_stall: NoStall) -> None:
    timer = QTimer(singleShot=True)
    with no_stall() as beats, qtbot.waitSignal(timer.timeout):
        timer.start(200)
    assert beats.count >= 3


def test_what_the_gui_thread_computes_needs_no_second_run(qtbot: QtBot) -> None:
    runs: list[int] = []

    def compute(limit: float) -> None:
        end = time.thread_time() + 3 * limit
        while time.thread_time() < end:
            pass

    def run(made: int) -> None:
        runs.append(made)
        timer = QTimer()
        timer.setSingleShot(True)
        timer.timeout.connect(lambda: compute(0.05))
        timer.start(0)
        qtbot.waitSignal(timer.timeout).wait()

    with pytest.raises(pytest.fail.Exception, match="1 times"):
        least_stall(lambda: 0, run, limit=0.05)
    assert runs == [0]


def test_stolen_time_is_that_of_each_thread() -> None:
    assert stolen({"1": 5_000_000, "ended": 9_000_000}, {"1": 7_000_000, "new": 1_000_000}) == 0.003
    assert stolen(before := delays(), delays()) >= 0
    assert all(isinstance(taken, int) for taken in before.values())


def test_warnings_in_the_log_are_kept(logged: list[str]) -> None:
    logging.getLogger("viewer.x").warning("half a %s", "file")
    logging.getLogger("viewer.x").info("not this")
    assert logged == ["WARNING viewer.x: half a file"]


def test_a_running_thread_is_named() -> None:
    before = set(threading.enumerate())
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait, name="left behind")
    thread.start()
    assert still_running(before, 0.01) == ["left behind"]
    stop.set()
    assert still_running(before, 5.0) == []


def test_settings_are_not_the_persons() -> None:
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    assert "picklescope-tests-" in place


def test_a_folder_that_is_absent_gives_one_skipped_test() -> None:
    (only,) = shared_files("no such folder")
    assert only.id == "absent"
    assert "../shared is absent" in only.marks[0].kwargs["reason"]


def test_one_parameter_a_shared_file(shared: Path) -> None:
    assert shared == SHARED
    found = shared_files("samples", "I_*.npy")
    assert [parameter.id for parameter in found][:2] == ["I_0d.npy", "I_bad_header.npy"]
    assert len(found) == 19


WINDOW = """
import sys
from PySide6.QtWidgets import QApplication, QPushButton
app = QApplication(["picklescope-probe"])
button = QPushButton("Click")
button.resize(300, 200)
button.clicked.connect(lambda: (print("clicked", app.platformName(), flush=True), app.quit()))
button.show()
sys.exit(app.exec())
"""


@pytest.mark.xvfb
def test_a_real_window_is_clicked(desktop: Desktop, tmp_path: Path) -> None:
    program = desktop.start([sys.executable, "-c", WINDOW], stdout=subprocess.PIPE)
    window = desktop.window("picklescope-probe")
    assert desktop.picture(tmp_path / "seen.png").read_bytes()[:4] == b"\x89PNG"
    desktop.xdotool("mousemove", "--window", window, "150", "100", "click", "1")
    output, _ = program.communicate(timeout=PATIENCE)
    assert output == b"clicked xcb\n"
