"""The order of very many tensors, told in steps, so that other threads get their turn and a person can stop it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from heapq import merge
from operator import itemgetter
from typing import Any, Final

from viewer.core.progress import Progress
from viewer.core.tensors.tensor import Tensor

STEP: Final = "sorting"
RUN: Final = 4096
"""Rows that are sorted at once, without a turn of other threads."""
TURN: Final = 1024


def ordered(
    tensors: Sequence[Tensor], key: Callable[[Tensor], Any], descending: bool, progress: Progress
) -> array[int]:
    """Numbers of all tensors in the order of their keys; equal ones as they stand. Raises CancelledError."""
    count = len(tensors)
    runs: list[list[tuple[Any, int]]] = []
    for first in range(0, count, RUN):
        progress.step(STEP, first, 2 * count)
        rows = range(first, min(first + RUN, count))
        runs.append(sorted(((key(tensors[row]), row) for row in rows), key=itemgetter(0), reverse=descending))
    found = array("q")
    for _, row in merge(*runs, key=itemgetter(0), reverse=descending):
        if len(found) % TURN == 0:
            progress.step(STEP, count + len(found), 2 * count)
        found.append(row)
    return found
