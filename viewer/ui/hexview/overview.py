"""The whole file in a few hundred rows: the share of each kind of region, and how even its bytes are. Arithmetic only.

All functions may run in any thread; the map shows what they give.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from viewer.core.source import BLOCK
from viewer.ui.hexview.marks import KINDS, Offsets, RegionRuns

if TYPE_CHECKING:
    from viewer.core.progress import Progress
    from viewer.ui.hexview.content import Reader

Shares = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

SAMPLE = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Overview:
    """`shares`: (rows, kinds), each row at most 1 in all. `entropy`: (rows,), 0 to 1; empty when not measured."""

    shares: Shares
    entropy: Shares


NO_OVERVIEW = Overview(np.zeros((0, len(KINDS))), np.zeros(0))


def bounds(size: int, rows: int) -> Offsets:
    """Where each row of an overview begins, and the end: rows + 1 offsets. A file has no more rows than bytes."""
    rows = max(1, min(rows, size))
    return np.array([index * size // rows for index in range(rows + 1)], np.int64)


def shares(runs: RegionRuns, size: int, rows: int) -> Shares:
    """The share of each kind in the bytes of each row, of a file of `size` bytes described by all its runs."""
    edges = bounds(size, rows)
    lengths = np.maximum(np.diff(edges), 1)
    result = np.zeros((len(lengths), len(KINDS)))
    for kind in np.unique(runs.kinds):
        chosen = runs.kinds == kind
        before = _covered(runs.starts[chosen], runs.stops[chosen], edges)
        result[:, kind] = np.diff(before) / lengths
    return result


def _covered(starts: Offsets, stops: Offsets, edges: Offsets) -> Offsets:
    """How many bytes before each edge lie in the runs."""
    total = np.concatenate([[0], np.cumsum(stops - starts)])
    run = np.searchsorted(starts, edges, side="right") - 1
    inside = np.clip(edges, starts[run], stops[run]) - starts[run]
    covered: Offsets = np.where(run >= 0, total[run] + inside, 0)
    return covered


def entropies(reader: Reader, rows: int, progress: Progress) -> Shares:
    """Entropy of a sample of each row, 1 for eight bits a byte. Raises CancelledError when asked to stop."""
    edges = bounds(reader.size, rows)
    result = np.zeros(len(edges) - 1)
    for row, start in enumerate(edges[:-1]):
        progress.check()
        length = min(SAMPLE, int(edges[row + 1] - start))
        result[row] = _entropy(_counts(reader, int(start), length))
    return result


def whole_entropy(reader: Reader, start: int, stop: int, progress: Progress) -> float:
    """Entropy of all bytes [start, stop), 1 for eight bits a byte. Raises CancelledError when asked to stop."""
    counts = np.zeros(256, np.int64)
    for at in range(start, stop, BLOCK):
        progress.check()
        counts += _counts(reader, at, min(BLOCK, stop - at))
    return _entropy(counts)


def _counts(reader: Reader, start: int, length: int) -> Counts:
    """How often each value occurs."""
    return np.bincount(np.frombuffer(reader.read(start, length), np.uint8), minlength=256)


def _entropy(counts: Counts) -> float:
    part = counts[counts > 0] / max(1, counts.sum())
    return abs(float((part * np.log2(part)).sum())) / 8


def resampled(values: Shares, rows: int) -> Shares:
    """The same values averaged or repeated to another number of rows."""
    count = len(values)
    if count == 0 or rows <= 0:
        return np.zeros((max(0, rows), *values.shape[1:]))
    low = np.arange(rows) * count // rows
    high = np.maximum(low + 1, (np.arange(rows) + 1) * count // rows)
    total = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)])
    width = (high - low).reshape(-1, *[1] * (values.ndim - 1))
    average: Shares = (total[high] - total[low]) / width
    return average
