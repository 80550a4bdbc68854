"""How the rows in view look, kept to tell which of them look another way when bytes, regions, hits have changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from viewer.core.span import Span

if TYPE_CHECKING:
    from viewer.ui.hexview.grid import Grid

Rows = tuple[int, int]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """What rows are drawn from. `place`: which bytes they show; others cannot be compared with them.

    `tables`: arrays with one item a cell, `width` a row. `loose`: others, of which any may be in any row. `lined`: what
    has a line round it, and what has one under it.
    """

    place: tuple[object, ...]
    width: int
    tables: tuple[npt.NDArray[Any], ...]
    loose: tuple[npt.NDArray[Any], ...]
    lined: tuple[frozenset[Span], ...]


def other_rows(before: Looks | None, after: Looks, grid: Grid, top: int, shown: int) -> list[Rows]:
    """The rows [first, last] that look another way, counted from `top`, `shown` of them in view."""
    if before is None or before.place != after.place or not all(map(np.array_equal, before.loose, after.loose)):
        return [(0, shown - 1)]
    other = np.zeros(shown, np.bool_)
    for one, two in zip(before.tables, after.tables, strict=True):
        differs = (one != two).reshape(-1, after.width).any(axis=1)[:shown]
        other[: len(differs)] |= differs
    # A line stands on the edge of two rows.
    spans = (span for one, two in zip(before.lined, after.lined, strict=True) for span in one ^ two)
    for first, last in map(grid.rows_of, spans):
        other[max(0, first - 1 - top) : max(0, last + 2 - top)] = True
    return list(_ranges(other))


def _ranges(flags: Flags) -> Iterable[Rows]:
    """The ranges [first, last] in which flags are set."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(np.int8))).tolist()
    return ((first, stop - 1) for first, stop in zip(edges[::2], edges[1::2], strict=True))
