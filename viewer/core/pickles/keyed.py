"""The keys that a stream sets in mappings, all at once."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.among import among
from viewer.core.pickles.opcodes import code, codes
from viewer.core.pickles.values import Values

DICT: Final = code("DICT")
_FILLERS: Final = codes("DICT SETITEM SETITEMS")
_ITEMS_ABOVE: Final = np.zeros(256, dtype=np.int64)
_ITEMS_ABOVE[list(codes("SETITEMS ADDITEMS"))] = 2
_ITEMS_ABOVE[list(codes("SETITEM DICT FROZENSET TUPLE"))] = 1

Rows = npt.NDArray[np.int64]


class Keyed(NamedTuple):
    """`changes`: DICT, SETITEM and SETITEMS, in ascending order; `targets`: what each makes or fills.

    Then for each key: the number of its change among those, who wrote its slot, and the key itself.
    """

    changes: Rows
    targets: Rows
    owners: Rows
    writers: Rows
    keys: Rows


def keyed(values: Values) -> Keyed:
    """The keys of a stream, in its order."""
    opcodes = values.code.codes
    changes = np.flatnonzero(among(opcodes, _FILLERS))
    targets = changes.copy()
    fills = np.flatnonzero(opcodes[changes] != DICT)
    rows = changes[fills]
    targets[fills] = values.resolve_all(values.writers(rows, values.code.depths[rows])) if len(rows) else rows
    owners, writers = taken_columns(values, changes, 2)
    return Keyed(changes, targets, owners, writers, values.resolve_all(writers))


def operand_columns(values: Values, rows: Rows, step: int = 1) -> tuple[Rows, Rows]:
    """As one column each: opcodes, once for each item that they take, and who wrote its slot; `step` 2: keys only."""
    owners, writers = taken_columns(values, rows, step)
    return rows[owners], writers


def taken_columns(values: Values, rows: Rows, step: int = 1) -> tuple[Rows, Rows]:
    """As `operand_columns`, with the places of the opcodes among `rows`."""
    depths = values.code.depths
    first = depths[rows] + _ITEMS_ABOVE[values.code.codes[rows]]
    before = np.where(rows > 0, depths[rows - 1], 0)
    counts = np.maximum(before - first + step, 0) // step
    owners = np.repeat(np.arange(len(rows), dtype=np.int64), counts)
    if not len(owners):
        return owners, owners
    skipped = np.cumsum(counts) - counts
    slots = step * np.arange(len(owners), dtype=np.int64) + np.repeat(first - step * skipped, counts)
    return owners, values.writers(np.repeat(rows, counts), slots)
