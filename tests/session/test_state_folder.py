"""Small files that the program remembers things in: whole, in order, by a thread; a folder that fails harms nothing."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from viewer.session.state_folder import ABANDONED_S, HALF, StateFolder


@pytest.fixture
def folder(qapp: object, tmp_path: Path) -> Iterator[StateFolder]:
    del qapp
    made = StateFolder(tmp_path / "a" / "state")
    yield made
    made.close()


def test_a_file_is_written_by_another_thread(folder: StateFolder) -> None:
    asked: list[threading.Thread] = []

    def content() -> bytes:
        asked.append(threading.current_thread())
        return b"kept"

    folder.write("one", content)
    folder.settle()
    assert folder.read("one", 10) == b"kept"
    assert folder.read("one", 3) == b""
    assert folder.names() == ["one"]
    assert asked != [threading.current_thread()]
    if os.name == "posix":
        assert folder.path.stat().st_mode & 0o077 == 0


def test_the_last_content_of_a_name_is_written(folder: StateFolder) -> None:
    free = threading.Event()
    folder.run(lambda: [free.wait(10)].clear())
    asked: list[int] = []
    for number in range(5):
        folder.write("one", lambda number=number: [asked.append(number), b"%d" % number][1])
    free.set()
    folder.settle()
    assert asked == [4]
    assert folder.read("one", 10) == b"4"


def test_the_same_content_is_not_written_again(folder: StateFolder) -> None:
    folder.write("one", lambda: b"same")
    folder.settle()
    number = (folder.path / "one").stat().st_ino
    os.utime(folder.path / "one", (5, 5))
    folder.write("one", lambda: b"same")
    folder.settle()
    facts = (folder.path / "one").stat()
    assert facts.st_ino == number
    # It is as new as one that was written.
    assert facts.st_mtime > 5
    (folder.path / "one").unlink()
    folder.write("one", lambda: b"same")
    folder.settle()
    assert folder.read("one", 10) == b"same"


def test_a_folder_that_cannot_be_made_is_told_once(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    folder = StateFolder(tmp_path / "file" / "state")
    told: list[object] = []
    folder.failed.connect(told.append)
    for name in ("one", "two"):
        folder.write(name, lambda: b"kept")
    folder.close()
    qtbot.waitUntil(lambda: bool(told))
    assert [type(one) for one in told] == [NotADirectoryError]
    assert folder.names() == []
    assert folder.read("one", 10) == b""


def test_a_full_disk_leaves_the_file_as_it_was(
    qtbot: QtBot, folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("one", lambda: b"before")
    folder.settle()

    def fail(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with qtbot.waitSignal(folder.failed):
        folder.write("one", lambda: b"behind")
    folder.settle()
    assert folder.read("one", 10) == b"before"
    assert [path.name for path in folder.path.iterdir()] == ["one"]


def test_the_newest_are_left(folder: StateFolder) -> None:
    for age, name in enumerate(("a", "b", "c", "d")):
        folder.write(name, lambda: bytes(10))
        folder.settle()
        os.utime(folder.path / name, (1000 - age, 1000 - age))
    folder.bound(3, 1_000)
    assert folder.names() == ["a", "b", "c"]
    folder.bound(3, 25)
    assert folder.names() == ["a", "b"]


def test_what_was_left_half_written_is_taken_away(folder: StateFolder) -> None:
    folder.write("one", lambda: b"x")
    folder.settle()
    old, new = folder.path / f"a{HALF}", folder.path / f"b{HALF}"
    for path in (old, new):
        path.write_bytes(b"")
    long_ago = old.stat().st_mtime - 2 * ABANDONED_S
    os.utime(old, (long_ago, long_ago))
    assert folder.names() == ["one"]
    assert not old.exists()
    assert new.exists()


def test_closed_it_can_be_written_again(folder: StateFolder) -> None:
    folder.write("one", lambda: b"x")
    folder.close()
    folder.write("two", lambda: b"x")
    folder.close()
    assert sorted(folder.names()) == ["one", "two"]
