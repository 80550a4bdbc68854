"""Python's own unpickler with inert classes, and our values as the same plain structure, to compare both."""

from __future__ import annotations

import io
import pickle
from typing import Any, ClassVar

from viewer.core.pickles.disassembly import Disassembly, disassemble
from viewer.core.pickles.values import Kind, Values
from viewer.core.source import MemorySource


class Inert:
    """Stands for any object: remembers how it was asked for."""

    def __init__(self, *asked: Any) -> None:
        self.asked = list(asked)
        self.items: list[Any] = []
        self.pairs: list[Any] = []
        self.states: list[Any] = []

    def append(self, item: Any) -> None:
        self.items.append(item)

    def extend(self, items: Any) -> None:
        self.items.extend(items)

    def add(self, item: Any) -> None:
        self.items.append(item)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.pairs.append((key, value))

    def __setstate__(self, state: Any) -> None:
        self.states.append(state)


class InertUnpickler(pickle._Unpickler):
    """CPython's grammar in Python, with nothing imported and nothing called."""

    dispatch: ClassVar[dict[int, Any]] = dict(pickle._Unpickler.dispatch)

    def find_class(self, module: str, name: str) -> Any:
        return InertClass(module, name)

    def persistent_load(self, pid: Any) -> Any:
        return Inert("persistent", pid)


class InertClass(Inert):
    def __init__(self, module: str, name: str) -> None:
        super().__init__("global", module, name)

    def __call__(self, *args: Any) -> Any:
        return Inert("call", self, list(args))

    def __getinitargs__(self) -> tuple[Any, ...]:
        return ()


def _reduce(self: Any) -> None:
    args = self.stack.pop()
    func = self.stack[-1]
    self.stack[-1] = Inert("call", func, list(args))


def _newobj(self: Any) -> None:
    args = self.stack.pop()
    cls = self.stack.pop()
    self.append(Inert("call", cls, list(args)))


def _newobj_ex(self: Any) -> None:
    kwargs = self.stack.pop()
    args = self.stack.pop()
    cls = self.stack.pop()
    self.append(Inert("call", cls, list(args), kwargs))


def _instantiate(self: Any, cls: Any, args: Any) -> None:
    self.append(Inert("call", cls, list(args)))


InertUnpickler.dispatch[pickle.REDUCE[0]] = _reduce
InertUnpickler.dispatch[pickle.NEWOBJ[0]] = _newobj
InertUnpickler.dispatch[pickle.NEWOBJ_EX[0]] = _newobj_ex
InertUnpickler._instantiate = _instantiate


def theirs(data: bytes) -> Any:
    """What Python's unpickler makes of a stream; Python 2 strings stay bytes, names as written."""
    return InertUnpickler(io.BytesIO(data), encoding="bytes", fix_imports=False).load()


def ours(data: bytes) -> tuple[Disassembly, Values]:
    disassembly = disassemble(MemorySource(data))
    return disassembly, Values(disassembly)


def plain_of_theirs(value: Any, seen: dict[int, int] | None = None) -> Any:
    """A nested list of what stands there; what was seen on the way down is told by its depth."""
    seen = {} if seen is None else seen
    if isinstance(value, (bool, int, str, bytes, type(None))):
        return value
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, bytearray):
        return ["bytearray", bytes(value)]
    if id(value) in seen:
        return ["again", len(seen) - seen[id(value)]]
    seen = {**seen, id(value): len(seen)}
    if isinstance(value, (set, frozenset)):
        return [type(value).__name__, sorted((plain_of_theirs(item, seen) for item in value), key=repr)]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, [plain_of_theirs(item, seen) for item in value]]
    if isinstance(value, dict):
        return ["dict", [[plain_of_theirs(k, seen), plain_of_theirs(v, seen)] for k, v in value.items()]]
    if isinstance(value, InertClass):
        return ["global", *value.asked[1:]]
    if value.asked[0] == "persistent":
        return ["persistent", plain_of_theirs(value.asked[1], seen)]
    return [
        "call",
        plain_of_theirs(value.asked[1], seen),
        [plain_of_theirs(item, seen) for item in value.asked[2]],
        [plain_of_theirs(item, seen) for item in value.items],
        [[plain_of_theirs(k, seen), plain_of_theirs(v, seen)] for k, v in value.pairs],
        [plain_of_theirs(state, seen) for state in value.states],
    ]


def plain_of_ours(values: Values, value: int, seen: dict[int, int] | None = None) -> Any:
    """The same shape from our values."""
    seen = {} if seen is None else seen
    kind = values.kind(value)
    if values.is_atom(value):
        found = values.plain(value)
        if kind is Kind.BYTEARRAY:
            return ["bytearray", found]
        return repr(found) if isinstance(found, float) else found
    if value in seen:
        return ["again", len(seen) - seen[value]]
    seen = {**seen, value: len(seen)}

    def each(numbers: list[int]) -> list[Any]:
        return [plain_of_ours(values, number, seen) for number in numbers]

    if kind in (Kind.SET, Kind.FROZENSET):
        return [kind.name.lower(), sorted(each(values.items(value)), key=repr)]
    if kind in (Kind.TUPLE, Kind.LIST):
        return [kind.name.lower(), each(values.items(value))]
    if kind is Kind.DICT:
        merged: dict[str, list[Any]] = {}
        for key, item in values.pairs(value):
            pair = each([key, item])
            merged.setdefault(repr(pair[0]), pair)[1] = pair[1]
        return ["dict", list(merged.values())]
    if kind is Kind.GLOBAL:
        return ["global", *(values.global_name(value) or ("?", "?"))]
    if kind is Kind.PERSISTENT:
        identity = values.persistent(value)
        return ["persistent", each([identity])[0] if identity >= 0 else values.persistent_text(value)]
    called = values.callee(value)
    name = ["global", *(values.global_name(value) or ("?", "?"))] if called == value else each([called])[0]
    pairs = [each(list(pair)) for pair in values.pairs(value)]
    arguments, states = each(values.arguments(value)), each(values.states(value))
    return ["call", name, arguments, each(values.items(value)), pairs, states]
