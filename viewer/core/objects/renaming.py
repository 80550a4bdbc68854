"""Renaming: the names of a state_dict under rules that the person gave, for exports and comparisons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Final

from viewer.core.expressions import WorkError, work_of
from viewer.wording.phrases import phrase

EXPRESSION: Final = "re:"
ANY: Final = "*"
LONGEST_TOLD: Final = 80
"""Letters of a name in a sentence about it."""

INNER: Final = "\0"
"""Stands for an entry of a module that has none of its own."""

STEPS: Final = 500_000_000
"""What an expression may take for one name: about a second."""

SECONDS: Final = 60.0
"""What an expression may take for all names together."""

Rule = Callable[[str], str]


class RuleError(ValueError):
    """A rule that cannot be used. `code`: of the sentence, `params`: its parameters, `rule` as it was given first."""

    def __init__(self, rule: str, code: str = "export-rule", **params: object) -> None:
        super().__init__(f"{code}: {rule}")
        self.code = code
        self.params: dict[str, object] = {"rule": rule, **params}


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
        raise RuleError(f"{old}={new}", reason=phrase("rule-empty"))
    if ANY in old:
        return pattern(old, new)

    def rename(name: str) -> str:
        return new + name[len(old) :] if name == old or name.startswith(old + ".") else name

    return rename


def expression(old: str, new: str, seconds: float = SECONDS) -> Rule:
    """A regular expression, replaced wherever it stands, in `seconds` for all names together. Raises RuleError.

    So does the rule for a name that is too long for what the expression repeats.
    """
    text, told = old.removeprefix(EXPRESSION), f"{old}={new}"
    try:
        found = re.compile(text)
        # Groups that the new name asks for and the expression has not are told before any name is touched.
        found.sub(new, "")
    except (re.error, IndexError, OverflowError, RecursionError) as failure:
        raise RuleError(told, reason=str(failure)) from failure
    try:
        longest = work_of(text, every_group=True).letters(STEPS)
    except WorkError as failure:
        raise RuleError(told, f"export-rule-{failure.code}") from failure
    left = seconds

    def rename(name: str) -> str:
        nonlocal left
        if len(name) > longest:
            raise RuleError(told, "export-rule-long", limit=longest, length=len(name), name=name[:LONGEST_TOLD])
        if left <= 0:
            raise RuleError(told, "export-rule-slow", seconds=round(seconds))
        start = monotonic()
        result = found.sub(new, name)
        left -= monotonic() - start
        return result

    return rename


def pattern(old: str, new: str) -> Rule:
    """A pattern for whole names; each `*` stands for as little as it can. Raises RuleError."""
    (first, *inner, last), kept = old.split(ANY), new.split(ANY)
    if len(kept) > len(inner) + 2:
        raise RuleError(f"{old}={new}", reason=phrase("rule-more", sign=ANY))

    def rename(name: str) -> str:
        held, at, end = [], len(first), len(name) - len(last)
        if not name.startswith(first) or not name.endswith(last):
            return name
        for piece in inner:
            stop = name.find(piece, at)
            if stop < 0:
                return name
            held.append(name[at:stop])
            at = stop + len(piece)
        if at > end:
            return name
        held.append(name[at:end])
        return kept[0] + "".join(part + piece for part, piece in zip(held, kept[1:], strict=False))

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
