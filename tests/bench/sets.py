"""Opening models in very many files: an index of ten thousand shards and a million names, whose elements are holes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.bench import Figure
from tests.bench.measure import beside, held, in_child
from tests.builders.sets import sparse_set
from viewer.core.opening import open_document

SHARDS: Final = 10_000
NAMES: Final = 100
OURS: Final = """
from time import perf_counter
from tests.bench.measure import peak
from viewer.core.opening import open_document
from viewer.core.summary.contents import Contents
from viewer.core.summary.facts import facts
start = perf_counter()
document = open_document({path!r})
opened = perf_counter()
contents = Contents(document)
node = contents.node_of_tensor(document.tensors[len(document.tensors) // 2])
facts(document)
print(len(document.tensors), opened - start, perf_counter() - opened, peak())
"""
PEER: Final = """
from tests.bench.measure import peak
from tests.bench.sets import headers
held = headers({path!r})
print(len(held), peak())
"""


def opened(path: Path) -> int:
    """Open and close; gives the number of tensors."""
    document = open_document(path)
    document.close()
    return len(document.tensors)


def headers(path: str | Path) -> dict[str, object]:
    """The peer: the index and the headers of all its files by the standard library's JSON, each held against it."""
    folder = Path(path).parent
    weight_map = json.loads(Path(path).read_bytes())["weight_map"]
    found: dict[str, object] = {}
    for name in dict.fromkeys(weight_map.values()):
        with (folder / name).open("rb") as file:
            header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        found.update((key, entry) for key, entry in header.items() if weight_map.get(key) == name)
    return found


def run() -> Iterator[Figure]:
    """All of them."""
    with tempfile.TemporaryDirectory(prefix="picklescope-bench-") as name:
        path = sparse_set(Path(name), SHARDS, NAMES)
        title = f"{SHARDS:,} shards, {SHARDS * NAMES:,} names: "
        ours, peer = beside(lambda: opened(path), lambda: headers(path), 2)
        yield Figure(title + "open, beside json", ours, peer, goal="5")
        _, clock, rows, resident = in_child(OURS.format(path=str(path)))
        _, large = in_child(PEER.format(path=str(path)))
        yield Figure(title + "open, on the clock", clock, None, goal="5")
        yield Figure(title + "contents, summary", rows, None, goal="0.5")
        yield Figure(title + "resident, beside json", resident, large, "MB", "500")
        late = held(lambda: opened(path))
        yield Figure(title + "another thread waits, p99", late.p99, None, "ms", "30")
        yield Figure(title + "another thread waits, longest", late.longest, None, "ms", "60")
