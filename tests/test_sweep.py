"""A seeded part of the sweep: cut and flipped samples open, every byte of them has an owner, none takes long."""

from __future__ import annotations

from pathlib import Path

from tests.sweep.changes import Change, changes_of, sample_files, some_changes
from tests.sweep.trying import Figures, sweep, try_all, try_one

COUNT = 3000
SEED = 4


def test_all_changes_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(1000))
    changes = list(changes_of(path, SEED))
    cuts = [change.at for change in changes if not change.mask]
    assert cuts[:300] == list(range(300))
    assert (len(cuts), cuts[300], cuts[-1]) == (400, 300, 993)
    assert len({change.at for change in changes if change.mask}) == 200
    assert changes == list(changes_of(path, SEED))
    assert changes != list(changes_of(path, SEED + 1))


def test_what_a_change_does() -> None:
    assert Change(Path("a"), 2).apply(b"abcd") == b"ab"
    assert Change(Path("a"), 2, 0xFF).apply(b"abcd") == b"ab\x9cd"


def test_a_failure_is_counted(tmp_path: Path) -> None:
    figures = Figures()
    path = tmp_path / "file"
    path.write_bytes(b"hello")
    assert try_all([Change(path, 3), Change(path, 1, 1)]).tried == 2
    try_one(Change(path, 9, 1), b"hello", figures)
    ((change, reason),) = figures.failed
    assert change == "file, byte 9 turned by 0x01"
    assert reason.startswith("IndexError('index out of range') in changes.py:")


def test_changed_samples_open() -> None:
    files = sample_files()
    figures = sweep(some_changes(files, COUNT, SEED), 2)
    assert figures.tried == COUNT
    assert figures.failed == []
    assert figures.slowest[0] < 2, figures.slowest
