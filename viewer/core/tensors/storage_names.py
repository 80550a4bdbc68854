"""The tensors that a missing or short storage belongs to, for the sentences on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from viewer.core.problem import Problem
from viewer.core.tensors import window
from viewer.core.tensors.table import NO_NAMES, Key
from viewer.core.tensors.tensor import Tensor, inner_tensors
from viewer.wording.told import Told

CODES: Final = frozenset({"storage-missing", "storage-size-differs"})
MISSING: Final = "storage-missing"
RECORD_MISSING: Final = "storage-record-missing"
NAMED: Final = 5


def with_names(
    problems: Iterable[Problem], tensors: Iterable[Tensor], record_of: Callable[[Key], str] | None = None
) -> list[Problem]:
    """The same problems; those on storages also name their tensors.

    `record_of(key)`: the record that should hold a storage, where the container tells it.
    """
    found = list(problems)
    keys = {str(problem.params["key"]) for problem in found if problem.code in CODES}
    if not keys:
        return found
    names: dict[str, list[str]] = {}
    for tensor in tensors:
        for part in (tensor, *inner_tensors(tensor)):
            if part.storage is not None and str(part.storage.key) in keys:
                names.setdefault(str(part.storage.key), []).append(window.name_of(part))
    return [_named(problem, names, record_of) if problem.code in CODES else problem for problem in found]


def _named(problem: Problem, names: dict[str, list[str]], record_of: Callable[[Key], str] | None) -> Problem:
    key = problem.params["key"]
    listed = list(dict.fromkeys(names.get(str(key), ())))
    first, more = ", ".join(listed[:NAMED]), len(listed) - NAMED
    params = {**problem.params, "names": Told(first, ", \u2026 (+", more, ")") if more > 0 else first or NO_NAMES}
    if problem.code != MISSING or record_of is None or not isinstance(key, str | int):
        return replace(problem, params=params)
    return replace(problem, code=RECORD_MISSING, params={**params, "record": record_of(key)})
