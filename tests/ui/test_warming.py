"""What waits until the window is up: the work of jobs, and the rest of the program."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.shared import ROOT
from viewer.session.jobs import Jobs
from viewer.ui.panes import PANES
from viewer.ui.warming import FirstPicture, Warming, names

OPENED_AFTER: Final = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QEventLoop
from viewer.session.settings import Settings
from viewer.session.workspace import Workspace
from viewer.ui.application import Appearance, Application
from viewer.ui.warming import load_all
from viewer.ui.window import MainWindow
app = Application(["picklescope"])
load_all()
before = set(sys.modules)
settings = Settings(Path(sys.argv[2]))
window = MainWindow(Workspace(settings), Appearance(app, settings).theme)
window.show()
session = window.workspace.open(sys.argv[1])
loop = QEventLoop()
session.jobs.idle.connect(loop.quit)
loop.exec()
for dock in window.view.docks.values():
    dock.make()
print(json.dumps(sorted(name for name in set(sys.modules) - before if name.startswith("viewer"))))
window.close()
"""


@pytest.fixture
def held(qapp: object) -> Iterator[Jobs]:
    """Jobs while all work is held back."""
    del qapp
    Jobs.hold()
    jobs = Jobs()
    yield jobs
    Jobs.let_go()
    jobs.close()


def test_work_waits_until_it_is_let_go(held: Jobs, qtbot: QtBot) -> None:
    done: list[str] = []
    held.start("a", lambda progress: "one", done.append)
    held.start("b", lambda progress: "two", done.append)
    held.start("a", lambda progress: "later", done.append)
    held.start("c", lambda progress: "never", done.append)
    held.cancel("c")
    assert held.busy
    with qtbot.waitSignal(held.idle):
        Jobs.let_go()
    assert sorted(done) == ["later", "two"]
    with qtbot.waitSignal(held.idle):
        held.start("d", lambda progress: "at once", done.append)
    assert done[-1] == "at once"


def test_work_that_waits_ends_with_its_jobs(held: Jobs) -> None:
    held.start("a", lambda progress: pytest.fail("it was closed"), pytest.fail)
    held.close()
    Jobs.let_go()


def test_the_first_picture_is_told_once(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    first, told = FirstPicture(window), list[bool]()
    first.drawn.connect(lambda: told.append(True))
    with qtbot.waitSignal(first.drawn):
        pass
    window.hide()
    window.show()
    qtbot.waitUntil(lambda: not first._soon.isActive())
    assert told == [True]


def test_a_thread_loads_the_panes_and_ends_when_it_is_told_to() -> None:
    listed = list(names())
    assert {pane.load().__module__ for pane in PANES} <= set(listed)
    assert "viewer.core.export.npz" in listed
    warming = Warming()
    warming.begin()
    warming.begin()
    warming.stop()


def test_nothing_of_the_program_is_left_to_be_loaded_when_a_file_is_opened(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OPENED_AFTER, "resources/samples/checkpoint_adam.pt", f"{tmp_path}/settings.ini"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []
