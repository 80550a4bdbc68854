"""Which of torch's own classes an own class may be a subclass of, as far as its attributes tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from viewer.core.code.derived.constructors import same
from viewer.core.code.derived.objects import ObjectTerms
from viewer.core.code.derived.references import module_alias
from viewer.core.code.derived.shapes import COUNTER, registered
from viewer.core.code.derived.state import State
from viewer.core.code.torch_modules import TorchClass, torch_classes

MOST: Final = 6
_FEWEST_ATTRIBUTES: Final = 3
_LATER: Final = frozenset({"padding_mode", "batch_first", "proj_size"})
# Many small own classes have just these attributes; a square weight does not tell which way round it is.
_SQUARE: Final = {"nn.Linear": ("in_features", "out_features")}


@dataclass(frozen=True, slots=True)
class Base:
    """What was found. `alias`: the one class that fits and is certain enough, or ""; `possible`: all that fit."""

    alias: str
    possible: tuple[str, ...]
    calls: tuple[int, ...] = ()


@cache
def _candidates() -> tuple[TorchClass, ...]:
    return tuple(
        known
        for known in torch_classes().values()
        if known.built
        and known.attributes
        and module_alias(known.name)
        and not known.name.split(".")[-1].startswith("Lazy")
    )


def base_of(objects: ObjectTerms, instances: Sequence[int]) -> Base:
    """The base of a class by all its objects, and for each object the call of the base's constructor."""
    possible = [known for known in _candidates() if _names_fit(known, objects.state(instances[0]))]
    for value in instances:
        state = objects.state(value)
        possible = [known for known in possible if _names_fit(known, state) and _facts_fit(objects, known, state)]
    if not possible:
        return Base("", _wider(objects, instances))
    names = tuple(known.alias or "" for known in possible)
    if len(possible) != 1 or not _is_telling(objects, possible[0], instances):
        return Base("", names if len(names) <= MOST else ())
    calls = []
    for value in instances:
        found = objects.arguments(possible[0], objects.state(value))
        calls.append(objects.call(f"{names[0]}(", found[0] if found is not None else []))
    return Base(names[0], names, tuple(calls))


def _wider(objects: ObjectTerms, instances: Sequence[int]) -> tuple[str, ...]:
    """Classes whose attributes an object has, and more of its own."""
    state = objects.state(instances[0])
    many = [known for known in _candidates() if len(known.attributes) > _FEWEST_ATTRIBUTES]
    found = [known for known in many if _names_fit(known, state, more=True) and _facts_fit(objects, known, state)]
    return tuple(known.alias or "" for known in found[: MOST + 1]) if len(found) <= MOST else ()


def _names_fit(known: TorchClass, state: State, *, more: bool = False) -> bool:
    """True when an object has the attributes of a class and no others (or `more`), and the same names registered."""
    held = state.attributes.keys()
    if not (more or held <= known.attributes.keys()) or state.children.keys() != known.children.keys():
        return False
    lacking = {name for name in known.attributes.keys() - held if not known.attributes[name].derived}
    if not lacking <= _LATER or state.left_out:
        return False
    if known.buffers and {*state.buffers, COUNTER} != {*known.buffers, COUNTER}:
        return False
    return bool(state.parameters) is bool(known.parameters) and bool(state.buffers) is bool(known.buffers)


def _facts_fit(objects: ObjectTerms, known: TorchClass, state: State) -> bool:
    """True when the class, made with what the attributes say, would hold the same shapes."""
    for name, facts in known.attributes.items():
        is_fixed = facts.argument is None and facts.has_default
        held = state.attributes.get(name, -1) if is_fixed else -1
        if held >= 0 and not same(objects.plain.plain(held), facts.default):
            return False
    found = objects.arguments(known, state)
    if found is None:
        return False
    expected = registered(known.alias or "", found[1])
    if expected is None:
        return not known.parameters and not known.buffers
    return objects.fits_shapes(state, expected)


def _is_telling(objects: ObjectTerms, known: TorchClass, instances: Sequence[int]) -> bool:
    """True when so much fits that it is hardly chance."""
    if len(known.attributes) < _FEWEST_ATTRIBUTES and not known.parameters:
        return False
    names = _SQUARE.get(known.alias or "")
    if names is None:
        return True
    for value in instances:
        held = objects.state(value).attributes
        first, second = (objects.plain.plain(held[name]) for name in names)
        if first != second:
            return True
    return False
