"""What a window says of the files that were open the last time, and what its bars do."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.session.runs import NAMES, SAMPLES, Run, kept
from tests.ui.shell import make_window
from viewer.session.open_lists import Left
from viewer.session.reopening import Reopening
from viewer.session.settings import Settings
from viewer.ui.reopened import Reopened


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    folder = tmp_path / "models"
    folder.mkdir()
    return [str(shutil.copy(SAMPLES / name, folder / name)) for name in NAMES]


class Window:
    """A window over the files that were left open; `run` is what it stands on."""

    def __init__(self, qtbot: QtBot, settings: Settings, left: Left) -> None:
        before = Run(settings)
        before.lists.write(left)
        before.lists.folder.settle()
        before.kill()
        before.work.close_all()
        self.window = make_window(settings)
        self.run = Run(settings)
        self.run.work.close_all()
        self.run.work = self.window.workspace
        self.run.keeping = Reopening(self.run.work, self.run.lists)
        qtbot.addWidget(self.window, before_close_func=lambda one: one.workspace.close_all())
        self.reopened = Reopened(self.window, self.run.keeping)

    def bars(self) -> list[tuple[str, str, list[str]]]:
        shown = self.window.bars.shown
        return [(one.title, one.sentence, [words for words, _ in one.actions]) for one in shown]

    def end(self) -> None:
        self.run.work.close_all()
        self.run.lists.end(None)


@pytest.fixture
def windows(qtbot: QtBot, settings: Settings) -> Iterator[list[Window]]:
    del qtbot, settings
    made = list[Window]()
    yield made
    for one in made:
        one.end()


ENDED = "The program ended soon after it opened the files of the last time."
OFFER = ["Open them", "Leave them closed"]


@pytest.mark.parametrize("answer", ["open", "leave", "close"])
def test_files_that_ended_the_program_are_asked_for_by_name_once(
    qtbot: QtBot, settings: Settings, windows: list[Window], files: list[str], answer: str
) -> None:
    windows.append(Window(qtbot, settings, Left(tuple(files), tries=1)))
    one = windows[0]
    one.reopened.bring_back(is_first=True)
    cause = f"They were not opened again, as one of them may be the cause: {', '.join(NAMES)}."
    assert one.bars() == [(ENDED, cause, OFFER)]
    assert one.run.work.sessions == []
    (message,) = one.window.bars.shown
    if answer == "close":
        assert one.window.bars.close_first()
    else:
        message.actions[answer == "leave"][1]()
    opened = [str(session.path) for session in one.run.work.sessions]
    assert opened == (files if answer == "open" else [])
    # What is on the disk by then is asked for no more.
    one.run.keeping._keep()
    assert kept(one.run) == Left(tuple(opened), 0, tries=2 if answer == "open" else 0)


def test_another_window_goes_on_asking(
    qtbot: QtBot, settings: Settings, windows: list[Window], files: list[str]
) -> None:
    windows.append(Window(qtbot, settings, Left(tuple(files), tries=1)))
    windows[0].reopened.bring_back(is_first=True)
    asked = windows[0].reopened.hand_on()
    assert asked is not None
    windows.append(Window(qtbot, settings, Left(())))
    windows[1].reopened.follow(asked)
    assert [title for title, _, _ in windows[1].bars()] == [ENDED]
    windows[1].window.bars.close_first()
    assert windows[1].run.keeping.asked is None


def test_a_file_that_is_gone_is_told_with_what_to_do(
    qtbot: QtBot, settings: Settings, windows: list[Window], files: list[str]
) -> None:
    windows.append(Window(qtbot, settings, Left(tuple(files))))
    one = windows[0]
    one.run.work.recent.add(files[1], 10)
    Path(files[1]).unlink()
    one.reopened.bring_back(is_first=True)
    gone, back = one.bars()
    assert gone == (
        f"{NAMES[1]} was open and is no longer there.",
        f"It was {files[1]}. Show where it is now to have it as it was.",
        ["Find it…", "Remove from the list"],
    )
    assert back[0] == "The last time the program was not left as usual."
    assert one.run.work.recent.gone == {files[1]}


def test_of_several_that_are_gone_the_first_are_named(
    qtbot: QtBot, settings: Settings, windows: list[Window], files: list[str]
) -> None:
    gone = [f"/gone/{number}.pt" for number in range(4)]
    windows.append(Window(qtbot, settings, Left(tuple(gone))))
    one = windows[0]
    one.reopened.bring_back(is_first=True)
    assert one.bars() == [
        (
            "4 files that were open are no longer there.",
            "They were: 0.pt, 1.pt, 2.pt and 1 more. The list of recent files offers to find each.",
            [],
        )
    ]
