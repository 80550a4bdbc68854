"""Tensors: statistics of 128 MiB beside numpy's own passes over it, hashing, and 100,000 calls."""

from __future__ import annotations

import hashlib
import pickletools
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import ml_dtypes
import numpy as np

from tests.bench import Figure
from tests.bench.measure import beside, in_child, seconds
from tests.builders.torch_values import Storage as Kept
from tests.builders.torch_values import tensor
from tests.builders.torch_zip import ZipPickler
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.values import Values
from viewer.core.source import FileSource, MemorySource
from viewer.core.span import Span
from viewer.core.tensors.dtypes import DTYPES
from viewer.core.tensors.hashing import sha256
from viewer.core.tensors.layout import row_major
from viewer.core.tensors.rebuild import Rebuilder
from viewer.core.tensors.statistics import sample, statistics
from viewer.core.tensors.storage import Storage
from viewer.core.tensors.table import Located, StorageTable
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import blocks

SIZE: Final = 128 * 2**20
ROUNDS: Final = 3
CALLS: Final = 100_000
GOALS: Final = {"float32": "0.8 GB/s", "bfloat16": "0.5 GB/s"}
LARGE: Final = 10 * 2**30
RESIDENT: Final = """
import sys
from pathlib import Path
from tests.bench.measure import peak
from tests.bench.tensor_statistics import of
from viewer.core.source import FileSource
from viewer.core.tensors.statistics import statistics
source = FileSource(Path({path!r}))
found = statistics(of(source, "float32"))
assert found is not None and found.zeros.count == found.elements
print(peak())
"""


def best(work: Callable[[], object]) -> float:
    """Processor time of the fastest of some rounds: what else runs on the machine counts little."""
    return seconds(work, ROUNDS)


def of(source: FileSource, dtype: str, turned: bool = False) -> Tensor:
    """A square matrix over a whole file."""
    kind = DTYPES[dtype]
    count = source.size // kind.itemsize
    rows = int(np.sqrt(count))
    storage = Storage("0", "cpu", dtype, False, count, source.size, Span(0, source.size), source)
    stride = (1, count // rows) if turned else row_major((rows, count // rows))
    shape = (count // rows, rows) if turned else (rows, count // rows)
    return Tensor(0, (), None, "tensor", dtype, shape, stride, 0, storage)


def by_numpy(numbers: np.ndarray[Any, Any]) -> object:
    """The same facts by one call of numpy each, over an array in memory."""
    wide = numbers.astype(np.float32) if numbers.dtype == ml_dtypes.bfloat16 else numbers
    special = np.isnan(wide).sum(), np.isposinf(wide).sum(), np.isneginf(wide).sum()
    sizes = np.abs(wide)
    norms = sizes.sum(dtype="f8"), np.linalg.norm(wide.astype("f8").ravel()), sizes.max()
    moments = wide.min(), wide.max(), wide.mean(dtype="f8"), wide.std(dtype="f8")
    return *moments, np.count_nonzero(wide), special, norms


def measured(path: Path, dtype: str) -> list[Figure]:
    """Statistics of one type."""
    kind = DTYPES[dtype].numpy
    assert kind is not None
    random = np.random.default_rng(0)
    numbers = random.standard_normal(SIZE // kind.itemsize, dtype=np.float32).astype(kind)
    numbers.tofile(path)
    source = FileSource(path)
    whole = of(source, dtype)
    ours, peer = beside(lambda: statistics(whole), lambda: by_numpy(numbers), ROUNDS)
    goal = GOALS.get(dtype, "")
    name = f"statistics of 128 MiB of {dtype} ({SIZE / ours / 1e9:.2f} GB/s), numpy's passes"
    rows = [Figure(name, ours, peer, goal=goal)]
    if dtype == "float32":
        turned = of(source, dtype, turned=True)
        digest = best(lambda: hashlib.sha256(numbers.data).digest())
        copied = best(lambda: numbers.copy())
        rows += [
            Figure("statistics of it transposed, numpy's passes", best(lambda: statistics(turned)), peer),
            Figure("a sample of it", best(lambda: sample(whole)), None, goal="0.1 at most"),
            Figure("a sample of it transposed", best(lambda: sample(turned)), None, goal="0.1 at most"),
            Figure("blocks of it, a copy in memory", best(lambda: sum(len(part) for part in blocks(whole))), copied),
            Figure("blocks of it transposed, a copy in memory", best(lambda: drain(turned)), copied),
            Figure("SHA-256 of it, hashlib in memory", best(lambda: sha256(whole)), digest, goal="1.2 at most"),
        ]
    source.close()
    return rows


def drain(tensor: Tensor) -> int:
    """Read all of it."""
    return sum(len(part) for part in blocks(tensor))


def calls() -> Figure:
    """100,000 tensors of their own storages, from a decoded stream."""
    value = OrderedDict((f"layer.{row}.weight", tensor(Kept("float32", bytes(24)), (2, 3))) for row in range(CALLS))
    data = ZipPickler().dumps(value)
    source = MemorySource(data)
    values = Values(disassemble(source))
    asked = [tensor for _, tensor in values.pairs(values.root)]

    def rebuild() -> None:
        table = StorageTable(values, "utf-8", lambda key, nbytes: Located(Span(0, nbytes), source))
        reader = Rebuilder(values, 0, table)
        assert all(reader.tensor(value) is not None for value in asked)

    stepped = best(lambda: sum(1 for _ in pickletools.genops(data)))
    return Figure("100,000 tensors from their calls, genops of the stream", best(rebuild), stepped, goal="1.5 s")


def resident(path: Path) -> Figure:
    """MB of a process that reads all of a tensor of 10 GB, in a file that takes no room."""
    with path.open("wb") as file:
        file.truncate(LARGE)
    (megabytes,) = in_child(RESIDENT.format(path=str(path)))
    return Figure("statistics of 10 GiB of float32, resident", megabytes, None, unit="MB", goal="200 at most")


def run() -> Iterator[Figure]:
    """All figures, each type as soon as it is measured."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "numbers"
        for dtype in ("float32", "bfloat16", "float16", "int64"):
            yield from measured(path, dtype)
        yield resident(path)
    yield calls()
