"""Renaming: the names of a state_dict under rules that the person gave, for exports and comparisons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

EXPRESSION: Final = "re:"
ANY: Final = "*"
INNER: Final = "\0"
"""Stands for an entry of a module that has none of its own."""

Rule = Callable[[str], str]


class RuleError(ValueError):
    """A rule that cannot be used. `rule`: as it was given; `reason`: what is wrong with it."""

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(reason)
        self.rule = rule
        self.reason = reason


@dataclass(frozen=True, slots=True)
class NameRules:
    r"""What is done to each name, in this order.

    `strip`: beginnings that are taken off where they stand, each once; they end at a dot. `rename`: pairs of old and
    new. Old is a name or its beginning up to a dot (`encoder`), a pattern for a whole name in which `*` stands for
    anything and comes back for each `*` of the new one (`*.gamma`, `*.weight`), or `re:` and a regular expression,
    which is replaced wherever it stands, with groups as `\1`. `add`: a beginning for all names.
    """

    strip: tuple[str, ...] = ()
    rename: tuple[tuple[str, str], ...] = ()
    add: str = ""

    def __bool__(self) -> bool:
        return bool(self.strip or self.rename or self.add)

    def compiled(self) -> Rule:
        """All rules as one function of a name. Raises RuleError."""
        rules: list[Rule] = [partial(stripped, beginning(prefix)) for prefix in self.strip if prefix]
        rules += [renaming(old, new) for old, new in self.rename]
        if self.add:
            rules.append(partial(str.__add__, beginning(self.add)))

        def apply(name: str) -> str:
            for rule in rules:
                name = rule(name)
            return name

        return apply


def beginning(prefix: str) -> str:
    """The beginning of names that a prefix means: it ends at a dot."""
    return prefix if prefix.endswith(".") else prefix + "."


def stripped(start: str, name: str) -> str:
    """The name without that beginning; a name is never left empty."""
    return name.removeprefix(start) or name


def renaming(old: str, new: str) -> Rule:
    """The function of one pair. Raises RuleError."""
    if old.startswith(EXPRESSION):
        return expression(old, new)
    if not old:
        raise RuleError(f"{old}={new}", "the old name is empty")
    if ANY in old:
        return pattern(old, new)

    def rename(name: str) -> str:
        return new + name[len(old) :] if name == old or name.startswith(old + ".") else name

    return rename


def expression(old: str, new: str) -> Rule:
    """A regular expression, replaced wherever it stands. Raises RuleError."""
    try:
        found = re.compile(old.removeprefix(EXPRESSION))
        # Groups that the new name asks for and the expression has not are told before any name is touched.
        found.sub(new, "")
    except (re.error, IndexError, OverflowError, RecursionError) as failure:
        raise RuleError(f"{old}={new}", str(failure)) from failure

    def rename(name: str) -> str:
        return found.sub(new, name)

    return rename


def pattern(old: str, new: str) -> Rule:
    """A pattern for whole names. Raises RuleError."""
    pieces, kept = old.split(ANY), new.split(ANY)
    if len(kept) > len(pieces):
        raise RuleError(f"{old}={new}", f"the new name has more {ANY} than the old one")
    found = re.compile("(.*?)".join(map(re.escape, pieces)) + r"\Z", re.DOTALL)

    def rename(name: str) -> str:
        match = found.match(name)
        if match is None:
            return name
        return kept[0] + "".join(held + piece for held, piece in zip(match.groups(), kept[1:], strict=False))

    return rename


@dataclass(frozen=True, slots=True)
class Clash:
    """Several old names that would become one."""

    name: str
    old: tuple[str, ...]


def clashes(pairs: Iterable[tuple[str, str]]) -> list[Clash]:
    """What stands against pairs of old and new names, in their order."""
    held: dict[str, list[str]] = {}
    for old, new in pairs:
        held.setdefault(new, []).append(old)
    return [Clash(new, tuple(old)) for new, old in held.items() if len(old) > 1]


def renamed_modules(paths: Iterable[str], names: Mapping[str, str], rule: Rule) -> dict[str, str]:
    """The new paths of modules, as keys of `_metadata`: old -> new, without those that another one takes the place of.

    `names`: of entries, old -> new. A module goes where the entries in it go; without any, where one would go.
    """
    moved = dict(moves(names))
    found: dict[str, str] = {}
    taken: dict[str, str] = {}
    for path in paths:
        new = moved.get(path)
        if new is None:
            new = rule(f"{path}.{INNER}" if path else INNER).removesuffix(INNER).removesuffix(".")
        # The model takes the place of the wrapper around it, as torch's own function does it.
        before = taken.get(new)
        if before is not None and before != new:
            continue
        if before is not None:
            del found[before]
        taken[new], found[path] = path, new
    return found


def moves(names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Where the modules around entries go: for each entry that keeps the last part of its name."""
    for old, new in names.items():
        above, _, last = old.rpartition(".")
        if above and new != last and new.endswith("." + last):
            yield above, new[: -len(last) - 1]
        elif above and new == last:
            yield above, ""
