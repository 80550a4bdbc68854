"""Classes and functions that a stream names and that an installation of torch does not bring, with their places.

Nothing is looked up or imported: what comes with Python, torch and numpy counts as there, all else as missing.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from viewer.core.objects.describe import class_name
from viewer.core.objects.instances import MAKERS, Rows, callees, find_placed, grouped
from viewer.core.objects.names import global_name, named
from viewer.core.pickles.references import distinct
from viewer.core.pickles.values import Kind, Values
from viewer.core.progress import Progress
from viewer.core.tensors.path import Key, Path

_THERE: Final = sys.stdlib_module_names | {"torch", "numpy"}
_ARGUMENT: Final = "arguments["
# Classes in classes in classes: a name of a megabyte of dots must not be looked up a million times.
_DEEPEST: Final = 17
_CALLABLE: Final = Key("callable")


@dataclass(frozen=True, slots=True)
class Place:
    """One object of a class, or where the class or function itself stands: its path, its value."""

    path: Path
    value: int


@dataclass(slots=True)
class Missing:
    """A class or function. `places` in the order of the object; empty where it leads to nothing that is kept.

    `first`: the opcode that names it, or the class that it lies in, first.
    """

    name: str
    places: list[Place] = field(default_factory=list)
    first: int = -1

    @property
    def count(self) -> int:
        """Objects of it that stand in the file."""
        return len(self.places)


def is_there(name: str) -> bool:
    """True for a qualified name whose module comes with Python, torch or numpy. Builtins are bare."""
    return "." not in name or name.partition(".")[0] in _THERE


def find_missing(values: Values, encoding: str = "utf-8", progress: Progress | None = None) -> list[Missing]:
    """What loading would miss, in the order in which the stream names it. Raises CancelledError."""
    absent: dict[str, list[int]] = {}
    for row in values.globals():
        name = global_name(values, row)
        if values.global_name(row) is not None and not is_there(name):
            absent.setdefault(name, []).append(row)
    if not absent:
        return []
    found: dict[str, dict[str, Missing]] = {name: {name: Missing(name, first=rows[0])} for name, rows in absent.items()}
    for place in find_placed(values, _wanted(values, absent, encoding), encoding, progress):
        if _CALLABLE in place.path:
            continue  # the outer class, as an argument of what gives the inner one
        outer = _outer(place.name, absent) or next(iter(absent))
        entry = found[outer].setdefault(place.name, Missing(place.name, first=absent[outer][0]))
        entry.places.append(Place(_shown(place.path), place.value))
    return [entry for entries in found.values() for entry in _told(entries)]


def _wanted(values: Values, absent: dict[str, list[int]], encoding: str) -> Rows:
    """The names themselves, objects of the classes, and what the functions give."""
    names = [row for rows in absent.values() for row in rows if values.kind(row) is Kind.GLOBAL]
    calls = np.array(values.calls(), dtype=np.int64)
    kinds, which = grouped(callees(values, calls))
    called = [named(values, row, encoding) for row in kinds.tolist()]
    of_absent = np.array([_outer(name, absent) is not None for name in called], dtype=np.bool_)
    by_argument = np.array([name in MAKERS for name in called], dtype=np.bool_)
    objects = [
        row
        for row in calls[by_argument[which]].tolist()
        if _outer(class_name(values, row, encoding), absent) is not None
    ]
    return distinct(np.array([*names, *calls[of_absent[which]].tolist(), *objects], dtype=np.int64))


def _outer(name: str, absent: dict[str, list[int]]) -> str | None:
    """The missing name that a name is or lies in: that of `app.Outer.Inner` may be `app.Outer`."""
    for _ in range(_DEEPEST):
        if name in absent:
            return name
        name = name.rpartition(".")[0]
    return None


def _told(entries: dict[str, Missing]) -> list[Missing]:
    """Without an outer class that only stands for the classes in it."""
    found = [entry for entry in entries.values() if entry.places]
    return found or list(entries.values())


def _shown(path: Path) -> Path:
    """Without the arguments of a call: what the call makes stands where it does."""
    for number, part in enumerate(path):
        if isinstance(part, Key) and part.repr.startswith(_ARGUMENT):
            return path[:number]
    return path
