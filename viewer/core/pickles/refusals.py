"""What Python's unpicklers refuse though the stream can be decoded on: opcodes given values that they cannot take.

Only what no class of the file can change is told: that a text cannot be appended to, and that a list is no key. The
unpickler in C and the one in Python stop at the same opcode for most of these; where one goes on, the Problem says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.among import among
from viewer.core.pickles.earlier import Earlier
from viewer.core.pickles.keyed import Keyed, keyed, operand_columns
from viewer.core.pickles.memo import PUTS
from viewer.core.pickles.opcodes import code, codes
from viewer.core.pickles.references import distinct
from viewer.core.pickles.values import KIND_OF, Kind, Values
from viewer.core.problem import Problem, error, warning
from viewer.core.span import Span

Rows = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

MARK, BUILD, READONLY_BUFFER = code("MARK"), code("BUILD"), code("READONLY_BUFFER")
STACK_GLOBAL, NEWOBJ_EX, OBJ, GLOBAL, INST = (
    code(name) for name in ("STACK_GLOBAL", "NEWOBJ_EX", "OBJ", "GLOBAL", "INST")
)
ADDITEMS, FROZENSET = code("ADDITEMS"), code("FROZENSET")
DEEPEST: Final = 16
"""Tuples in tuples that are looked into for what cannot be a key."""
_PUTS: Final = sorted(PUTS)
_CALLS: Final = sorted(codes("REDUCE NEWOBJ NEWOBJ_EX"))
_SETTERS: Final = sorted(codes("SETITEM SETITEMS"))
_TUPLES: Final = sorted(codes("EMPTY_TUPLE TUPLE TUPLE1 TUPLE2 TUPLE3"))
_PLAIN: Final = frozenset(kind for kind in Kind if Kind.NONE <= kind <= Kind.FROZENSET)
_SEQUENCES: Final = frozenset(
    {Kind.TEXT, Kind.STRING, Kind.BYTES, Kind.BYTEARRAY, Kind.LIST, Kind.DICT, Kind.SET, Kind.FROZENSET}
)
_UNHASHABLE: Final = frozenset({Kind.LIST, Kind.DICT, Kind.SET, Kind.BYTEARRAY})
_WORDS: Final = {Kind.NONE: "None", Kind.TEXT: "str", Kind.STRING: "str"}


def _table(kinds: frozenset[Kind]) -> Flags:
    """Which bytes put a value of one of the kinds."""
    return np.isin(KIND_OF, [int(kind) for kind in kinds])


# What does not take each change, by the byte that put it.
_REFUSES: Final = {
    code(name): _table(_PLAIN - {Kind[kind] for kind in takes.split()})
    for name, takes in {
        "APPEND": "LIST BYTEARRAY",
        "APPENDS": "LIST BYTEARRAY",
        "ADDITEMS": "SET",
        "SETITEM": "DICT LIST BYTEARRAY",
        "SETITEMS": "DICT LIST BYTEARRAY",
        "BUILD": "",
    }.items()
}
# The same by both bytes: of the change, and of what it changes.
_REFUSED_BY: Final = np.zeros((256, 256), dtype=np.bool_)
for _byte, _refused_kinds in _REFUSES.items():
    _REFUSED_BY[_byte] = _refused_kinds
_NO_BUFFER: Final = _table(_PLAIN - {Kind.BYTES, Kind.BYTEARRAY, Kind.STRING})
_NO_NAME: Final = _table(_PLAIN - {Kind.TEXT, Kind.STRING})
_NO_CALLEE: Final = _table(_PLAIN)
_NO_ARGUMENTS: Final = _table(_PLAIN - {Kind.TUPLE} - _SEQUENCES)
_NO_TUPLE: Final = _table(_SEQUENCES)
_NO_KEY: Final = _table(_UNHASHABLE)
_NO_PLACE: Final = _table(_PLAIN - {Kind.INT, Kind.BOOL})
_IS_LIST: Final = _table(frozenset({Kind.LIST, Kind.BYTEARRAY}))
_NO_MAPPING: Final = _table(_PLAIN - {Kind.DICT})


class Refused(NamedTuple):
    """Opcodes that are not done, each with the value that does not fit. `kind`: the Problem's code."""

    kind: str
    rows: Rows
    found: Rows


