"""Searching: everything that a file holds (`search`), and bytes from a place on (`bytes`). See `base`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from viewer.core.errors import SourceError
from viewer.late import made

if TYPE_CHECKING:
    from viewer.core.document import Document
    from viewer.core.search.base import Found, Look, Searcher

SEARCHERS: Final = (
    "offsets:Offsets",
    "names:Names",
    "records:Records",
    "problems:Problems",
    "sources:Sources",
    "globals:Globals",
    "texts:Texts",
    "numbers:Numbers",
    "opcodes:Opcodes",
)
"""In the order in which they look: what is soonest found first. Loaded with the first search."""


@cache
def searchers() -> tuple[Searcher, ...]:
    """One object of each kind."""
    return made(__name__, SEARCHERS)


def search(documents: Sequence[Document], look: Look) -> Iterator[Found]:
    """The hits in a file and all inside it, as they come. Raises CancelledError."""
    for searcher in searchers():
        for document in documents:
            look.step()
            try:
                yield from searcher.look(document, look)
            except SourceError:
                look.unread += 1
