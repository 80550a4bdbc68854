"""What the text of a class says about all its objects, worked out once: what they should and what they may hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from viewer.core.code.derived.literals import MODULE_NAMES
from viewer.core.code.init_chain import Chain, Expected, chain
from viewer.core.code.lineage import TORCH, HeldClass, Lineage
from viewer.core.code.method_facts import Use
from viewer.core.code.torch_modules import machinery, torch_class

_ANSWERING: Final = ("__getattr__", "__getattribute__")
_MAKING: Final = frozenset({"__new__", "__reduce__", "__reduce_ex__"})
STATE: Final = "__setstate__"
OBJECT_NAMES: Final = frozenset(dir(object)) | {
    "__annotations__", "__dict__", "__module__", "__slots__", "__weakref__",
}  # fmt: skip
# What nn.Module answers for besides its methods and what its __init__ sets.
OF_MODULE: Final = MODULE_NAMES | {"__call__", "__getattr__", "__setstate__", "_tracing_name", "all_parameters"}


@dataclass(frozen=True, slots=True)
class Read:
    """A place where a method reads an attribute of its object, or calls it."""

    held: HeldClass
    method: str
    use: Use


@dataclass(frozen=True, slots=True)
class Expectations:
    """`expected`: attributes that `__init__` sets and that stay missing where an object lacks them.

    `readers`: for each name the place that fails first without it. `known`: all names that objects may hold, None
    where that cannot be told. `unset`: names that methods use and nothing in the text sets; empty where that cannot
    be told. `answers`: the method and its line that may answer for any name.
    """

    expected: Mapping[str, Expected]
    readers: Mapping[str, Read]
    known: frozenset[str] | None
    unset: Mapping[str, Read]
    answers: tuple[str, int] | None


def expectations(lineage: Lineage, init: Chain) -> Expectations:
    """Work out what a class and its bases say."""
    answering = [found[1] for name in _ANSWERING if (found := lineage.method(name)) is not None]
    if answering and lineage.own[0].origin != TORCH:
        return Expectations({}, {}, None, {}, (answering[0].name, answering[0].line))
    readers = _readers(lineage)
    if not lineage.names.isdisjoint(_MAKING):
        return Expectations({}, readers, None, {}, None)
    opens = {key for _, key, method in lineage.methods() if method.opens}
    settings = frozenset().union(
        *(method.settings.keys() for one in lineage.own for method in one.facts.methods.values())
    )
    expected = _expected(lineage, init, readers)
    known = _known(lineage, init, settings) if not opens - {STATE} else None
    unset = _unset(lineage, init, settings) if not opens else {}
    return Expectations(expected, readers, known, unset, None)


def _expected(lineage: Lineage, init: Chain, readers: Mapping[str, Read]) -> dict[str, Expected]:
    """Without what the class itself, its bases or loading give."""
    filled = chain(lineage, STATE).expected.keys()
    given = lineage.names | filled | init.deleted | machinery()
    return {
        name: one
        for name, one in init.expected.items()
        if name not in given and one.held.origin != TORCH and (one.sure or name in readers)
    }


def _readers(lineage: Lineage) -> dict[str, Read]:
    """The first places where methods that loading does not run read names without asking; `forward` first."""
    found: dict[str, Read] = {}
    best: dict[str, tuple[bool, int]] = {}
    for held, key, method in lineage.methods():
        if key == "__init__":
            continue
        for name, use in method.uses.items():
            own = method.settings.get(name)
            if name in method.guarded or (own is not None and own.sure and own.line < use.line):
                continue
            order = key != "forward", use.line
            if name not in best or order < best[name]:
                best[name], found[name] = order, Read(held, method.name, use)
    return found


def _known(lineage: Lineage, init: Chain, settings: frozenset[str]) -> frozenset[str] | None:
    """All names that objects may hold; None where a base is not known well enough."""
    torch = [torch_class(name) for name in lineage.torch]
    if not lineage.complete or not all(one is not None and one.built for one in torch):
        return None
    known = lineage.names | machinery() | OBJECT_NAMES | init.expected.keys() | lineage.python | settings
    for one in lineage.own:
        known |= one.facts.annotated | one.facts.slots
    for facts in torch:
        if facts is not None:
            known |= {*facts.attributes, *facts.parameters, *facts.buffers, *facts.children}
    return known


def _unset(lineage: Lineage, init: Chain, settings: frozenset[str]) -> dict[str, Read]:
    """Names that methods of the person's own classes use and that nothing in the text sets."""
    if not lineage.complete or lineage.torch:
        return {}
    known = lineage.names | OBJECT_NAMES | lineage.python | init.expected.keys() | settings
    if lineage.is_module:
        known |= OF_MODULE | machinery()
    for one in lineage.own:
        known |= one.facts.slots
    found: dict[str, Read] = {}
    for one, _, method in lineage.methods():
        if one.origin == TORCH:
            continue
        for name, use in method.uses.items():
            if name not in known and name not in method.guarded:
                found.setdefault(name, Read(one, method.name, use))
    return found
