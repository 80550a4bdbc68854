"""What pickles ask to be imported: every name, where, how often, and whether it is called. Nothing is imported.

A row a name as it is written. Severity, its reason and the answer of torch's `weights_only` come with the rules.
"""

from __future__ import annotations

import _compat_pickle
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from viewer.core.objects.names import module_class
from viewer.core.pickles.opcodes import codes
from viewer.core.pickles.references import distinct
from viewer.core.pickles.values import Kind, Values
from viewer.core.span import Span

# Below protocol 3 CPython reads Python 2 names under these Python 3 names.
NAMES: Final[dict[tuple[str, str], tuple[str, str]]] = _compat_pickle.NAME_MAPPING
MODULES: Final[dict[str, str]] = _compat_pickle.IMPORT_MAPPING
LAST_MAPPED: Final = 2

_REPLACING: Final = sorted(codes("REDUCE NEWOBJ NEWOBJ_EX"))

Name = tuple[str | None, str | None]


@dataclass(slots=True)
class Import:
    """One name. None for a part that the pickle computes.

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


def find_imports(pickles: Iterable[Values]) -> list[Import]:
    """The names of all pickles, in the order in which they come first."""
    rows: dict[Name, Import] = {}
    for number, values in enumerate(pickles):
        repeats = _repeats(values)
        called = called_globals(values)
        for value in values.globals():
            name = import_name(values, value)
            row = rows.get(name)
            if row is None:
                mapped = mapped_name(name, values.code.protocol)
                row = rows[name] = Import(*name, mapped, False, 0, number, values.code.span(value))
            row.count += 1 + repeats[value]
            row.called |= value in called
    return list(rows.values())


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
    """What CPython 3 imports for a name in a pickle of protocol 0 to 2; None from protocol 3 on."""
    module, attribute = name
    if protocol > LAST_MAPPED or module is None or attribute is None:
        return None
    if (module, attribute) in NAMES:
        return ".".join(NAMES[module, attribute])
    return f"{MODULES.get(module, module)}.{attribute}"


def called_globals(values: Values) -> set[int]:
    """The globals that some call calls, by REDUCE, NEWOBJ, NEWOBJ_EX, INST or OBJ; also where its result is dropped.

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
    return value >= 0 and (values.kind(value) is Kind.GLOBAL or values.code.name(value) == "INST")


def _repeats(values: Values) -> Counter[int]:
    """How often each value is read back from the memo, for slots that are filled right behind the value."""
    stores = values.code.memo.stores
    values_read = distinct(stores[stores >= 0])
    counts = np.bincount(np.searchsorted(values_read, stores[stores >= 0]), minlength=len(values_read))
    return Counter(dict(zip((values_read - 1).tolist(), counts.tolist(), strict=True)))
