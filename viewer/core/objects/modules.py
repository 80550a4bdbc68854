"""nn.Module objects as pickles hold them, and the state_dict that each would give, without its code.

Not derivable from a pickle: hooks and overrides of `state_dict`, `_extra_state` entries; `doubts` says where.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from viewer.core.objects.content import Role, mapping, sections, states
from viewer.core.objects.describe import class_name
from viewer.core.objects.quantised_modules import is_convolution, packed
from viewer.core.pickles.opcodes import code
from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.path import Attribute, Key, Path, key_part

PARAMETERS: Final = "_parameters"
BUFFERS: Final = "_buffers"
MODULES: Final = "_modules"
NON_PERSISTENT: Final = "_non_persistent_buffers_set"
# What torch itself keeps in a module, beside parameters, buffers and children.
MACHINERY: Final = frozenset(
    {
        "_backend",
        "_backward_hooks",
        "_backward_pre_hooks",
        "_forward_hooks",
        "_forward_hooks_always_called",
        "_forward_hooks_with_kwargs",
        "_forward_pre_hooks",
        "_forward_pre_hooks_with_kwargs",
        "_is_full_backward_hook",
        "_load_state_dict_post_hooks",
        "_load_state_dict_pre_hooks",
        "_non_persistent_buffers_set",
        "_state_dict_hooks",
        "_state_dict_pre_hooks",
    }
)
COMPILED: Final = "torch._dynamo.eval_frame.OptimizedModule"
COMPILED_PREFIX: Final = "_orig_mod."
"""What torch puts in front of the names of a module that went through torch.compile."""
_EMPTY_DICT, _EMPTY_TUPLE, _REDUCE = code("EMPTY_DICT"), code("EMPTY_TUPLE"), code("REDUCE")
_MOST_ATTRIBUTES: Final = 10_000
_DEEPEST: Final = 400
_NORMS: Final = ("torch.nn.modules.batchnorm.", "torch.nn.modules.instancenorm.")
_COUNTER: Final = "num_batches_tracked"
# Classes whose version differs from the default of 1 and does not show in the pickle.
_UNKNOWN_VERSIONS: Final = ("torch.ao.", "torch.quantization.", "torch.nn.quantized.", "torch.nn.intrinsic.")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a module's state_dict: its name, the path below the module, the value."""

    name: str
    path: Path
    value: int


def attributes(values: Values, value: int, encoding: str = "utf-8") -> dict[str, int]:
    """The attributes that BUILD gave to an object, by name; of an attribute set twice the later value."""
    found: dict[str, int] = {}
    for section in states(values, value):
        if section.role is Role.ATTRIBUTE:
            for key, child in section.read(0, section.count):
                name = values.text(key, encoding)
                if name is not None:
                    found[name] = child
    return found


def is_module(values: Values, value: int, encoding: str = "utf-8") -> bool:
    """True for an object with the mappings `_parameters` and `_modules` among its attributes."""
    if values.kind(value) is not Kind.CALL:
        return False
    missing = {PARAMETERS, MODULES}
    for section in states(values, value):
        if section.role is not Role.ATTRIBUTE or section.count > _MOST_ATTRIBUTES:
            continue
        for key, _ in section.read(0, section.count):
            missing.discard(values.text(key, encoding) or "")
            if not missing:
                return True
    return False


def is_packed(values: Values, value: int, encoding: str = "utf-8") -> bool:
    """True for a module whose state is no mapping: a quantised convolution."""
    return values.kind(value) is Kind.CALL and is_convolution(values, value, class_name(values, value, encoding))


def compiled_module(values: Values, value: int, encoding: str = "utf-8") -> int:
    """The module in one that torch.compile returned, -1 for any other value."""
    if values.kind(value) is not Kind.CALL or class_name(values, value, encoding) != COMPILED:
        return -1
    return next((given for given in values.arguments(value)[:1] if is_module(values, given, encoding)), -1)


