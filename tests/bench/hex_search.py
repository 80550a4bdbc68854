"""Searching bytes: each kind of query beside `bytes.find` over the same blocks, and `grep -c`."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.bench import Figure
from tests.bench.measure import beside, held, waited, waited_beside
from viewer.core.errors import CancelledError
from viewer.core.progress import Progress
from viewer.core.search_bytes.base import Query
from viewer.core.search_bytes.expression import expression_query
from viewer.core.search_bytes.hexadecimal import hex_query
from viewer.core.search_bytes.hit_list import HitList
from viewer.core.search_bytes.literal import Literal
from viewer.core.search_bytes.numbers import number_query
from viewer.core.search_bytes.scan import first_in, pieces
from viewer.core.search_bytes.strings import strings_query
from viewer.core.search_bytes.text import text_query
from viewer.core.source import BLOCK, ByteSource, FileSource, MemorySource
from viewer.core.span import Span

SIZE = 256 * 2**20
NEEDLE = b"layer.attention.weight"


def walk(source: ByteSource, query: Query, progress: Progress | None = None) -> HitList:
    """List all hits."""
    whole = Span(0, source.size)
    found = HitList(0, query.length)
    for piece in pieces(source, query, whole, whole, progress or Progress()):
        found.add(piece.hits, piece.searched)
    return found


def find_alone(path: Path, size: int) -> None:
    """The same blocks read into one buffer, and `bytearray.find` alone."""
    buffer = bytearray(BLOCK + len(NEEDLE) - 1)
    view = memoryview(buffer)
    descriptor = os.open(path, os.O_RDONLY)
    for at in range(0, size, BLOCK):
        count = os.preadv(descriptor, [view], at)
        buffer.find(NEEDLE, 0, count)
    os.close(descriptor)


def cancelled(source: ByteSource, query: Query) -> float:
    """Milliseconds from asking a search to stop to its end."""
    begun, ended = threading.Event(), threading.Event()
    progress = Progress(lambda _: begun.set())

    def work() -> None:
        with contextlib.suppress(CancelledError):
            walk(source, query, progress)
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    begin = time.perf_counter()
    progress.cancel()
    ended.wait()
    thread.join()
    return (time.perf_counter() - begin) * 1000


def from_disk(path: Path, *works: Callable[[], object]) -> list[float]:
    """Seconds on the clock of the fastest round of each, by turns; before each the system forgets the file."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(5):
        for kept, work in zip(times, works, strict=True):
            with path.open("rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            kept.append(waited(work, 1))
    return list(map(min, times))


def around(path: Path, source: ByteSource) -> list[Figure]:
    """Beside `cat`, the window beside a search, and the hit next to the caret."""
    rows = []
    if (cat := shutil.which("cat")) is not None:
        copied = partial(subprocess.run, [cat, str(path)], check=True, stdout=subprocess.DEVNULL)
        walked = partial(walk, source, Literal(NEEDLE))
        rows.append(Figure("search 256 MiB: literal / cat", *waited_beside(walked, copied), "s"))
        if hasattr(os, "posix_fadvise"):
            ours, theirs = from_disk(path, walked, copied)
            goal = "1.25 or less (0.8 of its speed)"
            rows.append(Figure("search 256 MiB: literal, from the disk / cat", ours, theirs, "s", goal))
    for name, query in (("literal", Literal(NEEDLE)), ("expression", expression_query(r"layer\.\w+\.weight"))):
        late = held(partial(walk, source, query))
        rows += [
            Figure(f"search 256 MiB: {name}, the window is held, p99", late.p99, None, "ms", "10 or less"),
            Figure(f"search 256 MiB: {name}, the window is held, longest", late.longest, None, "ms", "25 or less"),
        ]
    whole, caret = Span(0, source.size), SIZE // 2
    near = Literal(source.read(caret + 2**20, 12))
    begin = time.perf_counter()
    found = first_in(source, near, whole, Span(caret, source.size), Progress())
    taken = (time.perf_counter() - begin) * 1000
    if found is None:
        raise RuntimeError("what stands a MiB behind the caret was not found")
    return [*rows, Figure("search: first hit, 1 MiB behind the caret", taken, None, "ms", "100 or less")]


def in_a_terabyte(folder: str) -> list[Figure]:
    """The hit next to the caret, and the end of a search that was asked to stop, in a sparse file of 1 TB."""
    path = Path(folder, "sparse.bin")
    with path.open("wb") as file:
        file.truncate(10**12)
        file.seek(10**12 // 2 + 2**20)
        file.write(NEEDLE)
    source = FileSource(path)
    whole, query = Span(0, source.size), Literal(NEEDLE)
    begin = time.perf_counter()
    found = first_in(source, query, whole, Span(source.size // 2, source.size), Progress())
    taken = (time.perf_counter() - begin) * 1000
    if found is None:
        raise RuntimeError("what stands a MiB behind the caret was not found")
    worst = max(cancelled(source, query) for _ in range(5))
    source.close()
    return [
        Figure("search 1 TB, sparse: first hit, 1 MiB behind the caret", taken, None, "ms", "100 or less"),
        Figure("search 1 TB, sparse: stopped after, worst of 5", worst, None, "ms", "50 or less"),
    ]


def run() -> list[Figure]:
    """Rows of GB/s would hide the peer: seconds for 256 MiB of random bytes, cached."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "random.bin")
        chance = random.Random(1)
        path.write_bytes(b"".join(chance.randbytes(BLOCK) for _ in range(SIZE // BLOCK)))
        source = FileSource(path)
        peer_name = "bytes.find, same blocks"
        for name, query, goal in (
            ("literal", Literal(NEEDLE), "0.13 or less (2 GB/s), 1.11 of bytes.find"),
            ("any case", text_query(NEEDLE.decode(), ignore_case=True), "0.34 or less (0.8 GB/s)"),
            ("wildcards", hex_query("80 02 ?? 71 4? 9C"), "0.27 or less (1 GB/s)"),
            ("float32, aligned", number_query("0.123456..0.123457", "float32"), "0.067 or less (4 GB/s)"),
            ("bfloat16, aligned", number_query("0.5", "bfloat16"), ""),
            ("expression", expression_query(r"layer\.\w+\.weight"), ""),
            ("strings of ASCII", strings_query("ascii"), ""),
            ("strings of UTF-8", strings_query("utf-8"), ""),
            ("strings of UTF-16", strings_query("utf-16-le"), ""),
        ):
            ours, peer = beside(partial(walk, source, query), lambda: find_alone(path, SIZE))
            rows.append(Figure(f"search 256 MiB: {name} / {peer_name}", ours, peer, "s", goal))
        if (grep := shutil.which("grep")) is not None:
            command = [grep, "-c", "-a", "-F", NEEDLE.decode(), str(path)]
            theirs = partial(subprocess.run, command, check=False, capture_output=True, env={"LC_ALL": "C"})
            both = waited_beside(partial(walk, source, Literal(NEEDLE)), theirs)
            rows.append(Figure("search 256 MiB: literal / grep -caF", *both))
        if (strings := shutil.which("strings")) is not None:
            command = [strings, "-n", "6", str(path)]
            theirs = partial(subprocess.run, command, check=False, stdout=subprocess.DEVNULL)
            both = waited_beside(partial(walk, source, strings_query("ascii")), theirs)
            rows.append(Figure("search 256 MiB: strings of ASCII / strings -n 6", *both, "s"))
        rows += around(path, source)
        for name, query in (("literal", Literal(NEEDLE)), ("expression", expression_query(r"(a|b).*c.*d"))):
            worst = max(cancelled(source, query) for _ in range(5))
            rows.append(Figure(f"search: stopped after, {name}, worst of 5", worst, None, "ms", "50 or less"))
        source.close()
        rows += in_a_terabyte(folder)
    zeros, needle = MemorySource(bytes(64 * 2**20)), bytes(15) + b"\1"
    ours, peer = beside(lambda: walk(zeros, Literal(needle)), partial(bytes(64 * 2**20).find, needle))
    late = held(partial(walk, zeros, Literal(needle)))
    rows += [
        Figure("search 64 MiB of zeros for 00..01 / bytes.find", ours, peer, "s", "0.22 or less (0.3 GB/s)"),
        Figure("search 64 MiB of zeros: the window is held, longest", late.longest, None, "ms", "25 or less"),
    ]
    million = MemorySource(b"ab" * 1_000_000)
    found = walk(million, Literal(b"ab"))
    rows.append(Figure(f"search: list of {found.total:,} hits", found.nbytes / 2**20, None, "MiB", "16 or less"))
    return rows
