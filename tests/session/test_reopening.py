"""The files that were open come back after a fault, and never again and again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.shared import ROOT
from viewer.session import reopening
from viewer.session.reopening import Left, Reopening, list_of, read
from viewer.session.settings import OPEN_NOW, REOPEN, Settings
from viewer.session.workspace import Workspace

SAMPLES = ROOT / "resources" / "samples"
NAMES = ("checkpoint_adam.pt", "half_download.pth", "runs_a_command.pkl")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return [str(shutil.copy(SAMPLES / name, tmp_path / name)) for name in NAMES]


@pytest.fixture
def start(qapp: object, tmp_path: Path) -> Iterator[Callable[[], Workspace]]:
    """Makes the workspace of another run of the program, with the same settings."""
    del qapp
    running: list[Workspace] = []

    def make() -> Workspace:
        running.append(Workspace(Settings(tmp_path / "settings.ini")))
        return running[-1]

    yield make
    for work in running:
        work.close_all()


def opened(work: Workspace) -> list[str]:
    return [str(session.path) for session in work.sessions]


def left_open(qtbot: QtBot, work: Workspace, files: list[str]) -> None:
    """A run of the program that ends without a word."""
    keeping = Reopening(work)
    assert keeping.begin() is None
    for path in files:
        work.open(path)
    work.activate(work.sessions[1])
    qtbot.waitUntil(lambda: kept(work) == Left(tuple(files), 1))


def kept(work: Workspace) -> Left | None:
    return read(work.settings.get(OPEN_NOW))


def test_after_a_fault_the_files_come_back(qtbot: QtBot, start: Callable[[], Workspace], files: list[str]) -> None:
    left_open(qtbot, start(), files)
    work = start()
    again = Reopening(work)
    left = again.begin()
    assert left == Left(tuple(files), 1)
    again.try_again(left)
    assert opened(work) == files
    assert work.current is work.sessions[1]


def test_files_that_end_the_program_are_asked_for(
    qtbot: QtBot, start: Callable[[], Workspace], files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    left_open(qtbot, start(), files)
    second = Reopening(start())
    left = second.begin()
    assert left is not None
    second.try_again(left)
    third = start()
    left = Reopening(third).begin()
    assert left is not None
    assert left.tries == 1
    monkeypatch.setattr(reopening, "SETTLED_MS", 1)
    again = Reopening(third)
    again.try_again(left)
    qtbot.waitUntil(lambda: kept(third) == Left(tuple(files), 1))


@pytest.mark.parametrize(("wish", "comes"), [("fault", False), ("always", True), ("never", False)])
def test_after_an_ordinary_end_it_is_as_the_person_wishes(
    start: Callable[[], Workspace], files: list[str], wish: str, comes: bool
) -> None:
    work = start()
    work.settings.set(REOPEN, wish)
    keeping = Reopening(work)
    keeping.begin()
    for path in files:
        work.open(path)
    work.close_all()
    left = Reopening(start()).begin()
    assert (left is not None) is comes
    if left is not None:
        assert left == Left(tuple(files), 2, ended=True)


def test_never_is_never(qtbot: QtBot, start: Callable[[], Workspace], files: list[str]) -> None:
    work = start()
    work.settings.set(REOPEN, "never")
    left_open(qtbot, work, files)
    assert Reopening(start()).begin() is None


def test_what_is_gone_is_left_out(qtbot: QtBot, start: Callable[[], Workspace], files: list[str]) -> None:
    left_open(qtbot, start(), files)
    Path(files[0]).unlink()
    work = start()
    again = Reopening(work)
    left = again.begin()
    assert left is not None
    with qtbot.assertNotEmitted(work.refused):
        again.try_again(left)
    assert opened(work) == files[1:]
    assert work.current is work.sessions[0]


def test_what_may_not_be_looked_at_is_told_as_of_any_file(
    qtbot: QtBot, start: Callable[[], Workspace], files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    left_open(qtbot, start(), files)
    work = start()
    again = Reopening(work)
    left = again.begin()
    assert left is not None

    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", refuse)
    again.try_again(left)
    assert opened(work) == files


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", json.dumps({"paths": "a"}), "[" * 100_000],
)
def test_what_makes_no_sense_is_nothing(text: str) -> None:
    assert read(text) is None


def test_odd_parts_are_left_out() -> None:
    text = json.dumps({"paths": ["a", 1, "", "b\0c", "d"], "current": -3, "tries": "x", "ended": 1})
    assert read(text) == Left(("a", "d"))


def test_two_screens_have_a_list_each(qtbot: QtBot, start: Callable[[], Workspace], files: list[str]) -> None:
    screens = {":0": files[:1], ":1": files[1:]}
    running = {screen: start() for screen in screens}
    for screen, work in running.items():
        assert Reopening(work, screen).begin() is None
        for path in screens[screen]:
            work.open(path)

    def kept_paths() -> dict[str, tuple[str, ...]]:
        lists = {screen: read(work.settings.get(list_of(screen))) for screen, work in running.items()}
        return {screen: left.paths for screen, left in lists.items() if left is not None}

    qtbot.waitUntil(lambda: kept_paths() == {screen: tuple(paths) for screen, paths in screens.items()})
    for screen in screens:
        left = Reopening(start(), screen).begin()
        assert left is not None
        assert left.paths == tuple(screens[screen])


def test_a_list_for_all_screens_is_taken_over_once(start: Callable[[], Workspace], files: list[str]) -> None:
    start().settings.set(OPEN_NOW, json.dumps({"paths": files}))
    left = Reopening(start(), ":0").begin()
    assert left == Left(tuple(files))
    Reopening(start(), ":0").try_again(left)
    assert Reopening(start(), ":1").begin() is None
