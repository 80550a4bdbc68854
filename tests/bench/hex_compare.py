"""Two files compared byte by byte: beside `cmp` over the same files, what it takes of memory, the window beside it."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Final

from tests.bench import Figure
from tests.bench.measure import held, in_child, waited, waited_beside
from viewer.core.byte_differences import all_differences, first_difference, next_difference
from viewer.core.progress import Progress
from viewer.core.search_bytes.hit_list import HitList
from viewer.core.source import BLOCK, ByteSource, FileSource

SIZE: Final = 256 * 2**20
APART: Final = 4096
"""Bytes from one difference to the next, where there are any."""

MEMORY: Final = """
import sys
from tests.bench.hex_compare import listed
from tests.bench.measure import peak
from viewer.core.byte_differences import first_difference
from viewer.core.progress import Progress
from viewer.core.source import FileSource, MemorySource
first_difference(MemorySource(bytes(100)), MemorySource(bytes(100)), Progress())
before = peak()
one, same, other = (FileSource({folder!r} + "/" + name) for name in ("random.bin", "same.bin", "other.bin"))
first_difference(one, same, Progress())
listed(one, other)
print(peak() - before)
"""


def listed(one: ByteSource, other: ByteSource) -> HitList:
    """List all differences."""
    found = HitList()
    for piece in all_differences(one, other, Progress()):
        found.add(piece.hits, piece.searched)
    return found


def files(folder: str) -> tuple[Path, Path, Path]:
    """Random bytes, the same ones, and the same ones with differences."""
    made = Path(folder, "random.bin"), Path(folder, "same.bin"), Path(folder, "other.bin")
    chance = random.Random(1)
    made[0].write_bytes(b"".join(chance.randbytes(BLOCK) for _ in range(SIZE // BLOCK)))
    for copy in made[1:]:
        shutil.copyfile(made[0], copy)
    with made[2].open("r+b") as file:
        for at in range(0, SIZE, APART):
            file.seek(at)
            file.write(b"changed")
    return made


def beside_cmp(paths: tuple[Path, Path, Path], one: ByteSource, same: ByteSource, other: ByteSource) -> list[Figure]:
    """The whole of equal files, and all places where others differ."""
    cmp, mine, equal, changed = shutil.which("cmp"), *map(str, paths)
    quick, long = partial(first_difference, one, same, Progress()), partial(listed, one, other)
    if cmp is None:
        whole, whole_peer, all_of_them, all_peer = waited(quick), None, waited(long), None
    else:
        whole, whole_peer = waited_beside(quick, lambda: subprocess.run([cmp, mine, equal], check=False))
        command = [cmp, "-l", mine, changed]
        all_of_them, all_peer = waited_beside(long, partial(subprocess.run, command, check=False, capture_output=True))
    count = SIZE // APART
    return [
        Figure("compare 256 MiB, equal / cmp", whole, whole_peer, "s", "0.27 or less (1 GB/s)"),
        Figure(f"list {count:,} differences of 256 MiB / cmp -l", all_of_them, all_peer, "s", "0.27 or less (1 GB/s)"),
    ]


def run() -> list[Figure]:
    """Rows for 256 MiB of random bytes, cached."""
    with tempfile.TemporaryDirectory() as folder:
        paths = files(folder)
        one, same, other = map(FileSource, paths)
        rows = beside_cmp(paths, one, same, other)
        late = held(partial(first_difference, one, same, Progress()))
        rows += [
            Figure("compare 256 MiB: the window is held, p99", late.p99, None, "ms", "10 or less"),
            Figure("compare 256 MiB: the window is held, longest", late.longest, None, "ms", "25 or less"),
        ]
        caret = SIZE // 2 + 100
        begin = time.perf_counter()
        found = next_difference(one, other, caret, Progress())
        taken = (time.perf_counter() - begin) * 1000
        if found is None:
            raise RuntimeError("the difference behind the caret was not found")
        rows.append(Figure("compare: next difference, 4 KiB behind the caret", taken, None, "ms", "100 or less"))
        if os.name == "posix":
            memory = in_child(MEMORY.replace("{folder!r}", repr(folder)))[0]
            rows.append(Figure("compare 256 MiB, equal, and list: memory", memory, None, "MB", "32 or less"))
        for source in (one, same, other):
            source.close()
    return rows