def refusal_problems(values: Values, place: Span | None = None, keys: Keyed | None = None) -> list[Problem]:
    """At most one Problem of a kind, at its first opcode. `place`: where it stands instead; `keys`: of the stream."""
    if not len(values.code):
        return []
    parts: dict[str, list[Refused]] = {}
    for refused in _all(values, keys if keys is not None else keyed(values)):
        if len(refused.rows):
            parts.setdefault(refused.kind, []).append(refused)
    problems = []
    for kind, found in parts.items():
        count = sum(len(part.rows) for part in found)
        row, value = min((int(part.rows.min()), int(part.found[part.rows.argmin()])) for part in found)
        what = values.kind(value)
        facts = {"name": values.code.name(row), "offset": values.code.offset(row), "count": count}
        make = error if kind == "pickle-operand-refused" else warning
        word = _WORDS.get(what, what.name.lower())
        problems.append(make(kind, place or values.code.span(row), found=word, **facts))
    return problems + _empty_names(values, place)


def _all(values: Values, keys: Keyed) -> Iterator[Refused]:
    yield from _changes(values)
    yield from _calls(values)
    yield _refused(values, READONLY_BUFFER, 0, _NO_BUFFER)
    yield _refused(values, STACK_GLOBAL, 0, _NO_NAME)
    yield _refused(values, STACK_GLOBAL, 1, _NO_NAME)
    yield _unhashable(values, keys)
    yield _places(values)


def _below(values: Values, rows: Rows, above: int) -> Rows:
    """The values in the slots that are so many above the depth after each opcode."""
    return values.resolve_all(values.writers(rows, values.code.depths[rows] + above)) if len(rows) else rows


def _refused(values: Values, byte: int, above: int, no: Flags) -> Refused:
    """The opcodes of one kind that find a value that does not fit, so many slots above the depth after them."""
    rows = np.flatnonzero(values.code.codes == byte)
    found = _below(values, rows, above)
    bad = no[values.code.codes[found]]
    return Refused("pickle-operand-refused", rows[bad], found[bad])


def _changes(values: Values) -> Iterator[Refused]:
    """Content for values that hold none."""
    opcodes = values.code.codes
    targets, rows = values.change_columns()
    refused = np.flatnonzero(_REFUSED_BY[opcodes[rows], opcodes[targets]])
    for byte in _REFUSES if len(refused) else ():
        bad = refused[opcodes[rows[refused]] == byte]
        if not len(bad):
            continue
        is_empty = opcodes[rows[bad] - 1] == MARK
        if byte == BUILD:
            states = _below(values, rows[bad], 1)
            bad, states = (column[KIND_OF[opcodes[states]] != Kind.NONE] for column in (bad, states))
            moments = zip(rows[bad].tolist(), states.tolist(), strict=True)
            is_empty = np.array([_is_false(Earlier(values, row), state) for row, state in moments], dtype=np.bool_)
        yield Refused("pickle-operand-refused", rows[bad[~is_empty]], targets[bad[~is_empty]])
        if byte not in _SETTERS:
            yield Refused("pickle-change-empty", rows[bad[is_empty]], targets[bad[is_empty]])


def _is_false(values: Values, value: int) -> bool:
    if values.is_atom(value):
        return not values.plain(value)
    return Kind.TUPLE <= values.kind(value) <= Kind.FROZENSET and not values.has_items(value)


