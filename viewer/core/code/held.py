"""What an object of a pickle holds, for the checks: names of attributes, whether loading runs `__init__`, hooks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viewer.core.objects.content import Role, mapping, states
from viewer.core.objects.describe import class_name
from viewer.core.objects.instances import MAKERS
from viewer.core.objects.modules import BUFFERS, MODULES, PARAMETERS, attributes, entries_of, is_empty
from viewer.core.objects.names import called, named
from viewer.core.pickles.opcodes import codes
from viewer.core.pickles.values import Values

_NEW: Final = codes("NEWOBJ NEWOBJ_EX")
_OLD: Final = codes("INST OBJ")
_HOOKS: Final = (
    "_backward_hooks",
    "_backward_pre_hooks",
    "_forward_hooks",
    "_forward_pre_hooks",
    "_load_state_dict_post_hooks",
    "_load_state_dict_pre_hooks",
    "_state_dict_hooks",
    "_state_dict_pre_hooks",
)
_MOST_HOOKS: Final = 100


@dataclass(frozen=True, slots=True)
class Held:
    """An object. `names`: of its attributes, parameters, buffers and children; `children`: those of them alone.

    `skips_init`: loading makes it without `__init__`. `is_plain`: its state is a mapping of attributes, or none.
    `hooks`: what its hooks call.
    """

    names: frozenset[str]
    children: frozenset[str]
    is_module: bool
    skips_init: bool
    is_plain: bool
    hooks: tuple[str, ...]


def held_by(values: Values, value: int, encoding: str = "utf-8") -> Held:
    """What one object holds."""
    own = attributes(values, value, encoding)
    is_module = PARAMETERS in own and MODULES in own
    children: frozenset[str] = frozenset()
    registered: set[str] = set()
    if is_module:
        children = frozenset(entries_of(values, own[MODULES], encoding))
        registered.update(entries_of(values, own[PARAMETERS], encoding))
        registered.update(entries_of(values, own.get(BUFFERS, -1), encoding))
    is_plain = all(section.role is Role.ATTRIBUTE for section in states(values, value))
    hooks = _hooks(values, own, encoding) if is_module else ()
    names = frozenset(own) | registered | children
    return Held(names, children, is_module, skips_init(values, value), is_plain, hooks)


def skips_init(values: Values, value: int) -> bool:
    """True for an object that loading makes by `__new__` alone, as pickle does for most."""
    byte = values.code.codes[value]
    if byte in _OLD:
        return not values.arguments(value)
    return byte in _NEW or called(values, value) in MAKERS


def _hooks(values: Values, own: dict[str, int], encoding: str) -> tuple[str, ...]:
    """Names of the functions and classes of the hooks, in order, each once."""
    found: dict[str, None] = {}
    for name in _HOOKS:
        held = own.get(name, -1)
        for section in [] if is_empty(values, held) else mapping(values, held):
            for _, hook in section.read(0, min(section.count, _MOST_HOOKS)):
                found[_name(values, hook, encoding)] = None
    return tuple(found)


def _name(values: Values, hook: int, encoding: str) -> str:
    return named(values, hook, encoding) or class_name(values, hook, encoding)
