"""Large files go to the disk as they are written, in steps that fit it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from threading import Event
from threading import enumerate as enumerate_threads

import pytest

from viewer.core.errors import CancelledError
from viewer.core.export import atomic, flushing
from viewer.core.export.atomic import check_target, whole_or_absent
from viewer.core.export.flushing import FIRST, LEAST, MOST, SteadyWriter
from viewer.core.progress import Progress

MB = 1024 * 1024


@pytest.mark.parametrize(
    ("seconds", "steps"), [(0.0, [8, 16, 32, 32, 32]), (0.05, [8] * 15), (1.0, [8, 4, 2, *[1] * 106])]
)
def test_steps_follow_the_disk(
    seconds: float, steps: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, flushed = [0.0], [0]

    def flush(descriptor: int) -> None:
        now[0] += seconds
        flushed.append(os.fstat(descriptor).st_size)

    monkeypatch.setattr(flushing, "flush_data", flush)
    monkeypatch.setattr(flushing.time, "monotonic", lambda: now[0])
    path = tmp_path / "out"
    with SteadyWriter(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), Progress()) as file:
        for _ in range(120):
            file.write(bytes(MB))
    assert [(stop - start) // MB for start, stop in pairwise(flushed)] == steps
    assert path.stat().st_size == 120 * MB
    assert LEAST <= FIRST <= MOST


def test_a_small_file_is_not_flushed_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flushing, "flush_data", lambda descriptor: pytest.fail("flushed"))
    with SteadyWriter(os.open(tmp_path / "out", os.O_RDWR | os.O_CREAT, 0o666), Progress()) as file:
        file.writelines([b"abc", b"def"])
        assert file.tell() == 6
        file.seek(0)
        file.write(b"x")
    assert (tmp_path / "out").read_bytes() == b"xbcdef"


def test_what_the_disk_refuses_is_told_by_a_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(flushing, "flush_data", refuse)
    with (
        SteadyWriter(os.open(tmp_path / "out", os.O_RDWR | os.O_CREAT, 0o666), Progress()) as file,
        pytest.raises(OSError, match="No space"),
    ):
        file.write(bytes(FIRST))


class Impatient(Progress):
    """Is stopped when it is looked at a second time."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0

    @property
    def cancelled(self) -> bool:
        self.looks += 1
        return self.looks > 1


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """A disk that takes no end of time; gives the kinds of what is flushed there, True: a folder."""
    go, found = Event(), list[int]()

    def flush(descriptor: int) -> None:
        found.append(stat.S_ISDIR(os.fstat(descriptor).st_mode))
        assert go.wait(120)

    monkeypatch.setattr(flushing, "flush_data", flush)
    monkeypatch.setattr(flushing.os, "fsync", flush)
    yield found
    go.set()
    for thread in enumerate_threads():
        if thread.name == "flushing":
            thread.join(60)


posix = pytest.mark.skipif(os.name == "nt", reason="Windows waits: it removes no file that is open")


@posix
def test_who_stops_does_not_wait_for_the_disk(stuck: list[int], tmp_path: Path) -> None:
    with (
        SteadyWriter(os.open(tmp_path / "out", os.O_RDWR | os.O_CREAT, 0o666), Impatient()) as file,
        pytest.raises(CancelledError),
    ):
        file.write(bytes(FIRST))
    assert stuck == [False]


@posix
@pytest.mark.parametrize("nameless", [True, False])
def test_a_stopped_export_leaves_nothing_while_the_disk_still_works(
    stuck: list[int], nameless: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not nameless:
        monkeypatch.setattr(atomic, "NAMELESS", 0)
    target = check_target(tmp_path / "out", False, ())
    with pytest.raises(CancelledError), whole_or_absent(target, False, Impatient()) as file:
        file.write(b"new")
    assert stuck == [False]
    assert list(tmp_path.iterdir()) == []


@posix
def test_who_stops_when_all_is_there_does_not_wait_for_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, go = os.fsync, Event()

    def flush(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            progress.cancel()
            assert go.wait(120)
        plain(descriptor)

    progress = Progress()
    monkeypatch.setattr(atomic.os, "fsync", flush)
    with whole_or_absent(check_target(tmp_path / "out", False, ()), False, progress) as file:
        file.write(b"new")
    go.set()
    assert (tmp_path / "out").read_bytes() == b"new"
