"""Selection: what the person looks at, in all readings of the file at once; and the history of it."""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from viewer.core.span import Span
    from viewer.core.tensors.path import Path
    from viewer.core.tensors.tensor import ValueRef

Address = tuple[tuple[str, int | None, int], ...]
"""Where a document lies: how and at which offset it does so in the one around it, and its number among those alike."""


@dataclass(frozen=True, slots=True)
class Selection:
    """One place, seen in every reading. Made by the session, never by panes.

    `document`: index of the document. `source`: the record whose own bytes the spans count in, "" for the
    document's source. `spans`: the bytes selected. `linked`: bytes of the same thing elsewhere (the opcodes
    of a tensor whose elements are selected, all opcodes of the value whose one byte is). `opcode`: pickle
    and opcode. `value`: pickle and value. `node`: row of Contents. `tensor`: index in the document's list.
    `element`: index into the tensor. `code`: index of the stored source, `line`: its line, from 1.
    `origin`: the pane that asked for it.
    """

    document: int = 0
    source: str = ""
    spans: tuple[Span, ...] = ()
    linked: tuple[Span, ...] = ()
    opcode: ValueRef | None = None
    value: ValueRef | None = None
    node: int | None = None
    tensor: int | None = None
    element: tuple[int, ...] | None = None
    code: int | None = None
    line: int | None = None
    origin: str = ""

    @property
    def span(self) -> Span | None:
        """The first span of bytes."""
        return self.spans[0] if self.spans else None

    def among(self, documents: Sized) -> Selection:
        """The same place; where its document is no longer there, as after reading with other options, the file."""
        is_there = not documents or self.document < len(documents)
        return self if is_there else Selection(origin=self.origin)

    def same_place(self, other: Selection) -> bool:
        """True when only the asking pane differs."""
        return replace(self, origin="") == replace(other, origin="")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place of an earlier reading of the file. `document`: where its document lay; `tensor`: path of its tensor.

    `opened_by`: of a reading of a whole set, by which of its files; None: that of a file alone.
    """

    place: Selection
    document: Address = ()
    tensor: Path | None = None
    opened_by: str | None = None


class History:
    """The places that were selected: back and forward, as in a browser. Keeps the last 500."""

    LIMIT = 500

    def __init__(self) -> None:
        self._places: list[Selection | Anchor] = []
        self._at = -1

    def visit(self, place: Selection) -> None:
        """Add a place behind the present one; what lay ahead is forgotten."""
        present = self._places[self._at] if self._at >= 0 else None
        if isinstance(present, Selection) and present.same_place(place):
            return
        del self._places[self._at + 1 :]
        self._places.append(place)
        del self._places[: -self.LIMIT]
        self._at = len(self._places) - 1

    def rebase(self, anchored: Callable[[Selection], Anchor]) -> None:
        """The file is read anew: keep what outlives that of each place."""
        self._places = [anchored(place) if isinstance(place, Selection) else place for place in self._places]

    def amend(self, place: Selection) -> None:
        """The present place was found again in another reading."""
        if self._at >= 0:
            self._places[self._at] = place

    @property
    def can_go_back(self) -> bool:
        """True when an earlier place is known."""
        return self._at > 0

    @property
    def can_go_forward(self) -> bool:
        """True after going back."""
        return self._at + 1 < len(self._places)

    def back(self) -> Selection | Anchor | None:
        """The place before this one."""
        if not self.can_go_back:
            return None
        self._at -= 1
        return self._places[self._at]

    def forward(self) -> Selection | Anchor | None:
        """The place that was left by going back."""
        if not self.can_go_forward:
            return None
        self._at += 1
        return self._places[self._at]
