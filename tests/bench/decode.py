"""A million opcodes: columns, values, imports, tree, and a whole `inspect --json`, beside genops stepping the same.

And beside the load of fickling, where that is installed (the extra `bench`): a peer, never a part of the program.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import pickle
import pickletools
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from tests.bench import Figure
from tests.bench.measure import beside, in_child
from tests.builders.large import checkpoint, mixed_lists
from viewer.cli import main
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.opcode_tree import OpcodeTree
from viewer.core.pickles.values import Values
from viewer.core.safety.report import import_report
from viewer.core.source import MemorySource

OPCODES: Final = 1_000_000
FICKLING: Final = "fickling.fickle"
MEMORY: Final = """
from tests.bench.decode import inspect_file
from tests.bench.measure import peak
inspect_file({small!r})
before = peak()
inspect_file({path!r})
print(peak() - before)
"""


@dataclass(frozen=True, slots=True)
class Sample:
    """A stream of about a million opcodes, and the file that holds it."""

    name: str
    stream: bytes
    file: bytes


def rows_of_data(count: int, protocol: int = 2) -> bytes:
    """Rows of numbers and texts, as a data set keeps them; about `count` opcodes, more in protocol 0."""
    rows = [
        {"id": row, "name": f"sample {row}", "scores": [row / 7, row % 91, -row], "label": row % 10 == 0}
        for row in range(count // 18)
    ]
    return pickle.dumps(rows, protocol)


def step(data: bytes) -> int:
    """The peer: the standard library's stepping."""
    return sum(1 for _ in pickletools.genops(data))


def decode(data: bytes) -> int:
    """Columns, values, the import report, and the first two levels of the tree."""
    values = Values(disassemble(MemorySource(data)))
    values.changes(values.root)
    for found in import_report([values]):
        found.called_with()
    tree = OpcodeTree([values]).tree
    return sum(tree.count(node) for node in tree.children(0))


def fickling_load() -> Callable[[bytes], object] | None:
    """The other peer's load; None (and a sentence) where it is not installed."""
    try:
        load: Callable[[bytes], object] = importlib.import_module(FICKLING).Pickled.load
    except ImportError:
        print("fickling is not installed, so it is no peer here: pip install '.[bench]'", file=sys.stderr)
        return None
    return load


def beside_fickling(load: Callable[[bytes], object], title: str, data: bytes) -> Iterator[Figure]:
    """Our decoding against its load; it reads no FLOAT, so not every stream."""
    try:
        load(data)
    except NotImplementedError as failure:
        print(f"{title}fickling does not read it ({failure})", file=sys.stderr)
        return
    yield Figure(title + "fickling", *beside(lambda: decode(data), lambda: load(data), 1), goal="0.125")


def inspect_file(path: str) -> None:
    """`picklescope inspect --json`, written to memory."""
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")):
        main(["inspect", path, "--json"])


def samples() -> Iterator[Sample]:
    """Made one by one, since each is large."""
    data = mixed_lists(OPCODES // 446)
    yield Sample("lists of numbers and texts", data, data)
    data = rows_of_data(OPCODES)
    yield Sample("rows of a data set", data, data)
    data = rows_of_data(OPCODES, 0)
    yield Sample("the same in protocol 0", data, data)
    yield Sample("a state_dict of small tensors", *checkpoint(OPCODES // 30))


def run() -> Iterator[Figure]:
    """Three rows a sample, and one beside fickling."""
    load = fickling_load()
    with tempfile.TemporaryDirectory(prefix="picklescope-bench-") as folder:
        small, path = Path(folder) / "small", Path(folder) / "large"
        small.write_bytes(rows_of_data(1000))
        for sample in samples():
            path.write_bytes(sample.file)
            count = step(sample.stream)
            title = f"{sample.name}, {count / 1e6:.2f} M opcodes: "
            works: dict[str, tuple[Callable[[], object], str]] = {
                "decode": (partial(decode, sample.stream), "1.0"),
                "inspect": (lambda: inspect_file(str(path)), "1.5"),
            }
            for name, (work, goal) in works.items():
                yield Figure(title + name, *beside(work, partial(step, sample.stream)), goal=goal)
            if load is not None:
                yield from beside_fickling(load, title, sample.stream)
            (grown,) = in_child(MEMORY.format(small=str(small), path=str(path)))
            yield Figure(title + "memory", grown, 150 + 60 * count / 1e6, "MB", "1.0")
