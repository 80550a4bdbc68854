"""Optimizers: their state_dicts, and whole ones. Which parameter a state belongs to tells `optimizer_names`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from viewer.core.objects.content import Section, is_mapping, sections
from viewer.core.objects.describe import class_name, describe
from viewer.core.objects.modules import attributes, entries_of
from viewer.core.objects.scalars import TensorOf, number, written
from viewer.core.objects.training_kinds import optimizer_kind
from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.path import Attribute, Part

STATE: Final = "state"
GROUPS: Final = "param_groups"
PARAMS: Final = "params"
SETTINGS: Final = ("lr", "betas", "momentum", "weight_decay")
"""The settings that people look for, in the order that they are told in."""
_MOST_KEYS: Final = 64
_WORDS: Final = frozenset({"optimizer", "optimizers", "optim", "optims", "opt"})
# Parameters and groups that are looked at: this is done while a row is drawn.
_MOST_PARAMETERS: Final = 32
_MOST_GROUPS: Final = 32
_PREVIEW: Final = 40
_DECOUPLED: Final = "decoupled_weight_decay"
_STEPS: Final = ("step", "n_iter")


@dataclass(frozen=True, slots=True)
class Optimizer:
    """What an optimizer keeps. `kept`: names of what it keeps for each parameter (exp_avg, step), in order.

    What it keeps is told by the first 32 parameters, and groups by the first 32 of them.
    `name`: the class of a whole optimizer, or "". `kind`: the class without its module, told by the keys where it is
    not stored (`Adam or AdamW`), "" for an unknown one. `parameters`: those that have a state; `given`: those that
    these groups list; `groups`: their number. `settings`: of the first group, as text. `rates`: the learning rates of
    the groups, each once. `step`: how often the first parameter was changed, None where that is not kept.
    """

    name: str
    parameters: int
    groups: int
    kept: tuple[str, ...]
    kind: str = ""
    given: int = 0
    settings: tuple[tuple[str, str], ...] = ()
    rates: tuple[str, ...] = ()
    step: int | float | None = None


def is_optimizer(values: Values, value: int, encoding: str = "utf-8") -> bool:
    """True for a mapping or an object that holds both `state` and `param_groups`."""
    found = held_by(values, value, encoding)
    return STATE in found and GROUPS in found


def optimizer(
    values: Values, value: int, encoding: str = "utf-8", tensor_of: TensorOf = lambda value: None
) -> Optimizer | None:
    """The facts of an optimizer's state_dict or of a whole optimizer; None for anything else.

    `tensor_of`: so that steps are read that are tensors.
    """
    found = held_by(values, value, encoding)
    if STATE not in found or GROUPS not in found:
        return None
    kept: dict[str, None] = {}
    step: int | float | None = None
    states = sections(values, found[STATE])
    for entry in _read(states, _MOST_PARAMETERS):
        if _is_small(values, entry):
            held = entries_of(values, entry, encoding)
            kept.update(dict.fromkeys(held))
            if step is None:
                step = next((number(values, held[key], tensor_of) for key in _STEPS if key in held), None)
    groups = sections(values, found[GROUPS])
    settings = [
        entries_of(values, group, encoding) for group in _read(groups, _MOST_GROUPS) if _is_small(values, group)
    ]
    whole = "" if is_mapping(values, value) else class_name(values, value, encoding)
    first = settings[0] if settings else {}
    told = [(key, _setting(values, first[key], encoding, tensor_of)) for key in SETTINGS if key in first]
    return Optimizer(
        whole,
        _count(states),
        _count(groups),
        tuple(kept),
        whole.rpartition(".")[2] or optimizer_kind(first, kept, _truth(values, first.get(_DECOUPLED, -1))),
        sum(_count(sections(values, group.get(PARAMS, -1))) for group in settings),
        tuple(told),
        tuple(dict.fromkeys(_setting(values, group["lr"], encoding, tensor_of) for group in settings if "lr" in group)),
        step,
    )


def _read(parts: list[Section], most: int) -> list[int]:
    """The first values of some sections."""
    found: list[int] = []
    for section in parts:
        found += [value for _, value in section.read(0, min(section.count, most - len(found)))]
    return found


def _is_small(values: Values, value: int) -> bool:
    """True for a mapping that is worth being read: of states and groups none has many keys."""
    return is_mapping(values, value) and _count(sections(values, value)) <= _MOST_KEYS


def _count(parts: list[Section]) -> int:
    return sum(section.count for section in parts)


def _truth(values: Values, value: int) -> bool | None:
    plain = values.plain(value)
    return plain if isinstance(plain, bool) else None


def _setting(values: Values, value: int, encoding: str, tensor_of: TensorOf) -> str:
    """One setting: a number, also where it is a tensor of one, or whatever else it is."""
    plain = number(values, value, tensor_of)
    return describe(values, value, _PREVIEW, encoding) if plain is None else written(plain)


def names_optimizer(part: Part) -> bool:
    """True for a key by which checkpoints keep an optimizer: `optimizer_state_dict`, `optim0`, `opt`."""
    text = part.name if isinstance(part, Attribute) else part if isinstance(part, str) else ""
    return any(word in _WORDS for word in words(text))


def words(text: str) -> list[str]:
    """The words of a key in small letters: `optimizerG_state_dict`, `optim0`."""
    return re.findall(r"[a-z]+", re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text).lower())


def held_by(values: Values, value: int, encoding: str) -> dict[str, int]:
    """Entries of a mapping or attributes of an object, where they are few."""
    if is_mapping(values, value):
        count = sum(section.count for section in sections(values, value))
        return entries_of(values, value, encoding) if count <= _MOST_KEYS else {}
    return attributes(values, value, encoding) if values.kind(value) is Kind.CALL else {}
