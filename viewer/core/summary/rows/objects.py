"""The objects that pickles make, as rows of JSON: each value with its key, its type and the opcodes that make it."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from viewer.core.document import Document, Pickle
from viewer.core.objects.content import Role, Section, elements, octets, sections
from viewer.core.objects.describe import class_name
from viewer.core.objects.places import OBJECTS
from viewer.core.pickles.values import Values
from viewer.core.progress import Progress
from viewer.core.summary.rows.places import place_row
from viewer.core.summary.rows.values import EMPTY, plain_value
from viewer.core.tensors.many import of_values
from viewer.core.tensors.path import Attribute, to_json
from viewer.core.tensors.special import own_attributes
from viewer.core.tensors.tensor import inner_tensors

PAGE: Final = 1000
ROLES: Final = {role: role.name.lower() for role in Role}
ROOT: Final = "root"

Row = dict[str, Any]


def object_rows(document: Document, encoding: str, progress: Progress) -> Iterator[Row]:
    """The values of the pickle that holds the object, of each document, depth first. Raises CancelledError.

    `id`: of the value in its document; `parent`: of the value that holds it; `key`: its place there as in paths, by its
    `role`. `value`: of what holds nothing. `tensor`: its number among `tensors`, null for those of a file of a set. A
    value that stands in several places has a row for each, and what it holds below the first alone: the others are
    `again`. What makes a tensor is not told.
    """
    firsts: dict[int, int] = {}
    count = 0
    for holder in document.holders():
        firsts[holder.index] = count
        count += len(holder.tensors)
    for part in document.walk():
        pickle = part.main_pickle
        if pickle is not None and pickle.values.root >= 0:
            numbers = _Numbers(part, pickle, firsts.get(part.index), progress)
            yield from _Walk(part, pickle, encoding or "utf-8", numbers, progress).rows()


@dataclass(frozen=True, slots=True)
class _Place:
    """A value and where it stands."""

    value: int
    parent: int
    key: object
    role: str


class _Numbers:
    """The number of the tensor that a value is, or is a part of; 16 bytes for each. `first`: None where none counts."""

    def __init__(self, document: Document, pickle: Pickle, first: int | None, progress: Progress) -> None:
        made, numbers = array("q"), array("q")
        self._first = first
        for number, tensor in enumerate(progress.each(of_values(document.tensors))):
            for held in (tensor, *inner_tensors(tensor)):
                if held.value is not None and held.value.pickle == pickle.index:
                    made.append(held.value.value)
                    numbers.append(number)
        order = np.argsort(np.asarray(made), kind="stable")
        self._values = array("q", np.asarray(made)[order].tobytes())
        self._numbers = array("q", np.asarray(numbers)[order].tobytes())

    def has(self, value: int) -> bool:
        """True for a tensor."""
        return self._at(value) >= 0

    def of(self, value: int) -> int | None:
        """None for what is no tensor, or for one that is in no list."""
        at = self._at(value)
        return int(self._numbers[at]) + self._first if at >= 0 and self._first is not None else None

    def _at(self, value: int) -> int:
        at = bisect_left(self._values, value)
        return at if at < len(self._values) and self._values[at] == value else -1


class _Walk:
    def __init__(
        self, document: Document, pickle: Pickle, encoding: str, tensors: _Numbers, progress: Progress
    ) -> None:
        self._document, self._encoding = document, encoding
        self._progress = progress
        self._values: Values = pickle.values
        self._tensors = tensors
        self._seen = bytearray(len(pickle.code))
        self._arrays = {
            tensor.value.value
            for tensor in of_values(document.tensors)
            if tensor.note == OBJECTS and tensor.value is not None and tensor.value.pickle == pickle.index
        }

    def rows(self) -> Iterator[Row]:
        """Nothing recurses: objects may hold each other a million deep, or themselves."""
        waiting: list[Iterator[_Place]] = [iter([_Place(self._values.root, -1, None, ROOT)])]
        while waiting:
            self._progress.check()
            place = next(waiting[-1], None)
            if place is None:
                waiting.pop()
                continue
            again = place.value >= 0 and bool(self._seen[place.value])
            is_tensor = self._tensors.has(place.value)
            held = [] if is_tensor or place.value < 0 else self._held(place.value)
            yield self._row(place, again, is_tensor, sum(section.count for section in held))
            if place.value < 0 or again:
                continue
            self._seen[place.value] = not self._values.is_atom(place.value)
            if not is_tensor:
                waiting.append(self._entries(held, place.value))
                continue
            waiting.append(self._attributes(place.value))
            if place.value in self._arrays:
                waiting.append(self._entries(elements(self._values, place.value), place.value))

    def _held(self, value: int) -> list[Section]:
        return [] if octets(self._values, value) is not None else sections(self._values, value)

    def _row(self, place: _Place, again: bool, is_tensor: bool, count: int) -> Row:
        value = place.value
        kind = class_name(self._values, value, self._encoding) if value >= 0 else None
        is_leaf = kind is not None and not is_tensor and not count and kind not in EMPTY
        code = self._values.code
        span = self._values.span(value) if value >= 0 else None
        return {
            "document": self._document.index,
            "id": value if value >= 0 else None,
            "parent": place.parent if place.parent >= 0 else None,
            "key": place.key,
            "role": place.role,
            "type": kind,
            "count": count,
            "value": plain_value(self._values, value, self._encoding) if is_leaf else None,
            "tensor": self._tensors.of(value),
            "again": again,
            **place_row(code.source, span),
        }

    def _entries(self, held: list[Section], parent: int) -> Iterator[_Place]:
        for section in held:
            role = ROLES[section.role]
            for first in range(0, section.count, PAGE):
                for number, (key, value) in enumerate(section.read(first, min(first + PAGE, section.count)), first):
                    part = section.part(key, number, self._encoding)
                    yield _Place(value, parent, to_json((part,))[0], role)

    def _attributes(self, tensor: int) -> Iterator[_Place]:
        """What Python gave to a tensor beside its elements."""
        for name, value in own_attributes(self._values, tensor):
            yield _Place(value, tensor, to_json((Attribute(name),))[0], ROLES[Role.ATTRIBUTE])
