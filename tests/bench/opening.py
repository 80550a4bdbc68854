"""Opening what is large in one way or another: bytes, tensors, records, opcodes."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.bench import Figure
from tests.bench.decode import step
from tests.bench.measure import beside, held, in_child, seconds, waited
from tests.builders.large import checkpoint, mixed_lists, sparse_legacy
from tests.builders.torch_zip import ZipWriter
from viewer.core.opening import open_document

MANY: Final = 100_000
RESIDENT: Final = """
import sys
from tests.bench.measure import peak
from viewer.core.opening import open_document
document = open_document({path!r})
document.source.close()
print(len(document.tensors), peak(), "torch" in sys.modules and 1 or 0)
"""


def opened(path: Path) -> int:
    """Open and close; gives the number of tensors."""
    document = open_document(path)
    document.source.close()
    return len(document.tensors)


def many_records(path: Path) -> None:
    """A torch zip of nothing but storages that nobody names."""
    writer = ZipWriter()
    for row in range(MANY):
        writer.add(f"data/{row}", b"12345678")
    path.write_bytes(writer.finish())


def listed(path: Path) -> int:
    """The peer of archives: the standard library's reading of the directory."""
    with zipfile.ZipFile(path) as archive:
        return len(archive.infolist())


def bytes_of_storages(path: Path) -> Iterator[Figure]:
    """Files whose storages are holes."""
    size = sparse_legacy(path, 400, 1_310_720)
    title = f"{size / 1e9:.1f} GB, 400 tensors: "
    yield Figure(title + "whole tree", waited(lambda: opened(path)), None, goal="0.3")
    _, resident, torch = in_child(RESIDENT.format(path=str(path)))
    yield Figure(title + "resident", resident, 250, "MB", "1.0")
    yield Figure(title + "torch in sys.modules", torch, None, "", "0")
    path.unlink()
    sparse_legacy(path, 400, 1024)
    peer = seconds(lambda: opened(path), 5)
    path.unlink()
    size = sparse_legacy(path, 400, 65_536_000)
    title = f"{size / 1e9:.0f} GB, 400 tensors: whole tree, beside 1.6 MB"
    yield Figure(title, seconds(lambda: opened(path), 5), peer, goal="like it")
    path.unlink()


def many_things(path: Path) -> Iterator[Figure]:
    """A hundred thousand tensors, and as many records."""
    body, archive = checkpoint(MANY)
    path.write_bytes(archive)
    pair = beside(lambda: opened(path), lambda: step(body) + listed(path), 2)
    yield Figure(f"{MANY:,} tensors: open, beside genops and zipfile", *pair)
    many_records(path)
    yield Figure(f"{MANY:,} records: open, beside zipfile", *beside(lambda: opened(path), lambda: listed(path)))


def waiting(path: Path) -> Iterator[Figure]:
    """How long another thread waits for the interpreter meanwhile."""
    path.write_bytes(mixed_lists(22_450))
    for title in ("10 M opcodes", f"{MANY:,} tensors"):
        late = held(lambda: opened(path))
        yield Figure(f"{title}: another thread waits, p99", late.p99, None, "ms", "30")
        yield Figure(f"{title}: another thread waits, longest", late.longest, None, "ms", "60")
        path.write_bytes(checkpoint(MANY)[1])


def run() -> Iterator[Figure]:
    """All of them."""
    with tempfile.TemporaryDirectory(prefix="picklescope-bench-") as name:
        path = Path(name) / "file"
        for part in (bytes_of_storages, many_things, waiting):
            yield from part(path)
