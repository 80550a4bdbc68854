"""Calls of functions and classes of Python, numpy and torch that make plain things."""

from __future__ import annotations

import base64
from typing import Final

from viewer.core.export.recovery.tensors import Json
from viewer.core.export.recovery.walk import Walk
from viewer.core.objects.content import Role, is_mapping, octets, sections
from viewer.core.objects.modules import entries_of
from viewer.core.pickles.values import Kind
from viewer.core.tensors.special import integers

_HOST: Final = frozenset({"cpu", "meta"})
_MAPPINGS: Final = {
    "dict": "dict",
    "collections.OrderedDict": "OrderedDict",
    "collections.Counter": "Counter",
    "collections.defaultdict": "defaultdict",
}
_OF_CONTENT: Final = {"set": "set", "frozenset": "frozenset", "list": "list", "tuple": "tuple"}
_OF_ARGUMENTS: Final = {"complex": "complex", "slice": "slice", "range": "range"}


def plain_call(walk: Walk, value: int, name: str, where: str) -> Json | None:
    """Calls of functions and classes of Python, numpy and torch that make plain things."""
    arguments = walk.values.arguments(value)
    if name in _MAPPINGS and is_mapping(walk.values, value):
        return walk.mapping(value, _MAPPINGS[name], where)
    if name in _OF_CONTENT:
        return walk.items(_OF_CONTENT[name], _content(walk, value), value, where)
    if name == "torch.Size":
        sizes = integers(walk.values, value)
        return None if sizes is None else {"type": "Size", "items": list(sizes)}
    if name in _OF_ARGUMENTS:
        return walk.items(_OF_ARGUMENTS[name], arguments, value, where)
    if name.startswith("pathlib.") and name.endswith("Path"):
        return walk.items("path", arguments, value, where)
    if name == "collections.deque":
        longest = walk.values.integer(arguments[1]) if len(arguments) > 1 else None
        return {"type": "deque", "maxlen": longest, "items": walk.all(_content(walk, value), where)}
    if name in ("bytearray", "bytes"):
        data = octets(walk.values, arguments[0]) if arguments else b""
        return {"type": name, "base64": base64.b64encode(data or b"").decode("ascii")}
    if name == "functools.partial":
        return _partial(walk, value, arguments, where)
    if name == "torch.device":
        return _device(walk, arguments, where)
    if name == "torch.serialization._get_layout":
        text = walk.values.text(arguments[0]) if arguments else None
        return {"type": "constant", "name": (text or "").removeprefix("torch.")}
    kind = walk.types.get(value) if name == "numpy.dtype" else None
    return {"type": "numpy dtype", "name": kind.str} if kind is not None and kind.kind in "?biufc" else None


def _content(walk: Walk, value: int) -> list[int]:
    """The elements that a known call takes from its argument, and what was appended later."""
    parts = [section for section in sections(walk.values, value) if section.role is Role.ITEM]
    return [item for section in parts for _, item in section.read(0, section.count)]


def _device(walk: Walk, arguments: list[int], where: str) -> Json:
    name = walk.values.text(arguments[0]) if arguments else None
    if name not in _HOST:
        walk.found.moved.append(where)
    return {"type": "device", "name": name if name in _HOST else "cpu"}


def _partial(walk: Walk, value: int, arguments: list[int], where: str) -> Json | None:
    if not arguments or arguments[0] >= value:
        return None
    held = walk.values.states(value)
    state = walk.values.items(held[-1]) if held and walk.values.kind(held[-1]) is Kind.TUPLE else []
    items = walk.values.items(state[1]) if len(state) > 2 and walk.values.kind(state[1]) is Kind.TUPLE else []
    keywords = entries_of(walk.values, state[2], walk.encoding) if len(state) > 2 else {}
    return {
        "type": "partial",
        "function": walk.refer(arguments[0], where),
        "items": walk.all(items, where),
        "keywords": walk.named(keywords, where),
    }
