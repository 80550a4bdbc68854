"""The listings of all pickles of a document as one column of lines; before each of several pickles stands its head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from viewer.core.document import Document, Pickle
from viewer.core.export.listing import head
from viewer.core.objects.listing import Listing, make_listing
from viewer.core.objects.listing_lines import Role
from viewer.core.progress import Progress
from viewer.core.tensors.tensor import ValueRef
from viewer.ui.models.opcode_break import break_span

SAMPLE: Final = 300
"""Lines whose lengths are looked at."""
USUAL: Final = 240
"""Letters of what is a long line in most listings."""


class ListingLines:
    """`listings`: one of each pickle. Lines are counted from 0. `letters`: what nearly all lines have room in."""

    def __init__(self, document: Document, listings: Sequence[Listing]) -> None:
        self._document = document
        self._listings = listings
        self._heads = int(len(listings) > 1)
        self._starts = np.cumsum([0, *(len(listing) + self._heads for listing in listings)])
        self.letters = max((len(self.text(line)) for line in range(min(len(self), SAMPLE))), default=0)
        if len(self) > SAMPLE:
            self.letters = max(self.letters, USUAL)

    def __len__(self) -> int:
        return int(self._starts[-1])

    def text(self, line: int) -> str:
        """One line."""
        number, at = self._place(line)
        if at < 0:
            pickle = self._document.pickles[number]
            return f"# {head(self._document, pickle, number, len(self._listings))}"
        return self._listings[number].text(at)

    def offset(self, line: int) -> int | None:
        """Where the bytes of a line begin, as they are shown; None for a head."""
        number, at = self._place(line)
        if at < 0:
            return None
        pickle = self._document.pickles[number]
        if self.break_at(line) is not None:
            return break_span(pickle).start
        return pickle.shown(pickle.code.span(self._listings[number].opcodes(at)[0])).start

    def break_at(self, line: int) -> ValueRef | None:
        """The place of the break that a line tells, behind the last opcode; None for all other lines."""
        number, at = self._place(line)
        listing = self._listings[number]
        is_end = at >= 0 and listing.role(at) is Role.BROKEN
        return ValueRef(number, len(listing.values.code)) if is_end else None

    def opcodes(self, line: int) -> tuple[int, int, int]:
        """Pickle, and first and last of the opcodes that a line tells; of a head the first of the pickle."""
        number, at = self._place(line)
        return (number, *self._listings[number].opcodes(at)) if at >= 0 else (number, 0, 0)

    def line_of(self, opcode: ValueRef) -> int:
        """The line that tells an opcode; -1 where there is none."""
        if opcode.pickle >= len(self._listings):
            return -1
        return int(self._starts[opcode.pickle]) + self._heads + self._listings[opcode.pickle].line_of(opcode.value)

    def _place(self, line: int) -> tuple[int, int]:
        """Pickle and line in it; -1 for its head."""
        number = int(np.searchsorted(self._starts, line, side="right")) - 1
        return number, line - int(self._starts[number]) - self._heads


def make_lines(document: Document, pickles: Sequence[Pickle], encoding: str, progress: Progress) -> ListingLines:
    """The lines of some pickles of a document. Raises CancelledError."""
    return ListingLines(document, [make_listing(pickle.values, encoding, progress) for pickle in pickles])
