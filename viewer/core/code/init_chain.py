"""All attributes that a method sets on its object, through the methods that it calls on it and on its bases.

Asked for `__init__`, that is what a new object has at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from viewer.core.code.lineage import HeldClass, Lineage
from viewer.core.code.method_facts import MethodFacts, Setting

MOST_STEPS: Final = 2000


@dataclass(frozen=True, slots=True)
class Expected:
    """An attribute that is set on the way. `held`, `method`: the class and method that set it first."""

    setting: Setting
    held: HeldClass
    method: str
    sure: bool


@dataclass(slots=True)
class Chain:
    """All that a method sets. `opens`: by computed names too. `passed`: (place of the class, key) of methods."""

    expected: dict[str, Expected] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    makes: dict[str, tuple[int, HeldClass]] = field(default_factory=dict)
    passed: dict[tuple[int, str], bool] = field(default_factory=dict)
    opens: bool = False


def chain(lineage: Lineage, method: str) -> Chain:
    """Follow a method and all that it calls on its object; without such a method nothing is set."""
    found = Chain()
    waiting: list[tuple[int, str, bool]] = [(0, method, True)]
    while waiting and len(found.passed) < MOST_STEPS:
        first, key, sure = waiting.pop()
        place = lineage.method(key, first)
        if place is None:
            if key == "__init__" and first == 0:
                _fields(lineage, found)
            continue
        number, facts = place
        # a method that was only possible before and is sure now is walked once more
        if found.passed.get((number, key), False) or ((number, key) in found.passed and not sure):
            continue
        found.passed[number, key] = sure
        _settings(lineage, lineage.own[number], facts, sure, found)
        setters = [(0, f"{name}.setter", sure and one.sure) for name, one in facts.settings.items()]
        calls = [(0, name, sure and is_sure) for name, is_sure in facts.calls.items()]
        calls += [(number + 1, name, sure and is_sure) for name, is_sure in facts.super_calls.items()]
        waiting += reversed([one for one in setters if lineage.method(one[1]) is not None] + calls)
    return found


def _settings(lineage: Lineage, held: HeldClass, facts: MethodFacts, sure: bool, found: Chain) -> None:
    for name, setting in facts.settings.items():
        if lineage.method(f"{name}.setter") is not None:
            continue
        known = found.expected.get(name)
        if known is None or (sure and setting.sure and not known.sure):
            found.expected[name] = Expected(setting, held, facts.name, sure and setting.sure)
    found.deleted |= facts.deleted
    found.opens |= facts.opens
    for name, line in facts.makes.items():
        found.makes.setdefault(name, (line, held))


def _fields(lineage: Lineage, found: Chain) -> None:
    """The `__init__` that a dataclass gets."""
    for held in lineage.own:
        for name, setting in held.facts.fields.items():
            found.expected.setdefault(name, Expected(setting, held, "__init__", sure=True))
