"""Optimizers: their state_dicts, and whole ones."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from viewer.core.objects.content import is_mapping, sections
from viewer.core.objects.describe import class_name
from viewer.core.objects.modules import attributes, entries_of
from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.path import Attribute, Part

STATE: Final = "state"
GROUPS: Final = "param_groups"
_MOST_KEYS: Final = 64
_WORDS: Final = frozenset({"optimizer", "optimizers", "optim", "optims", "opt"})
_MOST_PARAMETERS: Final = 1000


@dataclass(frozen=True, slots=True)
class Optimizer:
    """What an optimizer keeps. `kept`: names of what it keeps for each parameter (exp_avg, step), in order.

    `name`: the class of a whole optimizer, or "". `parameters`: those that have a state. `groups`: their number.
    """

    name: str
    parameters: int
    groups: int
    kept: tuple[str, ...]


def is_optimizer(values: Values, value: int, encoding: str = "utf-8") -> bool:
    """True for a mapping or an object that holds both `state` and `param_groups`."""
    found = _held(values, value, encoding)
    return STATE in found and GROUPS in found


def optimizer(values: Values, value: int, encoding: str = "utf-8") -> Optimizer | None:
    """The facts of an optimizer's state_dict or of a whole optimizer; None for anything else."""
    found = _held(values, value, encoding)
    if STATE not in found or GROUPS not in found:
        return None
    kept: dict[str, None] = {}
    states = sections(values, found[STATE])
    for section in states:
        for _, entry in section.read(0, min(section.count, _MOST_PARAMETERS)):
            if is_mapping(values, entry):
                kept.update(dict.fromkeys(entries_of(values, entry, encoding)))
    whole = "" if is_mapping(values, value) else class_name(values, value, encoding)
    groups = sum(section.count for section in sections(values, found[GROUPS]))
    return Optimizer(whole, sum(section.count for section in states), groups, tuple(kept))


def names_optimizer(part: Part) -> bool:
    """True for a key by which checkpoints keep an optimizer: `optimizer_state_dict`, `optim0`, `opt`."""
    text = part.name if isinstance(part, Attribute) else part if isinstance(part, str) else ""
    return any(word in _WORDS for word in words(text))


def words(text: str) -> list[str]:
    """The words of a key in small letters: `optimizerG_state_dict`, `optim0`."""
    return re.findall(r"[a-z]+", re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text).lower())


def _held(values: Values, value: int, encoding: str) -> dict[str, int]:
    """Entries of a mapping or attributes of an object, where they are few."""
    if is_mapping(values, value):
        count = sum(section.count for section in sections(values, value))
        return entries_of(values, value, encoding) if count <= _MOST_KEYS else {}
    return attributes(values, value, encoding) if values.kind(value) is Kind.CALL else {}
