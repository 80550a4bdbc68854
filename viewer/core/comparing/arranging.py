"""Which rows of a comparison are listed, and in which order: by what differs most, unless a column is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from heapq import merge
from typing import Final

from viewer.core.comparing.comparison import Row, Status
from viewer.core.progress import Progress

Key = tuple[object, ...]
PIECE: Final = 5_000
"""Rows that are sorted at once."""
PLACES: Final = {status: at for at, status in enumerate(Status)}


class Column(IntEnum):
    """What can be sorted by; NONE: shapes and names first, then elements by their largest difference."""

    NONE = -1
    STATUS = 0
    NAME = 1
    A = 2
    B = 3
    LARGEST = 4
    MEAN = 5
    DIFFERING = 6


def rank(row: Row) -> tuple[int, float]:
    """Where a row stands among others, without a column."""
    found = row.differences
    largest = found.largest if found is not None and found.largest is not None else -1
    return PLACES[row.status], -float(largest)


def listed(
    rows: Sequence[Row],
    status: str = "",
    text: str = "",
    column: Column = Column.NONE,
    *,
    descending: bool = False,
    progress: Progress | None = None,
) -> list[int]:
    """Numbers of the rows of a status ("" = all) with this text in one of their names, in order."""
    progress, wanted = progress or Progress(), text.lower()
    found = [
        at
        for at, row in enumerate(progress.each(rows))
        if (not status or row.status == status)
        and (not wanted or wanted in row.pair.name_a.lower() or wanted in row.pair.name_b.lower())
    ]
    key = {at: _key(rows[at], column) for at in progress.each(found)}.__getitem__
    # A sort gives no other thread its turn before it ends.
    pieces = [sorted(found[at : at + PIECE], key=key, reverse=descending) for at in range(0, len(found), PIECE)]
    return list(progress.each(merge(*pieces, key=key, reverse=descending)))


def _key(row: Row, column: Column) -> Key:
    if column is Column.NONE:
        return rank(row)
    if column is Column.STATUS:
        return (PLACES[row.status],)
    if column is Column.NAME:
        return (row.pair.name,)
    if column in (Column.A, Column.B):
        tensor = row.pair.a if column is Column.A else row.pair.b
        return (-1, ()) if tensor is None else (tensor.elements, tensor.shape)
    found = row.differences
    if found is None:
        return (-1.0,)
    number = {Column.LARGEST: found.largest, Column.MEAN: found.mean, Column.DIFFERING: found.differing}[column]
    return (-1.0 if number is None else number,)
