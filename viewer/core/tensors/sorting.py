"""The order of very many tensors, told in steps, so that other threads get their turn and a person can stop it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from heapq import merge
from operator import itemgetter
from typing import Any, Final

import numpy as np

from viewer.core.progress import Progress
from viewer.core.tensors.columns import KEYS, SORTING, By, Ranks
from viewer.core.tensors.many import ManyTensors
from viewer.core.tensors.tensor import Tensor

RUN: Final = 4096
"""Rows that are sorted at once, without a turn of other threads."""
TURN: Final = 1024


def ordered(tensors: Sequence[Tensor], by: By, descending: bool, progress: Progress) -> array[int]:
    """Numbers of all tensors in the order of a column; equal ones as they stand. Raises CancelledError."""
    progress.check()
    found = tensors.ranks(by, progress) if isinstance(tensors, ManyTensors) else None
    if found is not None:
        return array("q", order_of(found, descending).tobytes())
    return _merged(tensors, by, descending, progress)


def order_of(ranks: Ranks, descending: bool) -> Ranks:
    """The numbers of the rows in the order of their keys. Other threads run meanwhile."""
    if not descending:
        return np.argsort(ranks, kind="stable")
    return len(ranks) - 1 - np.argsort(ranks[::-1], kind="stable")[::-1]


def _merged(tensors: Sequence[Tensor], by: By, descending: bool, progress: Progress) -> array[int]:
    """The order of tensors of which each has to be looked at."""
    count, key = len(tensors), KEYS[by]
    runs: list[list[tuple[Any, int]]] = []
    for first in range(0, count, RUN):
        progress.step(SORTING, first, 2 * count)
        rows = range(first, min(first + RUN, count))
        runs.append(sorted(((key(tensors[row]), row) for row in rows), key=itemgetter(0), reverse=descending))
    found = array("q")
    for _, row in merge(*runs, key=itemgetter(0), reverse=descending):
        if len(found) % TURN == 0:
            progress.step(SORTING, count + len(found), 2 * count)
        found.append(row)
    return found
