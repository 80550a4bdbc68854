"""What a person looks for: letters, or a regular expression whose work is bounded before it runs.

The more repeats and choices an expression has, the fewer letters of each text are looked at (`longest`), so that one
text never takes more than some 2,000,000 steps.
"""

from __future__ import annotations

import re
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from viewer.core.expressions import WorkError, work_of

STEPS: Final = 2_000_000
MOST_LETTERS: Final = 4000
FEWEST_LETTERS: Final = 40
LONGEST: Final = 1000
"""Letters that can be looked for."""


class WantedError(ValueError):
    """Nothing can be looked for: a code of `wording.search.FAULTS` and its parameters."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params: Mapping[str, object] = params


class Match(NamedTuple):
    """The first hit in a text: the number of the text, and the letters [start, stop) of it."""

    number: int
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """`text` as typed. `pattern`: finds it. `longest`: letters of a text that an expression looks at, 0 = none."""

    text: str
    ignore_case: bool
    pattern: re.Pattern[str]
    longest: int = 0

    @property
    def is_expression(self) -> bool:
        """True for a regular expression."""
        return self.longest > 0

    def first(self, text: str) -> tuple[int, int] | None:
        """The letters of the first hit in a text."""
        stop = self.longest or len(text)
        match = self.pattern.search(text, 0, stop)
        if match is None or match.end() > match.start():
            return match.span() if match is not None else None
        return next((at.span() for at in self.pattern.finditer(text, 0, stop) if at.end() > at.start()), None)

    def find(self, texts: Sequence[str]) -> list[Match]:
        """The texts that hold it, in their order, each once."""
        if self.is_expression:
            spans = ((number, self.first(text)) for number, text in enumerate(texts))
            return [Match(number, *span) for number, span in spans if span is not None]
        starts = [0, *accumulate(len(text) + 1 for text in texts)]
        found: list[Match] = []
        following = 0
        for at in self._places("\n".join(texts)):
            if at < following:
                continue
            number = bisect_right(starts, at) - 1
            stop = at + len(self.text)
            if stop < starts[number + 1]:
                found.append(Match(number, at - starts[number], stop - starts[number]))
                following = starts[number + 1]
        return found

    def count(self, texts: Sequence[str]) -> int:
        """How many of the texts hold it; several times as fast as finding them."""
        joined = "\n".join(texts)
        plain = not self.is_expression and self.text.isascii() and joined.isascii()
        if not plain or joined.count("\n") != len(texts) - 1:
            return len(self.find(texts))
        parts = (joined.lower() if self.ignore_case else joined).split("\n")
        return sum(self.text in part for part in parts)

    def _places(self, joined: str) -> Iterator[int]:
        """Where the letters stand; `str.find` is many times as fast as an expression that ignores case."""
        wanted = self.text
        if self.ignore_case:
            if not joined.isascii() or not wanted.isascii():
                yield from (match.start() for match in self.pattern.finditer(joined))
                return
            joined, wanted = joined.lower(), wanted.lower()
        at = joined.find(wanted)
        while at >= 0:
            yield at
            at = joined.find(wanted, at + 1)


def wanted(text: str, *, match_case: bool = False, expression: bool = False) -> Wanted:
    """What is looked for. Cases count where that is asked for, or a capital letter is typed. Raises WantedError."""
    if not text.strip():
        raise WantedError("empty")
    if len(text) > LONGEST:
        raise WantedError("long", limit=LONGEST)
    if not expression:
        ignore_case = not match_case and text == text.lower()
        return Wanted(text, ignore_case, re.compile(re.escape(text), re.IGNORECASE if ignore_case else 0))
    # In an expression a capital behind a backslash is no letter: \S, \W.
    ignore_case = not match_case and (letters := re.sub(r"\\.", "", text)) == letters.lower()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pattern = re.compile(text, re.IGNORECASE if ignore_case else 0)
    except re.error as failure:
        raise WantedError("expression", reason=failure.msg, at=(failure.pos or 0) + 1) from failure
    except (OverflowError, RecursionError) as failure:
        raise WantedError("heavy") from failure
    return Wanted(text, ignore_case, pattern, letters_for(text))


def letters_for(expression: str) -> int:
    """Letters of a text that an expression may look at. Raises WantedError for one whose work has no bound."""
    try:
        longest = work_of(expression).letters(STEPS)
    except WorkError as failure:
        raise WantedError(failure.code) from failure
    if longest < FEWEST_LETTERS:
        raise WantedError("heavy")
    return min(longest, MOST_LETTERS)
