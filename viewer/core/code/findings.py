"""What a check of an object against the text of its class finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from viewer.core.problem import Severity
from viewer.core.tensors.path import Path
from viewer.wording import Phrase, Words, fill
from viewer.wording.checks import CHECKS, MORE, ORIGINS

MOST_NAMES: Final = 20
MOST_PLACES: Final = 3
_ABOUT_OBJECT: Final = frozenset({"attribute-conditional", "attribute-missing", "attribute-missing-unread"})


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding on the objects of a class.

    `code`: a key of `wording.checks`. `class_name`: qualified, of the object. `origin`: of the text: stored,
    supplied, torch, or "" where no text is meant. `value`: the first such object. `line`: in the text of
    `text_of` (a base may be the one), from 1. `fix`: lines of Python that mend the loaded `model`, or "".
    `count`: objects of which the same is true; `places`: of the first three.
    """

    code: str
    severity: Severity
    class_name: str
    origin: str = ""
    value: int = -1
    line: int | None = None
    text_of: str = ""
    params: Mapping[str, object] = field(default_factory=dict)
    fix: str = ""
    count: int = 1
    places: tuple[Path, ...] = ()

    @property
    def words(self) -> Words:
        """The sentences with their parameters in braces, for translation; fill them with `params`."""
        words = CHECKS[self.code]
        if self.code in _ABOUT_OBJECT and self.origin in ORIGINS:
            return Words(words.title, words.detail, ORIGINS[self.origin])
        if self.code.startswith("torch-") and not self.fix:
            return Words(words.title, words.detail)
        return words

    @property
    def title(self) -> str:
        """What is found, in English, without a full stop."""
        return fill(self.words.title, self.params)

    @property
    def text(self) -> str:
        """All of it in English: what is found, what follows from it, what can be done. Without the fix."""
        words = self.words
        parts = [fill(words.title, self.params) + "."]
        parts += [fill(part, self.params) for part in (words.detail, words.remedy) if part]
        return " ".join(parts)


def finding(
    code: str,
    severity: Severity,
    class_name: str,
    origin: str = "",
    line: int | None = None,
    text_of: str = "",
    fix: str = "",
    **params: object,
) -> Finding:
    """A finding whose sentences know the last part of the class's name and the line."""
    short = class_name.rpartition(".")[2]
    known: dict[str, object] = {"class_name": short, **params}
    if line is not None:
        known["line"] = line
    return Finding(code, severity, class_name, origin, -1, line, text_of or class_name, known, fix)


def listed(names: Sequence[str]) -> str:
    """Names in one line; of many the first twenty and how many more."""
    shown = ", ".join(names[:MOST_NAMES])
    more = len(names) - MOST_NAMES
    return Phrase(MORE, {"names": shown, "count": more}) if more > 0 else shown
