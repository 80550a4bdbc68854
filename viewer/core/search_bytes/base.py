"""Query: what is looked for among bytes, how one block of them is searched, and how a scope is walked in blocks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from viewer.core.progress import Progress
from viewer.core.source import BLOCK, ByteSource
from viewer.core.span import Span

SEARCHING: Final = "searching"
Offsets = npt.NDArray[np.int64]
Block = bytes | bytearray
NONE: Final[Offsets] = np.zeros(0, np.int64)


class QueryError(ValueError):
    """What was typed means no bytes: a code of `wording.byte_search.FAULTS` and its parameters."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params: Mapping[str, object] = params


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Hits of one block in ascending order of `starts`; `lengths` in bytes, None where all are equally long."""

    starts: Offsets = field(default_factory=lambda: NONE)
    lengths: npt.NDArray[np.uint32] | None = None


class Piece(NamedTuple):
    """The hits of one block, in offsets of the source; all before `searched` has been looked at."""

    hits: Hits
    searched: int


class Query(ABC):
    """One thing to look for.

    `length`: bytes of every hit, 0 where they differ. `reach`: bytes of the longest, or of one so long that what is
    beyond need not be lit up. `block`: bytes that are searched at once, so few that the work can be stopped within
    50 ms.
    """

    length: int
    reach: int
    block: int = BLOCK

    @abstractmethod
    def pieces(self, source: ByteSource, scope: Span, part: Span, progress: Progress) -> Iterator[Piece]:
        """The hits that begin in a part of a scope and end in the scope. Raises CancelledError between two blocks.

        A file that was cut meanwhile ends the walk where it ends now.
        """


class BlockQuery(Query):
    """What is found block by block, none longer than its reach. `overlap`: hits may share bytes."""

    overlap: ClassVar[bool] = True

    @abstractmethod
    def find(self, data: Block, count: int, base: int, limit: int) -> Hits:
        """The hits that begin in the first `limit` bytes; the first `count` bytes of the data hold something.

        `base`: how far the data stand from where the search begins, for what has an alignment.
        """

    @override
    def pieces(self, source: ByteSource, scope: Span, part: Span, progress: Progress) -> Iterator[Piece]:
        buffer = bytearray(self.block + self.reach - 1)
        view = memoryview(buffer)
        at = part.start
        while at < part.stop:
            progress.step(SEARCHING, at - part.start, part.length)
            limit = min(self.block, part.stop - at)
            wanted = min(limit + self.reach - 1, scope.stop - at)
            count = source.read_into(at, view[:wanted])
            found = self.find(buffer, count, at - scope.start, limit)
            following = at + limit
            if not self.overlap and len(found.starts) and found.lengths is not None:
                following = max(following, at + int(found.starts[-1]) + int(found.lengths[-1]))
            cut = count < wanted
            yield Piece(Hits(found.starts + at, found.lengths), part.stop if cut else min(following, part.stop))
            if cut:
                return
            at = following
