"""Opcodes that repeat a value: reads of the memo and DUP, and chains of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.int64]


def followed(rows: Rows, targets: Rows, repeats: npt.NDArray[np.bool_]) -> Rows:
    """The ends of chains: `rows` repeat what `targets` put, and where `repeats` is true a target is itself a row.

    Each round doubles the length of the chains that are followed, so that one of a million is done in twenty.
    """
    step = np.arange(len(rows), dtype=np.int64)
    step[repeats] = np.searchsorted(rows, targets[repeats])
    farther = step[step]
    while not np.array_equal(step, farther):
        step = farther
        farther = step[step]
    ends: Rows = targets[step]
    return ends


def distinct(rows: Rows) -> Rows:
    """Each number once, in ascending order. By sorting, which lets other threads run; numpy's own `unique` does not."""
    ordered = np.sort(rows)
    found: Rows = ordered[np.append(ordered[:1] == ordered[:1], ordered[1:] != ordered[:-1])]
    return found
