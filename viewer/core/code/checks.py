"""Holds an object against the text of its class: what the text expects and the object lacks, and the other way round.

Texts are syntax trees only. Where a base is not held, or names are computed, what cannot be known is not said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from viewer.core.code.derived.literals import MODULE_NAMES
from viewer.core.code.findings import Finding, finding, listed
from viewer.core.code.held import Held
from viewer.core.code.init_chain import Chain, Expected, chain
from viewer.core.code.lineage import TORCH, HeldClass, Library, Lineage, expanded, torch_named
from viewer.core.code.method_facts import MethodFacts, Use
from viewer.core.code.torch_modules import machinery, torch_class
from viewer.core.problem import Severity

_WARNING, _NOTE = Severity.WARNING, Severity.NOTE
_ANSWERING: Final = ("__getattr__", "__getattribute__")
_MAKING: Final = ("__new__", "__reduce__", "__reduce_ex__")
_STATE: Final = "__setstate__"
_OBJECT: Final = frozenset(dir(object)) | {"__dict__", "__weakref__", "__slots__", "__annotations__", "__module__"}
# What nn.Module answers for besides its methods and what its __init__ sets.
_MODULE: Final = MODULE_NAMES | {"__call__", "__getattr__", "__setstate__", "_tracing_name", "all_parameters"}
# First parts of names that are sure to be functions and classes of packages, not of the person's code.
_PACKAGES: Final = frozenset(
    {"F", "collections", "copy", "functools", "itertools", "math", "nn", "np", "numpy", "optim", "os", "random"}
    | {"sys", "torch", "torchvision", "transformers", "typing", "warnings"}
)
_USUAL: Final = frozenset(
    {"Counter", "Decimal", "Generator", "OrderedDict", "Parameter", "Path", "Tensor", "Variable", "Lock", "Thread"}
)


@dataclass(frozen=True, slots=True)
class ClassCheck:
    """What the text of a class says, worked out once for all its objects."""

    held_class: HeldClass
    lineage: Lineage
    init: Chain
    filled: frozenset[str]
    computes: MethodFacts | None
    is_made_otherwise: bool
    is_torch_known: bool

    @classmethod
    def of(cls, held_class: HeldClass, library: Library) -> ClassCheck:
        """Prepare the check of one text."""
        lineage = library.lineage(held_class)
        computing = [found[1] for name in _ANSWERING if (found := lineage.method(name)) is not None]
        otherwise = not lineage.names.isdisjoint(_MAKING)
        known = [torch_class(name) for name in lineage.torch]
        return cls(
            held_class,
            lineage,
            chain(lineage, "__init__"),
            frozenset(chain(lineage, _STATE).expected),
            computing[0] if computing and held_class.origin != TORCH else None,
            otherwise,
            all(one is not None and one.built for one in known),
        )

    def findings(self, held: Held, library: Library) -> list[Finding]:
        """What is to be said of one object; the same for all that hold the same names."""
        found = [*self._bases(), *self._module_base(held), *self._makes(library)]
        if self.computes is not None:
            name, line = self.computes.name, self.computes.line
            return [*found, self._finding("attributes-computed", _NOTE, line, name=name)]
        if held.is_plain and held.skips_init and not self.is_made_otherwise:
            found += [*self._missing(held), *self._unknown(held)]
        return [*found, *self._unset_names(held), *self._forward(held)]

    # -- the object ----------------------------------------------------------------------------------

    def _missing(self, held: Held) -> Iterator[Finding]:
        """Attributes that `__init__` sets and the object lacks."""
        has = held.names | self.filled | self.init.deleted | self.lineage.names | machinery()
        for name, expected in self.init.expected.items():
            if name in has or expected.held.origin == TORCH:
                continue
            reader = self._reader(name)
            if reader is None and not expected.sure:
                continue
            yield self._lacking(name, expected, reader)

    def _lacking(self, name: str, expected: Expected, reader: tuple[MethodFacts, Use] | None) -> Finding:
        code = "attribute-missing" if reader is not None else "attribute-missing-unread"
        params: dict[str, object] = {"name": name, "setter": expected.method}
        if reader is not None:
            params.update(method=reader[0].name, read_line=reader[1].line)
        code = code if expected.sure else "attribute-conditional"
        severity = _WARNING if expected.sure else _NOTE
        setting = expected.setting
        fix = self._fix(name, setting.value) if setting.value else ""
        return finding(
            code,
            severity,
            self.held_class.name,
            self.held_class.origin,
            setting.line,
            expected.held.name,
            fix,
            **params,
        )

    def _fix(self, name: str, value: str) -> str:
        short = self.held_class.facts.name
        return (
            f"for module in model.modules():\n"
            f'    if type(module).__name__ == "{short}" and not hasattr(module, "{name}"):\n'
            f"        module.{name} = {value}"
        )

    def _reader(self, name: str) -> tuple[MethodFacts, Use] | None:
        """The first place where a method that loading does not run reads an attribute without asking for it."""
        found: list[tuple[bool, int, MethodFacts, Use]] = []
        for _, key, method in self.lineage.methods():
            use = method.uses.get(name)
            if use is None or key == "__init__" or name in method.guarded:
                continue
            own = method.settings.get(name)
            if own is None or not own.sure or own.line >= use.line:
                found.append((key != "forward", use.line, method, use))
        best = min(found, key=lambda one: one[:2], default=None)
        return None if best is None else best[2:]

    def _unknown(self, held: Held) -> Iterator[Finding]:
        """Attributes that nothing in the text sets."""
        lineage = self.lineage
        opens = any(method.opens for _, key, method in lineage.methods() if key != _STATE)
        if not lineage.complete or not self.is_torch_known or opens:
            return
        known = lineage.names | machinery() | _OBJECT | self.init.expected.keys() | lineage.python | {"training"}
        for one in lineage.own:
            known |= one.facts.annotated | one.facts.slots
            for method in one.facts.methods.values():
                known |= method.settings.keys()
        for name in lineage.torch:
            known |= _torch_names(name)
        if lineage.torch:
            known |= held.children
        names = sorted(name for name in held.names - known if not name.isdigit())
        if names:
            yield self._finding("attributes-unknown", _NOTE, None, names=listed(names), all=tuple(names))

    # -- the text ------------------------------------------------------------------------------------

    def _unset_names(self, held: Held) -> Iterator[Finding]:
        """Names of the object that methods read or call, and that neither text nor object has."""
        lineage = self.lineage
        methods = list(lineage.methods())
        if not lineage.complete or lineage.torch or self.is_made_otherwise or any(one.opens for _, _, one in methods):
            return
        known = held.names | lineage.names | _OBJECT | lineage.python | self.init.expected.keys()
        if lineage.is_module or held.is_module:
            known |= _MODULE | machinery()
        for one in lineage.own:
            known |= one.facts.slots
            for method in one.facts.methods.values():
                known |= method.settings.keys()
        seen: set[str] = set()
        for one, _, method in methods:
            if one.origin == TORCH:
                continue
            for use in method.uses.values():
                if use.name in known or use.name in seen or use.name in method.guarded:
                    continue
                seen.add(use.name)
                code = "method-missing" if use.called else "name-missing"
                params = {"name": use.name, "method": method.name}
                yield finding(
                    code, _WARNING, self.held_class.name, self.held_class.origin, use.line, one.name, **params
                )

    def _forward(self, held: Held) -> Iterator[Finding]:
        """A module that cannot be called."""
        lineage = self.lineage
        has = lineage.names | held.names | self.init.expected.keys()
        if held.is_module and lineage.complete and not lineage.torch and not {"forward", "__call__"} & has:
            yield self._finding("forward-missing", _NOTE, self.held_class.facts.line)

    def _module_base(self, held: Held) -> Iterator[Finding]:
        if held.is_module and self.lineage.complete and not self.lineage.is_module:
            yield self._finding("module-base-missing", _WARNING, self.held_class.facts.line)

    def _bases(self) -> Iterator[Finding]:
        for base, derived in self.lineage.missing:
            of = next(one for one in self.lineage.own if one.name == derived)
            yield finding(
                "base-missing",
                _WARNING,
                self.held_class.name,
                self.held_class.origin,
                of.facts.line,
                derived,
                base=base,
            )

    def _makes(self, library: Library) -> Iterator[Finding]:
        """Classes that making a new object needs."""
        names: dict[str, int] = {}
        for name, (line, of) in self.init.makes.items():
            if of.origin == self.held_class.origin and not _is_had(name, of, library):
                names.setdefault(name, line)
        if names:
            yield self._finding("classes-missing", _NOTE, min(names.values()), names=listed(list(names)))

    def _finding(self, code: str, severity: Severity, line: int | None, **params: object) -> Finding:
        return finding(code, severity, self.held_class.name, self.held_class.origin, line, "", "", **params)


def _torch_names(name: str) -> frozenset[str]:
    known = torch_class(name)
    if known is None:
        return frozenset()
    return frozenset([*known.attributes, *known.parameters, *known.buffers, *known.children])


def _is_had(name: str, of: HeldClass, library: Library) -> bool:
    """True for a class that is at hand when the text of another one makes an object of it."""
    first = name.partition(".")[0]
    if of.file is not None:
        if first in of.file.defined or of.file.has_star:
            return True
        first = expanded(name, of.file).partition(".")[0]
    if first in _PACKAGES or name in _USUAL or first == of.facts.name or torch_named(name, "." not in name) is not None:
        return True
    found = library.find(name, of)
    return found is not None
