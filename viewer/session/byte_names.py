"""Names that stand for places among bytes: of tensors, records and bookmarks, for `@name` in the go-to bar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nsmallest
from itertools import islice
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.search.names import tensor_names
from viewer.core.tensors import window
from viewer.core.tensors.columns import name_of

MOST_KEPT: Final = 50_000
"""Names that are kept as texts; of others 16 bytes are, and they are made anew for each search."""


class ByteNames:
    """The names in the bytes of one place of a document: its own, or those of a file of the set.

    They are known once `made` has walked over them, which may take long: call that, and `holding`, off the GUI thread.
    """

    def __init__(self, document: Document, place: str = "", marks: Iterable[tuple[str, int]] = ()) -> None:
        """`marks`: names and offsets of bookmarks in these bytes; one whose name a tensor has too stands behind it."""
        self._document = document
        self._marks = {name: start for name, start in reversed(list(marks)) if name}
        self._shown, self._place = document.at(place)
        self._member = place if self._shown is not document else ""
        self._kept: list[str] = []
        self._of_kept = 0
        self._records: dict[str, int] = {}
        self._hashes: npt.NDArray[np.int64] = np.zeros(0, np.int64)
        self._numbers: npt.NDArray[np.int64] = np.zeros(0, np.int64)
        self.is_made = False

    def made(self, progress: Progress) -> ByteNames:
        """Walk over all names once. Raises CancelledError."""
        if self.is_made:
            return self
        if not self._place:
            for record in progress.each(self._shown.records):
                self._records.setdefault(record.name, record.data.start)
        hashes: list[int] = []
        numbers: list[int] = []
        for first, names, keys in self._blocks(progress):
            named = [(number, name) for part in (names, keys) for number, name in enumerate(part, first) if name]
            hashes += [hash(name) for _, name in named]
            numbers += [number for number, _ in named]
            if len(self._kept) < MOST_KEPT:
                self._kept += names + keys
                self._of_kept = first + len(names)
        order = np.argsort(np.array(hashes, np.int64), kind="stable")
        self._hashes = np.array(hashes, np.int64)[order]
        self._numbers = np.array(numbers, np.int64)[order]
        self.is_made = True
        return self

    def find(self, name: str) -> int | None:
        """Where what has exactly this name begins: a tensor before a bookmark, that before a record."""
        number = self.number(name)
        if number is not None and (at := self._start(number)) is not None:
            return at
        return self._marks.get(name, self._records.get(name))

    def number(self, name: str) -> int | None:
        """The first tensor of a name, by its number in the document."""
        wanted = np.int64(hash(name))
        low, high = (self._hashes.searchsorted(wanted, side) for side in ("left", "right"))
        for number in self._numbers[low:high].tolist():
            tensor = self._document.tensors[number]
            if name in (name_of(tensor), tensor.name):
                return int(number)
        return None

    def holding(self, text: str, most: int, progress: Progress) -> list[str]:
        """Names that hold a text in any case, those that begin with it first, then the short ones; each once."""
        wanted = text.lower()
        if not wanted:
            return list(dict.fromkeys(islice(self._all(progress), 4 * most)))[:most]
        found: dict[str, None] = {}
        for name in self._all(progress):
            if wanted in name.lower():
                found[name] = None
        return nsmallest(most, found, key=lambda name: (not name.lower().startswith(wanted), len(name)))

    def _all(self, progress: Progress) -> Iterator[str]:
        yield from self._marks
        yield from filter(None, progress.each(self._kept))
        for _, names, keys in self._blocks(progress, self._of_kept):
            yield from filter(None, (*names, *keys))
        yield from progress.each(self._records)

    def _blocks(self, progress: Progress, begin: int = 0) -> Iterator[tuple[int, list[str], list[str]]]:
        """Names of tensors in blocks from one of them on, and the keys in their state_dict where these are others."""
        if self._place:
            return
        tensors = self._document.tensors
        is_few = isinstance(tensors, list)
        for first, names in tensor_names(tensors, begin):
            progress.check()
            keys = [tensor.name or "" for tensor in tensors[first : first + len(names)]] if is_few else []
            yield first, names, keys

    def _start(self, number: int) -> int | None:
        tensor = self._document.tensors[number]
        span = window.span(tensor) if tensor.member == self._member else None
        return span.start if span is not None else None
