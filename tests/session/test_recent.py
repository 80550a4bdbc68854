"""Recent files: newest first, once each, bounded, described, forgotten."""

from __future__ import annotations

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


def test_clear(qtbot: QtBot, settings: Settings) -> None:
    recent = RecentFiles(settings)
    recent.add("/a/one.pt", 1)
    with qtbot.waitSignal(recent.changed):
        recent.clear()
    assert recent.files == ()


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