def is_empty(values: Values, value: int) -> bool:
    """True for no mapping, and for one that is seen at once to be empty: a module holds a dozen of them."""
    if value < 0:
        return True
    opcodes = values.code.codes
    is_bare = opcodes[value] == _EMPTY_DICT or (opcodes[value] == _REDUCE and opcodes[value - 1] == _EMPTY_TUPLE)
    return bool(is_bare and values.code.complete and not values.changes(value))


def entries_of(values: Values, value: int, encoding: str = "utf-8") -> dict[str, int]:
    """The entries of a mapping with text keys; of a key set twice the later value."""
    found: dict[str, int] = {}
    for section in [] if is_empty(values, value) else mapping(values, value):
        for key, child in section.read(0, section.count):
            name = values.text(key, encoding)
            if name is not None:
                found[name] = child
    return found


def non_persistent(values: Values, module: dict[str, int], encoding: str = "utf-8") -> frozenset[str]:
    """Names of the buffers that a module leaves out of its state_dict; `module` are its attributes."""
    value = module.get(NON_PERSISTENT, -1)
    names = [values.text(child, encoding) for part in sections(values, value) for _, child in part.read(0, part.count)]
    return frozenset(name for name in names if name is not None)


@dataclass(slots=True)
class StateDict:
    """What `state_dict()` of a module gives: its entries in order, and the version of each module by its path."""

    entries: list[Entry]
    versions: dict[str, dict[str, int]]


def state_dict(values: Values, module: int, encoding: str = "utf-8") -> StateDict:
    """The state_dict of a module by torch's own walk: parameters, buffers, then the children in turn."""
    found = StateDict([], {})
    for value, held, prefix, path in _walk(values, module, encoding):
        name = class_name(values, value, encoding)
        version = module_version(values, name, held, encoding)
        if version is not None:
            found.versions[prefix[:-1]] = {"version": version}
        left_out = non_persistent(values, held, encoding)
        for role in (PARAMETERS, BUFFERS):
            for key, child in entries_of(values, held.get(role, -1), encoding).items():
                if values.kind(child) is Kind.NONE or (role == BUFFERS and key in left_out):
                    continue
                found.entries.append(Entry(prefix + key, (*path, Attribute(role), key_part(key)), child))
        for key, below, child in packed(values, value, held, name):
            found.entries.append(Entry(prefix + key, (*path, *below), child))
    return found


def module_version(values: Values, name: str, held: dict[str, int], encoding: str = "utf-8") -> int | None:
    """The `_version` of a class of modules as far as one's state tells it: 1 unless a norm counts its batches.

    `name`: of the class. `held`: the module's attributes.
    """
    if name.startswith(_UNKNOWN_VERSIONS):
        return None
    if name.startswith(_NORMS):
        return 2 if _COUNTER in entries_of(values, held.get(BUFFERS, -1), encoding) else 1
    return 1


def _walk(values: Values, module: int, encoding: str) -> Iterator[tuple[int, dict[str, int], str, Path]]:
    """A module and all below it with attributes, prefix and path, parents first.

    A module inside itself is not walked again.
    """
    waiting: list[tuple[int, str, Path, tuple[int, ...]]] = [(module, "", (), ())]
    budget = len(values.code)
    while waiting and budget > 0:
        value, prefix, path, above = waiting.pop()
        budget -= 1
        held = attributes(values, value, encoding) if values.kind(value) is Kind.CALL else {}
        inner = (*above, value)
        if (PARAMETERS not in held or MODULES not in held) and not is_packed(values, value, encoding):
            compiled = compiled_module(values, value, encoding)
            if compiled >= 0 and compiled not in inner:
                yield value, {}, prefix, path
                waiting.append((compiled, f"{prefix}{COMPILED_PREFIX}", (*path, Key("arguments[0]")), inner))
            continue
        yield value, held, prefix, path
        children = entries_of(values, held.get(MODULES, -1), encoding) if len(inner) <= _DEEPEST else {}
        waiting += [
            (child, f"{prefix}{name}.", (*path, Attribute(MODULES), key_part(name)), inner)
            for name, child in reversed(children.items())
            if child not in inner
        ]
