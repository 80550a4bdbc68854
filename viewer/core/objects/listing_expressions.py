"""Values as expressions of a listing: what has a name as that, all else written out. Nothing recurses.

What is written out is short: whatever is longer than a line, or shared, has a name (`listing_statements`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from viewer.core.objects.listing_lines import Lines
from viewer.core.objects.listing_names import atom_text, mapped_names, name_text
from viewer.core.pickles.opcodes import code
from viewer.core.pickles.values import Kind, Values

Parts = list[str | int]
"""Text, and values that are to be written there."""

_OBJ, _INST, _NEWOBJ, _NEWOBJ_EX = (code(name) for name in ("OBJ", "INST", "NEWOBJ", "NEWOBJ_EX"))
_PERSID, _LIST, _DICT = code("PERSID"), code("LIST"), code("DICT")
BRACKETS: Final[dict[Kind, tuple[str, str]]] = {
    Kind.TUPLE: ("(", ")"),
    Kind.LIST: ("[", "]"),
    Kind.DICT: ("{", "}"),
    Kind.SET: ("{", "}"),
    Kind.FROZENSET: ("frozenset({", "})"),
}
_EMPTY: Final = {Kind.SET: "set()", Kind.FROZENSET: "frozenset()"}


def holds(rows: memoryview, row: int) -> bool:
    """Whether a number is among sorted ones."""
    at = bisect_left(rows, row)
    return at < len(rows) and rows[at] == row


class Expressions:
    """`lines`: of the same stream."""

    def __init__(self, values: Values, lines: Lines, encoding: str) -> None:
        self.values, self.encoding = values, encoding
        self._codes = values.code.codes.data
        self._variables = lines.variables.data
        self._stated = lines.stated.data
        self._targets, self._changes = (column.data for column in values.change_columns())
        self._writers: dict[Kind, Callable[[int], Parts]] = {
            Kind.GLOBAL: self._global,
            Kind.CALL: self._call,
            Kind.PERSISTENT: self._persistent,
            Kind.EXTENSION: self._extension,
            Kind.BUFFER: lambda value: ["next_buffer()"],
            Kind.UNKNOWN: lambda value: ["nothing()"],
            **dict.fromkeys(BRACKETS, self._container),
        }

    def variable(self, value: int) -> str:
        """The name of a value; "" for one that has none."""
        at = bisect_left(self._variables, value)
        return f"v{at + 1}" if at < len(self._variables) and self._variables[at] == value else ""

    def is_stated(self, change: int) -> bool:
        """Whether a change is a statement of its own."""
        return holds(self._stated, change)

    def text(self, value: int) -> str:
        """A value where it is used: its name, or all of it."""
        return self._expanded([value])

    def made(self, value: int) -> str:
        """How a value is made, also of one that has a name."""
        return self._expanded(self._parts(value))

    def opening(self, value: int) -> tuple[str, str]:
        """What stands before and behind the items of a long value."""
        kind = self.values.kind(value)
        if kind is Kind.PERSISTENT:
            return "persistent_load((", "))"
        if kind is not Kind.CALL:
            return BRACKETS[kind]
        if self._codes[value] in (_INST, _OBJ):
            return f"{self._callee(value)}(", ")"
        callee = self.text(self.values.callee(value))
        return (f"{callee}.__new__({callee},", ")") if self._codes[value] == _NEWOBJ else (f"{callee}(", ")")

    def listed(self, values: Iterable[int]) -> str:
        """Some values, with commas."""
        return self._expanded(_joined([value] for value in values))

    def pairs(self, values: list[int]) -> str:
        """Keys and values, with colons and commas."""
        return self._expanded(_pairs(values))

    # -- one value --------------------------------------------------------------------------------

    def _expanded(self, parts: Parts) -> str:
        found: list[str] = []
        waiting = parts[::-1]
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                found.append(part)
            else:
                waiting += (self._parts(part) if not (name := self.variable(part)) else [name])[::-1]
        return "".join(found)

    def _parts(self, value: int) -> Parts:
        kind = self.values.kind(value)
        writer = self._writers.get(kind)
        if writer is not None:
            return writer(value)
        return [atom_text(self.values, value, self.encoding)]

    def _global(self, value: int) -> Parts:
        names = mapped_names(self.values, value)
        if names is not None:
            return [name_text(*names[0], self.values.code.protocol_at(value))]
        module, name = self.values.operands(value)
        return ["getattr(import_module(", module, "), ", name, ")"]

    def _container(self, value: int) -> Parts:
        kind = self.values.kind(value)
        items = self.values.operands(value) if kind in (Kind.TUPLE, Kind.FROZENSET) else []
        if self._codes[value] in (_LIST, _DICT):
            items = self.values.operands(value)
        for change in self._merged(value):
            items += self.values.given(change)
        if not items and kind in _EMPTY:
            return [_EMPTY[kind]]
        opening, closing = BRACKETS[kind]
        if kind is Kind.DICT:
            return [opening, *_pairs(items), closing]
        comma = "," if kind is Kind.TUPLE and len(items) == 1 else ""
        return [opening, *_joined([item] for item in items), comma + closing]

    def _merged(self, value: int) -> Iterator[int]:
        """The changes that belong to the constructor of a value: those before the first that is a statement."""
        for at in range(bisect_left(self._targets, value), len(self._targets)):
            change = self._changes[at]
            if self._targets[at] != value or self.is_stated(change):
                return
            yield change

    def _call(self, value: int) -> Parts:
        byte = self._codes[value]
        if byte == _INST:
            return [self._callee(value), "(", *_joined([item] for item in self.values.operands(value)), ")"]
        callee, *given = self.values.operands(value)
        if byte == _OBJ:
            return [callee, "(", *_joined([item] for item in given), ")"]
        arguments = self._spread(given[0])
        if byte == _NEWOBJ_EX:
            arguments.append(["**", given[1]])
        if byte in (_NEWOBJ, _NEWOBJ_EX):
            return [callee, ".__new__(", *_joined([[callee], *arguments]), ")"]
        return [callee, "(", *_joined(arguments), ")"]

    def _spread(self, given: int) -> list[Parts]:
        """The arguments of a call."""
        if self.values.kind(given) is not Kind.TUPLE or self.variable(given):
            return [["*", given]]
        return [[item] for item in self.values.operands(given)]

    def _callee(self, value: int) -> str:
        """What a value without a tuple of arguments calls."""
        if self._codes[value] == _OBJ:
            return self.text(self.values.callee(value))
        names = mapped_names(self.values, value)
        return name_text(*names[0], self.values.code.protocol_at(value)) if names is not None else "nothing"

    def _persistent(self, value: int) -> Parts:
        if self._codes[value] == _PERSID:
            return [f"persistent_load({self.values.persistent_text(value)!r})"]
        return ["persistent_load(", self.values.persistent(value), ")"]

    def _extension(self, value: int) -> Parts:
        return [f"extension({self.values.code.argument(value)!r})"]


def _joined(parts: Iterable[Parts]) -> Parts:
    found: Parts = []
    for part in parts:
        found += [", ", *part] if found else part
    return found


def _pairs(values: list[int]) -> Parts:
    return _joined([key, ": ", value] for key, value in zip(values[::2], values[1::2], strict=False))
