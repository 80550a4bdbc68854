"""Two texts of a class side by side: rows of lines that are the same, changed, added or removed.

Lines are compared without their ends: where those differ that is said once. Rows are made when they are asked for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, overload

from typing_extensions import override

from viewer.core.code.line_matching import Run, match, shortest
from viewer.core.code.text_lines import lines_of, split_end
from viewer.core.progress import Progress

MOST_CHARACTERS: Final = 10_000_000
MOST_LINES: Final = 200_000
SAME, CHANGED, ADDED, REMOVED = "same", "changed", "added", "removed"
ENDS, CUT, ROUGH, LAST_END = "line-ends", "cut", "rough", "last-line-end"
ALIKE: Final = 0.5
"""Part of the words that two lines share at least to count as one changed line."""
_MOST_PAIRS: Final = 2500
_MOST_ALIGNED: Final = 200_000
_LONGEST_LINE: Final = 1000
_WORDS: Final = re.compile(r"\w+|\s+|[^\w\s]")
Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `left`, `right`: numbers of the lines, from 1; None where that side has none.

    `left_spans`, `right_spans`: of a changed line the parts that differ, as character ranges of the line.
    """

    kind: str
    left: int | None
    right: int | None
    left_spans: Spans = ()
    right_spans: Spans = ()


@dataclass(frozen=True, slots=True)
class Block:
    """Rows of one kind. `left`, `right`: the first lines, from 0."""

    kind: str
    left: int
    right: int
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class Differences(Sequence[Row]):
    """The rows. `left`, `right`: the lines without their ends.

    `notes`: `line-ends` (one text ends its lines by CR LF, the other does not), `last-line-end` (only one text ends
    its last line), `cut` (not all of a text was compared), `rough` (fewer common lines were found than there are).
    """

    left: Sequence[str]
    right: Sequence[str]
    blocks: Sequence[Block]
    notes: tuple[str, ...] = ()
    _starts: Sequence[int] = field(init=False, default=())

    def __post_init__(self) -> None:
        starts = list(accumulate((block.count for block in self.blocks), initial=0))
        object.__setattr__(self, "_starts", starts)

    @override
    def __len__(self) -> int:
        return self._starts[-1]

    @overload
    def __getitem__(self, row: int) -> Row: ...
    @overload
    def __getitem__(self, row: slice) -> list[Row]: ...
    @override
    def __getitem__(self, row: int | slice) -> Row | list[Row]:
        if isinstance(row, slice):
            return [self[number] for number in range(*row.indices(len(self)))]
        if not -len(self) <= row < len(self):
            raise IndexError(row)
        return self._row(row % len(self))

    def _row(self, row: int) -> Row:
        number = bisect_right(self._starts, row) - 1
        block = self.blocks[number]
        at = row - self._starts[number]
        left = None if block.kind == ADDED else block.left + at + 1
        right = None if block.kind == REMOVED else block.right + at + 1
        if block.kind != CHANGED:
            return Row(block.kind, left, right)
        return Row(CHANGED, left, right, *changed_spans(self.left[block.left + at], self.right[block.right + at]))

    @property
    def counts(self) -> dict[str, int]:
        """How many rows are changed, added and removed."""
        return {
            kind: sum(block.count for block in self.blocks if block.kind == kind) for kind in (CHANGED, ADDED, REMOVED)
        }

    @property
    def changes(self) -> list[tuple[int, int]]:
        """The places that differ, as ranges of rows: neighbours of any kind are one."""
        found: list[tuple[int, int]] = []
        for start, block in zip(self._starts, self.blocks, strict=False):
            if block.kind == SAME:
                continue
            if found and found[-1][1] == start:
                found[-1] = found[-1][0], start + block.count
            else:
                found.append((start, start + block.count))
        return found

    def next_change(self, row: int) -> int | None:
        """The first row of the first change that begins after a row; -1 gives the very first."""
        return next((start for start, _ in self.changes if start > row), None)

    def previous_change(self, row: int) -> int | None:
        """The first row of the last change that begins before a row."""
        return next((start for start, _ in reversed(self.changes) if start < row), None)


def differences(left: str, right: str, progress: Progress | None = None) -> Differences:
    """Compare two texts; of each at most 10,000,000 characters and 200,000 lines. Raises CancelledError."""
    progress = progress or Progress()
    ours, theirs = (lines_of(text[:MOST_CHARACTERS], MOST_LINES + 1) for text in (left, right))
    notes: list[str] = []
    if len({_end_of(ours), _end_of(theirs)} - {""}) > 1:
        notes.append(ENDS)
    if max(len(left), len(right)) > MOST_CHARACTERS or max(len(ours), len(theirs)) > MOST_LINES:
        notes.append(CUT)
    elif ours and theirs and bool(split_end(ours[-1])[1]) != bool(split_end(theirs[-1])[1]):
        notes.append(LAST_END)
    first, second = ([split_end(line)[0] for line in lines[:MOST_LINES]] for lines in (ours, theirs))
    matching = match(first, second, progress)
    if not matching.exact:
        notes.append(ROUGH)
    return Differences(first, second, _blocks(first, second, matching.runs), tuple(notes))


