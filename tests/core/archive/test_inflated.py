"""Deflated records: inflated once, outside of memory, within a limit; damage leaves what could be had."""

from __future__ import annotations

import random
import tempfile
import threading
import tracemalloc
import zlib
from pathlib import Path

import pytest

from viewer.core.archive import inflated
from viewer.core.archive.inflated import InflatedSource
from viewer.core.errors import CancelledError, SourceError
from viewer.core.progress import Progress, Step
from viewer.core.source import ByteSource, MemorySource

MIB = 1024 * 1024


def pack(data: bytes) -> bytes:
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def source_of(data: bytes, stated: int | None = None, limit: int = inflated.LIMIT) -> InflatedSource:
    return InflatedSource(MemorySource(pack(data)), len(data) if stated is None else stated, "a/x", limit)


@pytest.mark.parametrize("size", [0, 1, 5000, MIB, MIB + 1, 5 * MIB])
def test_content_at_any_place(size: int) -> None:
    data = random.Random(size).randbytes(size)
    source = source_of(data)
    assert source.size == size
    assert source.read(0, size + 10) == data
    assert source.read(size // 2, 7) == data[size // 2 : size // 2 + 7]
    assert source.read(size, 1) == b""
    assert source.read(-1, 1) == b""
    assert source.problems == []
    source.close()


def test_reading_into_a_buffer() -> None:
    data = random.Random(1).randbytes(2 * MIB)
    source = source_of(data)
    buffer = bytearray(100)
    assert source.read_into(2 * MIB - 40, memoryview(buffer)) == 40
    assert bytes(buffer[:40]) == data[-40:]
    assert source.slice(MIB, MIB + 5).read(0, 99) == data[MIB : MIB + 5]


def test_nothing_is_inflated_before_it_is_read() -> None:
    class Untouchable(ByteSource):
        size = 10

        def read(self, offset: int, length: int) -> bytes:
            raise AssertionError("read too early")

    source = InflatedSource(Untouchable(), 1000)
    assert source.size == 1000
    assert source.ratio == 100.0
    assert source.to_outer(0) is None


def test_large_content_stays_out_of_memory_and_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    source = source_of(bytes(64 * MIB))
    tracemalloc.start()
    assert source.read(63 * MIB, 3) == b"\0\0\0"
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6 * MIB
    assert list(tmp_path.iterdir()) == []
    assert source.ratio > 200
    source.close()
    with pytest.raises(SourceError):
        source.read(0, 1)


def test_a_bomb_stops_at_the_limit() -> None:
    source = source_of(bytes(20 * MIB), stated=100, limit=8 * MIB)
    with pytest.raises(SourceError, match=r"a/x would unpack to .* bytes or more; 8,388,608 are allowed"):
        source.read(0, 1)


def test_a_stated_size_beyond_the_limit_is_refused_at_once() -> None:
    class Untouchable(ByteSource):
        size = 10 * MIB

        def read(self, offset: int, length: int) -> bytes:
            raise AssertionError("read in vain")

    source = InflatedSource(Untouchable(), 2**32, "a/x")
    with pytest.raises(SourceError, match="4,294,967,296 bytes"):
        source.read(0, 1)


def test_a_stated_size_that_cannot_be_is_a_fault_and_no_refusal() -> None:
    source = source_of(b"small", stated=2**62)
    assert source.read(0, 10) == b"small"
    assert [problem.text for problem in source.problems] == [
        (
            "a/x does not have the size that the archive states. It unpacks to 5 bytes; "
            "4,611,686,018,427,387,904 are stated. All that was unpacked is shown."
        )
    ]


@pytest.mark.parametrize("stated", [3, 9000])
def test_the_real_size_counts_once_it_is_known(stated: int) -> None:
    source = source_of(b"content", stated=stated)
    assert source.size == stated
    source.prepare(Progress())
    assert source.size == 7
    assert source.read(0, 100) == b"content"
    assert [problem.code for problem in source.problems] == ["inflate-size"]


def test_cut_bytes_give_what_is_there() -> None:
    data = random.Random(2).randbytes(100_000)
    source = InflatedSource(MemorySource(pack(data)[:50_000]), 100_000, "a/x")
    got = source.read(0, 100_000)
    assert 0 < len(got) < 60_000
    assert data.startswith(got)
    assert source.size == len(got)
    assert [problem.code for problem in source.problems] == ["inflate-cut"]


def test_damage_that_breaks_the_stream_leaves_what_came_before() -> None:
    data = random.Random(6).randbytes(300_000)
    packed = pack(data)
    # a reserved block type in place of the last, empty block
    source = InflatedSource(MemorySource(packed[:200_000] + b"\xff" * 200_000), 300_000, "a/x")
    source.prepare(Progress())
    assert 100_000 < source.size < 300_000
    assert source.read(0, 100_000) == data[:100_000]
    assert [problem.code for problem in source.problems] == ["inflate-broken"]


def test_damage_that_only_the_checksum_shows() -> None:
    data = b"all work and no play makes jack a dull boy"
    good, wrong = (InflatedSource(MemorySource(pack(data)), 42, "a/x", crc=crc) for crc in (0xC1D54D5F, 0xC1D54D60))
    unchecked = InflatedSource(MemorySource(pack(data)), 42, "a/x", crc=0)
    for source in (good, wrong, unchecked):
        assert source.read(0, 99) == data
    assert [problem.code for problem in wrong.problems] == ["inflate-checksum"]
    assert good.problems == []
    assert unchecked.problems == []


def test_what_is_no_deflate_stream() -> None:
    source = InflatedSource(MemorySource(b"\xff" * 100), 100, "a/x")
    assert source.read(0, 10) == b""
    assert [problem.code for problem in source.problems] == ["inflate-broken"]


def test_inflating_can_be_stopped_and_begun_again() -> None:
    data = random.Random(3).randbytes(4 * MIB)
    source = source_of(data)
    progress = Progress(lambda step: None)
    progress.cancel()
    with pytest.raises(CancelledError):
        source.prepare(progress)
    steps: list[Step] = []
    source.prepare(Progress(steps.append))
    assert steps
    assert source.read(0, len(data)) == data


def test_several_threads_inflate_once(monkeypatch: pytest.MonkeyPatch) -> None:
    data = random.Random(4).randbytes(3 * MIB)
    source = source_of(data)
    fills: list[int] = []
    fill = InflatedSource._fill

    def counted(self: InflatedSource, spool: inflated.Spool, progress: Progress) -> object:
        fills.append(1)
        return fill(self, spool, progress)

    monkeypatch.setattr(InflatedSource, "_fill", counted)
    results: list[bool] = []

    def work(at: int) -> None:
        results.append(all(source.read(at + step, 4096) == data[at + step : at + step + 4096] for step in range(50)))

    threads = [threading.Thread(target=work, args=(at * 100_000,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 8
    assert fills == [1]


def test_no_room_for_the_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(SourceError, match=r"A temporary file in .*gone failed: No such file or directory"):
        source_of(random.Random(5).randbytes(2 * MIB)).read(0, 1)
