"""Two files of half a gigabyte beside `cmp` and numpy's own passes; 100,000 names. In processor time."""

from __future__ import annotations

import os
import struct
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from tests.bench import Figure
from tests.builders.torch_values import Storage as Kept
from tests.builders.torch_values import state_dict, tensor
from tests.builders.torch_zip import torch_zip
from viewer.core.collector import collector_paused
from viewer.core.comparing.comparison import Comparison, compare
from viewer.core.comparing.sides import sides_of
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.source import MemorySource

SIZE: Final = 512 * 2**20
ROUNDS: Final = 3
NAMES: Final = 100_000
GB: Final = 1e9


def spent() -> float:
    """Seconds of the processor up to now, of this process and those that it started, without elapsed time."""
    return sum(os.times()[:4])


def best(work: Callable[[], object]) -> float:
    """Seconds of the processor that the fastest of some rounds took."""
    times = []
    for _ in range(ROUNDS):
        start = spent()
        work()
        times.append(spent() - start)
    return min(times)


def many(step: int) -> Document:
    """100,000 tensors of one element; every second one is greater by `step`."""
    names = {
        f"layer.{at}.w": tensor(Kept("float32", struct.pack("<f", at + at % 2 * step)), (1,)) for at in range(NAMES)
    }
    return open_document(MemorySource(torch_zip(state_dict(names))))


def between(first: Path, second: Path) -> Comparison:
    documents = [open_document(path) for path in (first, second)]
    try:
        return compare(*sides_of(documents[0], documents[1]))
    finally:
        for document in documents:
            document.close()


def by_numpy(first: Path, second: Path) -> float:
    """The same figures by plain passes over whole arrays."""
    left, right = (np.load(path).astype(np.float64) for path in (first, second))
    distance = np.abs(right - left)
    product = float(left @ right) / float(np.linalg.norm(left) * np.linalg.norm(right))
    return float(distance.max()) + float(distance.mean()) + float(np.linalg.norm(distance)) + product


def run() -> list[Figure]:
    """All figures; rates are of one of the two files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first, second, third = (folder / f"{each}.npy" for each in "abc")
        numbers = np.random.default_rng(0).standard_normal(SIZE // 4, dtype=np.float32)
        for path in (first, second):
            np.save(path, numbers)
        numbers += np.float32(1e-3)
        np.save(third, numbers)
        ours = best(lambda: between(first, second))
        cmp = best(lambda: subprocess.run(["cmp", first, second], check=True))
        equal = best(lambda: np.array_equal(np.load(first), np.load(second)))
        differ, peer = best(lambda: between(first, third)), best(lambda: by_numpy(first, third))
    documents = many(0), many(0), many(1)
    with collector_paused():
        names = best(lambda: compare(*sides_of(documents[0], documents[1])))
        changed = best(lambda: compare(*sides_of(documents[0], documents[2])))
    return [
        Figure("equal float32 files of 537 MB, beside cmp", SIZE / GB / ours, SIZE / GB / cmp, "GB/s", "1 GB/s"),
        Figure("the same, beside np.array_equal", SIZE / GB / ours, SIZE / GB / equal, "GB/s", "1 GB/s"),
        Figure("all elements differ, beside numpy's passes", SIZE / GB / differ, SIZE / GB / peer, "GB/s", ""),
        Figure("100,000 tensors of one element, all equal", names, None, "s", "5 s"),
        Figure("the same, half of them differ", changed, None, "s", ""),
    ]
