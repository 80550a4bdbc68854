"""Versions of modules in the state_dicts of a document, for people: those that are stated, and what is converted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from viewer.core.code.versions import ModuleVersion, module_versions
from viewer.core.document import Document
from viewer.core.problem import Severity
from viewer.wording import Words, fill
from viewer.wording.versions import VERSIONS

MOST_NAMED: Final = 3
_LOADED: Final = ("state_dict", "module")
_REFUSED: Final = frozenset(
    {"counter-missing", "instance-stats-refused", "spectral-incomplete", "statistics-unversioned", "version-newer"}
)


@dataclass(frozen=True, slots=True)
class Conversion:
    """What happens to modules of a state_dict. `code`: a key of `wording.versions`.

    `branch`: its title, "" for the root. `modules`: the first three by their dotted names; `count`: of all.
    """

    code: str
    branch: str
    count: int
    modules: tuple[str, ...]
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def severity(self) -> Severity:
        """Warning where load_state_dict may stop."""
        return Severity.WARNING if self.code in _REFUSED else Severity.NOTE

    @property
    def words(self) -> Words:
        """The sentences, for translation; fill them with `params`."""
        return VERSIONS[self.code]


def stated_versions(document: Document, encoding: str = "utf-8") -> Iterator[tuple[str, ModuleVersion]]:
    """The modules of each state_dict and whole module whose version is stored, or to which something happens.

    With the title of the branch.
    """
    pickle = document.main_pickle
    if pickle is None:
        return
    for branch in document.branches(encoding):
        if branch.kind in _LOADED:
            for row in module_versions(pickle.values, branch, encoding):
                if row.stored is not None or row.code:
                    yield branch.title, row


def versions_by_value(document: Document, encoding: str = "utf-8") -> dict[int, ModuleVersion]:
    """The version of the module that is an object, or that a tensor belongs to, by the number of its value.

    Only what is known of the main pickle; of a tensor in two modules the first.
    """
    pickle = document.main_pickle
    found: dict[int, ModuleVersion] = {}
    if pickle is None:
        return found
    for branch in document.branches(encoding):
        rows: dict[str, ModuleVersion] = {}
        for row in module_versions(pickle.values, branch, encoding) if branch.kind in _LOADED else ():
            if row.stored is not None or (row.name is not None and row.today is not None):
                rows.setdefault(row.path, row)
        for row in rows.values():
            if row.value >= 0:
                found.setdefault(row.value, row)
        for name, tensor in branch.entries:
            path = name.rpartition(".")[0]
            if path in rows and tensor.value is not None:
                found.setdefault(tensor.value.value, rows[path])
    return found


def conversions(document: Document, encoding: str = "utf-8") -> list[Conversion]:
    """What happens, once for all modules of a branch with the same sentence; what may stop loading first."""
    found: dict[tuple[str, str, str], list[ModuleVersion]] = {}
    for title, row in stated_versions(document, encoding):
        if row.code:
            found.setdefault((title, row.code, repr(row.params)), []).append(row)
    made = [
        Conversion(code, title, len(rows), tuple(row.path for row in rows[:MOST_NAMED]), rows[0].params)
        for (title, code, _), rows in found.items()
    ]
    return sorted(made, key=lambda one: one.severity is not Severity.WARNING)


def sentence(code: str, params: Mapping[str, object]) -> str:
    """All that is said of what happens, in English; "" where nothing does."""
    if not code:
        return ""
    words = VERSIONS[code]
    parts = [f"{fill(words.title, params)}.", *(fill(part, params) for part in (words.detail, words.remedy) if part)]
    return " ".join(parts)
