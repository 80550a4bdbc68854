"""What is wrong with the tensors and storages of one stream, kept until names are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from viewer.core.pickles.values import Values
from viewer.core.problem import Problem, Severity, note
from viewer.core.tensors.path import shown
from viewer.core.tensors.tensor import Tensor

SHOWN: Final = 100


class Finding(NamedTuple):
    """A Problem to be: its span is that of `value`; `tensor` has its name by the time the sentence is made."""

    code: str
    severity: Severity
    value: int
    tensor: Tensor | None
    params: Mapping[str, object]


class Findings:
    """Collects findings. `spans`: the stream's offsets count in the document's source."""

    def __init__(self, values: Values, spans: bool = True) -> None:
        self._values = values
        self._spans = spans
        self._found: list[Finding] = []

    def error(self, code: str, value: int, tensor: Tensor | None = None, **params: object) -> None:
        """Something is lost or wrong."""
        self._found.append(Finding(code, Severity.ERROR, value, tensor, params))

    def warning(self, code: str, value: int, tensor: Tensor | None = None, **params: object) -> None:
        """Something is odd and may matter."""
        self._found.append(Finding(code, Severity.WARNING, value, tensor, params))

    def note(self, code: str, value: int, tensor: Tensor | None = None, **params: object) -> None:
        """Something worth knowing."""
        self._found.append(Finding(code, Severity.NOTE, value, tensor, params))

    def problems(self) -> list[Problem]:
        """The findings in the order in which they were made, of each kind the first 100.

        A tensor goes by its name, else by its path.
        """
        counts: Counter[str] = Counter()
        listed = []
        for found in self._found:
            counts[found.code] += 1
            if counts[found.code] <= SHOWN:
                listed.append(self._problem(found))
        more = [(code, count - SHOWN) for code, count in counts.items() if count > SHOWN]
        return listed + [note("more-of-a-kind", count=count, kind=code) for code, count in more]

    def _problem(self, found: Finding) -> Problem:
        span = self._values.span(found.value) if self._spans else None
        params = dict(found.params)
        if found.tensor is not None:
            params["name"] = found.tensor.name or shown(found.tensor.path) or "root"
        return Problem(found.code, found.severity, span, params)
