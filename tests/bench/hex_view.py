"""The Bytes pane as a person meets it: first frame, jumps, regions, memory, of a small file and of one of 1 TB."""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

import numpy as np
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from tests.bench import Figure
from tests.bench.hex_repaint import ROWS, WIDTH, part
from tests.bench.measure import beside, in_child
from viewer.core.progress import Progress
from viewer.core.source import FileSource, MemorySource
from viewer.ui.hexview.marks import KINDS, RegionRuns
from viewer.ui.hexview.overview import entropies, whole_entropy
from viewer.ui.hexview.surface import Moment, Surface
from viewer.ui.hexview.view import HexView
from viewer.ui.theme import Theme, load_theme

SIZES: Final = (("1 MB", 10**6), ("1 TB, sparse", 10**12))
SPARE: Final = 64
JUMPS: Final = 300
MANY: Final = 1_000_000
SEEN: Final = 20_000
"""Of them those that are on the screen at some time."""

MEMORY: Final = """
import sys
from PySide6.QtWidgets import QApplication
app = QApplication([])
from viewer.core.source import FileSource, MemorySource
from viewer.ui.hexview.map import HexMap
from viewer.ui.hexview.view import HexView
from viewer.ui.theme import load_theme
from tests.bench.measure import peak
theme = load_theme("light")
first = HexView(theme); first.set_reader(MemorySource(bytes(64))); first.resize(1400, 900); first.grab()
before = peak()
source = FileSource(sys.argv[1] if len(sys.argv) > 1 else {path!r})
view = HexView(theme); map_ = HexMap(view, theme); view.resize(1400, 900); view.set_reader(source)
for step in range(200):
    view.go_to(source.size * step // 200)
    view.grab()
print(peak() - before)
"""


def sparse(folder: str, size: int) -> Path:
    """A file of a size, with bytes at its ends only."""
    path = Path(folder, f"{size}.bin")
    with path.open("wb") as file:
        file.write(random.Random(1).randbytes(4096))
        file.truncate(size)
    return path


def first_frame(theme: Theme, path: Path) -> float:
    """Milliseconds from the name of a file to its painted bytes, in a program that runs."""
    times = []
    for _ in range(9):
        begin = time.process_time()
        source = FileSource(path)
        view = HexView(theme)
        view.resize(900, 700)
        view.set_reader(source)
        view.grab()
        times.append((time.process_time() - begin) * 1000)
        source.close()
        view.deleteLater()
    return statistics.median(times)


def peer_frame(path: Path) -> float:
    """What the system takes for the same bytes: open, ask for the size, read what is seen."""
    begin = time.process_time()
    descriptor = os.open(path, os.O_RDONLY)
    os.fstat(descriptor)
    os.pread(descriptor, ROWS * WIDTH, 0)
    os.close(descriptor)
    return (time.process_time() - begin) * 1000


def jumps(theme: Theme, path: Path) -> tuple[float, float]:
    """The middle and the 99th of a hundred milliseconds from asking for an offset to its bytes on the screen."""
    source, chance, times = FileSource(path), random.Random(2), []
    view = HexView(theme)
    view.resize(900, 700)
    view.set_reader(source)
    view.grab()
    for _ in range(JUMPS):
        at = chance.randrange(source.size)
        begin = time.process_time()
        view.go_to(at)
        view.grab()
        times.append((time.process_time() - begin) * 1000)
    source.close()
    view.deleteLater()
    return statistics.median(times), sorted(times)[int(0.99 * JUMPS)]


def repaint(theme: Theme, runs: RegionRuns | None) -> float:
    """Milliseconds of a full repaint of 60 x 32 bytes."""
    surface = Surface(theme)
    surface.content.reader = MemorySource(random.Random(3).randbytes(10 * 2**20))
    surface.content.regions = None if runs is None else lambda start, stop: part(runs, start, stop)
    surface.fixed = WIDTH
    surface.dress(theme, 1.0, 1.0)
    width, height = surface.layout.width, surface.face.metrics.header + ROWS * surface.face.metrics.row
    surface.arrange(width, height)
    target, times = QImage(width, height, QImage.Format.Format_RGB32), []
    for number in range(100):
        surface.top_row = 61 * number
        begin = time.process_time()
        painter = QPainter(target)
        surface.paint(painter, QRect(0, 0, width, height), 0, Moment())
        painter.end()
        times.append((time.process_time() - begin) * 1000)
    return statistics.median(times[5:])


def many_runs(count: int) -> RegionRuns:
    """So many regions of ten bytes."""
    starts = np.arange(count, dtype=np.int64) * 10
    kinds = (np.arange(count) % len(KINDS)).astype(np.uint8)
    return RegionRuns(starts, starts + 10, kinds, np.full(count, 2, np.uint8))


def exact() -> Figure:
    """All bytes of the map counted, beside `numpy.bincount` of the same bytes at once."""
    data = random.Random(5).randbytes(64 * 2**20)
    ours, peer = beside(
        lambda: whole_entropy(MemorySource(data), 0, len(data), Progress()),
        lambda: np.bincount(np.frombuffer(data, np.uint8), minlength=256),
    )
    return Figure("hex map, all of 64 MiB / numpy.bincount", ours, peer, "s", "0.17 or less (0.4 GB/s)")


def run() -> list[Figure]:
    """Rows for a view of 900 x 700 unless said; those of repaint are of 60 x 32 bytes."""
    _app = QApplication.instance() or QApplication([])
    theme, rows = load_theme("light"), []
    with tempfile.TemporaryDirectory() as folder:
        for name, size in SIZES:
            path = sparse(folder, size)
            frame, system = first_frame(theme, path), peer_frame(path)
            rows.append(
                Figure(f"hex open and first frame: {name} / open, pread", frame, system, "ms", "ours 50 or less")
            )
            middle, late = jumps(theme, path)
            rows.append(Figure(f"hex jump and paint: {name}, median", middle, None, "ms"))
            rows.append(Figure(f"hex jump and paint: {name}, p99", late, None, "ms", "20 or less"))
            program = MEMORY.replace("{path!r}", repr(str(path)))
            rows.append(Figure(f"hex memory of the pane: {name}", in_child(program)[0], None, "MB", f"{SPARE} or less"))
            source = FileSource(path)
            begin = time.process_time()
            entropies(source, 1000, Progress())
            rows.append(
                Figure(f"hex map, sampled: {name}", (time.process_time() - begin) * 1000, None, "ms", "100 or less")
            )
            source.close()
    rows.append(exact())
    none, few, many = repaint(theme, None), repaint(theme, many_runs(SEEN)), repaint(theme, many_runs(MANY))
    rows.append(Figure(f"hex repaint: {MANY:,} regions / the {SEEN:,} in view alone", many, few, "ms", "within 1 ms"))
    rows.append(Figure(f"hex repaint: {MANY:,} regions of all kinds / none", many, none, "ms", "within 1 ms"))
    return rows
