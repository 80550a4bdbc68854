"""A dense checkpoint exported on a file system in memory, beside cp of the same bytes and what others write it with.

Start-up, fsync and verification have rows of their own. All run in turn and the best of each counts, because other
programs disturb them; processor time is disturbed less, and in memory there is nothing to wait for. numpy.savez and
torch.save write what torch.load(mmap=True) gives, in a process of their own without its start.
PICKLESCOPE_BENCH_GB: size (2).
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from tests.bench import Figure

TENSORS: Final = 100
ROUNDS: Final = 5
MEMORY: Final = Path("/dev/shm")
COPY: Final = ("cp", "--sparse=never", "--reflink=never")
GOALS: Final = {"state_dict": ">= 0.6", "npz": ">= 0.7", "safetensors": ">= 0.7"}
PEER_ROUNDS: Final = 2
PEER: Final = """
import os, sys, time
import numpy, torch
source, target = sys.argv[1:]
start, used = time.perf_counter(), sum(os.times()[:4])
loaded = torch.load(source, weights_only=True, mmap=True)
with open(target, "wb") as file:
    {write}
print(time.perf_counter() - start, sum(os.times()[:4]) - used)
"""
PEERS: Final = {
    "state_dict": ("torch.save", PEER.format(write="torch.save(loaded, file)")),
    "npz": ("numpy.savez", PEER.format(write="numpy.savez(file, **{k: v.numpy() for k, v in loaded.items()})")),
}
CHILD: Final = """
import sys
from pathlib import Path
from viewer.core.export import exporter_of
from viewer.core.export.selection import Wanted
from viewer.core.opening import open_document
from viewer.core.progress import Progress
document = open_document(sys.argv[1])
exporter = exporter_of(sys.argv[3])
def peak():
    # ru_maxrss would count the program that started this one
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
before = peak()
exporter.write(exporter.plan(document, Wanted()), Path(sys.argv[2]), Progress())
print(before, peak())
"""


def run() -> list[Figure]:
    """Rows for speed and memory of each form; nothing where there is no /dev/shm, no cp or no room."""
    size = int(float(os.environ.get("PICKLESCOPE_BENCH_GB", "2")) * 1e9)
    if not MEMORY.is_dir() or shutil.which("cp") is None or shutil.disk_usage(MEMORY).free < 3 * size:
        print("export_speed: needs cp, and /dev/shm with room for three copies", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        source = Path(folder) / "dense.pt"
        make(source, size)
        return [row for form in GOALS for row in figures(source, form)]


def make(path: Path, size: int) -> None:
    """A state_dict of float32 tensors that together have so many bytes, none of them zero."""
    from tests.builders.torch_values import Storage, state_dict, tensor
    from tests.builders.torch_zip import ZipPickler
    from viewer.core.archive.zip_writer import TorchZipWriter

    each = size // TENSORS // 4096 * 4096
    data = (os.urandom(1 << 20).replace(b"\0", b"\1") * (each // (1 << 20) + 1))[:each]
    storages = [Storage("float32", data) for _ in range(TENSORS)]
    shape = (each // 4096, 1024)
    pickler = ZipPickler()
    body = pickler.dumps(state_dict({f"layer.{n}.weight": tensor(s, shape) for n, s in enumerate(storages)}))
    with path.open("wb") as file, TorchZipWriter(file, "dense") as archive:
        archive.add("data.pkl", body)
        for key, stored in pickler.storages.items():
            archive.add(f"data/{key}", stored.data)


def figures(source: Path, form: str) -> list[Figure]:
    """Speed and memory of one form."""
    from viewer.core.export import exporter_of
    from viewer.core.export.selection import Wanted
    from viewer.core.opening import open_document
    from viewer.core.progress import Progress
    from viewer.torch_client import verify

    target, copy = source.with_name("ours"), source.with_name("theirs")
    exporter = exporter_of(form)
    begun = time.perf_counter()
    document = open_document(source)
    plan = exporter.plan(document, Wanted())
    started = time.perf_counter() - begun
    ours: list[tuple[float, float]] = []
    theirs: list[tuple[float, float]] = []
    peers: list[tuple[float, float]] = []
    for number in range(ROUNDS):
        ours.append(timed(lambda: exporter.write(plan, target, Progress())))
        target.unlink()
        theirs.append(timed(lambda: subprocess.run([*COPY, str(source), str(copy)], check=True)))
        copy.unlink()
        if form in PEERS and number < PEER_ROUNDS:
            peers += peer(source, copy, form)
    size = source.stat().st_size / 1e9
    title = f"export {form}, {size:.1f} GB dense"
    rows = [
        *compared(f"{title}, beside cp", size, ours, theirs, GOALS[form]),
        *(compared(f"{title}, beside {PEERS[form][0]}", size, ours, peers, "> 1") if peers else ()),
    ]
    report = exporter.write(plan, target, Progress())
    flushed = timed(lambda: flush(target))[0]
    verified = timed(lambda: verify(report, Progress()))[0]
    document.source.close()
    target.unlink()
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(source), str(target), form], capture_output=True, text=True, check=True
    )
    target.unlink()
    before, after = (int(part) / 1024 for part in done.stdout.split())
    apart = (("start-up (open, plan)", started), ("fsync", flushed), ("verification", verified))
    rows += [Figure(f"export {form}, {what}", seconds, None, "s") for what, seconds in apart]
    return [*rows, Figure(f"export {form}, growth of the process", after - before, None, "MB", "< 100")]


def compared(
    title: str, size: float, ours: Sequence[tuple[float, float]], theirs: Sequence[tuple[float, float]], goal: str
) -> list[Figure]:
    """The best of each as speeds, so that more is better, by both clocks."""
    rows = []
    for place, name in enumerate(("wall", "processor")):
        first, second = (size / min(row[place] for row in each) for each in (ours, theirs))
        rows.append(Figure(f"{title}, {name}", first, second, "GB/s", goal))
    return rows


def peer(source: Path, target: Path, form: str) -> list[tuple[float, float]]:
    """One run of what others write the form with; none where torch is absent."""
    if importlib.util.find_spec("torch") is None:
        return []
    arguments = [sys.executable, "-c", PEERS[form][1], str(source), str(target)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    target.unlink()
    wall, used = map(float, done.stdout.split())
    return [(wall, used)]


def flush(path: Path) -> None:
    """What the file system has to do to keep a file."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds that it takes, and seconds of processor time, those of child processes among them."""
    start, used = time.perf_counter(), sum(os.times()[:4])
    work()
    return time.perf_counter() - start, sum(os.times()[:4]) - used
