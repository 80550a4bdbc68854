"""Mobile bytecode: the methods of `bytecode.pkl`, each with its operators, instructions, constants and types.

A tuple whose first item is a version (not before torch 1.6 or so), then for each method

    (name, (("instructions", ((op, X, N), ...)), ("operators", ((name, overload[, arguments]), ...)),
            ("constants", (...)), ("types", (...)), ("register_size", n))[, schema])
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from viewer.core.objects.describe import describe
from viewer.core.objects.outline import MOST_ROWS, Outline, fact, listing
from viewer.core.pickles.values import Kind, Values

MOST_METHODS: Final = 1_000
ROOM: Final = 80
_SEQUENCES: Final = (Kind.TUPLE, Kind.LIST)


def bytecode_outline(values: Values) -> Outline:
    """What the bytecode says: its version, all operators with the number of methods that use them, the methods."""
    entries = _items(values, values.root)
    version = values.integer(entries[0]) if entries else None
    methods = [entry for entry in entries if values.kind(entry) in _SEQUENCES]
    operators: Counter[str] = Counter()
    rows: list[Outline] = []
    for entry in methods[:MOST_METHODS]:
        parts = _items(values, entry)
        table = _table(values, parts[1]) if len(parts) > 1 else {}
        names = [_operator(values, one) for one in _items(values, table.get("operators", -1))]
        operators.update([*dict.fromkeys(names)])
        rows.append(_method(values, values.text(parts[0]) or "" if parts else "", table, names))
    facts = [fact("bytecode-version", str(version))] if version is not None else []
    used = [Outline(name, count=number) for name, number in operators.most_common()]
    lists = (listing("operators", used), listing("methods", rows, len(methods)))
    return Outline("bytecode", rows=(*facts, *lists), own=True)


def _method(values: Values, name: str, table: dict[str, int], operators: list[str]) -> Outline:
    code = _items(values, table.get("instructions", -1))
    constants = _items(values, table.get("constants", -1))
    types = _items(values, table.get("types", -1))
    registers = values.integer(table["register_size"]) if "register_size" in table else None
    lists = (
        listing("instructions", [_instruction(values, one, operators) for one in code[:MOST_ROWS]], len(code)),
        listing("operators", [Outline(one) for one in operators]),
        listing(
            "constants",
            [Outline(str(at), describe(values, one, ROOM)) for at, one in enumerate(constants[:MOST_ROWS])],
            len(constants),
        ),
        listing("types", [Outline(values.text(one) or "") for one in types[:MOST_ROWS]], len(types)),
    )
    rows = tuple(one for one in lists if one.count)
    return Outline(name, rows=(*rows, fact("registers", str(registers))) if registers is not None else rows)


def _instruction(values: Values, entry: int, operators: list[str]) -> Outline:
    """`OP 3 0` with the name of the operator that it calls."""
    parts = _items(values, entry)
    name = values.text(parts[0]) or "" if parts else ""
    numbers = [values.integer(one) for one in parts[1:]]
    value = " ".join("?" if number is None else str(number) for number in numbers)
    called = numbers[0] if name in ("OP", "OPN") and numbers else None
    if called is not None and 0 <= called < len(operators):
        value = f"{value}  {operators[called]}"
    return Outline(name, value)


def _operator(values: Values, entry: int) -> str:
    """`aten::add.Tensor`."""
    texts = [values.text(part) or "" for part in _items(values, entry)[:2]]
    return ".".join(text for text in texts if text)


def _table(values: Values, value: int) -> dict[str, int]:
    """Pairs of a name and a value."""
    found: dict[str, int] = {}
    for entry in _items(values, value):
        parts = _items(values, entry)
        name = values.text(parts[0]) if len(parts) == 2 else None
        if name is not None:
            found[name] = parts[1]
    return found


def _items(values: Values, value: int) -> list[int]:
    return values.items(value) if value >= 0 and values.kind(value) in _SEQUENCES else []
