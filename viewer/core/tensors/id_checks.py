"""Persistent ids that torch.load does not take, and those of storages that cannot be read.

Ids that were read as storages are judged by the columns of opcodes, as there may be 100,000; all others one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from functools import reduce
from typing import Final

import numpy as np

from viewer.core.pickles.memo import PUTS
from viewer.core.pickles.opcodes import code, codes
from viewer.core.pickles.values import Kind, Values
from viewer.core.problem import Problem, error, warning
from viewer.core.source import one_line
from viewer.core.span import Span
from viewer.core.tensors.rows import Flags, Numbers
from viewer.core.tensors.table import StorageTable
from viewer.wording import LONGEST_NUMBER
from viewer.wording.phrases import phrase

STORAGE: Final = "storage"
MOST: Final = 10_000
"""Ids that are looked at one by one in one stream."""
LONGEST: Final = 80
PERSID: Final = code("PERSID")
_PUTS: Final = sorted(PUTS)
# What closes an id whose last item is a view of the storage, or None.
_VIEWS: Final = sorted(codes("NONE TUPLE TUPLE1 TUPLE2 TUPLE3 EMPTY_TUPLE"))
WITH_VIEW: Final = 6

Fault = tuple[str, dict[str, object]]


def id_problems(table: StorageTable, spans: bool, items: Collection[int], kinds: Collection[str]) -> list[Problem]:
    """The ids that no torch reads in this container, at most one Problem of a kind.

    `spans`: the stream's offsets count in the document's source. `items`: how many the id of a storage may have,
    five or six. `kinds`: what the first of them may be.
    """
    values = table.values
    counts: Counter[str] = Counter()
    first: dict[str, tuple[int, dict[str, object]]] = {}
    for value in _doubtful(table, items)[:MOST]:
        for name, facts in _faults(values, value, items, kinds, value in table.identifiers):
            counts[name] += 1
            first.setdefault(name, (value, facts))
    return [_problem(values, name, counts[name], spans, *first[name]) for name in counts]


def _problem(values: Values, name: str, count: int, spans: bool, value: int, facts: dict[str, object]) -> Problem:
    span = _span(values, value) if spans else None
    if name == "persistent-form":
        return error("persistent-form", span, count=count, **facts)
    return warning(name, span, count=count, **facts)


def _span(values: Values, value: int) -> Span:
    """The bytes of an id."""
    identity = values.persistent(value)
    return values.span(value if identity < 0 else identity)


def _doubtful(table: StorageTable, items: Collection[int]) -> list[int]:
    """All ids that are no readable storage, and those that seem to have another number of items, in their order."""
    values, known = table.values, table.identifiers
    found = values.persistents()
    if not found:
        return []
    rows = np.array(found, dtype=np.int64)
    doubt = values.code.codes[rows] == PERSID
    if len(items) == 1:
        doubt |= _has_view(values, rows) != (WITH_VIEW in items)
    if len(known) < len(found):
        doubt |= np.array([value not in known for value in found])
    return [*rows[doubt].tolist()]


def _has_view(values: Values, rows: Numbers) -> Flags:
    """Whether the opcode before the closing TUPLE of each id is one of a view."""
    opcodes = values.code.codes
    at = np.maximum(rows - 1, 0)
    at = np.maximum(at - np.isin(opcodes[at], _PUTS), 0)
    last = np.maximum(at - 1, 0)
    last = np.maximum(last - np.isin(opcodes[last], _PUTS), 0)
    return np.isin(opcodes[last], _VIEWS)


def _faults(
    values: Values, value: int, items: Collection[int], kinds: Collection[str], is_read: bool
) -> Iterator[Fault]:
    identity = values.persistent(value)
    if identity < 0:
        yield "persistent-text", {}
        return
    held = values.items(identity) if values.kind(identity) is Kind.TUPLE else []
    kind = values.text(held[0]) if held else None
    if kind is None or kind not in kinds:
        yield "persistent-kind", {"value": "?" if kind is None else one_line(kind[:LONGEST])}
    elif kind == STORAGE and len(held) not in items:
        yield "persistent-items", {"found": len(held), "expected": reduce(_either, map(str, items))}
    elif kind == STORAGE and not is_read:
        yield "persistent-form", _unreadable(values, held)


def _either(first: str, second: str) -> str:
    return phrase("either", first=first, second=second)


def _unreadable(values: Values, held: list[int]) -> dict[str, object]:
    """The first item of the id of a storage that is not of its kind."""
    _, class_, key, location, count = held[:5]
    if values.global_name(class_) is None:
        part, item = "id-class", class_
    elif values.text(key) is None and values.integer(key) is None:
        part, item = "id-key", key
    elif values.text(location) is None:
        part, item = "id-location", location
    else:
        part, item = "id-count", count
    plain = values.plain(item)
    # Python writes out no longer numbers.
    is_long = isinstance(plain, int) and plain.bit_length() > LONGEST_NUMBER
    found = values.kind(item).name.lower() if plain is None or is_long else repr(plain)
    return {"part": phrase(part), "found": one_line(found[:LONGEST])}
