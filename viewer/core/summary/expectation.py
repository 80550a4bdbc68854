"""Expectation: one thing that happens when a file is loaded. The sentences stand in `wording.predictions`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from viewer.core.problem import Severity
from viewer.wording import fill
from viewer.wording.predictions import PREDICTIONS

STOPS: Final = frozenset(
    {"damaged", "odd", "untyped-legacy", "version-absent", "version-unread", "zip-folders", "zip-prefix"}
)
"""What ends all loading, whatever is asked for."""
_REACHING: Final = frozenset({"reaching-names", "runs-names"})
_NOTES: Final = frozenset(
    {"device-meta", "loads", "loads-by-name", "needs-numpy", "needs-torch", "needs-torch-version", "source-compared"}
)


@dataclass(frozen=True, slots=True)
class Expectation:
    """One thing that happens. `code`: a key of `wording.predictions`."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def severity(self) -> Severity:
        """Error: loading stops; warning: it stops unless something is done, or gives wrong numbers; note: neither."""
        if self.code in STOPS or self.code in _REACHING or self.code.startswith("not-torch"):
            return Severity.ERROR
        return Severity.NOTE if self.code in _NOTES else Severity.WARNING

    @property
    def text(self) -> str:
        """Both sentences in English."""
        words = PREDICTIONS[self.code]
        return f"{fill(words.title, self.params)}. {fill(words.detail, self.params)}"
