"""What a pickle asks for, written as Python would write it: calls of calls, computed names, changes of globals."""

from __future__ import annotations

from typing import Final

from viewer.core.objects.describe import describe
from viewer.core.objects.names import global_name
from viewer.core.pickles.opcodes import code
from viewer.core.pickles.values import Kind, Values
from viewer.core.safety.imports import import_key

LIMIT: Final = 200
_ARGUMENTS: Final = 8
_DEEPEST: Final = 6
BUILD, NEWOBJ, NEWOBJ_EX = (code(name) for name in ("BUILD", "NEWOBJ", "NEWOBJ_EX"))
_SETTERS: Final = frozenset({"SETITEM", "SETITEMS"})
_STATE_PAIR: Final = 2


def call_text(values: Values, call: int, limit: int = LIMIT, encoding: str = "utf-8") -> str:
    """A call in one line: what is called, in whatever way the pickle came to it, and the arguments."""
    return _cut(_expression(values, call, limit, encoding, _DEEPEST), limit)


def arguments_text(values: Values, call: int, limit: int = LIMIT, encoding: str = "utf-8") -> str:
    """The arguments of a call in parentheses."""
    return _cut(f"({_arguments(values, call, limit, encoding, _DEEPEST)})", limit)


def name_text(values: Values, value: int, limit: int = LIMIT, encoding: str = "utf-8") -> str:
    """A name as Python 3 knows it; where the pickle computes a part of it, the two expressions that give it."""
    return _cut(_name(values, value, limit, encoding, _DEEPEST), limit)


def change_text(values: Values, change: int, limit: int = LIMIT, encoding: str = "utf-8") -> str:
    """What BUILD, SETITEM and the like do to their target: `BUILD {'x': 1}`."""
    opcode = values.code.name(change)
    given = values.given(change)
    shown = [describe(values, value, limit, encoding) for value in given[: 2 * _ARGUMENTS]]
    more = ", …" if len(given) > 2 * _ARGUMENTS else ""
    if opcode in _SETTERS:
        shown = [f"[{key}] = {value}" for key, value in zip(shown[::2], shown[1::2], strict=False)]
    elif opcode == "BUILD":
        shown = [_state(values, given[0], limit, encoding)]
    return _cut(f"{opcode} {', '.join(shown)}{more}", limit)


def _state(values: Values, state: int, limit: int, encoding: str) -> str:
    """A state; of dicts the entries, which are what is set."""
    if values.kind(state) is Kind.TUPLE:
        parts = values.items(state)
        if len(parts) == _STATE_PAIR:
            return f"({', '.join(_state(values, part, limit, encoding) for part in parts)})"
    if values.kind(state) is not Kind.DICT:
        return describe(values, state, limit, encoding)
    pairs = values.pairs(state)
    shown = [
        f"{describe(values, key, limit, encoding)}: {describe(values, value, limit, encoding)}"
        for key, value in pairs[:_ARGUMENTS]
    ]
    return "{" + ", ".join(shown) + (", …}" if len(pairs) > _ARGUMENTS else "}")


def _expression(values: Values, value: int, limit: int, encoding: str, depth: int) -> str:
    kind = values.kind(value)
    if depth <= 0:
        return "…"
    if kind is Kind.GLOBAL:
        return _name(values, value, limit, encoding, depth)
    if kind is Kind.EXTENSION:
        return f"extension({import_key(values, value)[2]})"
    if kind is not Kind.CALL:
        return describe(values, value, limit, encoding)
    callee = values.callee(value)
    called = global_name(values, value) if callee == value else _expression(values, callee, limit, encoding, depth - 1)
    made = ".__new__" if int(values.code.codes[value]) in (NEWOBJ, NEWOBJ_EX) else ""
    return f"{called}{made}({_arguments(values, value, limit, encoding, depth)})"


def _arguments(values: Values, call: int, limit: int, encoding: str, depth: int) -> str:
    given = values.arguments(call)
    shown = [_argument(values, value, limit, encoding, depth - 1) for value in given[:_ARGUMENTS]]
    keywords = values.keywords(call)
    for key, value in keywords[:_ARGUMENTS]:
        keyword = str(values.text(key, encoding) or "?")
        shown.append(f"{keyword}={_argument(values, value, limit, encoding, depth - 1)}")
    more = ", …" if max(len(given), len(keywords)) > _ARGUMENTS else ""
    return ", ".join(shown) + more


def _argument(values: Values, value: int, limit: int, encoding: str, depth: int) -> str:
    """An argument; a call that gives a well-known value (a tensor, a set) as that value."""
    kind = values.kind(value)
    is_odd = kind is Kind.CALL and values.call_name(value) is None
    return (
        _expression(values, value, limit, encoding, depth)
        if is_odd or kind is Kind.EXTENSION or (kind is Kind.GLOBAL and values.global_name(value) is None)
        else describe(values, value, limit, encoding)
    )


def _name(values: Values, value: int, limit: int, encoding: str, depth: int) -> str:
    if values.global_name(value) is not None or values.code.name(value) != "STACK_GLOBAL":
        return global_name(values, value)
    module, name = (_expression(values, part, limit, encoding, depth - 1) for part in values.operands(value))
    return f"getattr(import_module({module}), {name})"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
