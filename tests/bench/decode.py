"""A million opcodes: columns, values and tree, and a whole `inspect --json`, beside genops stepping the same bytes."""

from __future__ import annotations

import contextlib
import io
import pickle
import pickletools
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tests.bench import Figure
from tests.builders.torch_values import full, state_dict
from tests.builders.torch_zip import ZipPickler, ZipWriter
from viewer.cli.json_facts import Wanted, facts
from viewer.cli.output import write_json
from viewer.core.opening import open_document
from viewer.core.pickles.disassembly import disassemble
from viewer.core.pickles.nesting import Nesting
from viewer.core.pickles.values import Values
from viewer.core.source import MemorySource

OPCODES: Final = 1_000_000
ROUNDS: Final = 3
MEMORY: Final = """
import sys
sys.path.insert(0, {root!r})
import tests.bench.decode as bench
bench.inspect_file({small!r})
before = bench.peak()
bench.inspect_file({path!r})
print(bench.peak() - before)
"""


def plain_data(count: int) -> bytes:
    """Rows of numbers and texts, as a data set keeps them; about `count` opcodes."""
    rows = [
        {"id": row, "name": f"sample {row}", "scores": [row / 7, row % 91, -row], "label": row % 10 == 0}
        for row in range(count // 18)
    ]
    return pickle.dumps(rows, 2)


def checkpoint(count: int) -> tuple[bytes, bytes]:
    """data.pkl of a state_dict of small tensors with about `count` opcodes, and the zip that holds it."""
    tensors = {f"block.{row}.weight": full("float32", (2,), [row, 1]) for row in range(count // 26)}
    pickler = ZipPickler()
    body = pickler.dumps(state_dict(tensors))
    writer = ZipWriter()
    for name, data in (("data.pkl", body), ("byteorder", b"little")):
        writer.add(name, data)
    for key, kept in pickler.storages.items():
        writer.add(f"data/{key}", kept.data)
    writer.add("version", b"3\n")
    return body, writer.finish()


def best(work: Callable[[], object]) -> float:
    """Seconds of the fastest of some rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def step(data: bytes) -> int:
    """The peer: the standard library's stepping."""
    return sum(1 for _ in pickletools.genops(data))


def decode(data: bytes) -> int:
    """Columns, values and the first level of the tree."""
    code = disassemble(MemorySource(data))
    values = Values(code)
    tree = Nesting(values)
    values.kind(values.root)
    values.changes(values.root)
    return len(tree.roots()) + len(tree.children(tree.roots()[-2]))


def inspect_file(path: str) -> None:
    """What `inspect --json` does, written to memory."""
    document = open_document(path)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            write_json(facts(document, Wanted()))
    finally:
        document.source.close()


def peak() -> float:
    """MB of this process at its largest; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.is_file() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def growth(path: Path, small: Path) -> float:
    """MB by which the peak of a fresh process grows for one inspect."""
    root = str(Path(__file__).resolve().parents[2])
    program = MEMORY.format(root=root, path=str(path), small=str(small))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, cwd=root)
    return float(done.stdout)


def run() -> Iterator[Figure]:
    """One row a figure."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = folder / "small"
        small.write_bytes(plain_data(1000))
        body, archive = checkpoint(OPCODES)
        data = plain_data(OPCODES)
        for title, stream, whole in (("plain data", data, data), ("a state_dict", body, archive)):
            path = folder / title.replace(" ", "-")
            path.write_bytes(whole)
            count = step(stream)
            peer = best(lambda stream=stream: step(stream))
            rate = f"{count / 1e6:.2f} M opcodes"
            yield Figure(f"{title}, {rate}: columns, values, tree", best(lambda s=stream: decode(s)), peer, "s", "1.0")
            yield Figure(f"{title}, {rate}: whole inspect", best(lambda p=path: inspect_file(str(p))), peer, "s", "1.5")
            allowed = 150 + 60 * count / 1e6
            yield Figure(f"{title}, {rate}: memory of inspect", growth(path, small), allowed, "MB", "1.0")
            path.unlink()
