"""Holds an object against the text of its class: what the text expects and the object lacks, and the other way round.

Texts are syntax trees only. Where a base is not held, or names are computed, what cannot be known is not said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from viewer.core.code.aliases import MODULE_ALIASES, NAME_ALIASES
from viewer.core.code.expectations import OF_MODULE, Expectations, Read, expectations
from viewer.core.code.findings import Finding, finding, listed
from viewer.core.code.held import Held
from viewer.core.code.init_chain import Chain, Expected, chain
from viewer.core.code.lineage import HeldClass, Library, Lineage, expanded, torch_named
from viewer.core.code.torch_modules import machinery
from viewer.core.problem import Severity

MOST_OF_A_KIND: Final = 100
"""Findings of a kind on one object; more are counted."""
_WARNING, _NOTE = Severity.WARNING, Severity.NOTE
# First parts of names that are sure to be functions and classes of packages, not of the person's code.
_PACKAGES: Final = MODULE_ALIASES.keys() | {"torchvision", "transformers"}
_USUAL: Final = NAME_ALIASES.keys() | {"Decimal", "Lock", "Thread"}


@dataclass(frozen=True, slots=True)
class ClassCheck:
    """The text of one class, ready to be held against its objects. `of_text`: findings that need no object."""

    held_class: HeldClass
    lineage: Lineage
    init: Chain
    said: Expectations
    of_text: tuple[Finding, ...]

    @classmethod
    def of(cls, held_class: HeldClass, library: Library) -> ClassCheck:
        """Prepare the check of one text. Raises RecursionError for texts that are nested too deep."""
        lineage = library.lineage(held_class)
        init = chain(lineage, "__init__")
        of_text = (*_bases(held_class, lineage), *_makes(held_class, init, library))
        return cls(held_class, lineage, init, expectations(lineage, init), of_text)

    def findings(self, held: Held) -> list[Finding]:
        """What is to be said of one object; the same for all that hold the same names."""
        found = [*self.of_text, *self._module_base(held)]
        if self.said.answers is not None:
            name, line = self.said.answers
            return [*found, self._finding("attributes-computed", _NOTE, line, name=name)]
        if held.is_plain and held.skips_init:
            found += [*self._missing(held), *self._unknown(held)]
        return [*found, *self._unset_names(held), *self._forward(held)]

    def _missing(self, held: Held) -> Iterator[Finding]:
        """Attributes that `__init__` sets and the object lacks."""
        missing = [name for name in self.said.expected if name not in held.names]
        for name in missing[:MOST_OF_A_KIND]:
            yield self._lacking(name, self.said.expected[name], self.said.readers.get(name))
        if len(missing) > MOST_OF_A_KIND:
            count = len(missing) - MOST_OF_A_KIND
            yield self._finding("attributes-missing-more", _WARNING, None, count=count)

    def _lacking(self, name: str, expected: Expected, reader: Read | None) -> Finding:
        code = "attribute-missing" if reader is not None else "attribute-missing-unread"
        params: dict[str, object] = {"name": name, "setter": expected.method}
        if reader is not None:
            params.update(method=reader.method, read_line=reader.use.line)
        code = code if expected.sure else "attribute-conditional"
        severity = _WARNING if expected.sure else _NOTE
        line, text_of = expected.setting.line, expected.held.name
        fix = self._fix(name, expected.setting.value)
        return finding(code, severity, self.held_class.name, self.held_class.origin, line, text_of, fix, **params)

    def _fix(self, name: str, value: str) -> str:
        if not value:
            return ""
        short = self.held_class.facts.name
        return (
            f"for module in model.modules():\n"
            f'    if type(module).__name__ == "{short}" and not hasattr(module, "{name}"):\n'
            f"        module.{name} = {value}"
        )

    def _unknown(self, held: Held) -> Iterator[Finding]:
        """Attributes that nothing in the text sets. Containers of torch name their children themselves."""
        if self.said.known is None:
            return
        names = held.names - self.said.known
        if self.lineage.torch:
            names -= held.children
        told = sorted(name for name in names if not name.isdigit())
        if told:
            yield self._finding("attributes-unknown", _NOTE, None, names=listed(told), all=tuple(told[:MOST_OF_A_KIND]))

    def _unset_names(self, held: Held) -> Iterator[Finding]:
        """Names of the object that methods read or call, and that neither text nor object has."""
        known = OF_MODULE | machinery() if held.is_module else frozenset()
        unset = ((name, read) for name, read in self.said.unset.items() if name not in held.names and name not in known)
        for name, read in islice(unset, MOST_OF_A_KIND):
            code = "method-missing" if read.use.called else "name-missing"
            params = {"name": name, "method": read.method}
            of = self.held_class
            yield finding(code, _WARNING, of.name, of.origin, read.use.line, read.held.name, **params)

    def _forward(self, held: Held) -> Iterator[Finding]:
        """A module that cannot be called."""
        lineage = self.lineage
        if not held.is_module or not lineage.complete or lineage.torch:
            return
        if {"forward", "__call__"}.isdisjoint(lineage.names | held.names | self.init.expected.keys()):
            yield self._finding("forward-missing", _NOTE, self.held_class.facts.line)

    def _module_base(self, held: Held) -> Iterator[Finding]:
        if held.is_module and self.lineage.complete and not self.lineage.is_module:
            yield self._finding("module-base-missing", _WARNING, self.held_class.facts.line)

    def _finding(self, code: str, severity: Severity, line: int | None, **params: object) -> Finding:
        return finding(code, severity, self.held_class.name, self.held_class.origin, line, "", "", **params)


def _bases(of: HeldClass, lineage: Lineage) -> Iterator[Finding]:
    """Bases that are not held."""
    lines = {one.name: one.facts.line for one in lineage.own}
    for base, derived in lineage.missing[:MOST_OF_A_KIND]:
        yield finding("base-missing", _WARNING, of.name, of.origin, lines[derived], derived, base=base)


def _makes(of: HeldClass, init: Chain, library: Library) -> Iterator[Finding]:
    """Classes that making a new object needs."""
    names: dict[str, int] = {}
    for name, (line, made_by) in init.makes.items():
        if made_by.origin == of.origin and not _is_had(name, made_by, library):
            names.setdefault(name, line)
    if names:
        line = min(names.values())
        yield finding("classes-missing", _NOTE, of.name, of.origin, line, names=listed(list(names)))


def _is_had(name: str, of: HeldClass, library: Library) -> bool:
    """True for a class that is at hand when the text of another one makes an object of it."""
    first = name.partition(".")[0]
    if of.file is not None:
        if first in of.file.defined or of.file.has_star:
            return True
        first = expanded(name, of.file).partition(".")[0]
    if first in _PACKAGES or name in _USUAL or first == of.facts.name or torch_named(name, "." not in name) is not None:
        return True
    return library.find(name, of) is not None
