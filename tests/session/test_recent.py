"""Recent files: newest first, once each, bounded, described, forgotten."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile
from pytestqt.qtbot import QtBot

from viewer.session import state_folder
from viewer.session.recent import RecentFile, RecentFiles, missing
from viewer.session.settings import RECENT, RECENT_KEPT, Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")


def on_disk(recent: RecentFiles) -> list[dict[str, object]]:
    recent.folder.settle()
    rows = json.loads(recent.folder.read("recent.json", 1 << 20))
    assert isinstance(rows, list)
    return rows


Start = Callable[[], RecentFiles]


@pytest.fixture
def start(settings: Settings) -> Iterator[Start]:
    """Makes the list of another window; what others have written is on the disk by then."""
    made: list[RecentFiles] = []

    def make() -> RecentFiles:
        for one in made:
            one.folder.settle()
        made.append(RecentFiles(settings))
        return made[-1]

    yield make
    for one in made:
        one.close()


def names(recent: RecentFiles) -> list[str]:
    return [Path(file.path).name for file in recent.files]


def test_newest_first_and_once_each(qtbot: QtBot, start: Start) -> None:
    recent = start()
    recent.add("/a/one.pt", 10)
    recent.add("/a/two.pt", 20)
    with qtbot.waitSignal(recent.changed):
        recent.add("/a/one.pt", 11)
    assert names(recent) == ["one.pt", "two.pt"]
    assert recent.files[0].size == 11
    assert names(start()) == ["one.pt", "two.pt"]


def test_only_as_many_as_the_setting_allows(settings: Settings, start: Start) -> None:
    settings.set(RECENT_KEPT, 3)
    recent = start()
    for number in range(5):
        recent.add(f"/a/{number}.pt", 1)
    assert names(recent) == ["4.pt", "3.pt", "2.pt"]


def test_what_was_found_stays_when_it_is_opened_again(start: Start) -> None:
    recent = start()
    recent.add("/a/one.pt", 10)
    recent.describe("/a/one.pt", "torch-legacy", 15, damaged=True)
    recent.add("/a/one.pt", 10)
    (file,) = recent.files
    assert (file.format, file.tensors, file.damaged) == ("torch-legacy", 15, True)


def test_a_name_that_is_no_utf8_survives(settings: Settings, start: Start) -> None:
    recent = start()
    recent.add(b"/a/\xff.pt".decode("utf-8", "surrogateescape"), 1)
    settings.save()
    (file,) = start().files
    assert file.path == "/a/\udcff.pt"


def test_missing_files_are_found_and_forgotten(tmp_path: Path, start: Start) -> None:
    there = tmp_path / "there.pt"
    there.write_bytes(b"x")
    recent = start()
    recent.add(there, 1)
    recent.add("/nowhere/gone.pt", 1)
    assert missing(recent.files) == ["/nowhere/gone.pt"]
    recent.forget(missing(recent.files))
    assert names(recent) == ["there.pt"]


def test_pinned_files_stand_first_and_stay(settings: Settings, start: Start) -> None:
    settings.set(RECENT_KEPT, 2)
    recent = start()
    for number in range(4):
        recent.add(f"/a/{number}.pt", 1)
        recent.pin(f"/a/{number}.pt", pinned=number < 2)
    recent.add("/a/4.pt", 1)
    assert names(recent) == ["0.pt", "1.pt", "4.pt", "3.pt"]
    # Pinned ones stay where people look for them.
    recent.add("/a/1.pt", 7)
    assert names(recent) == ["0.pt", "1.pt", "4.pt", "3.pt"]
    assert recent.known("/a/1.pt").size == 7
    settings.set(RECENT_KEPT, 0)
    recent.add("/a/5.pt", 1)
    assert names(recent) == ["0.pt", "1.pt"]
    recent.pin("/a/0.pt", pinned=False)
    assert names(start()) == ["1.pt"]


def test_a_file_that_is_not_listed_is_pinned(settings: Settings, start: Start) -> None:
    settings.set(RECENT_KEPT, 0)
    recent = start()
    recent.pin("/a/one.pt", pinned=True)
    assert recent.files == (RecentFile("/a/one.pt", pinned=True),)
    assert recent.known("/a/two.pt") == RecentFile("/a/two.pt")


def test_pins_of_another_window_are_kept(qtbot: QtBot, start: Start) -> None:
    recent, other = start(), start()
    other.add("/a/one.pt", 1)
    other.pin("/a/one.pt", pinned=True)
    other.folder.settle()
    recent.add("/a/two.pt", 1)
    qtbot.waitUntil(lambda: names(recent) == ["one.pt", "two.pt"])


def test_a_version_without_pins_reads_those_that_are_not_pinned(settings: Settings, start: Start) -> None:
    recent = start()
    for name in ("one", "two"):
        recent.add(f"/a/{name}.pt", 1)
    recent.pin("/a/one.pt", pinned=True)
    assert ["pinned" in row for row in on_disk(recent)] == [True, False]


def test_a_file_that_was_found_elsewhere_keeps_its_pin(qtbot: QtBot, start: Start) -> None:
    recent = start()
    recent.add("/a/one.pt", 10)
    recent.add("/b/one.pt", 10)
    recent.pin("/a/one.pt", pinned=True)
    with qtbot.waitSignal(recent.changed):
        recent.set_gone(["/a/one.pt"])
    with qtbot.assertNotEmitted(recent.changed):
        recent.set_gone(["/a/one.pt"])
    recent.move("/a/one.pt", "/b/one.pt")
    (file,) = recent.files
    assert (file.path, file.pinned, recent.gone) == ("/b/one.pt", True, frozenset())


def test_a_file_that_is_opened_is_there(start: Start) -> None:
    recent = start()
    recent.set_gone(["/a/one.pt"])
    recent.add("/a/one.pt", 10)
    assert recent.gone == frozenset()


def test_clear(qtbot: QtBot, start: Start) -> None:
    recent = start()
    recent.add("/a/one.pt", 1)
    with qtbot.waitSignal(recent.changed):
        recent.clear()
    assert recent.files == ()


def test_clearing_leaves_the_pinned_ones_and_forgetting_none(start: Start) -> None:
    recent = start()
    for name in ("one", "two"):
        recent.add(f"/a/{name}.pt", 1)
    recent.pin("/a/one.pt", pinned=True)
    recent.clear()
    assert names(recent) == ["one.pt"]
    recent.forget_all()
    assert start().files == ()


@pytest.mark.parametrize("kept", ["", "{", "7", '[1, {"path": 3}, {"nothing": 1}]'])
def test_a_broken_list_is_an_empty_one(settings: Settings, kept: str, start: Start) -> None:
    settings.set(RECENT, kept)
    assert start().files == ()


def test_rows_of_another_version_are_left_out(settings: Settings, start: Start) -> None:
    settings.set(RECENT, '[{"path": "/a", "size": 1, "colour": 2}, {"path": "/b", "size": 2}]')
    assert start().files == (RecentFile("/b", 2),)


def test_what_may_not_be_looked_at_is_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", refuse)
    assert missing([RecentFile("/closed/a.pt")]) == []


@pytest.mark.parametrize("kept", [b"", b"{", b"7", b"\xff\x00", b"[" * 100_000, b'[1, {"path": 3}, {"nothing": 1}]'])
def test_a_damaged_file_is_an_empty_list(start: Start, kept: bytes) -> None:
    first = start()
    first.folder.make()
    (first.folder.path / "recent.json").write_bytes(kept)
    again = start()
    assert again.files == ()
    again.add("/a/one.pt", 1)
    assert names(start()) == ["one.pt"]


def test_two_windows_that_write_at_once_lose_nothing(qtbot: QtBot, settings: Settings, start: Start) -> None:
    settings.set(RECENT_KEPT, 100)
    windows = [start() for _ in range(3)]
    for number in range(30):
        windows[number % 3].add(f"/a/{number}.pt", 1)
    expected = {f"{number}.pt" for number in range(30)}
    for recent in windows:
        recent.folder.settle()
    assert set(names(start())) == expected
    windows[0].describe("/a/0.pt", "", 0, damaged=False)
    qtbot.waitUntil(lambda: set(names(windows[0])) == expected)


def test_a_list_that_arrives_late_takes_back_no_change(qtbot: QtBot, start: Start) -> None:
    """The thread tells of the list as it was while the person has changed it again."""
    recent = start()
    shown: list[list[str]] = []
    for number in range(5):
        recent.add(f"/a/{number}.pt", 1)
        recent.folder.settle()
    recent.changed.connect(lambda: shown.append(names(recent)))
    with qtbot.waitSignal(recent._on_disk):
        recent.pin("/a/0.pt", pinned=True)
    qtbot.waitUntil(lambda: not recent._asked)
    assert shown == [["0.pt", "4.pt", "3.pt", "2.pt", "1.pt"]]


def test_the_list_of_an_older_version_is_taken_over_once(settings: Settings, start: Start) -> None:
    settings.set(RECENT, '[{"path": "/a", "size": 1, "pinned": true}, {"path": "/b", "size": 2}]')
    assert start().files == (RecentFile("/a", 1, pinned=True), RecentFile("/b", 2))
    assert settings.get(RECENT) == "[]"
    recent = start()
    recent.pin("/a", pinned=False)
    settings.set(RECENT, '[{"path": "/a", "size": 1, "pinned": true}, {"path": "/c", "size": 3}]')
    assert start().files == (RecentFile("/a", 1), RecentFile("/b", 2), RecentFile("/c", 3))


def test_a_folder_that_cannot_be_written_is_told_and_the_list_goes_on(settings: Settings, start: Start) -> None:
    settings.set(RECENT, '[{"path": "/old", "size": 1}]')
    settings.state_folder.write_bytes(b"")
    recent = start()
    recent.add("/a/one.pt", 1)
    recent.folder.settle()
    assert isinstance(recent.folder.failure, NotADirectoryError)
    assert names(recent) == ["one.pt", "old"]
    assert names(start()) == ["old"]
    # There is room again: nothing that was asked meanwhile is lost.
    settings.state_folder.unlink()
    recent.add("/a/two.pt", 1)
    recent.folder.settle()
    assert names(start()) == ["two.pt", "one.pt", "old"]


def test_another_program_that_was_stopped_holds_nobody(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_folder, "PATIENCE_MS", 50)
    recent = start()
    recent.folder.make()
    held = QLockFile(str(recent.folder.path / state_folder.LOCK))
    assert held.tryLock(0)
    recent.add("/a/one.pt", 1)
    assert [row["path"] for row in on_disk(recent)] == ["/a/one.pt"]
    held.unlock()


def test_nothing_is_written_by_the_thread_of_the_window(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    recent = start()
    threads: list[threading.Thread] = []
    put = recent.folder.put

    def noted(name: str, content: bytes) -> bool:
        threads.append(threading.current_thread())
        return put(name, content)

    monkeypatch.setattr(recent.folder, "put", noted)
    recent.add("/a/one.pt", 1)
    recent.folder.settle()
    assert len(threads) == 1
    assert threads != [threading.current_thread()]
