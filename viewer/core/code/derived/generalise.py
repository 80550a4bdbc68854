"""What several terms have in common, and arguments for what differs. Nothing recurses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from viewer.core.code.derived.literals import LONGEST_NAME, identifier
from viewer.core.code.derived.terms import Part, Terms

Vector = tuple[int, ...]
"""One term for each object, in order."""
ABSENT: Final = -1
_DEEPEST: Final = 40


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a class: its name, and what each object was given (ABSENT: it has nothing of the kind)."""

    name: str
    vector: Vector
    term: int


@dataclass(slots=True)
class Arguments:
    """The arguments of one class. What was equal in all objects shares one: `made` by its vector, in order."""

    terms: Terms
    made: dict[Vector, Argument] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)

    def argument(self, vector: Vector, labels: Sequence[str]) -> int:
        """The term that stands for what differs."""
        found = self.made.get(vector)
        if found is None:
            name = self._free("_".join(label for label in labels if label))
            found = self.made[vector] = Argument(name, vector, self.terms.leaf(name))
        return found.term

    def _free(self, wanted: str) -> str:
        base = name = identifier(wanted, "item")
        number = 2
        while name in self._names:
            name, number = f"{base[:LONGEST_NAME]}_{number}", number + 1
        self._names.add(name)
        return name


@dataclass(slots=True)
class _Frame:
    vector: Vector
    labels: tuple[str, ...]
    made: int = -1
    columns: list[Column] = field(default_factory=list)
    inner: list[int] = field(default_factory=list)


class Column(NamedTuple):
    """One part of several calls of the same function."""

    prefix: str
    label: str
    vector: Vector


Default = Callable[[str, str], int]
"""The term that an argument has where it is left out, by the head of the call and its name; -1: there is none."""


def common(terms: Terms, arguments: Arguments, vector: Vector, labels: tuple[str, ...], default: Default) -> int:
    """The term that all of a vector have in common, with arguments in it where they differ.

    An object that only an argument can stand for becomes one also where all have the same.
    """
    frames = [_Frame(vector, labels)]
    # The list grows while it is walked: parts come behind what they are parts of.
    for frame in frames:
        first = frame.vector[0]
        if len(set(frame.vector)) == 1 and first != ABSENT and not terms[first].has_instance:
            frame.made = first
            continue
        columns = _columns(terms, frame.vector, default) if len(frame.labels) <= _DEEPEST else []
        if not columns:
            frame.made = arguments.argument(frame.vector, frame.labels)
        frame.columns = columns
        for column in columns:
            frame.inner.append(len(frames))
            frames.append(_Frame(column.vector, (*frame.labels, column.label)))
    for frame in reversed(frames):
        if frame.made < 0:
            held = terms[frame.vector[0]]
            parts = [
                Part(column.prefix, column.label, frames[at].made)
                for column, at in zip(frame.columns, frame.inner, strict=True)
            ]
            frame.made = terms.call(held.head, parts, held.tail, is_open=held.is_open)
    return frames[0].made


def _columns(terms: Terms, vector: Vector, default: Default) -> list[Column]:
    """The parts of calls that differ in nothing but their parts; [] where they differ in more."""
    if ABSENT in vector:
        return []
    first = terms[vector[0]]
    keys: dict[tuple[str, str], None] = {}
    held: dict[int, dict[tuple[str, str], int]] = {}
    # The longest first: the order of its arguments is the constructor's.
    for one in sorted(dict.fromkeys(vector), key=lambda term: len(terms[term].parts), reverse=True):
        other = terms[one]
        if not other.is_open or (other.head, other.tail) != (first.head, first.tail):
            return []
        held[one] = {(part.prefix, part.label): part.term for part in other.parts}
        keys.update(dict.fromkeys(held[one]))
    for parts in held.values():
        for prefix, label in keys.keys() - parts.keys():
            parts[prefix, label] = default(first.head, label) if prefix.endswith("=") else ABSENT
            if parts[prefix, label] == ABSENT:
                return []
    return [Column(*key, tuple(held[one][key] for one in vector)) for key in keys]
