"""What is forgotten is named nowhere in the state folder; what was renamed since is found, what is gone is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.session.runs import NAMES, SAMPLES, Run, Start, kept, opened
from viewer.core.span import Span
from viewer.session.bookmarks import Bookmark
from viewer.session.open_lists import Left
from viewer.session.places import FilePlace
from viewer.session.reopening import Reopening, known_now, open_now, open_on
from viewer.session.session import Session
from viewer.session.settings import REOPEN, Settings
from viewer.session.workspace import Workspace


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    folder = tmp_path / "models"
    folder.mkdir()
    return [str(shutil.copy(SAMPLES / name, folder / name)) for name in NAMES]


def left_open(qtbot: QtBot, run: Run, files: list[str]) -> None:
    """These files stand in the list of the run, which is ended without a word."""
    run.keeping.begin()
    for path in files:
        run.work.open(path)
    qtbot.waitUntil(lambda: kept(run) == Left(tuple(files), len(files) - 1))
    run.kill()


def keep_all(run: Run, session: Session, **panes: object) -> None:
    """A place and a bookmark of a file."""
    run.work.places.keep(session.path, run.work.identities[session], FilePlace(span=Span(1, 2), kept=panes))
    session.bookmarks.add(Bookmark("", 1, 2, "here"))


def settle(run: Run) -> None:
    work = run.work
    for folder in (work.places.folder, work.bookmarks.folder, work.recent.folder, run.lists.folder):
        folder.settle()


def naming(run: Run, path: str) -> list[str]:
    """The files of the state folder in which the name of a file stands."""
    settle(run)
    name = Path(path).name.encode()
    folder = run.work.settings.state_folder
    return sorted(
        str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file() and name in one.read_bytes()
    )


def test_a_file_that_is_forgotten_is_named_nowhere_and_does_not_come_back(
    qtbot: QtBot, start: Start, files: list[str]
) -> None:
    run = start()
    run.work.settings.set(REOPEN, "always")
    run.keeping.begin()
    for path in files:
        run.work.open(path)
    first, second, third = run.work.sessions
    keep_all(run, first, compare={"with": files[1], "roots": ["", ""]})
    keep_all(run, second)
    # What is kept of another one later names it no more either.
    assert len(naming(run, files[1])) > 3
    run.work.forget_file(second)
    keep_all(run, third, compare={"with": files[1], "open": [files[1], files[0]]})
    assert naming(run, files[1]) == []
    assert len(naming(run, files[0])) > 3
    assert kept(run) == Left((files[0], files[2]), 1)
    run.kill()

    again = start()
    left = again.keeping.begin()
    assert left == Left((files[0], files[2]), 1)
    again.keeping.try_again(left)
    assert [session.bookmarks.of("") != [] for session in again.work.sessions] == [True, True]
    compared = [again.work.places_left[session].place.kept["compare"] for session in again.work.sessions]
    assert compared == [{"roots": ["", ""]}, {"open": [files[0]]}]


def test_of_all_files_that_are_forgotten_none_is_named(qtbot: QtBot, start: Start, files: list[str]) -> None:
    left_open(qtbot, start(), files[:1])
    left_open(qtbot, start("another screen"), files[1:2])
    run = start()
    asked = run.keeping.begin()
    assert asked is not None
    run.keeping.try_again(asked)
    session = run.work.open(files[2])
    assert session is not None
    keep_all(run, session)
    run.work.recent.pin(files[0], pinned=True)
    run.work.forget_all()
    assert [naming(run, path) for path in files] == [[], [], []]
    run.kill()
    assert start().keeping.begin() is None


def test_lists_of_other_programs_lose_the_file_alone(qtbot: QtBot, start: Start, files: list[str]) -> None:
    left_open(qtbot, start(), files)
    other = start("another screen")
    assert other.keeping.begin() is None
    session = other.work.open(files[0])
    assert session is not None
    other.work.forget_file(session)
    assert naming(other, files[0]) == []
    left = start().keeping.begin()
    assert left is not None
    assert left.paths == tuple(files[1:])


def tried(qtbot: QtBot, start: Start, files: list[str]) -> Run:
    """The third run: the first one left these files open, the second one ended while it tried them."""
    left_open(qtbot, start(), files)
    second = start()
    left = second.keeping.begin()
    assert left is not None
    second.keeping.try_again(left)
    second.kill()
    return start()


def test_what_waits_for_an_answer_is_forgotten_too(qtbot: QtBot, start: Start, files: list[str]) -> None:
    third = tried(qtbot, start, files[:2])
    assert third.keeping.begin() == Left(tuple(files[:2]), 1, tries=1)
    session = third.work.open(files[1])
    assert session is not None
    third.work.forget_file(session)
    assert third.keeping.asked == Left((files[0],), 1, tries=1)
    assert kept(third) == Left((files[0],), 0, tries=1)
    third.work.forget_all()
    assert third.keeping.asked is None
    assert [naming(third, path) for path in files] == [[], [], []]


def test_files_that_stay_closed_are_not_asked_for_again(qtbot: QtBot, start: Start, files: list[str]) -> None:
    third = tried(qtbot, start, files)
    assert third.keeping.begin() == Left(tuple(files), 2, tries=1)
    third.keeping.leave_closed()
    assert kept(third) == Left(())
    third.kill()
    assert start().keeping.begin() is None


def test_a_file_that_was_renamed_comes_back_by_its_new_name(qtbot: QtBot, start: Start, files: list[str]) -> None:
    run = start()
    for path in files:
        session = run.work.open(path)
        assert session is not None
        keep_all(run, session)
    run.work.recent.pin(files[1], pinned=True)
    run.work.close_all()
    left_open(qtbot, start(), files)
    other = str(Path(files[1]).with_name("renamed.pth"))
    Path(files[1]).rename(other)
    again = start()
    left = again.keeping.begin()
    assert left is not None
    with qtbot.assertNotEmitted(again.keeping.missed):
        again.keeping.try_again(left)
    assert opened(again.work) == [files[0], other, files[2]]
    found = again.work.places_left[again.work.sessions[1]]
    assert (found.how, found.path, found.place.span) == ("moved", files[1], Span(1, 2))
    # It is the one that is known, and pinned.
    known = [(file.path, file.pinned) for file in again.work.recent.files]
    assert sorted(known) == sorted([(files[0], False), (other, True), (files[2], False)])


@pytest.mark.parametrize("became", ["removed", "moved away", "another one"])
def test_files_that_are_gone_are_told(
    qtbot: QtBot, start: Start, files: list[str], tmp_path: Path, became: str
) -> None:
    left_open(qtbot, start(), files)
    path = Path(files[1])
    if became == "removed":
        path.unlink()
    elif became == "moved away":
        path.rename(tmp_path / path.name)
    else:
        # The same file by its number, with something else in it, is no sign of the one that was.
        path.rename(path.with_name("other.bin"))
        path.with_name("other.bin").write_bytes(b"\0" * 5_000)
    again = start()
    left = again.keeping.begin()
    assert left is not None
    with qtbot.waitSignal(again.keeping.missed) as missed:
        again.keeping.try_again(left)
    assert missed.args == [(files[1],)]
    assert opened(again.work) == [files[0], files[2]]


def test_a_moved_file_that_was_pinned_under_both_names_is_one(start: Start, files: list[str]) -> None:
    run = start()
    session = run.work.open(files[0])
    assert session is not None
    keep_all(run, session)
    other = str(Path(files[0]).with_name("other.pt"))
    run.work.recent.pin(other, pinned=True)
    run.work.close(session)
    settle(run)
    Path(files[0]).rename(other)
    assert run.work.open(other) is not None
    assert [(file.path, file.pinned) for file in run.work.recent.files] == [(other, True)]


def test_a_file_that_was_forgotten_stays_so_where_it_is_read_again(start: Start, files: list[str]) -> None:
    run = start()
    for path in files[:2]:
        run.work.open(path)
    first, second = run.work.sessions
    run.work.forget_file(second)
    again = run.work.reload(second)
    assert again is not None
    keep_all(run, again)
    # A bookmark that was set since is remembered; nothing else is.
    again.bookmarks.clear()
    assert naming(run, files[1]) == []
    assert [file.path for file in run.work.recent.files] == [files[0]]
    assert run.work.reload(first) is not None
    assert [file.path for file in run.work.recent.files] == [files[0]]


def test_a_window_that_takes_the_place_of_another_lists_no_file_again(
    qtbot: QtBot, start: Start, files: list[str], tmp_path: Path
) -> None:
    """As in another language: nobody opened the files a second time."""
    run = start()
    run.keeping.begin()
    for path in files:
        run.work.open(path)
    run.work.forget_file(run.work.sessions[1])
    run.work.recent.forget([files[2]])
    left, known = open_now(run.work), known_now(run.work)
    listed = [file.path for file in run.work.recent.files]
    assert listed == [files[0]]
    run.keeping.hand_on()
    run.work.close_all()

    run.work = Workspace(Settings(tmp_path / "settings.ini"))
    run.keeping = Reopening(run.work, run.lists)
    run.keeping.follow()
    open_on(run.work, left, known, listed)
    assert opened(run.work) == files
    assert run.work.current is run.work.sessions[2]
    assert [file.path for file in run.work.recent.files] == [files[0]]
    for session in run.work.sessions:
        run.work.places.keep(session.path, run.work.identities[session], FilePlace(span=Span(1, 2)))
    qtbot.waitUntil(lambda: kept(run) == Left((files[0], files[2]), 1))
    assert naming(run, files[1]) == []
    assert naming(run, files[2])
