"""Names of classes and functions as Python 3 knows them, whatever the pickle wrote: nothing is looked up."""

from __future__ import annotations

import _compat_pickle
from typing import Final

from viewer.core.pickles.values import Kind, Values

# Renamed between Python 2 and 3 as 2to3 knows it. CPython's table lacks it, so that loading stops at the old name.
_RENAMED: Final = {("os", "getcwdu"): ("os", "getcwd")}
# While the last PROTO states less than 3, and without one, CPython reads Python 2 names under these Python 3 names.
_NAMES: Final[dict[tuple[str, str], tuple[str, str]]] = {**_compat_pickle.NAME_MAPPING, **_RENAMED}
_MODULES: Final[dict[str, str]] = _compat_pickle.IMPORT_MAPPING
LAST_MAPPED: Final = 2
_DEEPEST: Final = 16
# Names that are kept: a file asks for few, and calls each of them often.
_MOST_KEPT: Final = 4096
_BARE_PARTS: Final = 3
COMPUTED: Final = "<computed>"
# Calls that make a mapping.
MAPPING_CALLS: Final = frozenset(
    {"dict", "collections.OrderedDict", "collections.Counter", "collections.defaultdict", "collections.UserDict"}
)


def qualified(module: str, name: str, protocol: int) -> str:
    """Module and name joined by a dot; builtins bare; Python 2 names as Python 3 has them below protocol 3."""
    module, name = mapped(module, name, protocol)
    return name if module == "builtins" else f"{module}.{name}"


def mapped(module: str, name: str, protocol: int) -> tuple[str, str]:
    """Module and name as Python 3 has them."""
    if protocol <= LAST_MAPPED:
        return _NAMES.get((module, name), (_MODULES.get(module, module), name))
    return module, name


def global_name(values: Values, value: int) -> str:
    """The qualified name of a global or INST; `<computed>` where the pickle computes it."""
    known = values.named.get(value)
    if known is not None:
        return known
    written = values.global_name(value)
    if written is None:
        return COMPUTED
    known = qualified(*written, values.code.protocol_at(value))
    if len(values.named) < _MOST_KEPT:
        values.named[value] = known
    return known


def named(values: Values, value: int, encoding: str = "utf-8") -> str:
    """The qualified name that a value stands for, "" where it stands for none.

    Globals, classes in persistent ids of the kind 'module', and `getattr` calls on either (nested classes).
    """
    known = values.named.get(value)
    if known is not None:
        return known
    outer, inner = _outermost(values, value, encoding)
    return ".".join([global_name(values, outer), *inner]) if outer >= 0 else ""


def module_and_name(values: Values, value: int, encoding: str = "utf-8") -> tuple[str, str]:
    """The two halves of `named`: the module, and the class within it (`Outer.Inner`); ("", "") where there is none.

    Of a computed name the module is "" and the class `<computed>`.
    """
    outer, inner = _outermost(values, value, encoding)
    if outer < 0:
        return "", ""
    written = values.global_name(outer)
    module, name = mapped(*written, values.code.protocol_at(outer)) if written is not None else ("", COMPUTED)
    return module, ".".join([name, *inner])


def _outermost(values: Values, value: int, encoding: str) -> tuple[int, list[str]]:
    """The global that a name begins with, -1 where there is none, and the attributes taken of it."""
    inner: list[str] = []
    for _ in range(_DEEPEST):
        kind = values.kind(value)
        if kind is Kind.GLOBAL or (kind is Kind.CALL and values.code.name(value) == "INST"):
            return value, inner[::-1]
        if kind is Kind.PERSISTENT:
            value = module_class(values, value, encoding)
        elif kind is Kind.CALL and called(values, value) == "getattr":
            arguments = values.arguments(value)
            attribute = values.text(arguments[1], encoding) if len(arguments) >= 2 else None
            if attribute is None:
                return -1, []
            inner.append(attribute)
            value = arguments[0]
        else:
            return -1, []
    return -1, []


def called(values: Values, value: int) -> str:
    """The qualified name of the global that a CALL calls, "" where it calls no global."""
    callee = values.callee(value)
    is_global = callee == value or values.kind(callee) is Kind.GLOBAL
    return global_name(values, callee) if is_global else ""


def persistent_parts(values: Values, value: int) -> list[int]:
    """The items of a persistent id that is a tuple; [] for all others."""
    identity = values.persistent(value)
    return values.items(identity) if identity >= 0 and values.kind(identity) is Kind.TUPLE else []


def module_parts(values: Values, value: int, encoding: str = "utf-8") -> list[int]:
    """Class, file and source in the persistent id of a class that brings its source; [] for any other value.

    ('module', class, file, source) in legacy streams, (class, file, source) in tar checkpoints.
    """
    parts = persistent_parts(values, value) if values.kind(value) is Kind.PERSISTENT else []
    if len(parts) >= 2 and values.text(parts[0], encoding) == "module":
        return parts[1:]
    is_class = len(parts) == _BARE_PARTS and values.kind(parts[0]) in (Kind.GLOBAL, Kind.CALL)
    return parts if is_class and all(_is_text_or_none(values, part) for part in parts[1:]) else []


def _is_text_or_none(values: Values, value: int) -> bool:
    return values.kind(value) in (Kind.NONE, Kind.TEXT, Kind.STRING)


def module_class(values: Values, value: int, encoding: str = "utf-8") -> int:
    """The class in such a persistent id; -1 for any other value."""
    parts = module_parts(values, value, encoding)
    return parts[0] if parts else -1
