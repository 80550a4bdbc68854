"""Bytes of which some may differ: wildcards, nibbles, both cases of a letter. All hits are equally long."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from viewer.core.search_bytes.base import Block, BlockQuery, Hits, Offsets, QueryError
from viewer.core.search_bytes.literal import MOST_BYTES, places

ALL: Final = frozenset(range(256))
Allowed = frozenset[int]


class Anchor(NamedTuple):
    """Bytes that every hit holds at a place: `bytes.find` looks for these. `folded`: as small letters."""

    at: int
    literal: bytes
    folded: bool


class Pattern(BlockQuery):
    """A set of allowed bytes for each place. `exact`: decides where the sets alone allow too much.

    Raises QueryError for more than 4,096 places, and where any bytes would do.
    """

    def __init__(self, allowed: Sequence[Allowed], exact: re.Pattern[bytes] | None = None) -> None:
        if len(allowed) > MOST_BYTES:
            raise QueryError("long", limit=MOST_BYTES)
        if all(each == ALL for each in allowed):
            raise QueryError("anything")
        self.length = self.reach = len(allowed)
        self._exact = exact
        self._anchor = anchor_of(allowed)
        # What allows least is asked first.
        order = sorted((len(each), at) for at, each in enumerate(allowed) if each != ALL)
        self._tables = [(at, _table(allowed[at])) for _, at in order]

    @override
    def find(self, data: Block, count: int, base: int, limit: int) -> Hits:
        del base
        values = np.frombuffer(data, np.uint8, count)
        room = min(limit, count - self.length + 1)
        if room <= 0:
            return Hits()
        chosen = self._candidates(data, values, room)
        for at, table in self._tables:
            if not len(chosen):
                break
            chosen = chosen[table[values[chosen + at]]]
        if self._exact is not None and len(chosen):
            kept = [start for start in chosen.tolist() if self._exact.match(data, start, count)]
            chosen = np.array(kept, np.int64)
        return Hits(chosen.astype(np.int64, copy=False))

    def _candidates(self, data: Block, values: npt.NDArray[np.uint8], room: int) -> Offsets:
        anchor = self._anchor
        if anchor is None:
            at, table = self._tables[0]
            return np.flatnonzero(table[values[at : at + room]])
        hay = data.lower() if anchor.folded else data
        starts = places(hay, anchor.literal, min(len(values), anchor.at + room + len(anchor.literal) - 1)) - anchor.at
        return starts[starts >= 0]


def anchor_of(allowed: Sequence[Allowed]) -> Anchor | None:
    """The longest run of places with one byte, or one letter of ASCII in both cases; None: there is none."""
    best = start = 0
    length = 0
    for at, each in enumerate([*allowed, ALL]):
        if len(each) == 1 or is_letter(each):
            continue
        if at - start > length:
            best, length = start, at - start
        start = at + 1
    if not length:
        return None
    run = allowed[best : best + length]
    folded = any(len(each) > 1 for each in run)
    literal = bytes(min(each) for each in run)
    return Anchor(best, literal.lower() if folded else literal, folded)


def is_letter(allowed: Allowed) -> bool:
    """True for both cases of one letter of ASCII."""
    if len(allowed) != 2:
        return False
    small = bytes([max(allowed)])
    return small.isalpha() and small.islower() and min(allowed) == small.upper()[0]


def _table(allowed: Allowed) -> npt.NDArray[np.bool_]:
    table = np.zeros(256, np.bool_)
    table[list(allowed)] = True
    return table
