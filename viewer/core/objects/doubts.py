"""Where the entries of a module's `state_dict()` may differ from those that are derived from its pickle, and why.

    hooks      functions that torch calls in `state_dict()`
    own        a class of torch that writes its entries itself
    packed     a quantised linear layer: torch gives its weight and bias as one pair
    compiled   a module of torch.compile: torch puts `_orig_mod.` in front of all names

Files without any of these, nearly all, are told by the names of their classes and a look at their mappings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from viewer.core.objects.content import mapping
from viewer.core.objects.describe import class_name
from viewer.core.objects.instances import callees, grouped, instance_calls
from viewer.core.objects.modules import COMPILED, MODULES, PARAMETERS, attributes, compiled_module, is_empty
from viewer.core.objects.names import COMPUTED, named
from viewer.core.objects.quantised_modules import is_quantised, packed
from viewer.core.pickles.memo import PUTS
from viewer.core.pickles.opcodes import code, codes
from viewer.core.pickles.references import distinct
from viewer.core.pickles.values import Values
from viewer.core.tensors.rows import texts_of

HOOKS: Final = ("_state_dict_hooks", "_state_dict_pre_hooks")
# These hooks of torch itself touch no entry.
_HARMLESS: Final = frozenset({"torch.nn.utils.spectral_norm.SpectralNormStateDictHook"})
_OWN: Final = (
    "torch.ao.nn.quantized.reference.",
    "torch.ao.nn.sparse.quantized.",
    "torch.ao.pruning.",
    "torch.distributed.fsdp.",
    "torch.distributed.nn.api.remote_module.",
    "torch.nn.quantized._reference.",
)
_PAIR: Final = "_packed_params."
_MOST_HOOKS: Final = 100
_SETTERS: Final = sorted(codes("SETITEM SETITEMS"))
_REDUCE, _TUPLE1 = code("REDUCE"), code("TUPLE1")
# Bytes of the opcodes that can hold the name of one of the mappings of hooks.
_SHORTEST, _LONGEST = min(map(len, HOOKS)), max(map(len, HOOKS)) + 16


@dataclass(frozen=True, slots=True)
class Doubt:
    """One reason at one module. `reason`: as above. `value`: the module's. `names`: of the hooks, or of the class."""

    reason: str
    value: int
    names: tuple[str, ...]


def doubts(values: Values, encoding: str = "utf-8") -> Iterator[Doubt]:
    """The doubts about all modules of a stream, in its order."""
    calls = instance_calls(values, encoding)
    if not len(calls):
        return
    hooked = _has_hooks(values, encoding)
    kinds, which = grouped(callees(values, calls))
    named_so = [hooked or _is_doubtful(named(values, callee, encoding)) for callee in kinds.tolist()]
    for value in calls[np.array(named_so, dtype=np.bool_)[which]].tolist():
        yield from _of(values, value, encoding)


def _is_doubtful(name: str) -> bool:
    return name == COMPILED or name.startswith(_OWN) or is_quantised(name)


def _has_hooks(values: Values, encoding: str) -> bool:
    """True when something is put into a mapping of hooks: what stands under a mapping on the stack is its key."""
    found, depths = values.code.codes, values.code.depths
    before = np.arange(len(found), dtype=np.int64) - 1
    # Python 2 gives an OrderedDict its entries as the argument of its call, the others set them.
    before -= np.isin(found[before], sorted(PUTS))
    filled = np.isin(found, _SETTERS) | ((found == _REDUCE) & (found[before] == _TUPLE1))
    rows = np.flatnonzero(filled & (depths >= 2))
    if not len(rows):
        return False
    keys = distinct(values.resolve_all(values.writers(rows, depths[rows] - 1)))
    keys = keys[keys >= 0]
    lengths = values.code.offsets[keys + 1] - values.code.offsets[keys]
    keys = keys[(lengths >= _SHORTEST) & (lengths <= _LONGEST)]
    return not set(HOOKS).isdisjoint(texts_of(values, keys.tolist(), encoding).values())


def _of(values: Values, value: int, encoding: str) -> Iterator[Doubt]:
    held = attributes(values, value, encoding)
    name = class_name(values, value, encoding)
    if MODULES not in held or PARAMETERS not in held:
        if compiled_module(values, value, encoding) >= 0:
            yield Doubt("compiled", value, (name,))
        return
    hooks = _hooks(values, held, encoding)
    if hooks:
        yield Doubt("hooks", value, hooks)
    if name.startswith(_OWN):
        yield Doubt("own", value, (name,))
    elif any(entry.startswith(_PAIR) for entry, _, _ in packed(values, value, held, name)):
        yield Doubt("packed", value, (name,))


def _hooks(values: Values, held: dict[str, int], encoding: str) -> tuple[str, ...]:
    """Names of the functions and classes of the hooks that touch entries, each once."""
    found: dict[str, None] = {}
    for attribute in HOOKS:
        value = held.get(attribute, -1)
        for section in [] if is_empty(values, value) else mapping(values, value):
            for _, hook in section.read(0, min(section.count, _MOST_HOOKS)):
                found[_name(values, hook, encoding)] = None
    return tuple(name for name in found if name not in _HARMLESS)


def _name(values: Values, value: int, encoding: str) -> str:
    name = named(values, value, encoding)
    return name if name and name != COMPUTED else class_name(values, value, encoding)
