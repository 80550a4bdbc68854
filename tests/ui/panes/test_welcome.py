"""The page without a file: samples, recent files, a place to drop one."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.shell import SAMPLES
from viewer.session.recent import RecentFile
from viewer.ui.language import Sentences
from viewer.ui.panes.welcome import RECENT_SHOWN, Welcome, recent_row, short_folder
from viewer.ui.panes.welcome import SAMPLES as SAMPLE_WORDS
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


def test_pinned_and_missing_files_look_so(page: Welcome) -> None:
    files = [RecentFile("/data/kept.pt", pinned=True), *(RecentFile(f"/data/{number}.pt") for number in range(9))]
    page.set_recent(files, gone=["/data/0.pt"])
    rows = page.recent.rows
    assert len(rows) == RECENT_SHOWN
    assert [row.pinned for row in rows[:2]] == [True, False]
    assert [row.faded for row in rows[:3]] == [False, True, False]
    words = [page.recent.model().index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(3)]
    assert "Pinned" in words[0]
    assert "Missing" in words[1]
    assert "Missing" not in words[2]
    assert page.clear.isVisible()
    page.set_recent([RecentFile(f"/data/{number}.pt", pinned=True) for number in range(12)])
    assert len(page.recent.rows) == 12
    assert not page.clear.isVisible()


@pytest.mark.parametrize("way", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_a_click_on_the_pin_pins_and_opens_nothing(qtbot: QtBot, page: Welcome, way: Qt.LayoutDirection) -> None:
    page.setLayoutDirection(way)
    page.set_recent([RecentFile("/data/one.pt"), RecentFile("/data/two.pt")])
    view, opened = page.recent, list[str]()
    page.chosen.connect(opened.append)
    with qtbot.waitSignal(page.pin_asked) as told:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.pin_at(1).center())
    assert told.args == ["/data/two.pt"]
    assert opened == []
    with qtbot.assertNotEmitted(page.pin_asked):
        qtbot.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(1, 0)).center()
        )
    assert opened == ["/data/two.pt"]
    # Samples have no pins.
    samples = page.samples
    qtbot.mouseClick(samples.viewport(), Qt.MouseButton.LeftButton, pos=samples.pin_at(0).center())
    assert len(opened) == 2


def test_keys_ask_for_the_menu_and_remove(qtbot: QtBot, page: Welcome) -> None:
    page.set_recent([RecentFile("/data/one.pt", pinned=True), RecentFile("/data/two.pt")], gone=["/data/one.pt"])
    view = page.recent
    view.setCurrentIndex(view.model().index(0, 0))
    asked: list[str] = []
    view.menu_asked.disconnect()
    view.menu_asked.connect(lambda row, place: asked.append(row.target))
    by_key = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0))
    QApplication.sendEvent(view.viewport(), by_key)
    below = view.visualRect(view.model().index(1, 0)).center()
    by_mouse = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, below, view.viewport().mapToGlobal(below))
    QApplication.sendEvent(view.viewport(), by_mouse)
    assert asked == ["/data/one.pt", "/data/two.pt"]
    with qtbot.waitSignal(page.forget_asked) as told:
        qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert told.args == ["/data/one.pt"]


def test_the_menu_of_a_file_offers_what_can_be_done(qtbot: QtBot, page: Welcome) -> None:
    page.set_recent([RecentFile("/data/one.pt", pinned=True), RecentFile("/data/two.pt")], gone=["/data/two.pt"])
    menus = [page.menu_of(row) for row in page.recent.rows]
    words = [[action.text() for action in menu.actions()] for menu in menus]
    assert words == [["Open", "Unpin", "Remove from the list"], ["Find it\u2026", "Pin", "Remove from the list"]]
    signals = ((page.chosen, page.pin_asked, page.forget_asked), (page.find_asked, page.pin_asked, page.forget_asked))
    for menu, path, meant in zip(menus, ("/data/one.pt", "/data/two.pt"), signals, strict=True):
        for action, signal in zip(menu.actions(), meant, strict=True):
            with qtbot.waitSignal(signal) as told:
                action.trigger()
            assert told.args == [path]


@pytest.mark.parametrize("code", ["zh_CN", "ja", "fa"])
def test_nothing_is_pushed_beyond_the_edge_in_large_text(qtbot: QtBot, qapp: QApplication, code: str) -> None:
    sentences = Sentences(code)
    qapp.installTranslator(sentences)
    page = Welcome(load_theme("light", text_scale=2.0))
    qapp.removeTranslator(sentences)
    qtbot.addWidget(page)
    page.resize(880, 600)
    with qtbot.waitExposed(page):
        page.show()
    qtbot.waitUntil(lambda: page.widget().minimumSizeHint().width() <= page.viewport().width())
