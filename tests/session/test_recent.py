"""Recent files: newest first, once each, bounded, described, forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from viewer.session.recent import RecentFile, RecentFiles, missing
from viewer.session.settings import RECENT, RECENT_KEPT, Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.ini")


def names(recent: RecentFiles) -> list[str]:
    return [Path(file.path).name for file in recent.files]


def test_newest_first_and_once_each(qtbot: QtBot, settings: Settings) -> None:
    recent = RecentFiles(settings)
    recent.add("/a/one.pt", 10)
    recent.add("/a/two.pt", 20)
    with qtbot.waitSignal(recent.changed):
        recent.add("/a/one.pt", 11)
    assert names(recent) == ["one.pt", "two.pt"]
    assert recent.files[0].size == 11
    assert names(RecentFiles(settings)) == ["one.pt", "two.pt"]


def test_only_as_many_as_the_setting_allows(settings: Settings) -> None:
    settings.set(RECENT_KEPT, 3)
    recent = RecentFiles(settings)
    for number in range(5):
        recent.add(f"/a/{number}.pt", 1)
    assert names(recent) == ["4.pt", "3.pt", "2.pt"]


def test_what_was_found_stays_when_it_is_opened_again(settings: Settings) -> None:
    recent = RecentFiles(settings)
    recent.add("/a/one.pt", 10)
    recent.describe("/a/one.pt", "torch-legacy", 15, damaged=True)
    recent.add("/a/one.pt", 10)
    (file,) = recent.files
    assert (file.format, file.tensors, file.damaged) == ("torch-legacy", 15, True)


def test_a_name_that_is_no_utf8_survives(settings: Settings) -> None:
    recent = RecentFiles(settings)
    recent.add(b"/a/\xff.pt".decode("utf-8", "surrogateescape"), 1)
    settings.save()
    (file,) = RecentFiles(settings).files
    assert file.path == "/a/\udcff.pt"


def test_missing_files_are_found_and_forgotten(settings: Settings, tmp_path: Path) -> None:
    there = tmp_path / "there.pt"
    there.write_bytes(b"x")
    recent = RecentFiles(settings)
    recent.add(there, 1)
    recent.add("/nowhere/gone.pt", 1)
    assert missing(recent.files) == ["/nowhere/gone.pt"]
    recent.forget(missing(recent.files))
    assert names(recent) == ["there.pt"]


def test_pinned_files_stand_first_and_stay(settings: Settings) -> None:
    settings.set(RECENT_KEPT, 2)
    recent = RecentFiles(settings)
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
    assert names(RecentFiles(settings)) == ["1.pt"]


def test_a_file_that_is_not_listed_is_pinned(settings: Settings) -> None:
    settings.set(RECENT_KEPT, 0)
    recent = RecentFiles(settings)
    recent.pin("/a/one.pt", pinned=True)
    assert recent.files == (RecentFile("/a/one.pt", pinned=True),)
    assert recent.known("/a/two.pt") == RecentFile("/a/two.pt")


def test_pins_of_another_window_are_kept(settings: Settings, tmp_path: Path) -> None:
    recent, other = RecentFiles(settings), RecentFiles(settings)
    other.add("/a/one.pt", 1)
    other.pin("/a/one.pt", pinned=True)
    recent.add("/a/two.pt", 1)
    assert names(recent) == ["one.pt", "two.pt"]


def test_a_version_without_pins_reads_those_that_are_not_pinned(settings: Settings) -> None:
    recent = RecentFiles(settings)
    for name in ("one", "two"):
        recent.add(f"/a/{name}.pt", 1)
    recent.pin("/a/one.pt", pinned=True)
    assert ["pinned" in row for row in json.loads(settings.get(RECENT))] == [True, False]


def test_a_file_that_was_found_elsewhere_keeps_its_pin(qtbot: QtBot, settings: Settings) -> None:
    recent = RecentFiles(settings)
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


def test_a_file_that_is_opened_is_there(settings: Settings) -> None:
    recent = RecentFiles(settings)
    recent.set_gone(["/a/one.pt"])
    recent.add("/a/one.pt", 10)
    assert recent.gone == frozenset()


def test_clear(qtbot: QtBot, settings: Settings) -> None:
    recent = RecentFiles(settings)
    recent.add("/a/one.pt", 1)
    with qtbot.waitSignal(recent.changed):
        recent.clear()
    assert recent.files == ()


def test_clearing_leaves_the_pinned_ones_and_forgetting_none(settings: Settings) -> None:
    recent = RecentFiles(settings)
    for name in ("one", "two"):
        recent.add(f"/a/{name}.pt", 1)
    recent.pin("/a/one.pt", pinned=True)
    recent.clear()
    assert names(recent) == ["one.pt"]
    recent.forget_all()
    assert RecentFiles(settings).files == ()


@pytest.mark.parametrize("kept", ["", "{", "7", '[1, {"path": 3}, {"nothing": 1}]'])
def test_a_broken_list_is_an_empty_one(settings: Settings, kept: str) -> None:
    settings.set(RECENT, kept)
    assert RecentFiles(settings).files == ()


def test_rows_of_another_version_are_left_out(settings: Settings) -> None:
    settings.set(RECENT, '[{"path": "/a", "size": 1, "colour": 2}, {"path": "/b", "size": 2}]')
    assert RecentFiles(settings).files == (RecentFile("/b", 2),)


def test_what_may_not_be_looked_at_is_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", refuse)
    assert missing([RecentFile("/closed/a.pt")]) == []
