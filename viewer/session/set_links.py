"""From a byte of one file of a set to the tensor of the whole model, and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from viewer.core.progress import Progress
from viewer.core.span import Span
from viewer.core.tensors import window

if TYPE_CHECKING:
    from viewer.core.document import Document
    from viewer.core.tensors.tensor import Tensor

MOST_PIECES: Final = 1000
AT_ONCE: Final = 50
"""Tensors of a set up to which those of one file are looked up in a few milliseconds."""

PIECE: Final = "piece"
Column = npt.NDArray[np.int64]
Columns = tuple[Column, Column, Column]
NONE: Final[Columns] = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64))


@dataclass(frozen=True, slots=True)
class MemberPlace:
    """Bytes of a file of a set. `member`: its name, "" for the file that stands for the set."""

    member: str
    spans: tuple[Span, ...]


class SetLinks:
    """The tensors of the files of one set."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._owners: dict[str, _Owners] = {}

    def other(self, member: str, offset: int) -> int:
        """The number of the value that is no tensor to which a byte of a file belongs; -1: none."""
        starts, stops, numbers = self._others.get(member, NONE)
        at = int(np.searchsorted(starts, offset, side="right")) - 1
        return int(numbers[at]) if at >= 0 and offset < stops[at] else -1

    @cached_property
    def _others(self) -> dict[str, Columns]:
        """For each file starts, stops and numbers of the values in it, in the order of their starts."""
        found: dict[str, list[tuple[int, int, int]]] = {}
        for number, value in enumerate(self.document.others):
            if value.span is not None:
                found.setdefault(value.member, []).append((value.span.start, value.span.stop, number))
        columns = {name: np.array(sorted(rows), dtype=np.int64).T for name, rows in found.items()}
        return {name: (table[0], table[1], table[2]) for name, table in columns.items()}

    def is_ready(self, member: str) -> bool:
        """True where `owner` answers at once."""
        return member in self._owners or len(self.document.tensors) <= AT_ONCE

    def prepare(self, member: str, progress: Progress) -> None:
        """Make the columns of a file, in a thread. Raises CancelledError."""
        if member not in self._owners:
            self._owners[member] = _Owners(self.document, member, progress)

    def owner(self, member: str, offset: int) -> tuple[Tensor, tuple[int, ...] | None] | None:
        """The tensor that a byte of a file belongs to, and its element in the whole tensor."""
        self.prepare(member, Progress())
        found = self._owners[member].at(offset)
        if found is None:
            return None
        tensor, held = found
        element = window.element_at(held, offset)
        if element is not None and held is not tensor and held.offsets is not None:
            element = tuple(first + at for first, at in zip(held.offsets, element, strict=True))
        return tensor, element


class _Owners:
    """The tensors and pieces with bytes in one file, in columns."""

    def __init__(self, document: Document, member: str, progress: Progress) -> None:
        source = document.at(member)[0].source
        numbers = document.tensors_in(member) if document.tensors_in is not None else range(len(document.tensors))
        self._tensors = document.tensors
        self._rows: list[tuple[int, int]] = []
        spans: list[Span] = []
        for number in numbers:
            progress.check()
            for part, held in held_in(document.tensors[number], member):
                self._rows.append((number, part))
                # A file may state offsets beyond 64 bits; no byte that is there has one.
                spans.append((window.span(held) or Span(0, 0)).clipped(source.size))
        self._starts: npt.NDArray[np.int64] = np.array([span.start for span in spans], dtype=np.int64)
        self._stops: npt.NDArray[np.int64] = np.array([span.stop for span in spans], dtype=np.int64)

    def at(self, offset: int) -> tuple[Tensor, Tensor] | None:
        """The tensor with the smallest span that holds a byte, and the piece of it that does so, or itself."""
        rows = np.flatnonzero((self._starts <= offset) & (offset < self._stops))
        if not len(rows):
            return None
        number, part = self._rows[int(rows[np.argmin((self._stops - self._starts)[rows])])]
        tensor = self._tensors[number]
        return tensor, tensor if part < 0 else tensor.parts[part][1]


def held_in(tensor: Tensor, member: str) -> Iterator[tuple[int, Tensor]]:
    """What of a tensor stands in a file: itself (-1), or its parts by number."""
    if tensor.member == member and window.span(tensor) is not None:
        yield -1, tensor
        return
    for number, (_, part) in enumerate(tensor.parts):
        if part.member == member:
            yield number, part


def place_of_tensor(tensor: Tensor, element: tuple[int, ...] | None = None) -> MemberPlace:
    """The bytes of a tensor of a set or of one element: of one in several files those of the first."""
    if element is None:
        return _place_of_whole(tensor)
    if window.span(tensor) is not None:
        found = window.element_offset(tensor, element)
        return MemberPlace(tensor.member, (found,) if found is not None else ())
    for role, piece in tensor.parts:
        if role != PIECE or piece.offsets is None or len(piece.offsets) != len(element):
            continue
        inner = tuple(at - first for at, first in zip(element, piece.offsets, strict=True))
        found = window.element_offset(piece, inner)
        if found is not None:
            return MemberPlace(piece.member, (found,))
    return MemberPlace("", ())


def _place_of_whole(tensor: Tensor) -> MemberPlace:
    own = window.span(tensor)
    if own is not None:
        return MemberPlace(tensor.member, (own,))
    found = [(part.member, span) for _, part in tensor.parts[:MOST_PIECES] if (span := window.span(part)) is not None]
    member = found[0][0] if found else ""
    return MemberPlace(member, tuple(span for name, span in found if name == member))


def first_shown(root: Document) -> str:
    """The file of a set to open on: the one that was asked for, else the first where no file stands for the set."""
    if root.opened_by or not root.files or root.source.size:
        return root.opened_by
    return next((file.name for file in root.files if file.size and root.member(file.name) is not None), "")