def _end_of(lines: Sequence[str]) -> str:
    """How most lines of a text end; "" for one without ends."""
    counts = Counter(split_end(line)[1] for line in lines)
    del counts[""]
    return max(counts, key=lambda end: counts[end], default="")


def _blocks(left: Sequence[str], right: Sequence[str], runs: Sequence[Run]) -> list[Block]:
    found: list[Block] = []
    at = to = 0
    budget = _MOST_ALIGNED
    for run in [*runs, Run(len(left), len(right), 0)]:
        count, other = run.left - at, run.right - to
        pairs: list[tuple[int, int]] = []
        if count and other and count * other <= _MOST_PAIRS and budget > 0:
            budget -= count * other
            pairs = aligned(left[at : run.left], right[to : run.right])
        elif count == other:
            pairs = [(number, number) for number in range(count)]
        found += _replaced(at, to, count, other, pairs)
        if run.length:
            found.append(Block(SAME, run.left, run.right, run.length))
        at, to = run.left + run.length, run.right + run.length
    return found


def _replaced(at: int, to: int, count: int, other: int, pairs: Sequence[tuple[int, int]]) -> list[Block]:
    """The blocks of lines that differ: paired ones are changed, those between them removed and added."""
    found: list[Block] = []
    first = second = 0
    for ours, theirs in [*pairs, (count, other)]:
        if ours > first:
            found.append(Block(REMOVED, at + first, to + second, ours - first))
        if theirs > second:
            found.append(Block(ADDED, at + ours, to + second, theirs - second))
        if ours < count and theirs < other:
            last = found[-1] if found else None
            if last is not None and last.kind == CHANGED and last.left + last.count == at + ours:
                found[-1] = Block(CHANGED, last.left, last.right, last.count + 1)
            else:
                found.append(Block(CHANGED, at + ours, to + theirs, 1))
        first, second = ours + 1, theirs + 1
    return found


def aligned(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of lines that are alike, in order on both sides, so that the sum of their likeness is greatest."""
    words = [[_words(line) for line in lines] for lines in (left, right)]
    width = len(right) + 1
    best = [[0.0] * width for _ in range(len(left) + 1)]
    alike = [[likeness(ours, theirs) for theirs in words[1]] for ours in words[0]]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            paired = alike[i][j] + best[i + 1][j + 1] if alike[i][j] >= ALIKE else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(left) and j < len(right) and best[i][j] > 0:
        if alike[i][j] >= ALIKE and best[i][j] == alike[i][j] + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _words(line: str) -> list[str]:
    return [word for word in _WORDS.findall(line[:_LONGEST_LINE]) if not word.isspace()]


def likeness(left: Sequence[str], right: Sequence[str]) -> float:
    """Twice the words that two lines share, by all their words: 0 to 1."""
    if not left or not right:
        return 0.0
    counts: dict[str, int] = {}
    for word in left:
        counts[word] = counts.get(word, 0) + 1
    shared = 0
    for word in right:
        if counts.get(word, 0) > 0:
            counts[word] -= 1
            shared += 1
    return 2 * shared / (len(left) + len(right))


def changed_spans(left: str, right: str) -> tuple[Spans, Spans]:
    """The character ranges in which two lines differ; of long lines what lies between their common ends."""
    if max(len(left), len(right)) > _LONGEST_LINE:
        return _middle(left, right)
    ours, theirs = _WORDS.findall(left), _WORDS.findall(right)
    script, _ = shortest(ours, theirs)
    if script is None:
        return _middle(left, right)
    return _gaps(ours, [(at, length) for at, _, length in script]), _gaps(
        theirs, [(to, length) for _, to, length in script]
    )


def _gaps(words: Sequence[str], runs: Sequence[tuple[int, int]]) -> Spans:
    """The character ranges of the words outside of the common runs."""
    starts = list(accumulate(map(len, words), initial=0))
    found: list[tuple[int, int]] = []
    at = 0
    for first, length in [*runs, (len(words), 0)]:
        if first > at:
            found.append((starts[at], starts[first]))
        at = first + length
    return tuple(found)


def _middle(left: str, right: str) -> tuple[Spans, Spans]:
    most = min(len(left), len(right))
    head = next((at for at in range(most) if left[at] != right[at]), most)
    most -= head
    tail = next((at for at in range(most) if left[-1 - at] != right[-1 - at]), most)
    ends = ((head, len(line) - tail) for line in (left, right))
    ours, theirs = (((start, stop),) if stop > start else () for start, stop in ends)
    return ours, theirs