def _calls(values: Values) -> Iterator[Refused]:
    """Calls of what is no function, and arguments that are no tuple."""
    opcodes = values.code.codes
    rows = np.flatnonzero(among(opcodes, _CALLS))
    found = _below(values, rows, 0)
    bad = _NO_CALLEE[opcodes[found]]
    yield Refused("pickle-operand-refused", rows[bad], found[bad])
    before = rows - 1
    before -= among(opcodes[before], _PUTS)
    rows = rows[~among(opcodes[before], _TUPLES) | (opcodes[rows] == NEWOBJ_EX)]
    found = _below(values, rows, 1)
    for kind, no in (("pickle-operand-refused", _NO_ARGUMENTS), ("pickle-arguments-form", _NO_TUPLE)):
        bad = no[opcodes[found]]
        yield Refused(kind, rows[bad], found[bad])
    yield _refused(values, NEWOBJ_EX, 2, _NO_MAPPING)
    yield _refused(values, OBJ, 1, _NO_CALLEE)


def _unhashable(values: Values, keys: Keyed) -> Refused:
    """Lists and other things that change, as keys of dicts and as items of sets, also within tuples."""
    rows, found = _keys(values, keys)
    opcodes = values.code.codes
    inner, within = found, np.arange(len(found))
    bad = np.zeros(len(found), dtype=np.bool_)
    for _ in range(DEEPEST):
        bad[within[_NO_KEY[opcodes[inner]]]] = True
        at = np.flatnonzero(KIND_OF[opcodes[inner]] == Kind.TUPLE)
        if not len(at):
            break
        tuples = distinct(inner[at])
        order = np.argsort(inner[at], kind="stable")
        first = order[np.searchsorted(inner[at][order], tuples)]
        owners, inner = _operands(values, tuples)
        within = within[at[first]][np.searchsorted(tuples, owners)]
    return Refused("pickle-operand-refused", rows[bad], found[bad])


def _places(values: Values) -> Refused:
    """Places of lists and of bytearrays that are no numbers."""
    opcodes = values.code.codes
    targets, changes = values.change_columns()
    rows = changes[_IS_LIST[opcodes[targets]] & among(opcodes[changes], _SETTERS)]
    owners, found = _operands(values, distinct(rows), 2)
    bad = _NO_PLACE[opcodes[found]]
    return Refused("pickle-operand-refused", owners[bad], found[bad])


def _keys(values: Values, keys: Keyed) -> tuple[Rows, Rows]:
    """The opcodes that need what can be hashed, once for each such value, and the values."""
    opcodes = values.code.codes
    kept = (KIND_OF[opcodes[keys.targets]] == Kind.DICT)[keys.owners]
    owners, found = keys.changes[keys.owners[kept]], keys.keys[kept]
    if ADDITEMS not in values.code.used and FROZENSET not in values.code.used:
        return owners, found
    targets, changes = values.change_columns()
    items = changes[(KIND_OF[opcodes[targets]] == Kind.SET) & (opcodes[changes] == ADDITEMS)]
    items = distinct(np.concatenate((items, np.flatnonzero(opcodes == FROZENSET))))
    more, others = _operands(values, items)
    return np.concatenate((owners, more)), np.concatenate((found, others))


def _operands(values: Values, rows: Rows, step: int = 1) -> tuple[Rows, Rows]:
    """The values that some opcodes take, each with its opcode; `step` 2: the keys only."""
    owners, writers = operand_columns(values, rows, step)
    return owners, values.resolve_all(writers)


def _empty_names(values: Values, place: Span | None) -> list[Problem]:
    """Globals whose module or name is an empty line: no unpickler finds such a thing."""
    stream = values.code
    rows = np.flatnonzero((stream.codes == GLOBAL) | (stream.codes == INST))
    if not len(rows):
        return []
    newline = ord("\n")
    bad = stream.octets(stream.offsets[rows] + 1) == newline
    bad |= stream.octets(stream.offsets[rows + 1] - 2) == newline
    rows = rows[bad]
    if not len(rows):
        return []
    facts = {"offset": stream.offset(int(rows[0])), "count": len(rows)}
    return [error("pickle-name-empty", place or stream.span(int(rows[0])), **facts)]
