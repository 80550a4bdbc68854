"""What pickles ask to be imported: every name, where, how often, and whether it is called. Nothing is imported.

A row a name as it is written. Severity, its reasons and the answer of torch's `weights_only`: see `report`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from viewer.core.objects.names import LAST_MAPPED, mapped, module_class
from viewer.core.pickles.opcodes import codes
from viewer.core.pickles.references import distinct
from viewer.core.pickles.values import Kind, Values
from viewer.core.progress import Progress
from viewer.core.span import Span

_REPLACING: Final = sorted(codes("REDUCE NEWOBJ NEWOBJ_EX"))

_EXTENSIONS: Final = sorted(codes("EXT1 EXT2 EXT4"))

Name = tuple[str | None, str | None]
Key = tuple[str | None, str | None, int | None]
"""Module, name and extension code: what tells one row from another."""


@dataclass(slots=True)
class Import:
    """One name. None for a part that the pickle computes, and for both where `extension` is the code of a name.

    `mapped`: the Python 3 name, below protocol 3. `called`: some use calls it. `count`: how often it is put on
    the stack, from the memo too. `pickle`, `span`: the opcode that names it first, in that pickle's source.
    """

    module: str | None
    name: str | None
    mapped: str | None
    called: bool
    count: int
    pickle: int
    span: Span
    extension: int | None = None


def find_imports(pickles: Iterable[Values]) -> list[Import]:
    """The names of all pickles, in the order in which they come first."""
    rows: dict[Key, Import] = {}
    for number, values in enumerate(pickles):
        called = called_globals(values)
        for value, key in add_names(rows, number, values):
            rows[key].called |= value in called
    return list(rows.values())


def add_names(
    rows: dict[Key, Import], number: int, values: Values, progress: Progress | None = None
) -> list[tuple[int, Key]]:
    """Count the names of a further pickle in `rows`; gives the opcodes that name something, and what.

    Raises CancelledError.
    """
    progress = progress or Progress()
    found = [(value, import_key(values, value)) for value in progress.each(naming(values))]
    repeats = _repeats(values) if found else Counter[int]()
    for value, key in progress.each(found):
        row = rows.get(key)
        if row is None:
            mapped = mapped_name(key[:2], values.code.protocol_at(value))
            row = rows[key] = Import(*key[:2], mapped, False, 0, number, values.code.span(value), key[2])
        row.count += 1 + repeats[value]
    return found


def naming(values: Values) -> list[int]:
    """All opcodes that ask for something by name or by extension code, in the order of the stream."""
    extensions: list[int] = np.flatnonzero(np.isin(values.code.codes, _EXTENSIONS)).tolist()
    return sorted([*values.globals(), *extensions]) if extensions else values.globals()


def import_key(values: Values, value: int) -> Key:
    """What such an opcode asks for."""
    if values.kind(value) is Kind.EXTENSION:
        code = values.code.argument(value)
        return None, None, code if isinstance(code, int) else -1
    return *import_name(values, value), None


def import_name(values: Values, value: int) -> Name:
    """Module and name as written; None for a part that is no plain text."""
    written = values.global_name(value)
    if written is not None:
        return written
    operands = values.operands(value) if values.code.name(value) == "STACK_GLOBAL" else []
    if len(operands) != 2:
        return None, None
    return values.text(operands[0]), values.text(operands[1])


def mapped_name(name: Name, protocol: int) -> str | None:
    """What Python 3 calls a name in a pickle of protocol 0 to 2; None from protocol 3 on."""
    module, attribute = name
    if protocol > LAST_MAPPED or module is None or attribute is None:
        return None
    return ".".join(mapped(module, attribute, protocol))


def called_globals(values: Values) -> set[int]:
    """What is asked for and called, by REDUCE, NEWOBJ, NEWOBJ_EX, INST or OBJ; also where the result is dropped.

    Classes of modules too, which a legacy stream puts into a persistent id at their first use.
    """
    callees = _callees(values)
    callees |= {module_class(values, callee) for callee in callees if values.kind(callee) is Kind.PERSISTENT}
    return {callee for callee in callees if _names(values, callee)}


def _callees(values: Values) -> set[int]:
    """The distinct values that are called. Those that the memo gives back thousands of times are looked up once."""
    calls = np.array(values.calls(), dtype=np.int64)
    plain = np.isin(values.code.codes[calls], _REPLACING)
    rows = calls[plain]
    found = {values.callee(value) for value in calls[~plain].tolist()}
    # Such a call puts its result where the callable stood.
    writers = values.writers(rows, values.code.depths[rows])
    found.update(distinct(values.resolve_all(writers)).tolist())
    return found


def _names(values: Values, value: int) -> bool:
    is_name = value >= 0 and values.kind(value) in (Kind.GLOBAL, Kind.EXTENSION)
    return is_name or (value >= 0 and values.code.name(value) == "INST")


def _repeats(values: Values) -> Counter[int]:
    """How often each value is read back from the memo, for slots that are filled right behind the value."""
    stores = values.code.memo.stores
    values_read = distinct(stores[stores >= 0])
    counts = np.bincount(np.searchsorted(values_read, stores[stores >= 0]), minlength=len(values_read))
    return Counter(dict(zip((values_read - 1).tolist(), counts.tolist(), strict=True)))
