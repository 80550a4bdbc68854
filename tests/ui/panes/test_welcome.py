"""The page without a file: samples, recent files, a place to drop one."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.ui.shell import SAMPLES
from viewer.session.recent import RecentFile
from viewer.ui.panes.welcome import SAMPLES as SAMPLE_WORDS
from viewer.ui.panes.welcome import Welcome, recent_row, short_folder
from viewer.ui.theme import load_theme


@pytest.fixture
def page(qtbot: QtBot) -> Welcome:
    made = Welcome(load_theme("light"))
    qtbot.addWidget(made)
    made.resize(1200, 800)
    made.show()
    return made


def test_every_sample_is_offered_and_there(page: Welcome) -> None:
    rows = page.samples.rows
    assert len(rows) == 6
    assert all(Path(row.target).is_file() for row in rows)
    assert rows[0].title == "A whole model with its source"


def test_the_words_of_the_samples_can_be_translated() -> None:
    listed = json.loads((SAMPLES / "samples.json").read_text(encoding="utf-8"))
    assert {words for sample in listed for words in (sample["title"], sample["sentence"])} == set(SAMPLE_WORDS)


def test_a_sample_is_opened_by_click_and_by_key(qtbot: QtBot, page: Welcome) -> None:
    view = page.samples
    with qtbot.waitSignal(page.chosen) as told:
        qtbot.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(3, 0)).center()
        )
    assert told.args == [str(SAMPLES / "half_download.pth")]
    view.setCurrentIndex(view.model().index(1, 0))
    with qtbot.waitSignal(page.chosen) as told:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert told.args == [str(SAMPLES / "checkpoint_adam.pt")]


def test_recent_files(qtbot: QtBot, page: Welcome) -> None:
    assert page.none_yet.isVisible()
    files = [RecentFile(f"/data/runs/{number}.ckpt", 3_440_000_000, int(time.time())) for number in range(9)]
    page.set_recent(files)
    assert not page.none_yet.isVisible()
    assert len(page.recent.rows) == 7
    assert page.recent.height() == 7 * 48
    with qtbot.waitSignal(page.clear_asked):
        page.clear.click()


def test_a_row_says_what_was_found() -> None:
    home = Path.home() / "models"
    row = recent_row(RecentFile(str(home / "a.pth"), 57_437, int(time.time()), "torch-legacy", 15))
    assert (row.title, row.sentence, row.more) == ("a.pth", "~/models", "Legacy archive, 15 tensors")
    assert row.facts == ("today", "57.4 kB")
    assert (row.icon, row.icon_color) == ("archive", "muted")
    damaged = recent_row(RecentFile("/x/b.pth", 1, 86_400 * 365, "torch-zip", 1, damaged=True))
    assert (damaged.icon, damaged.icon_color) == ("error", "error")
    assert damaged.more == "Zip checkpoint, 1 tensor"
    assert damaged.facts[0] in ("1 Jan 1971", "31 Dec 1970")
    assert damaged.facts[1] == "1 byte"


def test_folders_outside_of_home_stay_as_they_are() -> None:
    assert short_folder(Path("/data/runs")) == "/data/runs"
    assert short_folder(Path.home()) == "~"


def test_open_is_asked_for(qtbot: QtBot, page: Welcome) -> None:
    with qtbot.waitSignal(page.open_asked):
        page.open_button.click()
