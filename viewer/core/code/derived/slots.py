"""What the objects of a class hold by name, side by side: attributes, parameters, buffers, submodules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from viewer.core.code.derived.generalise import ABSENT, Vector
from viewer.core.code.derived.literals import quoted
from viewer.core.code.derived.objects import ObjectTerms
from viewer.core.code.derived.state import State
from viewer.core.code.derived.terms import Part
from viewer.core.pickles.values import Kind

MOST_OPTIONAL: Final = 12
"""Names of a kind that not every object has and that become an argument each; more become one mapping."""


SELF: Final = "self"


class Role(IntEnum):
    """What a name stands for in an object."""

    ATTRIBUTE = 0
    PARAMETER = 1
    BUFFER = 2
    UNSAVED = 3
    MODULE = 4
    CONTENT = 5
    ARGUMENTS = 6


_REGISTERED: Final = (Role.PARAMETER, Role.BUFFER, Role.UNSAVED, Role.MODULE)


@dataclass(frozen=True, slots=True)
class Slot:
    """One name. `vector`: the term in each object, ABSENT where it has none. `is_raw`: `self.x =` would register it.

    `is_mapping`: the terms are mappings of all that not every object has.
    """

    role: Role
    name: str
    vector: Vector
    is_raw: bool = False
    is_mapping: bool = False

    @property
    def is_optional(self) -> bool:
        """True when an object has nothing of the kind."""
        return ABSENT in self.vector


@dataclass(slots=True)
class Table:
    """The slots of a class by role and name; each knows the term of an object by its number."""

    count: int
    held: dict[tuple[Role, str], dict[int, int]] = field(default_factory=dict)
    raw: set[str] = field(default_factory=set)

    def add(self, role: Role, name: str, number: int, term: int) -> None:
        """What one object has under a name."""
        self.held.setdefault((role, name), {})[number] = term


def slots_of(objects: ObjectTerms, instances: Sequence[int], content: str) -> list[Slot]:
    """The slots of the objects of one class, in the order of their first object; `content`: dict, list or ""."""
    table = Table(len(instances))
    for number, value in enumerate(instances):
        _fill(table, objects, number, value, content)
    _merge_nones(table, objects.terms.none)
    return list(_slots(table, objects))


def _fill(table: Table, objects: ObjectTerms, number: int, value: int, content: str) -> None:
    state = objects.state(value)
    for name, child in state.attributes.items():
        table.add(Role.ATTRIBUTE, name, number, objects.terms.leaf(SELF) if child == value else objects.term(child))
        if state.is_module and objects.is_module(child):
            table.raw.add(name)
    for name, child in state.parameters.items():
        table.add(Role.PARAMETER, name, number, objects.plain.parameter(child))
    for name, child in state.buffers.items():
        role = Role.UNSAVED if name in state.left_out else Role.BUFFER
        _register(table, role, name, number, objects.term(child), fits=objects.fits(child, is_module=False))
    for name, child in state.children.items():
        _register(table, Role.MODULE, name, number, objects.term(child), fits=objects.fits(child, is_module=True))
    if state.is_module:
        return
    if state.arguments:
        closing = ",)" if len(state.arguments) == 1 else ")"
        table.add(Role.ARGUMENTS, "arguments", number, _sequence(objects, state.arguments, "(", closing))
    if content == "dict" and state.entries:
        table.add(Role.CONTENT, "entries", number, _mapping(objects, state))
    elif content == "list" and state.items:
        table.add(Role.CONTENT, "items", number, _sequence(objects, state.items, "[", "]"))


def _register(table: Table, role: Role, name: str, number: int, term: int, *, fits: bool) -> None:
    """What is of another kind, which nn.Module refuses, stays a plain attribute."""
    if fits:
        table.add(role, name, number, term)
    else:
        table.add(Role.ATTRIBUTE, name, number, term)
        table.raw.add(name)


def _sequence(objects: ObjectTerms, values: Sequence[int], opening: str, closing: str) -> int:
    parts = [Part("", "", objects.term(value)) for value in values[:100]]
    return objects.terms.call(opening, parts, closing)


def _mapping(objects: ObjectTerms, state: State) -> int:
    parts = []
    for key, value in state.entries[:100]:
        written = objects.terms.flat(objects.term(key), "") if objects.values.is_atom(key) else ""
        if written and objects.values.kind(key) is not Kind.BYTEARRAY:
            parts.append(Part(f"{written}: ", "", objects.term(value)))
    return objects.terms.call("{", parts, "}")


def _merge_nones(table: Table, none: int) -> None:
    """A plain None in some objects is the absence of what others register under that name."""
    for role, name in list(table.held):
        attribute = table.held.get((Role.ATTRIBUTE, name))
        if role not in _REGISTERED or attribute is None:
            continue
        registered = table.held[role, name]
        if set(attribute.values()) == {none} and not registered.keys() & attribute.keys():
            registered.update(attribute)
            del table.held[Role.ATTRIBUTE, name]
        else:
            table.raw.add(name)


def _slots(table: Table, objects: ObjectTerms) -> Iterator[Slot]:
    own = objects.terms.leaf(SELF)
    for role in Role:
        names = [name for kind, name in table.held if kind is role]
        optional = [name for name in names if len(table.held[role, name]) < table.count]
        is_list = bool(optional) and all(name.isdecimal() for name in names)
        if is_list or len(optional) > MOST_OPTIONAL:
            optional = names if is_list else optional
            apart = set(optional)
            names = [name for name in names if name not in apart]
            yield Slot(role, _PLURALS[role], _mappings(table, objects, role, optional), is_mapping=True)
        for name in names:
            terms = table.held[role, name]
            vector = tuple(terms.get(number, ABSENT) for number in range(table.count))
            if len(set(vector)) > 1:
                # Elsewhere than in the object itself `self` is another one.
                vector = tuple(objects.terms.none if term == own else term for term in vector)
            yield Slot(role, name, vector, role is Role.ATTRIBUTE and name in table.raw)


def _mappings(table: Table, objects: ObjectTerms, role: Role, names: Sequence[str]) -> Vector:
    """For each object all that it has under the given names."""
    held: list[dict[str, int]] = [{} for _ in range(table.count)]
    for name in names:
        for number, term in table.held[role, name].items():
            held[number][name] = term
    return tuple(_named(objects, entries) for entries in held)


def _named(objects: ObjectTerms, entries: Mapping[str, int]) -> int:
    if not entries:
        return objects.terms.leaf("{}")
    return objects.terms.call("{", [Part(f"{quoted(name)}: ", name, one) for name, one in entries.items()], "}")


_PLURALS: Final = {
    Role.ATTRIBUTE: "attributes",
    Role.PARAMETER: "parameters",
    Role.BUFFER: "buffers",
    Role.UNSAVED: "unsaved_buffers",
    Role.MODULE: "modules",
    Role.CONTENT: "content",
    Role.ARGUMENTS: "arguments",
}
