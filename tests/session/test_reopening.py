"""The files that were open come back after a fault, and never again and again."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.session.runs import NAMES, SAMPLES, Run, Start, kept, opened
from viewer.session import open_lists, reopening
from viewer.session.jobs import Jobs
from viewer.session.open_lists import Left, read, screen_mark
from viewer.session.reopening import Reopening, open_now
from viewer.session.session import Session
from viewer.session.setting import Setting
from viewer.session.settings import OPEN_NOW, REOPEN
from viewer.session.workspace import Workspace


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return [str(shutil.copy(SAMPLES / name, tmp_path / name)) for name in NAMES]


def left_open(qtbot: QtBot, run: Run, files: list[str], current: int = 1) -> None:
    """A run of the program that ends without a word."""
    assert run.keeping.begin() is None
    has_open(qtbot, run, files, current)
    run.kill()


def has_open(qtbot: QtBot, run: Run, files: list[str], current: int) -> None:
    for path in files:
        run.work.open(path)
    run.work.activate(run.work.sessions[current])
    qtbot.waitUntil(lambda: kept(run) == Left(tuple(files), current))


def test_after_a_fault_the_files_come_back(qtbot: QtBot, start: Start, files: list[str]) -> None:
    left_open(qtbot, start(), files)
    again = start()
    left = again.keeping.begin()
    assert left == Left(tuple(files), 1)
    again.keeping.try_again(left)
    assert opened(again.work) == files
    assert again.work.current is again.work.sessions[1]


def test_files_that_end_the_program_are_asked_for(
    qtbot: QtBot, start: Start, files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    left_open(qtbot, start(), files)
    second = start()
    left = second.keeping.begin()
    assert left is not None
    second.keeping.try_again(left)
    second.kill()
    monkeypatch.setattr(reopening, "SETTLED_MS", 1)
    third = start()
    left = third.keeping.begin()
    assert left is not None
    assert left.tries == 1
    third.keeping.try_again(left)
    qtbot.waitUntil(lambda: kept(third) == Left(tuple(files), 1))


def test_files_that_are_still_read_have_not_gone_well(
    qtbot: QtBot, start: Start, files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    left_open(qtbot, start(), files)
    monkeypatch.setattr(reopening, "SETTLED_MS", 1)
    second = start()
    left = second.keeping.begin()
    assert left is not None
    Jobs.hold()
    try:
        second.keeping.try_again(left)
        with qtbot.waitSignal(second.keeping._settled.timeout):
            pass
        assert kept(second) == Left(tuple(files), 1, tries=1)
    finally:
        Jobs.let_go()
    qtbot.waitUntil(lambda: kept(second) == Left(tuple(files), 1))


def test_files_that_are_asked_for_stay_kept_until_others_are_open(qtbot: QtBot, start: Start, files: list[str]) -> None:
    left_open(qtbot, start(), files)
    for _ in range(2):
        run = start()
        assert run.keeping.begin() == Left(tuple(files), 1)
        run.kill()


def test_files_that_are_asked_for_stay_kept_beside_what_is_opened_meanwhile(
    qtbot: QtBot, start: Start, files: list[str]
) -> None:
    left_open(qtbot, start(), files[:2])
    second = start()
    left = second.keeping.begin()
    assert left is not None
    second.keeping.try_again(left)
    second.kill()
    third = start()
    asked = third.keeping.begin()
    assert asked == Left(tuple(files[:2]), 1, tries=1)
    third.work.open(files[2])
    qtbot.waitUntil(lambda: kept(third) == Left((files[2], *files[:2]), 0, tries=1))
    # Until it is answered: then they are open, and count as such.
    third.keeping.try_again(asked)
    third.work.close(third.work.sessions[-1])
    third.keeping._keep()
    assert kept(third) == Left((files[2], files[0]), 1, tries=2)
    third.kill()
    assert start().keeping.begin() == Left((files[2], files[0]), 1, tries=2)


@pytest.mark.parametrize(("wish", "comes"), [("fault", False), ("always", True), ("never", False)])
def test_after_an_ordinary_end_it_is_as_the_person_wishes(
    start: Start, files: list[str], wish: str, comes: bool
) -> None:
    run = start()
    run.work.settings.set(REOPEN, wish)
    run.keeping.begin()
    for path in files:
        run.work.open(path)
    run.work.close_all()
    # Nothing is remembered that is not to come back.
    assert bool(run.lists.folder.names()) is comes
    left = start().keeping.begin()
    assert left == (Left(tuple(files), 2, ended=True) if comes else None)


def test_never_is_never(qtbot: QtBot, start: Start, files: list[str]) -> None:
    run = start()
    run.work.settings.set(REOPEN, "never")
    assert run.keeping.begin() is None
    run.work.open(files[0])
    qtbot.waitUntil(lambda: kept(run) == Left(()))
    run.kill()
    assert start().keeping.begin() is None


def test_what_is_gone_is_left_out(qtbot: QtBot, start: Start, files: list[str]) -> None:
    left_open(qtbot, start(), files)
    Path(files[0]).unlink()
    again = start()
    left = again.keeping.begin()
    assert left is not None
    with qtbot.assertNotEmitted(again.work.refused):
        again.keeping.try_again(left)
    assert opened(again.work) == files[1:]
    assert again.work.current is again.work.sessions[0]


def test_what_may_not_be_looked_at_is_told_as_of_any_file(
    qtbot: QtBot, start: Start, files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    left_open(qtbot, start(), files)
    again = start()
    left = again.keeping.begin()
    assert left is not None

    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", refuse)
    again.keeping.try_again(left)
    assert opened(again.work) == files


def test_two_screens_have_lists_of_their_own(qtbot: QtBot, start: Start, files: list[str]) -> None:
    screens = {":0": files[:1], ":1": files[1:]}
    running = {screen: start(screen) for screen in screens}
    for screen, run in running.items():
        assert run.keeping.begin() is None
        has_open(qtbot, run, screens[screen], 0)
    for run in running.values():
        run.kill()
    for screen in screens:
        left = start(screen).keeping.begin()
        assert left is not None
        assert left.paths == tuple(screens[screen])


def test_the_files_of_all_windows_come_back(qtbot: QtBot, start: Start, files: list[str]) -> None:
    first, second = start(), start()
    assert first.keeping.begin() is None
    has_open(qtbot, first, files[:2], 0)
    assert second.keeping.begin(is_first=False) is None
    has_open(qtbot, second, files[1:], 0)
    # What is open in a window that runs is left to it.
    other = start()
    assert other.keeping.begin(is_first=False) is None
    for run in (other, second, first):
        run.kill()
    again = start()
    left = again.keeping.begin()
    assert left is not None
    assert set(left.paths) == set(files)
    again.keeping.try_again(left)
    assert sorted(opened(again.work)) == sorted(files)
    # Their lists went into that of this window.
    assert [name for name in again.lists.folder.names() if name.endswith(".json")] == [f"{again.lists._name}.json"]
    again.kill()
    last = start().keeping.begin()
    assert last is not None
    assert set(last.paths) == set(files)


def test_a_window_beside_another_takes_what_a_third_one_lost(qtbot: QtBot, start: Start, files: list[str]) -> None:
    first = start()
    first.work.settings.set(REOPEN, "always")
    assert first.keeping.begin() is None
    has_open(qtbot, first, files[:1], 0)
    second, third = start(), start()
    assert second.keeping.begin(is_first=False) is None
    has_open(qtbot, second, files[1:2], 0)
    second.kill()
    assert third.keeping.begin(is_first=False) == Left(tuple(files[1:2]))
    third.keeping.try_again(Left(tuple(files[1:2])))
    third.work.close_all()
    # It was left as usual: the next window beside the first one opens nothing.
    assert start().keeping.begin(is_first=False) is None


def test_a_window_that_runs_is_told_what_another_one_lost(qtbot: QtBot, start: Start, files: list[str]) -> None:
    first, second = start(), start()
    assert first.keeping.begin() is None
    has_open(qtbot, first, files[:1], 0)
    assert second.keeping.begin(is_first=False) is None
    has_open(qtbot, second, files[1:], 1)
    assert first.keeping.lost() is None
    second.kill()
    # Asking takes nothing: it is there until the person has decided, and another change here loses none of it.
    for _ in range(2):
        assert first.keeping.lost() == Left(tuple(files[1:]), 1)
        first.work.open(files[0])
        first.keeping._keep()
        first.lists.folder.settle()
    first.keeping.take_lost()
    assert opened(first.work) == files
    assert first.keeping.lost() is None
    # Before the first of them was opened all stood in the list of this window: they may end it too.
    assert kept(first) == Left(tuple(files), 0, tries=1)
    first.kill()
    left = start().keeping.begin()
    assert left is not None
    assert (set(left.paths), left.tries) == (set(files), 1)


def test_what_another_window_lost_can_be_left_closed(qtbot: QtBot, start: Start, files: list[str]) -> None:
    first, second = start(), start()
    first.keeping.begin()
    has_open(qtbot, first, files[:1], 0)
    second.keeping.begin(is_first=False)
    has_open(qtbot, second, files[1:], 0)
    second.kill()
    first.keeping.drop_lost()
    first.lists.folder.settle()
    assert first.keeping.lost() is None
    assert opened(first.work) == files[:1]
    first.kill()
    assert start().keeping.begin() == Left(tuple(files[:1]))


def test_nothing_that_was_lost_is_offered_where_nothing_is_to_come_back(
    qtbot: QtBot, start: Start, files: list[str]
) -> None:
    first, second = start(), start()
    first.keeping.begin()
    second.keeping.begin(is_first=False)
    has_open(qtbot, second, files, 0)
    second.kill()
    first.work.settings.set(REOPEN, "never")
    assert first.keeping.lost() is None


def test_what_a_window_lost_comes_back_when_the_other_one_was_left(
    qtbot: QtBot, start: Start, files: list[str]
) -> None:
    first, second = start(), start()
    first.keeping.begin()
    second.keeping.begin(is_first=False)
    has_open(qtbot, second, files, 0)
    second.kill()
    assert first.keeping.lost() is not None
    first.work.close_all()
    assert start().keeping.begin() == Left(tuple(files))


def test_of_windows_that_were_left_as_usual_the_last_one_comes_back(
    qtbot: QtBot, start: Start, files: list[str]
) -> None:
    runs = start(), start()
    for age, run, path in zip((9, 5), runs, files, strict=False):
        run.work.settings.set(REOPEN, "always")
        run.keeping.begin(is_first=False)
        has_open(qtbot, run, [path], 0)
        run.work.close_all()
        os.utime(run.lists.folder.path / f"{run.lists._name}.json", (1000 - age, 1000 - age))
    assert start().keeping.begin() == Left((files[1],), 0, ended=True)


def test_another_window_of_the_program_goes_on_with_the_list(qtbot: QtBot, start: Start, files: list[str]) -> None:
    """The language changes: the window is made anew."""
    run = start()
    assert run.keeping.begin() is None
    has_open(qtbot, run, files, 1)
    run.keeping.hand_on()
    run.work.close_all()
    assert kept(run) == Left(tuple(files), 1)
    run.work = Workspace(run.work.settings)
    run.keeping = Reopening(run.work, run.lists)
    run.keeping.follow()
    has_open(qtbot, run, files[:1], 0)
    run.kill()
    assert start().keeping.begin() == Left(tuple(files[:1]))


def test_many_files_are_opened_again(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of the language closes none."""
    run = start()
    monkeypatch.setattr(run.work, "sessions", [Session(f"/a/{number}.pt", run.work) for number in range(120)])
    assert len(open_now(run.work).paths) == 120
    for session in run.work.sessions:
        session.jobs.close()
    monkeypatch.undo()


