"""Search everything: a million names of a set and a pickle of ten million opcodes, to the first hit and to the end."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from tests.bench import Figure
from tests.bench.measure import beside, held
from tests.builders.large import mixed_lists
from tests.builders.sets import sparse_set
from viewer.core.document import Document
from viewer.core.opening import open_document
from viewer.core.progress import Progress
from viewer.core.search import search
from viewer.core.search.base import Look
from viewer.core.search.wanted import wanted
from viewer.core.tensors.many import ManyTensors

SHARDS: Final = 100
NAMES: Final = 10_000
OPCODES: Final = 10_000_000
A_LIST: Final = 446


def look(documents: Sequence[Document], text: str, *, expression: bool = False) -> tuple[int, float]:
    """The hits of a search in all, and seconds on the clock to the first."""
    meant = Look(wanted(text, expression=expression), Progress())
    start, first = time.perf_counter(), 0.0
    for _ in search(documents, meant):
        first = first or time.perf_counter() - start
    return sum(meant.counts.values()), first


def in_names(names: Sequence[str], text: str) -> int:
    """The peer for names: Python's own `in`, over all names held as texts, letters of both cases alike."""
    return sum(text in name.lower() for name in names)


def in_bytes(path: Path, text: bytes) -> int:
    """The peer for a pickle: the file read and looked through by `bytes.find`, letters of both cases alike."""
    data = path.read_bytes().lower()
    count, at = 0, data.find(text)
    while at >= 0:
        count, at = count + 1, data.find(text, at + 1)
    return count


def run() -> Iterator[Figure]:
    """All of them."""
    with tempfile.TemporaryDirectory(prefix="picklescope-bench-") as folder:
        yield from _names(Path(folder))
    with tempfile.TemporaryDirectory(prefix="picklescope-bench-") as folder:
        yield from _opcodes(Path(folder))


def _names(folder: Path) -> Iterator[Figure]:
    document = open_document(sparse_set(folder, SHARDS, NAMES))
    documents, title = [*document.walk()], f"{SHARDS * NAMES:,} names: "
    assert isinstance(document.tensors, ManyTensors)
    names = document.tensors.names(0, len(document.tensors))
    for text in ("00050.mlp.experts.777.", "nothing of it", "gate_proj"):
        ours, peer = beside(partial(look, documents, text), partial(in_names, names, text), 2)
        yield Figure(f"{title}{text!r}, beside in", ours, peer)
        yield Figure(f"{title}{text!r}, to the first hit", look(documents, text)[1], None, goal="0.2")
    yield Figure(title + "an expression", _clock(documents, r"layers\.\d+1\.mlp.*777"), None)
    yield from _late(documents, title, "gate_proj")
    document.close()


def _opcodes(folder: Path) -> Iterator[Figure]:
    path = folder / "ten_million.pkl"
    path.write_bytes(mixed_lists(OPCODES // A_LIST))
    document = open_document(path)
    documents = [*document.walk()]
    title = f"{len(document.pickles[0].code) / 1e6:.1f} M opcodes: "
    for text in ("text22000_7", "nothing of it", "777"):
        raw = text.encode()
        ours, peer = beside(partial(look, documents, text), partial(in_bytes, path, raw), 2)
        yield Figure(f"{title}{text!r}, beside bytes.find", ours, peer)
        yield Figure(f"{title}{text!r}, to the first hit", look(documents, text)[1], None, goal="1")
    yield Figure(title + "an expression", _clock(documents, r"text\d+_77$"), None)
    yield from _late(documents, title, "text")
    document.close()


def _clock(documents: Sequence[Document], text: str) -> float:
    start = time.perf_counter()
    look(documents, text, expression=True)
    return time.perf_counter() - start


def _late(documents: Sequence[Document], title: str, text: str) -> Iterator[Figure]:
    late = held(lambda: look(documents, text))
    yield Figure(f"{title}{text!r}, another thread waits, p99", late.p99, None, "ms", "10")
    yield Figure(f"{title}{text!r}, the same, longest", late.longest, None, "ms", "100")
