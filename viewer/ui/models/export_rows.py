"""The names of an export, old and new, and what stands against them. Worked out off the GUI thread, before any plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fnmatch import fnmatchcase
from typing import Final

from viewer.core.export.plan import Content, Converted, Dropped, Item, Plan
from viewer.core.export.selection import UNCHANGED
from viewer.core.objects.renaming import NameRules
from viewer.core.progress import Progress
from viewer.core.tensors import window
from viewer.core.tensors.tensor import Tensor

MOST_GROUPS: Final = 200
"""Branches that are listed; of more there is no list."""
MOST_EXPLAINED: Final = 100
"""Rows of clashes for which the rules that made them are looked for."""


class Out(IntEnum):
    """Why a name is not asked for."""

    NOT = 0
    ROW = 1
    GROUP = 2
    ONLY = 3
    SKIP = 4


@dataclass(frozen=True, slots=True)
class Asked:
    """What the person asks of the names: patterns, rules, and what was unticked, names and branches."""

    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    rules: NameRules = UNCHANGED
    rows: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()

    @property
    def steps(self) -> list[NameRules]:
        """The rules one by one, in their order."""
        found = [NameRules(strip=(prefix,)) for prefix in self.rules.strip]
        found += [NameRules(rename=(pair,)) for pair in self.rules.rename]
        return [*found, NameRules(add=self.rules.add)] if self.rules.add else found


@dataclass(frozen=True, slots=True)
class Group:
    """A branch that can be left out: all names that begin so, how many tensors they are, and their bytes."""

    name: str
    count: int
    nbytes: int


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """All names of what was chosen, in its order. `results`: what the rules make of them, "" for those left out.

    `out`: an `Out` for each; `sizes`: bytes of each, 0 for what is no tensor. `clashes`: rows whose new name another
    row has too, with the first such row. `empty`: rows of whose name nothing is left. `idle`: patterns and rules that
    fit no name. `guilty`: numbers of the renaming rules that made clashes. `without`: the names that were unticked, one
    by one or by branch. `nbytes`: of the tensors asked for.
    """

    content: Content
    tensors: dict[str, Tensor]
    sizes: Sequence[int]
    names: Sequence[str]
    results: Sequence[str]
    out: bytes
    clashes: Mapping[int, int]
    empty: Sequence[int]
    idle: Sequence[str]
    guilty: frozenset[int]
    groups: Sequence[Group]
    without: frozenset[str]
    nbytes: int

    @property
    def is_fine(self) -> bool:
        """True when every name can be written."""
        return not self.clashes and not self.empty

    @property
    def doubled(self) -> list[str]:
        """The new names that several rows have."""
        return list(dict.fromkeys(self.results[row] for row in self.clashes))


def names_of(content: Content, asked: Asked, progress: Progress, before: Names | None = None) -> Names:
    """The table of names. `before`: of the same content, what was found of it then.

    Raises RuleError for a rule that cannot be used, CancelledError.
    """
    if before is not None and before.content is content:
        tensors, groups, sizes = before.tensors, before.groups, before.sizes
    else:
        tensors = dict(content.entries)
        sizes = [window.nbytes(tensors[name]) if name in tensors else 0 for name in progress.each(content.order)]
        groups = groups_of(content, dict(zip(content.order, sizes, strict=True)), progress)
    out = left_out(content.order, asked, progress)
    results = [name if not why else "" for name, why in zip(content.order, out, strict=True)]
    idle = [*unfitting(asked.only, content.order, progress), *unfitting(asked.skip, content.order, progress)]
    for step in asked.steps:
        rule = step.compiled()
        changed = [rule(name) if name else "" for name in progress.each(results)]
        if changed == results:
            idle.append(shown_rule(step))
        results = changed
    empty = [row for row, (name, why) in enumerate(zip(results, out, strict=True)) if not name and not why]
    clashes = clashing(results)
    return Names(
        content,
        tensors,
        sizes,
        content.order,
        results,
        bytes(out),
        clashes,
        empty,
        idle,
        guilty_rules(content.order, list(clashes)[:MOST_EXPLAINED], asked.rules),
        groups,
        frozenset(name for name, why in zip(content.order, out, strict=True) if why in (Out.ROW, Out.GROUP)),
        sum(nbytes for nbytes, why in zip(sizes, out, strict=True) if not why),
    )


def shown_rule(step: NameRules) -> str:
    """A single rule as the person wrote it."""
    if step.rename:
        return " \u2192 ".join(step.rename[0])
    return step.strip[0] if step.strip else step.add


def left_out(names: Sequence[str], asked: Asked, progress: Progress) -> bytearray:
    """Why each name is not asked for, an `Out` each."""
    groups = tuple(f"{group}." for group in asked.groups)
    found = bytearray(len(names))
    if not (asked.only or asked.skip or asked.rows or groups):
        return found
    for row, name in enumerate(progress.each(names)):
        if name in asked.groups or (groups and name.startswith(groups)):
            found[row] = Out.GROUP
        elif asked.only and not any(fnmatchcase(name, pattern) for pattern in asked.only):
            found[row] = Out.ONLY
        elif any(fnmatchcase(name, pattern) for pattern in asked.skip):
            found[row] = Out.SKIP
        elif name in asked.rows:
            found[row] = Out.ROW
    return found


def unfitting(patterns: Sequence[str], names: Sequence[str], progress: Progress) -> Iterator[str]:
    """The patterns that no name fits."""
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in progress.each(names)):
            yield pattern


def clashing(results: Sequence[str]) -> dict[int, int]:
    """The rows whose names come twice, each with the first other row of that name."""
    first: dict[str, int] = {}
    found: dict[int, int] = {}
    for row, name in enumerate(results):
        before = first.setdefault(name, row) if name else row
        if before != row:
            found[row] = before
            found.setdefault(before, row)
    return dict(sorted(found.items()))


def guilty_rules(names: Sequence[str], rows: Sequence[int], rules: NameRules) -> frozenset[int]:
    """Of each of these rows the last renaming rule that changed its name."""
    made = [NameRules(rename=(pair,)).compiled() for pair in rules.rename]
    stripped = NameRules(strip=rules.strip).compiled()
    found = set()
    for row in rows:
        name, last = stripped(names[row]), -1
        for number, rule in enumerate(made):
            changed = rule(name)
            name, last = changed, number if changed != name else last
        found.add(last)
    return frozenset(found - {-1})


def groups_of(content: Content, sizes: Mapping[str, int], progress: Progress) -> list[Group]:
    """The branches next below what all names begin with, where there are several and not too many of them.

    `sizes`: bytes of each name.
    """
    names = [name for name, _ in content.entries]
    start = len(common_beginning(names).rpartition(".")[0])
    start += bool(start)
    counts: dict[str, list[int]] = {}
    for name in progress.each(names):
        stop = name.find(".", start)
        if stop > 0:
            count = counts.setdefault(name[:stop], [0, 0])
            count[0] += 1
            count[1] += sizes[name]
        if len(counts) > MOST_GROUPS:
            return []
    found = [Group(name, count, nbytes) for name, (count, nbytes) in counts.items()]
    return found if len(found) > 1 or sum(group.count for group in found) < len(names) else []


def common_beginning(names: Sequence[str]) -> str:
    """The letters that all names begin with: those that the first and the last in their order share."""
    if not names:
        return ""
    first, last = min(names), max(names)
    return first[
        : next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a form makes of the rows. `items`: what is written for each new name; `dropped`: why it is not.

    `others`: what is left out and has no row. `types`: other types by new name; `kept`: names of values.
    `places`: the number of each item, by its name, as it is written, from 1; empty where that is not said.
    """

    plan: Plan
    items: dict[str, list[Item]]
    dropped: Mapping[str, Dropped]
    others: Sequence[Dropped]
    types: Mapping[str, Converted]
    kept: frozenset[str]
    changed: Sequence[int]
    left: Sequence[int]
    places: Mapping[str, int]


def outcome_of(plan: Plan, names: Names, progress: Progress, order: Sequence[str] = ()) -> Outcome:
    """Bring what a plan says to the rows of its names. `order`: names of items as written. Raises CancelledError."""
    given = {one.result: one.name for one in plan.renamed[len(plan.content.renamed) :]}
    items: dict[str, list[Item]] = {}
    for item in progress.each(plan.items):
        items.setdefault(item.entry or given.get(item.name, item.name), []).append(item)
    asked = set(names.results)
    dropped = {one.name: one for one in plan.dropped if one.name in asked and one.name not in items}
    types = {one.name: one for one in plan.converted}
    kept = frozenset(plan.kept)
    changed, left = [], []
    for row, (old, new) in enumerate(zip(progress.each(names.names), names.results, strict=True)):
        written = items.get(new, ()) if new else ()
        if not written and new not in kept:
            left.append(row)
        elif new != old or new in types or any(item.name != new for item in written):
            changed.append(row)
    places = {name: number for number, name in enumerate(progress.each(order), 1)}
    others = [one for one in plan.dropped if dropped.get(one.name) is not one]
    return Outcome(plan, items, dropped, others, types, kept, changed, left, places)
