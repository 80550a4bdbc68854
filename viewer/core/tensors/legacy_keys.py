"""The list of storage keys of a legacy stream, where it is damaged: what it should be, and whether the bytes agree.

torch writes the keys of all storages of the object, sorted as text. Before each storage its number of elements
stands, so that a list that fits all of them is the right one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from viewer.core.source import ByteSource
from viewer.core.tensors.legacy_storages import COUNT
from viewer.core.tensors.table import Declared, Key

# how far behind the object the storages are looked for: so much, and so much more for each key
WITHIN: Final = 4096
WITHIN_A_KEY: Final = 64
STOP: Final = b"."


class Settled(NamedTuple):
    """The keys, and where the first storage's count stands."""

    keys: list[Key]
    start: int


def settled_keys(
    source: ByteSource, declared: Mapping[Key, Declared], listed: Sequence[Key] | None, begin: int, end: int
) -> Settled | None:
    """The keys in the order of the storages, where the list is damaged; None where it is not, or nothing is sure.

    `listed`: None where the list is broken. `begin`, `end`: of its pickle, as far as it was read.
    """
    if not declared or (listed is not None and set(listed) >= set(declared)):
        return None
    # a list of another length may as well be what was written
    to_the_end = listed is not None and len(listed) != len(declared)
    keys = sorted(declared, key=str)
    sizes = [declared[key].nbytes for key in keys]
    total = sum(sizes) + COUNT * len(sizes)
    for start in [end, *stops(source, begin, WITHIN + WITHIN_A_KEY * len(keys)), source.size - total]:
        is_inside = begin < start < source.size and not (to_the_end and start + total > source.size)
        if is_inside and fits(source, [declared[key] for key in keys], start):
            return Settled(keys, start)
    return None


def stops(source: ByteSource, begin: int, length: int) -> Iterator[int]:
    """The places behind each byte that could end the list."""
    data = source.read(begin, length)
    at = data.find(STOP)
    while at >= 0:
        yield begin + at + 1
        at = data.find(STOP, at + 1)


def fits(source: ByteSource, declared: Sequence[Declared], start: int) -> bool:
    """True where each storage has the number of elements before it that the object states, as far as the file goes."""
    for storage in declared:
        head = source.read(start, COUNT)
        if len(head) < COUNT:
            return storage is not declared[0]
        if int.from_bytes(head, "little", signed=True) != storage.count:
            return False
        start += COUNT + storage.nbytes
    return True
