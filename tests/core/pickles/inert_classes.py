"""Both of Python's unpicklers over classes that do nothing but record, and what they make as a plain structure.

What stands twice is told as the number of its first time, so that sharing and cycles are compared as well.
"""

from __future__ import annotations

import _pickle
import io
import pickle
from collections.abc import Iterator
from typing import Any

from viewer.core.pickles.values import Kind, Values


class Record:
    """What was asked for, and what was done to it later."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.pairs: list[Any] = []
        self.states: list[Any] = []


class RecordingMeta(type):
    """Changes of a class itself: found before what its instances have, since these are data descriptors."""

    record: Record
    append = property(lambda cls: cls.record.items.append)
    extend = property(lambda cls: cls.record.items.extend)
    add = property(lambda cls: cls.record.items.append)
    __setstate__ = property(lambda cls: cls.record.states.append)

    def __setitem__(cls, key: Any, value: Any) -> None:
        cls.record.pairs.append((key, value))


class Made(metaclass=RecordingMeta):
    """An instance of any class, or the result of any call."""

    record: Record
    asked: tuple[Any, ...]

    def __new__(cls, *arguments: Any, **keywords: Any) -> Made:
        return made("call", cls, list(arguments), keywords, of=cls)

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        del arguments, keywords

    def __call__(self, *arguments: Any) -> Made:
        return made("call", self, list(arguments), {})

    def append(self, item: Any) -> None:
        self.record.items.append(item)

    add = append

    def extend(self, items: Any) -> None:
        self.record.items.extend(items)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.record.pairs.append((key, value))

    def __setstate__(self, state: Any) -> None:
        self.record.states.append(state)


def made(*asked: Any, of: type = Made) -> Made:
    """An instance without any call."""
    instance: Made = object.__new__(of)
    instance.asked, instance.record = asked, Record()
    return instance


class Recording:
    """The hooks of both unpicklers."""

    def find_class(self, module: str, name: str) -> Any:
        return RecordingMeta("Named", (Made,), {"asked": ("global", module, name), "record": Record()})

    def persistent_load(self, pid: Any) -> Any:
        return made("persistent", pid)


class InC(Recording, _pickle.Unpickler):
    """The one that pickle.load uses."""


class InPython(Recording, pickle._Unpickler):
    """The one that is written in Python."""


def buffers() -> Iterator[Made]:
    while True:
        yield made("buffer")


def loaded(kind: type, data: bytes) -> Any:
    """What one of them makes of a stream; Python 2 strings stay bytes, names as written."""
    return kind(io.BytesIO(data), encoding="bytes", fix_imports=False, buffers=buffers()).load()


def plain(value: Any, seen: dict[int, int]) -> Any:
    """The structure of what an unpickler made. `seen`: numbers of what was met before."""
    if (
        value is None
        or isinstance(value, (bool, int, float, str, bytes))
        or (isinstance(value, (tuple, frozenset)) and not value)
    ):
        return repr(value)
    if id(value) in seen:
        return seen[id(value)]
    seen[id(value)] = len(seen)
    if isinstance(value, bytearray):
        return ["bytearray", repr(bytes(value))]
    if isinstance(value, (set, frozenset)):
        return [type(value).__name__, *sorted(repr(plain(item, dict(seen))) for item in value)]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *(plain(item, seen) for item in value)]
    if isinstance(value, dict):
        return ["dict", *([plain(key, seen), plain(item, seen)] for key, item in value.items())]
    kind, *asked = value.asked
    found: list[Any] = [kind]
    if kind == "call":
        callee, arguments, keywords = asked
        found += [plain(callee, seen), [plain(item, seen) for item in arguments]]
        found += [[[repr(key), plain(item, seen)] for key, item in keywords.items()]]
    else:
        found += [plain(item, seen) for item in asked]
    record = value.record
    found += [[plain(item, seen) for item in record.items]]
    found += [[[plain(key, seen), plain(item, seen)] for key, item in record.pairs]]
    return [*found, [plain(state, seen) for state in record.states]]


class Ours:
    """The same structure of our values."""

    def __init__(self, values: Values) -> None:
        self.values = values

    def plain(self, value: int, seen: dict[int, int]) -> Any:
        values, kind = self.values, self.values.kind(value)
        is_frozen = kind in (Kind.TUPLE, Kind.FROZENSET)
        if is_frozen and not values.items(value):
            return repr(() if kind is Kind.TUPLE else frozenset())
        if values.is_atom(value) and kind is not Kind.BYTEARRAY:
            return repr(values.plain(value))
        if value in seen:
            return seen[value]
        seen[value] = len(seen)
        if kind is Kind.BYTEARRAY:
            return ["bytearray", repr(values.plain(value))]
        if kind in (Kind.SET, Kind.FROZENSET):
            return [kind.name.lower(), *sorted(repr(self.plain(item, dict(seen))) for item in self.once(value))]
        if kind in (Kind.TUPLE, Kind.LIST):
            return [kind.name.lower(), *self.each(values.items(value), seen)]
        if kind is Kind.DICT:
            return ["dict", *(self.each(list(pair), seen) for pair in self.last(values.pairs(value)))]
        return self.record(value, kind, seen)

    def record(self, value: int, kind: Kind, seen: dict[int, int]) -> Any:
        values = self.values
        found: list[Any] = [kind.name.lower()]
        if kind is Kind.GLOBAL:
            found += map(repr, values.global_name(value) or ())
        elif kind is Kind.PERSISTENT:
            identity = values.persistent(value)
            found.append(repr(values.persistent_text(value)) if identity < 0 else self.plain(identity, seen))
        elif kind is Kind.CALL:
            found += [self.callee(value, seen), self.each(values.arguments(value), seen)]
            keywords = self.last(values.keywords(value))
            found.append([[repr(values.text(key)), self.plain(item, seen)] for key, item in keywords])
        found.append(self.each(values.items(value), seen))
        found.append([self.each(list(pair), seen) for pair in values.pairs(value)])
        return [*found, self.each(values.states(value), seen)]

    def callee(self, value: int, seen: dict[int, int]) -> Any:
        """INST names its class itself: a value of ours, an object of theirs."""
        values = self.values
        callee = values.callee(value)
        if callee != value:
            return self.plain(callee, seen)
        seen[-value - 1] = len(seen)
        return ["global", *map(repr, values.global_name(value) or ()), [], [], []]

    def each(self, found: list[int], seen: dict[int, int]) -> list[Any]:
        return [self.plain(value, seen) for value in found]

    def key(self, value: int) -> object:
        text = self.values.text(value)
        return value if text is None else text

    def once(self, value: int) -> list[int]:
        """The items of a set; the same text may stand in the stream more than once."""
        return list({self.key(item): item for item in self.values.items(value)}.values())

    def last(self, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Each key in the place of its first time, with its last value."""
        found: dict[object, tuple[int, int]] = {}
        for key, item in pairs:
            found[self.key(key)] = (found.get(self.key(key), (key, item))[0], item)
        return list(found.values())
