"""Which tensor of one file is held against which of the other: by name, and what would make more names meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from viewer.core.errors import ExportError
from viewer.core.folder import listed
from viewer.core.objects.renaming import NameRules, RuleError, clashes, stripped
from viewer.core.tensors.tensor import Tensor

Entries = Sequence[tuple[str, Tensor]]
DEEPEST: Final = 4
"""Parts of a name that a prefix may have."""
EMA: Final = "ema_"
CHANCE: Final = 5
"""One name in so many that meets is no chance."""


class By(StrEnum):
    """How names meet: equal, equal where dots and underscores are the same, or not at all: in their order."""

    NAME = "name"
    SPELLING = "spelling"
    ORDER = "order"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two tensors that are held against each other; None: only in the other one. `name`: that of the first, changed.

    `name_a`, `name_b`: as they stand in the files.
    """

    name: str
    name_a: str
    name_b: str
    a: Tensor | None
    b: Tensor | None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What would make more names meet: `strip` of a beginning (of side A or B), or to meet otherwise (`by`).

    `pairs`: names that meet then, `now`: those that do.
    """

    pairs: int
    now: int
    strip: str = ""
    side: str = ""
    by: By = By.NAME


@dataclass(frozen=True, slots=True)
class Rules:
    """How names are changed before they meet. `strip`: beginnings taken off in both; `rename`: of the first file."""

    strip: tuple[str, ...] = ()
    rename: tuple[tuple[str, str], ...] = ()
    by: By = By.NAME

    def of(self, side: str) -> NameRules:
        """The rules for the names of a side."""
        return NameRules(self.strip, self.rename if side == "A" else ())


def changed(entries: Entries, rules: NameRules) -> list[str]:
    """The names under rules. Raises ExportError for a rule that cannot be used and for names that clash."""
    names = [name for name, _ in entries]
    if not rules:
        return names
    try:
        made = list(map(rules.compiled(), names))
    except RuleError as fault:
        raise ExportError(fault.code, **fault.params) from fault
    for clash in clashes(zip(names, made, strict=True)):
        raise ExportError("export-names-clash", names=listed(clash.old), name=clash.name)
    return made


def matched(first: Entries, second: Entries, rules: Rules) -> list[Pair]:
    """All of both: in the order of the second, which a model would have, then those that only the first has.

    Raises ExportError.
    """
    names_a, names_b = changed(first, rules.of("A")), changed(second, rules.of("B"))
    if rules.by is By.ORDER:
        return list(_in_order(first, second, names_a))
    places = dict(_meeting(names_a, names_b, rules.by))
    taken = set(places.values())
    pairs = [_pair(first, second, names_a, names_b, places.get(at), at) for at in range(len(second))]
    return pairs + [_pair(first, second, names_a, names_b, at, None) for at in range(len(first)) if at not in taken]


def _pair(
    first: Entries, second: Entries, names_a: Sequence[str], names_b: Sequence[str], at: int | None, of: int | None
) -> Pair:
    """The pair of two places; None: no such entry."""
    mine = first[at] if at is not None else ("", None)
    other = second[of] if of is not None else ("", None)
    name = names_a[at] if at is not None else names_b[of] if of is not None else ""
    return Pair(name, mine[0], other[0], mine[1], other[1])


def met_places(names_a: Sequence[str], names_b: Sequence[str], by: By) -> list[tuple[int, int]]:
    """Place in the second, and place in the first, of entries that meet."""
    if by is By.ORDER:
        return [(at, at) for at in range(min(len(names_a), len(names_b)))]
    return list(_meeting(names_a, names_b, by))


def _meeting(names_a: Sequence[str], names_b: Sequence[str], by: By) -> Iterator[tuple[int, int]]:
    """Place in the second, and place in the first, of names that meet."""
    at_a = {name: at for at, name in enumerate(names_a)}
    for of, name in enumerate(names_b):
        if name in at_a:
            yield of, at_a[name]
    if by is By.SPELLING:
        met = set(names_b)
        left = _by_spelling([name if name not in met else "" for name in names_a])
        right = _by_spelling([name if name not in at_a else "" for name in names_b])
        yield from ((of, left[spelling]) for spelling, of in right.items() if spelling in left)


def spelled(name: str) -> str:
    """A name without what copies of it are known by: dots and underscores alike, without the `ema_` before it."""
    return name.removeprefix(EMA).replace(".", "_")


def _by_spelling(names: Sequence[str]) -> dict[str, int]:
    """The place of each spelling that comes once."""
    often = Counter(map(spelled, names))
    return {spelled(name): at for at, name in enumerate(names) if name and often[spelled(name)] == 1}


def _in_order(first: Entries, second: Entries, names_a: Sequence[str]) -> Iterator[Pair]:
    for at in range(max(len(first), len(second))):
        mine = first[at] if at < len(first) else ("", None)
        other = second[at] if at < len(second) else ("", None)
        yield Pair(names_a[at] if at < len(first) else other[0], mine[0], other[0], mine[1], other[1])


# -- suggestions -------------------------------------------------------------------------------------


def suggestion(first: Entries, second: Entries, rules: Rules) -> Suggestion | None:
    """What would make the most names meet, where most do not; None where nothing would make more of them do so."""
    names_a, names_b = changed(first, rules.of("A")), changed(second, rules.of("B"))
    now = len(set(names_a) & set(names_b))
    fewer = min(len(names_a), len(names_b))
    if rules.by is not By.NAME or 2 * now > fewer:
        return None
    found = [*_prefixes(names_a, names_b, "A", now), *_prefixes(names_b, names_a, "B", now)]
    best = max(found, key=lambda each: each.pairs, default=None)
    if best is not None and 2 * best.pairs > fewer:
        return best
    alike = sum(1 for _ in _meeting(names_a, names_b, By.SPELLING))
    if alike > now and 2 * alike > fewer:
        return Suggestion(alike, now, by=By.SPELLING)
    shapes = [[(tensor.shape, tensor.dtype) for _, tensor in entries] for entries in (first, second)]
    if shapes[0] == shapes[1] and len(shapes[0]) > 1:
        return Suggestion(fewer, now, by=By.ORDER)
    # One name of dozens is called `weight` behind some beginning by chance: that is no hint that the files are kin.
    return best if best is not None and CHANCE * (best.pairs - now) >= fewer else None


def _prefixes(names: Sequence[str], others: Sequence[str], side: str, now: int) -> Iterator[Suggestion]:
    """Beginnings of one file's names, without which more of them stand in the other."""
    every = set(others)
    counts: Counter[str] = Counter()
    for name in names:
        if name in every:
            continue
        parts = name.split(".")
        for depth in range(1, min(DEEPEST, len(parts) - 1) + 1):
            start = ".".join(parts[:depth])
            counts[start] += stripped(start + ".", name) in every
    for start, more in counts.items():
        if more:
            yield Suggestion(now + more, now, start, side)
