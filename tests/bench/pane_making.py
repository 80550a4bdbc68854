"""How long the window is held in one turn while the panes of a file are made: of a first and a second file, of a start.

Processor time of the window's thread, the median of some processes. The peer is all panes made in one turn.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Final
from unittest.mock import patch

from tests.bench import Figure
from tests.bench.measure import ROOT

SAMPLES: Final = ROOT / "resources" / "samples"
FIRST: Final = SAMPLES / "whole_model_legacy.pth"
SECOND: Final = SAMPLES / "checkpoint_adam.pt"
ROUNDS: Final = 3
MODULE: Final = "tests.bench.pane_making"
QUIET_MS: Final = 500
Facts = dict[str, float]


def run() -> list[Figure]:
    """In processes of their own, whose settings are nobody's."""
    running = [told("running") for _ in range(ROUNDS)]
    started = [told("start") for _ in range(ROUNDS)]
    middle = {key: statistics.median(one[key] for one in running) for key in running[0]}
    start = {key: statistics.median(one[key] for one in started) for key in started[0]}
    return [
        Figure("a first file: longest turn (peer: all panes in one)", middle["first"], middle["first_all"], goal="0.1"),
        Figure("a second file: longest turn", middle["second"], middle["second_all"], goal="0.1"),
        Figure("a start with a file, after the first picture", start["first"], start["first_all"], goal="0.1"),
    ]


def told(way: str) -> Facts:
    """What a process measures."""
    with tempfile.TemporaryDirectory(prefix="picklescope-bench-") as folder:
        names = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", **dict.fromkeys(names, folder)}
        command = [sys.executable, "-m", MODULE, way]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=ROOT)
    found: Facts = json.loads(done.stdout.splitlines()[-1])
    return found


class Made:
    """Adds up what the panes take that are made one by one."""

    def __init__(self) -> None:
        from viewer.ui.pane import Pane
        from viewer.ui.window.dock import PaneDock

        self.seconds = 0.0
        make = PaneDock.make

        def timed(dock: PaneDock) -> Pane:
            if dock.made:
                return make(dock)
            start = time.thread_time()
            pane = make(dock)
            self.seconds += time.thread_time() - start
            return pane

        patch.object(PaneDock, "make", timed).start()


def in_running_window() -> Facts:
    """Two files, one after the other, in a window that is up and has all of the program loaded."""
    from tests.bench.keeping import turn
    from tests.stall import LIMIT, Watch
    from viewer.session.cycles import Cycles
    from viewer.session.settings import Settings
    from viewer.session.workspace import Workspace
    from viewer.ui.application import Appearance, Application
    from viewer.ui.warming import load_all
    from viewer.ui.window import MainWindow

    load_all()
    app = Application(["picklescope"])
    cycles, settings, found = Cycles(app), Settings(), dict[str, float]()
    window = MainWindow(Workspace(settings), Appearance(app, settings).theme)
    window.show()
    pause()
    for name, path in (("first", FIRST), ("second", SECOND)):
        made, watch = Made(), Watch(LIMIT)
        watch.start()
        session = window.workspace.open(path)
        assert session is not None
        view = window.views[session]
        turn(lambda view=view, session=session: view.complete and not session.jobs.busy)
        pause()
        watch.stop()
        found |= {name: watch.beats.computed, f"{name}_all": made.seconds}
    window.close()
    cycles.stop()
    del app
    return found


def at_start() -> Facts:
    """The program started with a file, from its first picture on: much of it is loaded after that."""
    from tests.bench.keeping import turn
    from tests.stall import LIMIT, Watch
    from viewer.ui.application import Application, Program
    from viewer.ui.warming import FirstPicture

    app = Application(["picklescope"])
    program, made, watch = Program(app), Made(), Watch(LIMIT)
    program.start(f"picklescope-bench-{os.getpid()}", [str(FIRST)])
    window = program.running.window
    FirstPicture(window).drawn.connect(watch.start)
    turn(lambda: window.view is not None and window.view.complete and watch.beats.count > 0)
    pause()
    watch.stop()
    program.stop()
    return {"first": watch.beats.computed, "first_all": made.seconds}


def pause() -> None:
    """Let the window do what it put off."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(QUIET_MS, loop.quit)
    loop.exec()


if __name__ == "__main__":
    print(json.dumps(in_running_window() if sys.argv[1] == "running" else at_start()))
