"""What is said of a damaged file and of its tensors: what is whole, cut and missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QCoreApplication

from viewer.core.problem import Problem, Severity
from viewer.core.tensors.path import shown
from viewer.core.tensors.tensor import Tensor
from viewer.core.tensors.window import missing_bytes
from viewer.session.damage import Left
from viewer.ui.words import count, nbytes_of, of_problem, paragraph, said
from viewer.wording.exports import LINES

EARLY = "file-ends-early"
FIRST = (EARLY, "zip-directory-missing", "zip-directory-cut")
"""What says most of a file with many problems, the best first."""


def worst_of(errors: Iterable[Problem]) -> Problem | None:
    """The error that says most of what happened to a file."""
    found = [problem for problem in errors if problem.severity is Severity.ERROR]
    ranked = sorted(found, key=lambda problem: FIRST.index(problem.code) if problem.code in FIRST else len(FIRST))
    return ranked[0] if ranked else None


def sentence_on(worst: Problem, left: Left | None) -> str:
    """What follows from the worst error, and what is left of the tensors."""
    words = of_problem(worst)
    size, expected = worst.params.get("size"), worst.params.get("expected")
    if left is None:
        return words.detail or words.remedy
    if worst.code == EARLY and isinstance(size, int) and isinstance(expected, int):
        text = QCoreApplication.translate("damage", "{here} are here; at least {expected} were expected.")
        return paragraph(text.format(here=nbytes_of(size), expected=count(expected)), left_words(left))
    return paragraph(words.detail, left_words(left))


def left_words(left: Left) -> str:
    """How many tensors are whole, cut and missing."""
    whole = left.count - left.cut - left.missing
    text = QCoreApplication.translate("damage", "Of {count} tensors {whole} are whole, {cut} cut, {missing} missing.")
    numbers = {"count": left.count, "whole": whole, "cut": left.cut, "missing": left.missing}
    return text.format(**{name: count(number) for name, number in numbers.items()})


def missing_words(tensor: Tensor) -> str:
    """How much of a tensor is missing."""
    missing, nbytes = missing_bytes(tensor)
    text = QCoreApplication.translate("damage", "{missing} of its {nbytes} are missing")
    return text.format(missing=count(missing), nbytes=nbytes_of(nbytes))


def report(left: Left) -> str:
    """The tensors that are not whole, a line each, for the clipboard."""
    return "\n".join(_lines(left)) + "\n"


def _lines(left: Left) -> Iterator[str]:
    yield said(LINES["rescue-whole"], {"whole": left.count - left.cut - left.missing, "count": left.count})
    for one in left.lost:
        name = one.tensor.name or shown(one.tensor.path) or "root"
        yield said(LINES[f"rescue-{one.state}"], {"name": name, "missing": one.missing, "nbytes": one.nbytes})
    more = left.cut + left.missing - len(left.lost)
    if more:
        yield QCoreApplication.translate("damage", "{0} more are not listed.").format(count(more))
