"""Searching: everything that a file holds (`search`), and bytes from a place on (`bytes`). See `base`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.search.base import Found, Look, Searcher
from viewer.core.search.globals import Globals
from viewer.core.search.names import Names
from viewer.core.search.numbers import Numbers
from viewer.core.search.offsets import Offsets
from viewer.core.search.opcodes import Opcodes
from viewer.core.search.problems import Problems
from viewer.core.search.records import Records
from viewer.core.search.sources import Sources
from viewer.core.search.texts import Texts

SEARCHERS: Final[tuple[Searcher, ...]] = (
    Offsets(),
    Names(),
    Records(),
    Problems(),
    Sources(),
    Globals(),
    Texts(),
    Numbers(),
    Opcodes(),
)
"""In the order in which they look: what is soonest found first."""


def search(documents: Sequence[Document], look: Look) -> Iterator[Found]:
    """The hits in a file and all inside it, as they come. Raises CancelledError."""
    for searcher in SEARCHERS:
        for document in documents:
            look.step()
            try:
                yield from searcher.look(document, look)
            except SourceError:
                look.unread += 1