def test_lists_of_screens_that_are_gone_are_bounded(qtbot: QtBot, start: Start, files: list[str]) -> None:
    for number in range(open_lists.LISTS + 5):
        left_open(qtbot, start(f":{number}"), files[:1], 0)
    run = start(":0")
    run.keeping.begin()
    run.keeping.try_again(Left(tuple(files[:1])))
    run.lists.folder.settle()
    lists = [name for name in run.lists.folder.names() if name.endswith(".json")]
    assert len(lists) <= open_lists.LISTS + 1
    assert kept(run) is not None


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", json.dumps({"paths": "a"}), "[" * 100_000],
)
def test_what_makes_no_sense_is_nothing(start: Start, text: str) -> None:
    assert read(text) is None
    run = start()
    run.lists.folder.make()
    (run.lists.folder.path / f"{run.lists._screen}-odd.json").write_text(text, encoding="ascii")
    assert run.keeping.begin() is None


def test_a_number_of_no_file_opens_them_all_the_same(start: Start, files: list[str]) -> None:
    run = start()
    run.keeping.try_again(Left(tuple(files), len(files)))
    assert opened(run.work) == files


def test_odd_parts_are_left_out() -> None:
    text = json.dumps({"paths": ["a", 1, "", "b\0c", "d"], "current": -3, "tries": "x", "ended": 1})
    assert read(text) == Left(("a", "d"))


def test_lists_among_the_settings_are_taken_over_once(start: Start, files: list[str]) -> None:
    settings = start().work.settings
    settings.set(OPEN_NOW, json.dumps({"paths": files[:1]}))
    settings.set(Setting(f"{OPEN_NOW.key}_{screen_mark(':1')}", ""), json.dumps({"paths": files[1:]}))
    assert start(":0").keeping.begin() == Left(tuple(files[:1]))
    assert settings.keys_from(OPEN_NOW.key) == []
    assert start(":1").keeping.begin() == Left(tuple(files[1:]))
    assert start(":2").keeping.begin() is None
