"""The texts of one module, put together to units: a class, or nested classes and what holds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Final

from viewer.core.code.pieces import Piece, Refusal, piece_of
from viewer.core.code.python_text import is_plain_name
from viewer.core.code.texts import ClassText

DEEPEST: Final = 8
LONGEST: Final = 2_000_000
"""Characters of one file. Python takes a hundred times that to read it."""


@dataclass(slots=True)
class Unit:
    """Texts that stand together. `name`: the class of the module that they are, or are within; "" for a whole module.

    `attached`: nested classes (`Outer.Inner`) whose text stands outside of the outer one. `holders`: outer classes
    that have no text. `inside`: nested classes that stand within a text already.
    """

    name: str
    pieces: list[Piece] = field(default_factory=list)
    attached: list[str] = field(default_factory=list)
    holders: list[str] = field(default_factory=list)
    inside: list[ClassText] = field(default_factory=list)

    @property
    def gives(self) -> set[str]:
        """The names that it leaves in the module."""
        bound = {name for piece in self.pieces for name in piece.needed.bound}
        return (bound - {name.rpartition(".")[2] for name in self.attached}) | ({self.name} - {""})

    @property
    def passing(self) -> set[str]:
        """The names that it takes in the module for a moment."""
        return {name.rpartition(".")[2] for name in self.attached}

    def needs(self, at_import: bool) -> set[str]:
        """The names that its texts take from elsewhere, as they are imported or later."""
        found: set[str] = set()
        bound: set[str] = {name for piece in self.pieces for name in piece.needed.bound}
        given: set[str] = set()
        for piece in self.pieces:
            needed = piece.needed
            if at_import:
                found |= needed.at_import - given
            else:
                found |= (needed.in_bodies | needed.in_annotations) - bound
            given |= needed.bound
        return found


@dataclass(slots=True)
class Units:
    """The units of a module in the order in which they can stand, and the texts that are in none."""

    units: list[Unit]
    refused: list[Refusal]


def units_of(classes: Iterable[ClassText]) -> Units:
    """Put the texts of one module together."""
    pieces, refused = usable(classes)
    groups: dict[str, dict[str, Piece]] = {}
    whole = pieces.pop("", None)
    unit = Unit("", [whole] if whole is not None else [])
    for qualname, piece in pieces.items():
        path = place_of(qualname)
        if whole is not None and path in whole.holds:
            unit.inside.append(piece.source)
        else:
            groups.setdefault(path.partition(".")[0], {})[path] = piece
    units = [unit, *(grouped(name, group, refused) for name, group in groups.items())]
    return Units(ordered([unit for unit in units if unit.pieces]), refused)


def usable(classes: Iterable[ClassText]) -> tuple[dict[str, Piece], list[Refusal]]:
    """The text of each class that is used, the last of several; and those that are not, with the reason."""
    found: dict[str, Piece] = {}
    refused: list[Refusal] = []
    owners: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    total = 0
    for source in classes:
        if (source.qualname, source.text) in seen:
            continue
        seen.add((source.qualname, source.text))
        piece = piece_of(source)
        if isinstance(piece, Piece):
            place = place_of(source.qualname)
            total += len(piece.text)
            if total > LONGEST:
                piece = Refusal(source, "source-long", {})
            elif owners.setdefault(place, source.qualname) != source.qualname:
                piece = Refusal(source, "source-name-taken", {"name": place})
        if isinstance(piece, Refusal):
            refused.append(piece)
            continue
        before = found.pop(source.qualname, None)
        if before is not None:
            refused.append(Refusal(before.source, "source-other-text", {}))
        found[source.qualname] = piece
    return found, refused


def place_of(qualname: str) -> str:
    """Where a class can stand in its module: `Outer.Inner`, or only its own name where an outer one is no name.

    A local class (`make.<locals>.Inner`) is such a one.
    """
    parts = qualname.split(".")
    return qualname if len(parts) <= DEEPEST and all(is_plain_name(part) for part in parts) else parts[-1]


def grouped(name: str, group: dict[str, Piece], refused: list[Refusal]) -> Unit:
    """A class with all that is nested in it. What cannot stand there is refused."""
    unit = Unit(name)
    taken = {name}
    standing: dict[str, Piece] = {}
    texts: dict[str, str] = {}
    for place in sorted(group, key=lambda place: place.count(".")):
        piece = group[place]
        outer = holder_of(place, standing)
        if outer is not None:
            unit.inside.append(piece.source)
            if outer not in texts:
                texts[outer] = unmargined(standing[outer].text)
            if unmargined(piece.text).strip() not in texts[outer]:
                refused.append(Refusal(piece.source, "source-other-text", {}))
            continue
        if "." in place:
            if piece.name in taken:
                refused.append(Refusal(piece.source, "source-name-taken", {"name": piece.name}))
                continue
            unit.attached.append(place)
        taken.add(piece.name)
        unit.pieces.append(piece)
        standing[place] = piece
    unit.holders = holders(unit)
    unit.pieces = arranged(unit.pieces)
    return unit


def holder_of(place: str, standing: Mapping[str, Piece]) -> str | None:
    """The place of the text that a nested class stands in already."""
    outer = place
    while "." in outer:
        outer = outer.rpartition(".")[0]
        if outer in standing and standing[outer].name + place[len(outer) :] in standing[outer].holds:
            return outer
    return None


def unmargined(text: str) -> str:
    """The lines of a text without what stands before them."""
    return "\n".join(line.strip() for line in text.split("\n"))


def holders(unit: Unit) -> list[str]:
    """The outer classes that have to be made, outermost first."""
    there = {place_of(piece.source.qualname) for piece in unit.pieces}
    held = {name for piece in unit.pieces for name in within_module(piece)}
    found: dict[str, None] = {}
    for place in unit.attached:
        parts = place.split(".")
        for depth in range(1, len(parts)):
            outer = ".".join(parts[:depth])
            if outer not in there and outer not in held:
                found[outer] = None
    return sorted(found, key=lambda outer: outer.count("."))


def within_module(piece: Piece) -> set[str]:
    """The classes of a text by their place in the module."""
    place = place_of(piece.source.qualname)
    above = place[: len(place) - len(piece.name)]
    return {above + name for name in piece.holds}


def arranged(pieces: list[Piece]) -> list[Piece]:
    """The texts of a unit, those that others need as they are imported first."""
    needs = [piece.needed.at_import for piece in pieces]
    order = sequence([{piece.name} for piece in pieces], needs)
    return [pieces[at] for at in order]


def ordered(units: list[Unit]) -> list[Unit]:
    """The units of a module, those that others need as they are imported first, else in the order of the stream."""
    gives = [unit.gives for unit in units]
    # a unit that takes a name for a moment stands before the one that gives it
    needs = [unit.needs(at_import=True) for unit in units]
    passing = [unit.passing for unit in units]
    return [units[at] for at in sequence(gives, needs, passing)]


def sequence(gives: Sequence[Set[str]], needs: Sequence[Set[str]], passing: Sequence[Set[str]] = ()) -> list[int]:
    """Numbers in an order in which each comes after what it needs; where that is not possible, as they came."""
    givers: dict[str, int] = {}
    for at, names in enumerate(gives):
        for name in names:
            givers.setdefault(name, at)
    before: list[set[int]] = [
        {givers[name] for name in names if name in givers} - {at} for at, names in enumerate(needs)
    ]
    for at, names in enumerate(passing):
        for name in names:
            if givers.get(name, at) != at:
                before[givers[name]].add(at)
    after: list[list[int]] = [[] for _ in gives]
    for at, earlier in enumerate(before):
        for each in earlier:
            after[each].append(at)
    return _sorted(before, after)


def _sorted(before: list[set[int]], after: list[list[int]]) -> list[int]:
    left = [len(earlier) for earlier in before]
    ready = [at for at, count in enumerate(left) if not count]
    heapify(ready)
    done: list[int] = []
    while ready:
        at = heappop(ready)
        done.append(at)
        for each in after[at]:
            left[each] -= 1
            if not left[each]:
                heappush(ready, each)
    known = set(done)
    return [*done, *(at for at in range(len(before)) if at not in known)]
