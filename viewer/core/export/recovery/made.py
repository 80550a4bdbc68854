"""Objects of classes: modules with what they register, and other objects of the person's code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from viewer.core.code.texts import is_own, is_torch
from viewer.core.export.recovery import known
from viewer.core.export.recovery.tensors import Json
from viewer.core.export.recovery.walk import Lost, Walk
from viewer.core.objects.content import RECONSTRUCTOR, Role, mapping, states
from viewer.core.objects.describe import class_name
from viewer.core.objects.instances import MAKERS, class_of, looks_like_class
from viewer.core.objects.modules import (
    BUFFERS,
    MACHINERY,
    MODULES,
    PARAMETERS,
    attributes,
    entries_of,
    non_persistent,
)
from viewer.core.objects.names import called, module_and_name, named
from viewer.core.pickles.opcodes import code
from viewer.core.pickles.values import Kind

_REDUCE: Final = code("REDUCE")
LONGEST_NAME: Final = 200


def module_record(walk: Walk, value: int, name: str, where: str) -> Json:
    """A module: what it registers, its other attributes, and the hooks that can be rebuilt."""
    held = attributes(walk.values, value, walk.encoding)
    parts = {
        role: entries_of(walk.values, held.get(role, -1), walk.encoding) for role in (PARAMETERS, BUFFERS, MODULES)
    }
    plain = {key: child for key, child in held.items() if key not in MACHINERY and key not in parts}
    if is_torch(name):
        walk.found.torch.setdefault(name, []).append(frozenset(held).union(*parts.values()))
    else:
        walk.own(value, name, is_a_module=True)
    walk.parameters.update(child for child in parts[PARAMETERS].values() if walk.values.kind(child) is Kind.CALL)
    hooks, lost_hooks = _hooks(walk, held, parts[BUFFERS], where)
    return {
        "type": "module",
        "class": name,
        "attributes": walk.attributes(plain, where),
        **{role: walk.named(entries, where) for role, entries in parts.items()},
        "non_persistent": sorted(non_persistent(walk.values, held, walk.encoding)),
        "hooks": hooks,
        **({"lost_hooks": lost_hooks} if lost_hooks else {}),
    }


def _hooks(
    walk: Walk, held: Mapping[str, int], buffers: Mapping[str, int], where: str
) -> tuple[list[list[object]], list[str]]:
    """The hooks that are rebuilt, and the names of the others that may change what a module computes."""
    kept: list[list[object]] = []
    lost: list[str] = []
    for role, number, key, hook in _held_hooks(walk, held):
        record = _hook(walk, hook, buffers) if role == "_forward_pre_hooks" else None
        if record is not None:
            walk.seen.add(hook)
            walk.found.records[hook] = record
            walk.found.rebuilt_hooks.append(where)
            kept.append([number if (at := walk.values.integer(key)) is None else at, {"id": hook}])
        elif (name := _hook_name(walk, hook)) not in known.HELPERS:
            walk.found.hooks.append(Lost(where, name, role))
            if role.startswith("_forward") and not name.startswith(known.PRUNING):
                lost.append(name[:LONGEST_NAME])
    return kept, lost


def _held_hooks(walk: Walk, held: Mapping[str, int]) -> Iterator[tuple[str, int, int, int]]:
    """Each hook: the attribute that holds it, its number there, the value of its key, its value."""
    for role in sorted(key for key in MACHINERY if key.endswith("hooks") and key in held):
        for section in mapping(walk.values, held[role]):
            for number, (key, hook) in enumerate(section.read(0, section.count)):
                yield role, number, key, hook


def _hook(walk: Walk, hook: int, buffers: Mapping[str, int]) -> Json | None:
    """weight_norm, and spectral_norm as torch has it since 1.0: with both of its vectors."""
    name = class_name(walk.values, hook, walk.encoding) if walk.values.kind(hook) is Kind.CALL else ""
    if name not in (known.WEIGHT_NORM, known.SPECTRAL_NORM) or hook in walk.seen:
        return None
    held = attributes(walk.values, hook, walk.encoding)
    weight = walk.values.text(held.get("name", -1), walk.encoding) or ""
    if name == known.SPECTRAL_NORM and f"{weight}_v" not in buffers:
        return None
    if not all(walk.values.is_atom(child) for child in held.values()):
        return None
    return {"id": hook, "type": "hook", "class": name, "attributes": walk.named(held, "")}


def _hook_name(walk: Walk, hook: int) -> str:
    values, encoding = walk.values, walk.encoding
    if values.kind(hook) is Kind.CALL and called(values, hook) != "getattr":
        name = class_name(values, hook, encoding)
        inner = attributes(values, hook, encoding).get("hook", -1) if name == known.WRAPPED else -1
        is_object = values.kind(inner) is Kind.CALL if inner >= 0 else False
        return class_name(values, inner, encoding) if is_object else named(values, inner, encoding) or name
    return named(values, hook, encoding)


def object_record(walk: Walk, value: int, name: str, where: str) -> Json:
    """An object of a class of the person's code that is no module; all others are only named."""
    maker = called(walk.values, value)
    module, _ = module_and_name(walk.values, class_of(walk.values, value), walk.encoding)
    by_function = walk.values.code.codes[value] == _REDUCE and maker not in MAKERS
    if not is_own(module) or (by_function and not looks_like_class(name) and name not in walk.stored):
        return walk.lost(where, name, "object")
    arguments = walk.values.arguments(value)
    items, pairs = walk.values.items(value), walk.values.pairs(value)
    if maker in MAKERS:
        base = arguments[2] if maker == RECONSTRUCTOR and len(arguments) > 2 else -1
        items = [*(walk.values.items(base) if walk.values.kind(base) is Kind.LIST else []), *items]
        pairs = [*(walk.values.pairs(base) if walk.values.kind(base) is Kind.DICT else []), *pairs]
        arguments = arguments[1:] if maker == "copyreg.__newobj__" else []
    if any(argument >= value or argument < 0 for argument in arguments):
        return walk.lost(where, name, "object")
    walk.own(value, name, is_a_module=False, base="dict" if pairs else "list" if items else "")
    raw = [
        child for part in states(walk.values, value) if part.role is Role.STATE for _, child in part.read(0, part.count)
    ]
    return {
        "type": "object",
        "class": name,
        "arguments": walk.all(arguments, where),
        "items": walk.all(items, where),
        "entries": [[walk.refer(key, where), walk.refer(item, where)] for key, item in pairs],
        "attributes": walk.attributes(attributes(walk.values, value, walk.encoding), where),
        "state": walk.refer(raw[-1], where) if raw else None,
    }
