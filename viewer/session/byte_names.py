"""Names that stand for places among bytes: of tensors and records, for `@name` in the go-to bar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Final

from viewer.core.document import Document
from viewer.core.search.names import tensor_names
from viewer.core.tensors import window

MOST_NAMES: Final = 50_000


class ByteNames:
    """The names in the bytes of one place of a document: its own, or those of a file of the set."""

    def __init__(self, document: Document, place: str = "", marks: Iterable[tuple[str, int]] = ()) -> None:
        """`marks`: names and offsets of bookmarks in these bytes; one whose name a tensor has too stands behind it."""
        self._document = document
        self._marks = {name: start for name, start in reversed(list(marks)) if name}
        self._shown, self._place = document.at(place)
        self._member = place if self._shown is not document else ""

    def find(self, name: str) -> int | None:
        """Where what has exactly this name begins; a tensor before a record."""
        number = self._numbers.get(name)
        if number is not None and (at := self._start(number)) is not None:
            return at
        if name in self._marks:
            return self._marks[name]
        if self._place:
            return None
        return next((record.data.start for record in self._shown.records if record.name == name), None)

    def starting(self, text: str, most: int) -> list[str]:
        """Names that hold a text, those that begin with it first, each once."""
        wanted = text.lower()
        names = dict.fromkeys((*self._marks, *self._numbers))
        names |= dict.fromkeys(record.name for record in self._shown.records) if not self._place else {}
        held = [name for name in names if wanted in name.lower()]
        held.sort(key=lambda name: (not name.lower().startswith(wanted), len(name)))
        return held[:most]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The first tensor of each name, of the first many."""
        found: dict[str, int] = {}
        for number, name in islice(self._tensors(), MOST_NAMES):
            found.setdefault(name, number)
        tensors = self._document.tensors
        if isinstance(tensors, list) and not self._place:
            # The key in its state_dict alone, where it is not the whole path.
            for number, tensor in enumerate(tensors[:MOST_NAMES]):
                found.setdefault(tensor.name or "", number)
            found.pop("", None)
        return found

    def _tensors(self) -> Iterator[tuple[int, str]]:
        if self._place:
            return
        for first, names in tensor_names(self._document.tensors):
            yield from ((first + number, name) for number, name in enumerate(names) if name)

    def _start(self, number: int) -> int | None:
        tensor = self._document.tensors[number]
        span = window.span(tensor) if tensor.member == self._member else None
        return span.start if span is not None else None
