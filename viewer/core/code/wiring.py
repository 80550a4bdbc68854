"""What each module of a folder imports: from the others, from well-known packages; and the names that nothing gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from viewer.core.code.aliases import HINTS, known_import
from viewer.core.code.module_paths import MAIN
from viewer.core.code.units import Unit

MOST_CANDIDATES: Final = 100


@dataclass(slots=True)
class Module:
    """One module. `name` as stored; `parts`: where it is imported from in the folder; `units` in their order.

    Filled by `wire`: `imports`, `own_imports`: at the head, from packages and from other modules; `before`, by number
    of the unit, and `behind`, at the end: imports that would run in a circle at the head; `late`: classes that are
    taken at the end, by the module that has them, and `awaited`: the same from the other side, by the module that
    takes them; `lacking`: names by class, `unready`: those of them that are needed at import; the same by the time
    that they are needed; `hints`: how a lacking name is usually had.
    """

    name: str
    parts: tuple[str, ...]
    units: Sequence[Unit] = ()
    imports: set[str] = field(default_factory=set)
    own_imports: set[str] = field(default_factory=set)
    before: dict[int, set[str]] = field(default_factory=dict)
    behind: set[str] = field(default_factory=set)
    late: dict[str, set[str]] = field(default_factory=dict)
    awaited: dict[str, set[str]] = field(default_factory=dict)
    lacking: dict[str, set[str]] = field(default_factory=dict)
    unready: dict[str, set[str]] = field(default_factory=dict)
    lacking_at_import: set[str] = field(default_factory=set)
    lacking_later: set[str] = field(default_factory=set)
    lacking_annotations: set[str] = field(default_factory=set)
    hints: set[str] = field(default_factory=set)

    @property
    def dotted(self) -> str:
        """Its name in the folder."""
        return ".".join(self.parts)

    @property
    def is_whole(self) -> bool:
        """True where its own text is there, with its imports."""
        return any(piece.source.is_module for unit in self.units for piece in unit.pieces)


@dataclass(frozen=True, slots=True)
class _Link:
    """An import from another module. `unit`: the first that needs it as it is imported, -1: only later.

    `name`: the class that is taken of it, "" for the module.
    """

    target: str
    line: str
    unit: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class _Use:
    """A name that a unit needs, and what it takes of it. `at`: number of the unit, -1: not needed at import."""

    unit: Unit
    name: str
    attributes: frozenset[str]
    at: int


class Wiring:
    """All modules at once: what each gives, and who needs it."""

    def __init__(self, modules: Iterable[Module]) -> None:
        self._modules = {module.name: module for module in modules}
        self._classes: dict[str, list[str]] = {}
        self._contents: dict[str, dict[str, str]] = {}
        self._by_last: dict[str, list[str]] = {}
        self._parts: dict[str, tuple[str, ...]] = {}
        # what `from x import *` brings cannot be told, so nothing is said to be lacking there
        self._starred = {
            module.name
            for module in self._modules.values()
            if any(piece.needed.star for unit in module.units for piece in unit.pieces)
        }
        for module in self._modules.values():
            self._list(module)
        for prefix in self._contents:
            self._by_last.setdefault(prefix.rpartition(".")[2], []).append(prefix)

    def _list(self, module: Module) -> None:
        """What can be taken of a module and of the packages above it; "" stands for a class."""
        contents = self._contents.setdefault(module.name, {})
        self._parts[module.name] = module.parts
        for unit in module.units:
            contents[unit.name] = ""
            self._classes.setdefault(unit.name, []).append(module.name)
        name, parts = module.name, module.parts
        while "." in name and len(parts) > 1:
            above, _, last = name.rpartition(".")
            self._parts.setdefault(above, parts[:-1])
            self._contents.setdefault(above, {}).setdefault(last, name)
            name, parts = above, parts[:-1]

    def wire(self) -> None:
        """Fill the imports of all modules and the names that are lacking."""
        links = {module.name: self._links(module) for module in self._modules.values()}
        edges = {name: {link.target for link in found} | self._packages(name) for name, found in links.items()}
        circle = circles(edges)
        for name, found in links.items():
            module = self._modules[name]
            for link in found:
                if circle[link.target] != circle[name]:
                    module.own_imports.add(link.line)
                elif link.unit >= 0:
                    module.before.setdefault(link.unit, set()).add(link.line)
                elif link.name:
                    target = self._modules[link.target]
                    module.late.setdefault(target.dotted, set()).add(link.name)
                    target.awaited.setdefault(module.dotted, set()).add(link.name)
                else:
                    module.behind.add(link.line)

    def _packages(self, name: str) -> set[str]:
        """The packages above a module that hold code: they are imported before it."""
        found: set[str] = set()
        while "." in name:
            name = name.rpartition(".")[0]
            if name in self._modules:
                found.add(name)
        return found

    def _links(self, module: Module) -> list[_Link]:
        """What a module takes from others; all else that it needs is imported or lacking."""
        given = {name for unit in module.units for name in unit.gives}
        found: dict[str, _Link] = {}
        for at, unit in enumerate(module.units):
            early, own, attributes = unit.needs(at_import=True), unit.gives, attributes_of(unit)
            for name in sorted(early | unit.needs(at_import=False)):
                # `class Net(Net)` takes its base from elsewhere
                if name in given and not (name in early and name in own):
                    continue
                use = _Use(unit, name, attributes.get(name, frozenset()), at if name in early else -1)
                for link in self._resolved(module, use):
                    known = found.get(link.line)
                    if known is None or (known.unit < 0 <= link.unit):
                        found[link.line] = link
        return list(found.values())

    def _resolved(self, module: Module, use: _Use) -> list[_Link]:
        """The imports from other modules that give a name; [] where it comes from elsewhere or from nowhere."""
        name = use.name
        of_module = self._nearest(module, self._with(name, use.attributes))
        if of_module is not None:
            return self._module_links(module, of_module, use)
        some = self._classes.get(name, [])[: MOST_CANDIDATES + 3]
        candidates = [each for each in some if each not in (module.name, MAIN)]
        target = self._nearest(module, candidates)
        if target is not None:
            return [_Link(target, f"from {'.'.join(self._parts[target])} import {name}", use.at, name)]
        line = known_import(name, use.attributes)
        if line is not None:
            module.imports.add(line)
            return []
        self._lack(module, use, candidates)
        return []

    def _with(self, name: str, attributes: frozenset[str]) -> list[str]:
        """The modules of that last name which hold what is taken of it."""
        candidates = self._by_last.get(name, ())
        if len(candidates) > MOST_CANDIDATES:
            return []
        return [each for each in candidates if not attributes.isdisjoint(self._contents[each])]

    def _nearest(self, module: Module, candidates: Sequence[str]) -> str | None:
        """The one that has most of its path in common with a module; None where that is none or several."""
        if not candidates or len(candidates) > MOST_CANDIDATES:
            return None
        own = module.name.split(".")
        shared = [common(own, each.split(".")) for each in candidates]
        most = max(shared)
        return candidates[shared.index(most)] if shared.count(most) == 1 else None

    def _module_links(self, module: Module, target: str, use: _Use) -> list[_Link]:
        """A module under the name that a text uses for it, and those of its modules that are taken of it."""
        found = [_Link(target, import_line(self._parts[target], use.name), use.at)] if target != module.name else []
        for attribute in sorted(use.attributes):
            inner = self._contents[target].get(attribute)
            if inner and inner in self._parts:
                found.append(_Link(inner, f"import {'.'.join(self._parts[inner])}", use.at))
        # packages without code of their own need no place in the order
        return [link for link in found if link.target in self._modules or self._bare(module, link.line)]

    def _bare(self, module: Module, line: str) -> bool:
        module.own_imports.add(line)
        return False

    def _lack(self, module: Module, use: _Use, candidates: Sequence[str]) -> None:
        if module.name in self._starred:
            return
        name = use.name
        needed = [piece.needed for piece in use.unit.pieces]
        if any(name in each.at_import for each in needed):
            module.lacking_at_import.add(name)
        elif any(name in each.in_bodies for each in needed):
            module.lacking_later.add(name)
        if any(name in each.in_annotations for each in needed):
            module.lacking_annotations.add(name)
        for piece in use.unit.pieces:
            if name in piece.needed.names:
                module.lacking.setdefault(piece.source.name, set()).add(name)
            if name in piece.needed.at_import:
                module.unready.setdefault(piece.source.name, set()).add(name)
        module.hints.update(f"from {'.'.join(self._parts[each])} import {name}" for each in candidates[:10])
        if not candidates and name in HINTS:
            module.hints.add(HINTS[name])


def attributes_of(unit: Unit) -> dict[str, frozenset[str]]:
    """What the texts take of each name; "" where they use it as it is."""
    found: dict[str, set[str]] = {}
    for piece in unit.pieces:
        for use in piece.needed.uses:
            found.setdefault(use.name, set()).add(use.attribute)
    return {name: frozenset(attributes) for name, attributes in found.items()}


def import_line(parts: Sequence[str], name: str) -> str:
    """The import that binds a module to a name."""
    as_name = "" if parts[-1] == name else f" as {name}"
    if len(parts) == 1:
        return f"import {parts[0]}{as_name}"
    return f"from {'.'.join(parts[:-1])} import {parts[-1]}{as_name}"


def common(first: Sequence[str], second: Sequence[str]) -> int:
    """How many parts two paths begin with alike."""
    return next(
        (at for at, (one, other) in enumerate(zip(first, second, strict=False)) if one != other),
        min(len(first), len(second)),
    )


def circles(edges: Mapping[str, set[str]]) -> dict[str, int]:
    """Numbers that are the same for modules which need each other, in however many steps (Kosaraju's two walks)."""
    back: dict[str, list[str]] = {name: [] for name in edges}
    for name, targets in edges.items():
        for target in targets:
            back.setdefault(target, []).append(name)
    forward = {name: sorted(edges.get(name, ())) for name in back}
    order: list[str] = []
    seen: set[str] = set()
    for name in forward:
        order += _finished(name, forward, seen)
    found: dict[str, int] = {}
    for number, name in enumerate(reversed(order)):
        waiting = [name]
        while waiting:
            each = waiting.pop()
            if each not in found:
                found[each] = number
                waiting += back[each]
    return found


def _finished(start: str, forward: Mapping[str, Sequence[str]], seen: set[str]) -> list[str]:
    """The names that can be reached and were not seen, each after those that it reaches."""
    done: list[str] = []
    waiting = [(start, 0)] if start not in seen else []
    seen.add(start)
    while waiting:
        name, at = waiting.pop()
        targets = forward[name]
        if at == len(targets):
            done.append(name)
            continue
        waiting.append((name, at + 1))
        if targets[at] not in seen:
            seen.add(targets[at])
            waiting.append((targets[at], 0))
    return done
