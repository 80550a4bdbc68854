"""Which lines of two texts belong together: common runs, found in a time that no text can stretch.

Common heads and tails first, then lines that stand once in each text as anchors (patience), then a shortest edit
script (Myers) between the anchors, as far as a budget of steps reaches; what is left is taken as replaced.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from viewer.core.progress import Progress

MOST_EDITS: Final = 1500
"""Longest edit script that is looked for between two anchors."""
MOST_STEPS: Final = 3_000_000
"""Steps of all searches together: about a second."""


@dataclass(frozen=True, slots=True)
class Run:
    """`length` lines that are the same from `left` and from `right` on, which count from 0."""

    left: int
    right: int
    length: int


@dataclass(frozen=True, slots=True)
class Matching:
    """The common runs in order. `exact` is False where the budget ended before all were found."""

    runs: list[Run]
    exact: bool


def match(left: Sequence[str], right: Sequence[str], progress: Progress | None = None) -> Matching:
    """The lines that two texts have in common, in order. Raises CancelledError."""
    numbers: dict[str, int] = {}
    first = [numbers.setdefault(line, len(numbers)) for line in left]
    second = [numbers.setdefault(line, len(numbers)) for line in right]
    return _Matcher(first, second, progress or Progress()).match()


class _Matcher:
    def __init__(self, left: list[int], right: list[int], progress: Progress) -> None:
        self._left, self._right, self._progress = left, right, progress
        self._steps = MOST_STEPS
        self._exact = True
        self._pairs: list[Run] = []

    def match(self) -> Matching:
        """Split at anchors until nothing is left to split."""
        waiting = [(0, len(self._left), 0, len(self._right))]
        while waiting:
            self._progress.check()
            low, high, start, stop = self._trimmed(*waiting.pop())
            if low == high or start == stop:
                continue
            # texts can be made in which each anchor shows only one more
            self._steps -= (high - low + stop - start) // 4
            if self._steps <= 0:
                self._exact = False
                break
            anchors = self._anchors(low, high, start, stop)
            if not anchors:
                self._between(low, high, start, stop)
                continue
            for at, to in anchors:
                waiting.append((low, at, start, to))
                self._pairs.append(Run(at, to, 1))
                low, start = at + 1, to + 1
            waiting.append((low, high, start, stop))
        return Matching(_joined(self._pairs), self._exact)

    def _trimmed(self, low: int, high: int, start: int, stop: int) -> tuple[int, int, int, int]:
        """Take off what both begin and end with."""
        left, right = self._left, self._right
        head = 0
        most = min(high - low, stop - start)
        while head < most and left[low + head] == right[start + head]:
            head += 1
        if head:
            self._pairs.append(Run(low, start, head))
        tail = 0
        most -= head
        while tail < most and left[high - 1 - tail] == right[stop - 1 - tail]:
            tail += 1
        if tail:
            self._pairs.append(Run(high - tail, stop - tail, tail))
        return low + head, high - tail, start + head, stop - tail

    def _anchors(self, low: int, high: int, start: int, stop: int) -> list[tuple[int, int]]:
        """Lines that stand once on each side, the longest sequence of them that is in order on both."""
        ours, theirs = Counter(self._left[low:high]), Counter(self._right[start:stop])
        at = {line: number for number, line in enumerate(self._right[start:stop], start) if theirs[line] == 1}
        pairs = [
            (number, at[line])
            for number, line in enumerate(self._left[low:high], low)
            if ours[line] == 1 and line in at
        ]
        return _increasing(pairs)

    def _between(self, low: int, high: int, start: int, stop: int) -> None:
        """The shortest edit script, as far as the budget reaches."""
        left, right = self._left[low:high], self._right[start:stop]
        if not set(left) & set(right):
            return
        script, steps = shortest(left, right, min(MOST_EDITS, self._steps))
        self._steps = max(self._steps - steps, 0)
        if script is None:
            self._exact = False
            return
        self._pairs += [Run(low + at, start + to, length) for at, to, length in script]


def _increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest subsequence whose second numbers increase."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, to) in enumerate(pairs):
        place = bisect_left(ends, to)
        before.append(last[place - 1] if place else -1)
        if place == len(ends):
            ends.append(to)
            last.append(number)
        else:
            ends[place], last[place] = to, number
    found: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


def shortest(
    left: Sequence[object], right: Sequence[object], most: int = MOST_EDITS
) -> tuple[list[tuple[int, int, int]] | None, int]:
    """Common runs (left, right, length) of a shortest edit script of at most `most` edits, and the steps it took.

    None where that many edits are not enough. Memory grows with the square of the edits.
    """
    count, other = len(left), len(right)
    reached = {1: 0}
    history: list[dict[int, int]] = []
    steps = 0
    for edits in range(min(count + other, most) + 1):
        history.append(reached.copy())
        for diagonal in range(-edits, edits + 1, 2):
            down = diagonal == -edits or (
                diagonal != edits and reached.get(diagonal - 1, -1) < reached.get(diagonal + 1, -1)
            )
            x = reached[diagonal + 1] if down else reached[diagonal - 1] + 1
            y = x - diagonal
            while x < count and y < other and left[x] == right[y]:
                x, y = x + 1, y + 1
                steps += 1
            reached[diagonal] = x
            if x >= count and y >= other:
                return _walked_back(history, count, other), steps
        steps += edits + 1
        if steps > MOST_STEPS:
            break
    return None, steps


def _walked_back(history: list[dict[int, int]], x: int, y: int) -> list[tuple[int, int, int]]:
    """The diagonals of the path that ended at (x, y), from the end to the beginning."""
    found: list[tuple[int, int, int]] = []
    for edits in range(len(history) - 1, -1, -1):
        reached = history[edits]
        diagonal = x - y
        down = diagonal == -edits or (
            diagonal != edits and reached.get(diagonal - 1, -1) < reached.get(diagonal + 1, -1)
        )
        earlier = diagonal + 1 if down else diagonal - 1
        before = reached[earlier]
        start = before if down else before + 1
        if edits == 0:
            start = 0
        if x > start:
            found.append((start, start - diagonal, x - start))
        x, y = before, before - earlier
    return found[::-1]


def _joined(runs: list[Run]) -> list[Run]:
    """The runs in order, those that touch put together."""
    found: list[Run] = []
    for run in sorted(runs, key=lambda one: one.left):
        last = found[-1] if found else None
        if last is not None and last.left + last.length == run.left and last.right + last.length == run.right:
            found[-1] = Run(last.left, last.right, last.length + run.length)
        else:
            found.append(run)
    return found
