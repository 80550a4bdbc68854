"""The walk over the objects of a module: what each value is as a record of model.json, and what was met."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from viewer.core.code.texts import is_own, is_torch
from viewer.core.export.recovery import known
from viewer.core.export.recovery.tensors import Json, KeptTensors
from viewer.core.objects.content import mapping, octets
from viewer.core.objects.instances import class_of, looks_like_class
from viewer.core.objects.modules import attributes
from viewer.core.objects.names import module_and_name, named
from viewer.core.pickles.values import Kind, Values
from viewer.core.tensors.numpy_types import TypeReader
from viewer.wording.recovery import REASONS

LONGEST_TEXT: Final = 200
LONGEST_PLACE: Final = 300
_SMALL: Final = 63
_CUDA: Final = re.compile(r"cuda(:\d+)?")
FINISHED: Final = frozenset({"tuple", "frozenset", "slice", "range", "complex", "path"})


@dataclass(slots=True)
class OwnClass:
    """A class of the person's code that objects are made of. `value`: the first of `count` objects."""

    name: str
    module: str
    qualname: str
    is_module: bool
    value: int
    base: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class Lost:
    """Something that is not rebuilt. `where`: attribute path below the module; `reason`: a code of REASONS."""

    where: str
    name: str
    reason: str


@dataclass(slots=True)
class Found:
    """What the walk gives. `torch`: attributes held by each object of each of torch's own classes.

    `hooks`, `lost`: not rebuilt. `moved`: places whose device was changed to cpu. `rebuilt_hooks`: where they stand.
    """

    records: dict[int, Json] = field(default_factory=dict)
    own: dict[str, OwnClass] = field(default_factory=dict)
    torch: dict[str, list[frozenset[str]]] = field(default_factory=dict)
    lost: list[Lost] = field(default_factory=list)
    hooks: list[Lost] = field(default_factory=list)
    rebuilt_hooks: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)


class Walk:
    """One walk. `waiting`: values that were referred to and have no record yet, with their places."""

    def __init__(self, values: Values, tensors: KeptTensors, stored: frozenset[str], encoding: str) -> None:
        self.values, self.tensors, self.stored, self.encoding = values, tensors, stored, encoding
        self.found = Found()
        self.types = TypeReader(values, encoding)
        self.seen: set[int] = set()
        self.parameters: set[int] = set()
        self.classes: list[tuple[int, str, str]] = []
        self.waiting: list[tuple[int, str]] = []

    def refer(self, value: int, where: str) -> object:
        """A value as it stands in a record."""
        kind = self.values.kind(value) if value >= 0 else Kind.UNKNOWN
        if kind in (Kind.NONE, Kind.BOOL):
            return self.values.plain(value)
        if kind is Kind.INT and self.integer(value).bit_length() <= _SMALL:
            return self.integer(value)
        if kind is Kind.FLOAT:
            number = self.values.plain(value)
            return number if isinstance(number, float) and math.isfinite(number) else {"float": str(number)}
        if kind in (Kind.TEXT, Kind.STRING):
            text = self.values.text(value, self.encoding) or ""
            if len(text) <= LONGEST_TEXT:
                return text
        if value not in self.seen:
            self.seen.add(value)
            self.waiting.append((value, where))
        return {"id": value}

    def integer(self, value: int) -> int:
        number = self.values.plain(value)
        return number if isinstance(number, int) else 0

    def all(self, items: Iterable[int], where: str) -> list[object]:
        return [self.refer(item, where) for item in items]

    def named(self, held: Mapping[str, int], where: str) -> dict[str, object]:
        return {name: self.refer(value, below(where, name)) for name, value in held.items()}

    def lost(self, where: str, name: str, reason: str) -> Json:
        self.found.lost.append(Lost(where, name, reason))
        return {"type": "missing", "name": name or where, "reason": REASONS[reason]}

    def items(self, kind: str, items: list[int], value: int, where: str) -> Json:
        """A record of items; what is made of finished parts can only hold what was made before it."""
        if kind in FINISHED and any(item >= value or item < 0 for item in items):
            return self.lost(where, "", "value")
        return {"type": kind, "items": self.all(items, where)}

    def mapping(self, value: int, kind: str, where: str) -> Json:
        pairs = [pair for section in mapping(self.values, value) for pair in section.read(0, section.count)]
        entries = []
        for key, item in pairs:
            text = self.values.text(key, self.encoding) if key >= 0 else None
            inner = where if text is None else below(where, text)
            entries.append([self.refer(key, where), self.refer(item, inner)])
        record: Json = {"type": kind, "entries": entries}
        if kind == "OrderedDict" and (held := attributes(self.values, value, self.encoding)):
            record["attributes"] = self.named(held, where)
        if kind == "defaultdict":
            arguments = self.values.arguments(value)
            record["factory"] = self.refer(arguments[0], where) if arguments and arguments[0] < value else None
        return record

    def octets(self, value: int, kind: str) -> Json:
        data = octets(self.values, value) or b""
        return {"type": kind, "base64": base64.b64encode(data).decode("ascii")}

    def name(self, value: int, where: str) -> Json:
        """A function or class that is named, not called."""
        name = named(self.values, value, self.encoding)
        module, inner = module_and_name(self.values, value, self.encoding)
        if module == "builtins" and inner in known.BUILTINS:
            return {"type": "builtin", "name": inner}
        if module == "torch" and inner in known.CONSTANTS | known.LAYOUTS:
            return {"type": "constant", "name": inner}
        if module == "numpy" and inner in known.NUMPY_CLASSES:
            return {"type": "numpy class", "name": inner}
        if function := known.function_name(module, inner):
            return {"type": "function", "name": function}
        if is_torch(module) and looks_like_class(name):
            return {"type": "class", "class": name}
        if is_own(module) and (name in self.stored or looks_like_class(name)):
            self.classes.append((value, name, where))
            return {"type": "class", "class": name}
        return self.lost(where, name, "name" if name else "value")

    def attributes(self, held: Mapping[str, int], where: str) -> dict[str, object]:
        """The attributes as they stand in a record; a device that is a text is moved as others are."""
        found = self.named(held, where)
        for name, item in found.items():
            if "device" in name.lower() and isinstance(item, str) and _CUDA.fullmatch(item):
                found[name] = "cpu"
                self.found.moved.append(below(where, name))
        return found

    def own(self, value: int, name: str, is_a_module: bool, base: str = "") -> None:
        """Note that a class of the person's code is needed."""
        if name not in self.found.own:
            module, inner = module_and_name(self.values, class_of(self.values, value), self.encoding)
            self.found.own[name] = OwnClass(name, module, inner, is_a_module, value, base)
        self.found.own[name].count += 1


def below(where: str, name: str) -> str:
    """The place of an attribute; very long ones are not made longer."""
    return (f"{where}.{name}" if where else name) if len(where) < LONGEST_PLACE else where
