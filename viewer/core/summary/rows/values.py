"""Values as `inspect --json --values` writes them: all that is no tensor and no container, with their paths.

Containers are walked once, wherever they stand again; nothing recurses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from viewer.core.document import Document, Pickle
from viewer.core.objects.content import Role, Section, elements, octets, sections
from viewer.core.objects.describe import Say, class_name, describe, is_text
from viewer.core.objects.names import global_name
from viewer.core.objects.places import OBJECTS
from viewer.core.objects.stored_code import stored_code
from viewer.core.pickles.values import Kind, Values
from viewer.core.summary.rows.opcodes import LONGEST, json_argument
from viewer.core.tensors.functions import FROM_TYPE, STRIDED, WITH_STATE
from viewer.core.tensors.path import Attribute, Key, Part, Path, key_part, to_json
from viewer.core.tensors.special import own_attributes
from viewer.core.tensors.tensor import inner_tensors
from viewer.wording import fill

DEEPEST: Final = 500
PAGE: Final = 1000
LINE: Final = 200
CONTAINERS: Final = frozenset({Kind.TUPLE, Kind.LIST, Kind.DICT, Kind.SET, Kind.FROZENSET})
EMPTY: Final = frozenset(
    {"collections.OrderedDict", "collections.defaultdict", "dict", "frozenset", "list", "set", "tuple"}
)
HELD: Final = frozenset({Role.ITEM, Role.KEY, Role.ATTRIBUTE, Role.STATE})

Row = dict[str, Any]


def value_rows(document: Document, encoding: str) -> Iterator[Row]:
    """The rows of the pickle that holds the object, and the texts of the container."""
    for pair in document.metadata:
        path = to_json(("__metadata__", key_part(pair.key)))
        yield {"document": document.index, "path": path, "type": "str", "value": pair.value}
    pickle = document.main_pickle
    if pickle is not None and pickle.values.root >= 0:
        yield from PlainWalk(document, pickle, encoding or "utf-8").rows()


class _Cut(Key):
    """A place so deep that it is named by the number of its value alone, and so is all below it."""


class PlainWalk:
    """The walk over one pickle of a document. `empties`: containers that hold nothing have a place too."""

    def __init__(self, document: Document, pickle: Pickle, encoding: str, *, empties: bool = False) -> None:
        self._empties = empties
        self.document, self.values, self.encoding = document, pickle.values, encoding
        held = (part for tensor in document.tensors for part in (tensor, *inner_tensors(tensor)))
        self.tensors = {
            tensor.value.value for tensor in held if tensor.value is not None and tensor.value.pickle == pickle.index
        }
        # Arrays of Python objects, whose elements are values too.
        self.arrays = {
            tensor.value.value
            for tensor in document.tensors
            if tensor.note == OBJECTS and tensor.value is not None and tensor.value.pickle == pickle.index
        }
        self.seen: set[int] = set()
        # Those of the seen that have a row of their own, wherever they stand.
        self.ends: set[int] = set()
        # Whether what makes a tensor gives it attributes: a file of many tensors has few such functions.
        self._gives: dict[int, bool] = {}

    def rows(self) -> Iterator[Row]:
        """One row a value, as JSON has it."""
        return (self._row(value, path) for value, path in self.places())

    def places(self) -> Iterator[tuple[int, Path]]:
        """The number of each value and its path; depth first, in the order of the stream."""
        waiting: list[Iterator[tuple[int, Path]]] = [iter([(self.values.root, ())])]
        while waiting:
            following = next(waiting[-1], None)
            if following is None:
                waiting.pop()
                continue
            value, path = following
            if value in self.tensors or value < 0:
                waiting.append(self._attributes(value, path))
                if value in self.arrays:
                    self.arrays.remove(value)
                    waiting.append(self._entries(elements(self.values, value), path))
                continue
            if self.values.is_atom(value) or value in self.ends:
                yield value, path
            elif value not in self.seen:
                self.seen.add(value)
                inner = self._inner(value)
                is_end = not self._is_container(value) or (self._empties and not any(part.count for part in inner))
                if is_end and not any(section.role in HELD and section.count for section in inner):
                    self.ends.add(value)
                    yield value, path
                waiting.append(self._entries(inner, path))

    def _attributes(self, tensor: int, path: Path) -> Iterator[tuple[int, Path]]:
        """What Python gave to a tensor beside its elements."""
        if tensor >= 0 and tensor not in self.seen:
            self.seen.add(tensor)
            if not self._may_have(tensor):
                return
            for name, value in own_attributes(self.values, tensor):
                yield value, self._below(path, Attribute(name), value)

    def _may_have(self, tensor: int) -> bool:
        if self.values.kind(tensor) is not Kind.CALL:
            return False
        callee = self.values.callee(tensor)
        if callee not in self._gives:
            name = self.values.global_name(callee)
            self._gives[callee] = name in FROM_TYPE or name == WITH_STATE
        return self._gives[callee]

    def _inner(self, value: int) -> list[Section]:
        """What is to be walked in a value. Arguments only where one of them holds other values."""
        is_call = self.values.kind(value) is Kind.CALL
        if octets(self.values, value) is not None or (is_call and self.values.call_name(value) in STRIDED):
            return []
        found = sections(self.values, value)
        if any(section.role in HELD for section in found) or self.values.kind(value) is Kind.PERSISTENT:
            return [section for section in found if section.role is not Role.ARGUMENT or self._deep(section)]
        return [section for section in found if self._deep(section)]

    def _deep(self, section: Section) -> bool:
        if section.role is not Role.ARGUMENT:
            return True
        return bool(self.values.compound(value for _, value in section.read(0, min(section.count, PAGE))))

    def is_empty(self, value: int) -> bool:
        """Whether a place that was given is that of a container that holds nothing."""
        return not self.values.is_atom(value) and self._is_container(value)

    def _is_container(self, value: int) -> bool:
        return self.values.kind(value) in CONTAINERS or self._is_empty_call(value)

    def _is_empty_call(self, value: int) -> bool:
        """An object or container that was made by a call and holds nothing: OrderedDict(), an empty namespace."""
        if self.values.kind(value) is not Kind.CALL:
            return False
        return class_name(self.values, value, self.encoding) in EMPTY

    def _entries(self, inner: list[Section], path: Path) -> Iterator[tuple[int, Path]]:
        for section in inner:
            for first in range(0, section.count, PAGE):
                stop = min(first + PAGE, section.count)
                for number, (key, value) in enumerate(section.read(first, stop), first):
                    yield value, self._below(path, section.part(key, number, self.encoding), value)

    def _below(self, path: Path, part: Part, value: int) -> Path:
        cut = len(path) >= DEEPEST or (len(path) == 1 and isinstance(path[0], _Cut))
        return (_Cut(f"value {value}"),) if cut else (*path, part)

    def _row(self, value: int, path: Path) -> Row:
        return {
            "document": self.document.index,
            "path": to_json(path),
            "type": class_name(self.values, value, self.encoding),
            "value": plain_value(self.values, value, self.encoding),
        }


def plain_value(values: Values, value: int, encoding: str, say: Say = fill) -> object:
    """An atom as JSON holds it, the name of a global, one line for anything else. `say`: how things are counted."""
    kind = values.kind(value)
    if kind is Kind.STRING:
        plain = values.plain(value)
        return values.text(value, encoding) if is_text(plain, encoding) else json_argument(plain)
    if kind in (Kind.BYTES, Kind.BYTEARRAY):
        span = values.code.argument_span(value)
        return {"hex": values.code.bytes(span.start, min(LONGEST, span.length)).hex(), "length": span.length}
    if values.is_atom(value):
        return json_argument(values.plain(value))
    data = octets(values, value)
    if data is not None:
        return json_argument(data)
    code = stored_code(values, value, encoding)
    if code is not None:
        return code.words
    return global_name(values, value) if kind is Kind.GLOBAL else describe(values, value, LINE, encoding, say)
