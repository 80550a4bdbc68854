"""The dock of tensors and the account of space over 100,000 tensors and a million names; the scan of all values."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from tests.bench import Figure
from tests.bench.measure import beside, held, in_child, seconds
from tests.builders.safetensors import entry, safetensors
from tests.builders.sets import sparse_set
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.tensors.columns import By
from viewer.core.tensors.filtering import filtered, parse
from viewer.core.tensors.grouping import Groups
from viewer.core.tensors.health import scan
from viewer.core.tensors.sorting import ordered
from viewer.core.tensors.statistics import statistics
from viewer.session.space import space_of

TENSORS: Final = 100_000
SHARDS: Final = 1_000
NAMES: Final = 1_000
LARGE: Final = 256 * 2**20
SPARSE: Final = 2 * 2**30
RESIDENT: Final = """
from tests.bench.measure import peak
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.tensors.health import scan
document = open_document({path!r})
found = scan(document.tensors, Progress())
assert found.done
print(peak())
"""


def one_file(folder: Path) -> Path:
    """100,000 small tensors in a thousand layers."""
    path = folder / "many.safetensors"
    names = (f"model.layers.{number // 100}.w{number % 100}.weight" for number in range(TENSORS))
    header = {name: entry("F32", [4], 16 * row, 16 * row + 16) for row, name in enumerate(names)}
    path.write_bytes(safetensors(header, bytes(range(16)) * TENSORS))
    return path


def one_tensor(path: Path, nbytes: int) -> Path:
    """A tensor whose elements are a hole in the file."""
    head = safetensors({"weight": entry("F32", [nbytes // 4], 0, nbytes)})
    with path.open("wb") as file:
        file.write(head)
        file.truncate(len(head) + nbytes)
    return path


def figures(document: Document, name: str, goal: str) -> Iterator[Figure]:
    """What the dock does when a person types, groups, sorts, and looks at the space."""
    tensors = document.tensors

    def find(text: str) -> Callable[[], object]:
        return lambda: filtered(tensors, parse(text), None, Progress())

    works: list[tuple[str, Callable[[], object]]] = [
        ("filter by name", find("*.w7.*")),
        ("filter by shape and type", find("shape:[4,*] dtype:bf16")),
        ("sort by name", lambda: ordered(tensors, By.NAME, False, Progress())),
    ]
    for what, work in works:
        yield Figure(f"{name}: {what}", seconds(work, 1), None, goal=goal)
    # Both are timed while another thread waits for the interpreter: one pass over a million names is enough.
    slow: list[tuple[str, Callable[[], object]]] = [
        ("groups", lambda: Groups(tensors, range(len(tensors)), Progress())),
        ("space", lambda: space_of(document, Progress())),
    ]
    for what, work in slow:
        took: list[float] = []
        others = held(partial(timed, work, took))
        yield Figure(f"{name}: {what}", took[0], None, goal=goal)
        yield Figure(f"{name}: {what} holds other threads", others.longest, None, "ms", "60 at most")


def timed(work: Callable[[], object], took: list[float]) -> None:
    """Add how long it took."""
    took.append(seconds(work, 1))


def run() -> Iterator[Figure]:
    """All figures, as they come."""
    with tempfile.TemporaryDirectory(prefix="picklescope-bench-") as place:
        folder = Path(place)
        document = open_document(one_file(folder))
        yield from figures(document, "100,000 tensors", "1")
        yield Figure("100,000 tensors: health", seconds(lambda: scan(document.tensors, Progress()), 1), None, goal="10")
        document.close()
        large = open_document(one_tensor(folder / "large.safetensors", LARGE))
        ours, peer = beside(
            lambda: scan(large.tensors, Progress()), lambda: [statistics(tensor) for tensor in large.tensors], 3
        )
        yield Figure("health of 256 MiB of float32, its statistics alone", ours, peer, goal="0.34 s, 0.8 GB/s")
        large.close()
        sparse = one_tensor(folder / "sparse.safetensors", SPARSE)
        (megabytes,) = in_child(RESIDENT.format(path=str(sparse)))
        yield Figure("health of 2 GiB of float32, resident", megabytes, None, "MB", "200 at most")
        million = open_document(sparse_set(folder, SHARDS, NAMES, (8, 8)))
        yield from figures(million, "1,000,000 names", "10")
        million.close()
