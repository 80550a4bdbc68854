"""Which record torch takes for a name that several have: it sorts names without regard to case, and bisects.

miniz, the zip reader of torch, sorts by heap sort, which keeps no order among equals; so of records of one name it may
take any. What it does is done here step by step, so that the same one is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from viewer.core.archive.zip_directory import Members

MOST_SORTED: Final = 20_000
"""Records of an archive that are sorted in torch's way."""
_LOWER: Final = bytes(range(256)).lower()


class Double(NamedTuple):
    """Records whose names torch does not tell apart: their rows, and the one that torch takes; -1: it is not known."""

    rows: list[int]
    torch: int


def doubles(members: Members, count: int, is_seen: bool) -> list[Double]:
    """The records that share a name among the first `count`; torch sees no others, and where not `is_seen`, none."""
    names = members.names[:count]
    # almost all archives are done with here
    if len(set("\0".join(names).lower().split("\0"))) >= len(names):
        return []
    keys = [members.raw_name(row).translate(_LOWER) for row in range(len(names))]
    groups: dict[bytes, list[int]] = {}
    for row, key in enumerate(keys):
        groups.setdefault(key, []).append(row)
    shared = {key: rows for key, rows in groups.items() if len(rows) > 1}
    if not shared or not is_seen or len(keys) > MOST_SORTED:
        return [Double(rows, -1) for rows in shared.values()]
    order = heap_sorted(keys)
    return [Double(rows, bisected(keys, order, key)) for key, rows in shared.items()]


def heap_sorted(keys: Sequence[bytes]) -> list[int]:
    """The numbers of the keys in the order that miniz sorts them to."""
    order = list(range(len(keys)))
    for start in range((len(keys) - 2) // 2, -1, -1):
        _sift(keys, order, start, len(keys))
    for end in range(len(keys) - 1, 0, -1):
        order[end], order[0] = order[0], order[end]
        _sift(keys, order, 0, end)
    return order


def _sift(keys: Sequence[bytes], order: list[int], root: int, end: int) -> None:
    """Move the root of a heap down to where it belongs."""
    while (child := 2 * root + 1) < end:
        child += child + 1 < end and keys[order[child]] < keys[order[child + 1]]
        if not keys[order[root]] < keys[order[child]]:
            return
        order[root], order[child] = order[child], order[root]
        root = child


def bisected(keys: Sequence[bytes], order: Sequence[int], key: bytes) -> int:
    """The number of a key among sorted ones; -1: it is not there."""
    low, high = 0, len(order) - 1
    while low <= high:
        middle = (low + high) // 2
        found = keys[order[middle]]
        if found == key:
            return order[middle]
        low, high = (middle + 1, high) if found < key else (low, middle - 1)
    return -1
