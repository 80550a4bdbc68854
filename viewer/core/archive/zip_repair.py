"""Records of which the directory's entry is damaged, found by their local headers in the gaps that they leave.

An entry may lead to no header, or be none at all; the record stands between the others all the same. A record that
the directory does not list is taken only where entries are missing: it may as well have been deleted.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from viewer.core.archive import zip_layout as layout
from viewer.core.archive.findings import Findings
from viewer.core.archive.zip_directory import NOWHERE, End, Members, join_names
from viewer.core.archive.zip_salvage import Walk
from viewer.core.problem import warning
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.span import Span

MOST_GAPS: Final = 1000
MOST_FOUND: Final = 5000
PLACES: Final = ("header", "data", "padding", "descriptor", "packed", "size")
COLUMNS: Final = ("flags", "method", "crc", *PLACES, "entry", "entry_end")


def with_lost(source: ByteSource, members: Members, end: End, findings: Findings, progress: Progress) -> Members:
    """The members with those whose entries are damaged, which become Problems."""
    lost = {members.names[row]: row for row in np.flatnonzero(members.data == NOWHERE).tolist()}
    unlisted = len(members) < end.count
    if not lost and not unlisted:
        return members
    known = set(members.names)
    added: list[Members] = []
    left = MOST_FOUND
    for gap in gaps(members, max(0, end.shift), end.start):
        # what is wrong within a gap is no finding of its own
        walk = Walk(source.slice(0, gap.stop), progress, Findings(), gap.start, left)
        walk.run()
        left -= len(walk.found.raw)
        found = walk.found.members()
        for number, name in enumerate(found.names):
            row = lost.pop(name, None)
            if row is None and (name in known or not unlisted):
                continue
            header, data = int(found.header[number]), int(found.data[number])
            findings.add(warning("zip-entry-damaged", Span(header, data), name=name, offset=header))
            if row is None:
                added.append(one_of(found, number))
                known.add(name)
                continue
            for column in PLACES:
                getattr(members, column)[row] = getattr(found, column)[number]
    return joined([members, *added]) if added else members


def gaps(members: Members, start: int, stop: int) -> list[Span]:
    """Where no listed record stands, between two places."""
    there = members.data != NOWHERE
    first = members.header[there].astype(np.int64)
    packed = np.minimum(members.packed[there], stop).astype(np.int64)
    last = members.data[there].astype(np.int64) + packed + members.descriptor[there].astype(np.int64)
    order = np.argsort(first, kind="stable")
    begins = np.append(first[order], stop)
    reached = np.maximum.accumulate(np.concatenate(([start], last[order])))
    rows = np.flatnonzero(begins - reached >= layout.LOCAL.size)[:MOST_GAPS]
    return [Span(int(reached[row]), int(begins[row])) for row in rows.tolist()]


def one_of(members: Members, row: int) -> Members:
    """A single record."""
    columns = {name: getattr(members, name)[row : row + 1] for name in COLUMNS}
    octets, bounds = join_names([members.raw_name(row)])
    cut = {0} if row in members.cut else set()
    return Members(names=[members.names[row]], name_octets=octets, name_bounds=bounds, cut=cut, **columns)


def joined(parts: list[Members]) -> Members:
    """The records of several, in their order."""
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS}
    names = [name for part in parts for name in part.names]
    octets, bounds = join_names([part.raw_name(row) for part in parts for row in range(len(part))])
    cut: set[int] = set()
    first = 0
    for part in parts:
        cut |= {first + row for row in part.cut}
        first += len(part)
    return Members(
        names=names, name_octets=octets, name_bounds=bounds, cut=cut, local_names=parts[0].local_names, **columns
    )
