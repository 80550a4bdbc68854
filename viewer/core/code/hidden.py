"""Characters of a stored source that an editor hides or obeys: controls, fillers, marks that turn the direction.

Such a text may read otherwise than it runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from viewer.core.code.embedded import EmbeddedSource
from viewer.core.code.needed import LINE_END
from viewer.core.problem import Problem, warning

# Line ends, tabs and form feeds are ordinary in source.
_CONTROLS: Final = r"\x00-\x08\x0b\x0e-\x1f\x7f-\x9f"
_TURNS: Final = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_INVISIBLE: Final = (
    r"\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2028\u2029\u2060-\u2065\u206a-\u206f\u3164\ufdd0-\ufdef"
    r"\ufeff\uffa0\ufff9-\uffff\ud800-\udfff\U000e0000-\U000e0fff"
)
# Joiners are spelling between Arabic letters, and build pictures of people.
_JOINER: Final = re.compile(
    r"(?<=[\u0620-\u06ff])[\u200c\u200d](?=[\u0620-\u06ff])|(?<=[\ufe0f\u2600-\u27bf\U0001f000-\U0001faff])\u200d"
)
HIDDEN: Final = re.compile(rf"[{_CONTROLS}{_INVISIBLE}]+")
TURNS: Final = re.compile(rf"[{_TURNS}]+")
MOST: Final = 100_000
"""Characters that are counted."""
STEP: Final = 256 * 1024
_MARK: Final = "\ufeff"


@dataclass(frozen=True, slots=True)
class Marks:
    """How many characters of one kind a text holds, counted up to about MOST, and where the first stands (-1: none)."""

    count: int = 0
    first: int = -1


def source_problems(sources: Iterable[EmbeddedSource]) -> Iterator[Problem]:
    """At most two Problems a text: marks that turn its direction, and other hidden characters."""
    for source in sources:
        if source.text is None:
            continue
        hidden, turning = hidden_marks(source.text)
        for code, marks in (("source-direction", turning), ("source-hidden", hidden)):
            if marks.count:
                line = sum(1 for _ in LINE_END.finditer(source.text, 0, marks.first)) + 1
                point = f"U+{ord(source.text[marks.first]):04X}"
                yield warning(code, source.span, name=source.name, count=marks.count, line=line, character=point)


def hidden_marks(text: str) -> tuple[Marks, Marks]:
    """The hidden characters, and those that turn the writing direction. A byte order mark at the start is none."""
    return _marks(HIDDEN, text), _marks(TURNS, text)


def _marks(pattern: re.Pattern[str], text: str) -> Marks:
    count, first = 0, -1
    for match in _matches(pattern, text, 1 if text.startswith(_MARK) else 0):
        if match.end() - match.start() == 1 and _JOINER.match(text, match.start()):
            continue
        count += match.end() - match.start()
        first = match.start() if first < 0 else first
        if count >= MOST:
            break
    return Marks(count, first)


def _matches(pattern: re.Pattern[str], text: str, start: int) -> Iterator[re.Match[str]]:
    """All of them, in steps between which other threads can run."""
    for at in range(start, len(text), STEP):
        yield from pattern.finditer(text, at, at + STEP)
