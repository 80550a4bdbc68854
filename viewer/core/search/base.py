"""What is searched, kind by kind, and what a search gives.

To add a kind of thing that is searched: a new file here with a class that derives from Searcher and gives its hits
block by block, a line in SEARCHERS of `__init__.py`, and for each new kind of hit its words in `wording/search.py`.
A block is at most some 256 KiB of bytes or letters, with a `look.step()` between two: so others get their turn, and
the search ends soon when it is no longer wanted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar

from viewer.core.document import Document
from viewer.core.problem import Problem
from viewer.core.progress import Progress
from viewer.core.search.wanted import Match, Wanted
from viewer.core.source import one_line
from viewer.core.span import Span
from viewer.core.tensors.tensor import ValueRef

T = TypeVar("T")

STEP: Final = "everything"
MOST: Final = 10_000
"""Hits of a kind that are kept; more are counted."""
BLOCK: Final = 256 * 1024
BEFORE: Final = 60
LONGEST: Final = 240
"""Letters of a hit that are shown, and of those before what was found."""
SHORTENED: Final = "…"
GO_TO, NAME, RECORD, KEY, TEXT, NUMBER, GLOBAL, SOURCE, OPCODE, PROBLEM = (
    *("go-to", "name", "record", "key", "text"),
    *("number", "global", "source", "opcode", "problem"),
)
KINDS: Final = (GO_TO, NAME, RECORD, KEY, GLOBAL, TEXT, NUMBER, SOURCE, OPCODE, PROBLEM)
"""All kinds of hits, in the order in which they are listed."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that was found. `text`: it, on one line; letters [start, stop) of it are what was looked for.

    `document`: the index of the document, in which all else counts: the number of a `tensor` (-1: none), an `opcode`, a
    `line` (from 1; 0: the whole text) of the stored source `code` (-1: none), the bytes `span` of a `source` (as in a
    selection), a `member` of a set. `place`: where that is, as text out of the file.
    """

    kind: str
    text: str
    start: int
    stop: int
    document: int
    tensor: int = -1
    opcode: ValueRef | None = None
    code: int = -1
    line: int = 0
    span: Span | None = None
    source: str = ""
    member: str = ""
    place: str = ""

    @property
    def leads(self) -> bool:
        """False for what stands nowhere: a Problem of the file as a whole."""
        return self.tensor >= 0 or self.code >= 0 or bool(self.member) or (self.opcode or self.span) is not None


class Found(NamedTuple):
    """Hits of one kind, of one block. `total`: how many there are, those among them that are not kept."""

    kind: str
    hits: Sequence[Hit]
    total: int


class Row(NamedTuple):
    """A text that holds what is looked for: the number of what it belongs to, and the text as it is shown."""

    number: int
    text: str
    start: int
    stop: int


@dataclass(slots=True)
class Look:
    """One search: what for, and how far it is. `encoding`: of Python 2 strings. `offset`: what was typed, as an offset.

    `here`: index of the document and the source that the offset counts in. `words`: what is said of a Problem.
    `cut`: an expression looked at the first letters of some texts only. `unread`: parts that could not be read.
    """

    wanted: Wanted
    progress: Progress
    encoding: str = "utf-8"
    offset: int | None = None
    here: tuple[int, str] = (0, "")
    words: Callable[[Problem], str] = field(default=lambda problem: problem.title)
    cut: bool = False
    unread: int = 0
    counts: dict[str, int] = field(default_factory=dict)

    def step(self) -> None:
        """Tell how far it is; raises CancelledError when the search should stop."""
        self.progress.step(STEP, sum(self.counts.values()))

    def find(self, texts: Sequence[str]) -> list[Match]:
        """The texts of a block that hold what is looked for."""
        if not self.wanted.is_expression:
            return self.wanted.find(texts)
        longest = self.wanted.longest
        found: list[Match] = []
        for number, text in enumerate(texts):
            self.progress.check()
            self.cut |= len(text) > longest
            span = self.wanted.first(text)
            if span is not None:
                found.append(Match(number, *span))
        return found

    def block(
        self, kind: str, numbers: Sequence[int], texts: Sequence[str], make: Callable[[Row], Hit]
    ) -> Iterator[Found]:
        """Hits of one kind in a block of texts, each with the number of what it belongs to."""
        if not self.room(kind) and not self.wanted.is_expression:
            yield self.counted(kind, self.wanted.count(texts))
            return
        found = self.find(texts)
        if found:
            yield self.found(kind, found, lambda at: make(row_of(numbers, texts, at)))

    def listed(self, kind: str, texts: Iterable[str], make: Callable[[Row], Hit], first: int = 0) -> Iterator[Found]:
        """Hits of one kind in any number of texts, numbered from `first`."""
        for number, block in blocks(texts, first):
            self.step()
            yield from self.block(kind, range(number, number + len(block)), block, make)

    def room(self, kind: str) -> int:
        """How many more hits of a kind are kept."""
        return max(0, MOST - self.counts.get(kind, 0))

    def found(self, kind: str, rows: Sequence[T], make: Callable[[T], Hit]) -> Found:
        """A block of hits: made of the rows, as many as are kept."""
        kept = rows[: self.room(kind)]
        self.counts[kind] = self.counts.get(kind, 0) + len(rows)
        return Found(kind, [make(row) for row in kept], len(rows))

    def counted(self, kind: str, total: int) -> Found:
        """Hits of which none is kept."""
        self.counts[kind] = self.counts.get(kind, 0) + total
        return Found(kind, (), total)


class Searcher(ABC):
    """Looks through one kind of thing."""

    @abstractmethod
    def look(self, document: Document, look: Look) -> Iterator[Found]:
        """The hits of one document, not of those inside it. May raise SourceError."""


def row_of(numbers: Sequence[int], texts: Sequence[str], at: Match) -> Row:
    """A hit in a block of texts, as it is shown."""
    return Row(numbers[at.number], *shown(texts[at.number], at.start, at.stop))


def shown(text: str, start: int, stop: int) -> tuple[str, int, int]:
    """A text round what was found in it, on one line and not too long, and the letters of it that were found."""
    first = max(0, start - BEFORE) if len(text) > LONGEST else 0
    before = (SHORTENED if first else "") + one_line(text[first:start])
    hit = one_line(text[start : min(stop, start + LONGEST)])
    rest = text[stop : stop + LONGEST] if stop - start < LONGEST else ""
    cut_off = stop + len(rest) < len(text) or stop - start > LONGEST
    after = one_line(rest) + (SHORTENED if cut_off else "")
    return before + hit + after, len(before), len(before) + len(hit)


def blocks(texts: Iterable[str], first: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Texts in blocks of some 256 Ki letters, each with the number of its first one."""
    block: list[str] = []
    letters = 0
    for text in texts:
        block.append(text)
        letters += len(text) + 1
        if letters >= BLOCK or len(block) >= 4096:
            yield first, block
            first, block, letters = first + len(block), [], 0
    if block:
        yield first, block
