"""Damage as data: what is wrong with a file and did not stop the reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from viewer.core.span import Span
from viewer.wording import fill
from viewer.wording.problems import PROBLEMS


class Severity(StrEnum):
    """How much a Problem matters: error = something is lost or wrong."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding. `code` is a key of `wording.problems`; `span` counts in the document's source."""

    code: str
    severity: Severity
    span: Span | None = None
    params: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.code not in PROBLEMS:
            raise ValueError(f"no sentence for problem code {self.code}")

    @property
    def title(self) -> str:
        """What is wrong, in English, without a full stop."""
        return fill(PROBLEMS[self.code].title, self.params)

    @property
    def text(self) -> str:
        """The whole sentence in English: what is wrong, what was expected, what can be done."""
        words = PROBLEMS[self.code]
        parts = [fill(words.title, self.params) + "."]
        parts += [fill(part, self.params) for part in (words.detail, words.remedy) if part]
        return " ".join(parts)


def error(code: str, span: Span | None = None, **params: object) -> Problem:
    """Something is lost or wrong."""
    return Problem(code, Severity.ERROR, span, params)


def warning(code: str, span: Span | None = None, **params: object) -> Problem:
    """Something is odd and may matter."""
    return Problem(code, Severity.WARNING, span, params)


def note(code: str, span: Span | None = None, **params: object) -> Problem:
    """Worth knowing; nothing is wrong."""
    return Problem(code, Severity.NOTE, span, params)
