"""The storages behind the pickles of a legacy stream: a count and the elements, in the order of the keys.

What the object pickle says of a storage decides its length. Where the count says otherwise, the bytes that
follow tell which of the two is right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from viewer.core.problem import Problem, error
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.span import Region, Span
from viewer.core.tensors.dtypes import dtype
from viewer.core.tensors.path import shown
from viewer.core.tensors.table import Declared, Key, Located
from viewer.core.tensors.tensor import Tensor

COUNT: Final = 8
# Element sizes that a storage may have of which nothing is known, commonest first.
SIZES: Final = (4, 8, 2, 1, 16)
NAMED: Final = 5
STEP: Final = 1024


@dataclass(slots=True)
class Placed:
    """One storage: `start` and `stop` of its elements as they should be, the count before them as it stands."""

    key: Key
    start: int
    stop: int
    found: int | None


class StorageWalk:
    """Finds each storage from the one before it. `regions` and places count in the source."""

    def __init__(self, source: ByteSource, declared: Mapping[Key, Declared], byteorder: str) -> None:
        self.source = source
        self.declared = declared
        self.byteorder = byteorder
        self.places: dict[Key, Placed] = {}
        self.regions: list[Region] = []
        self.unsized: Key | None = None

    def run(self, keys: Sequence[Key], at: int, progress: Progress) -> int:
        """Walk from `at` over all keys; gives the offset behind the last storage, cut to the source."""
        for row, key in enumerate(keys):
            if row % STEP == 0:
                progress.step("storages", row, len(keys))
            following = keys[row + 1] if row + 1 < len(keys) else None
            placed = self._place(key, at, following)
            if placed is None:
                self.unsized = key
                return at
            self._note(placed, at)
            at = placed.stop
        return min(at, self.source.size)

    def locate(self, key: Key, nbytes: int) -> Located | None:
        """Where the elements of a key are; None for a key that is not listed."""
        placed = self.places.get(key)
        if placed is None:
            return None
        span = Span(placed.start, placed.start + nbytes)
        source = self.source.slice(placed.start, min(placed.stop, span.stop))
        return Located(span, source, byteorder=self.byteorder, size=nbytes)

    def names_of(self, tensors: Sequence[Tensor]) -> dict[Key, list[str]]:
        """The tensors in each storage that something is wrong with."""
        wrong = {placed.key for placed in self.places.values() if self._is_wrong(placed)}
        names: dict[Key, list[str]] = {}
        for tensor in tensors if wrong else ():
            if tensor.storage is not None and tensor.storage.key in wrong:
                names.setdefault(tensor.storage.key, []).append(tensor.name or shown(tensor.path))
        return names

    def problems(self, names: Mapping[Key, list[str]]) -> list[Problem]:
        """Counts that are wrong, storages that are cut, keys that nothing refers to."""
        found: list[Problem] = []
        following = [*list(self.places)[1:], None]
        for number, (placed, after) in enumerate(zip(self.places.values(), following, strict=False), 1):
            listed = ", ".join(names.get(placed.key, [])[:NAMED]) or "\u2013"
            found += self._problems(placed, number, after, listed)
        if self.unsized is not None:
            found.append(error("storage-unreferenced", None, key=self.unsized))
        return found

    def _problems(self, placed: Placed, number: int, after: Key | None, names: str) -> list[Problem]:
        found: list[Problem] = []
        key, start = placed.key, min(placed.start, self.source.size)
        declared = self.declared.get(key)
        if declared is None:
            found.append(error("storage-unreferenced", Span(start, min(placed.stop, self.source.size)), key=key))
        elif placed.found is not None and placed.found != declared.count:
            span = Span(placed.start - COUNT, placed.start)
            # As text, so that the sentence shows the number as it is compared: without thousands.
            facts: dict[str, object] = {"found": str(placed.found), "expected": str(declared.count), "names": names}
            facts |= {"number": number, "total": len(self.places)}
            is_alone = placed.stop - placed.start == declared.nbytes and self._fits(placed.stop, after)
            found.append(error("storage-count-alone" if is_alone else "storage-count", span, key=key, **facts))
        if placed.stop > self.source.size:
            stated, present = placed.stop - placed.start, self.source.size - start
            facts = {"stated": stated, "present": present, "missing": stated - present, "names": names}
            found.append(error("storage-cut", Span(start, self.source.size), key=key, **facts))
        return found

    def _is_wrong(self, placed: Placed) -> bool:
        declared = self.declared.get(placed.key)
        return placed.stop > self.source.size or (declared is not None and placed.found != declared.count)

    def _place(self, key: Key, at: int, following: Key | None) -> Placed | None:
        """The storage whose count stands at `at`; None where its length cannot be told."""
        head = self.source.read(at, COUNT)
        found = int.from_bytes(head, "little", signed=True) if len(head) == COUNT else None
        start = at + COUNT
        declared = self.declared.get(key)
        kind = dtype(declared.dtype) if declared is not None else None
        if declared is not None and kind is not None:
            lengths = [declared.nbytes]
            if found is not None and found >= 0 and found != declared.count:
                lengths.append(found * kind.itemsize)
        elif found is not None and found >= 0:
            lengths = [found * size for size in SIZES]
        else:
            return None
        fitting = lengths
        if len(lengths) > 1:
            fitting = [length for length in lengths if self._fits(start + length, following)]
        if not fitting and kind is None:
            return None
        return Placed(key, start, start + (fitting or lengths)[0], found)

    def _fits(self, stop: int, following: Key | None) -> bool:
        """Whether what should follow a storage stands at `stop`."""
        if following is None:
            return stop == self.source.size
        head = self.source.read(stop, COUNT)
        declared = self.declared.get(following)
        count = int.from_bytes(head, "little", signed=True)
        if len(head) < COUNT:
            return False
        return count == declared.count if declared is not None else 0 <= count <= self.source.size - stop

    def _note(self, placed: Placed, at: int) -> None:
        self.places.setdefault(placed.key, placed)
        size = self.source.size
        declared = self.declared.get(placed.key)
        label = f"{declared.dtype if declared is not None else 'unknown'} {placed.key}"
        self.regions.append(Region(Span(at, placed.start).clipped(size), "storage-count", str(placed.key)))
        self.regions.append(Region(Span(placed.start, placed.stop).clipped(size), "storage", label))
