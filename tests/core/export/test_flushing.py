"""Large files go to the disk as they are written, in steps that fit it."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest

from viewer.core.export import flushing
from viewer.core.export.flushing import FIRST, LEAST, MOST, SteadyWriter

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
    with SteadyWriter(os.open(path, os.O_RDWR | os.O_CREAT, 0o666)) as file:
        for _ in range(120):
            file.write(bytes(MB))
    assert [(stop - start) // MB for start, stop in pairwise(flushed)] == steps
    assert path.stat().st_size == 120 * MB
    assert LEAST <= FIRST <= MOST


def test_a_small_file_is_not_flushed_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flushing, "flush_data", lambda descriptor: pytest.fail("flushed"))
    with SteadyWriter(os.open(tmp_path / "out", os.O_RDWR | os.O_CREAT, 0o666)) as file:
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
        SteadyWriter(os.open(tmp_path / "out", os.O_RDWR | os.O_CREAT, 0o666)) as file,
        pytest.raises(OSError, match="No space"),
    ):
        file.write(bytes(FIRST))
