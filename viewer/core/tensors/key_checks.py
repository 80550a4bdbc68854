"""Keys that stand more than once in a mapping: unpicklers keep the last value, readers of the stream see them all."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

import numpy as np

from viewer.core.pickles.opcodes import code
from viewer.core.pickles.values import Kind, Values
from viewer.core.problem import Problem, warning
from viewer.core.span import Span
from viewer.core.tensors.rows import Rows

MOST_CHANGES: Final = 4096
"""Opcodes that set items, and are looked at in one stream."""
LONGEST: Final = 60
DICT, SETITEM, SETITEMS = code("DICT"), code("SETITEM"), code("SETITEMS")
Atom = bytes | int
"""What a key is: the UTF-8 of a text, or an integer."""


def key_problems(values: Values, encoding: str = "utf-8", place: Span | None = None) -> list[Problem]:
    """At most one Problem, on the texts and integers that are keys twice. `place`: where it stands instead."""
    reader = _Keys(values, encoding)
    atoms: defaultdict[int, list[Atom]] = defaultdict(list)
    rows: defaultdict[int, list[int]] = defaultdict(list)
    for target, keys in reader.changes():
        found = reader.atoms(keys)
        rows[target] += [key for key, atom in zip(keys, found, strict=True) if atom is not None]
        atoms[target] += [atom for atom in found if atom is not None]
    again: list[tuple[int, Atom]] = []
    for target, listed in atoms.items():
        if len(set(listed)) < len(listed):
            again += _repeated(listed, rows[target])
    if not again:
        return []
    key, atom = min(again)
    text = repr(atom.decode("utf-8", "backslashreplace") if isinstance(atom, bytes) else atom)
    shown = text if len(text) <= LONGEST else text[: LONGEST - 1] + "\u2026"
    return [warning("pickle-key-twice", place or values.code.span(key), count=len(again), key=shown)]


def _repeated(atoms: list[Atom], rows: list[int]) -> list[tuple[int, Atom]]:
    """The keys of one mapping that stand in it before, each once, with the opcode of the second time."""
    seen: set[Atom] = set()
    again: dict[Atom, int] = {}
    for atom, row in zip(atoms, rows, strict=True):
        if atom in seen:
            again.setdefault(atom, row)
        seen.add(atom)
    return [(row, atom) for atom, row in again.items()]


class _Keys:
    def __init__(self, values: Values, encoding: str) -> None:
        self._values = values
        self._rows = Rows(values, encoding)
        self._encoding = encoding
        self._known: dict[int, Atom | None] = {}

    def changes(self) -> list[tuple[int, list[int]]]:
        """Each mapping that the first opcodes set items of, with the opcodes of the keys."""
        values, codes = self._values, self._values.code.codes
        found: list[tuple[int, list[int]]] = []
        rows = np.flatnonzero((codes == DICT) | (codes == SETITEM) | (codes == SETITEMS))[:MOST_CHANGES]
        for row in rows.tolist():
            byte, depth = codes[row], int(values.code.depths[row])
            target = row if byte == DICT else values.resolve(values.writer(row, depth))
            first = depth + (2 if byte == SETITEMS else 1)
            keys = values.slots(row, first, values.code.depth_before(row))[::2]
            if target >= 0 and min(keys, default=-1) >= 0:
                found.append((target, keys))
        return found

    def atoms(self, keys: list[int]) -> list[Atom | None]:
        """The texts and integers in some rows; None for all else."""
        if len(keys) < 4:
            return [self._atom(key) for key in keys]
        rows = np.array(keys, dtype=np.int64)
        atoms: list[Atom | None] = list(self._rows.octets(rows))
        for place, atom in enumerate(atoms):
            if atom is None:
                atoms[place] = self._atom(keys[place])
        return atoms

    def _atom(self, key: int) -> Atom | None:
        value = self._values.resolve(key)
        if value not in self._known:
            self._known[value] = self._read(value)
        return self._known[value]

    def _read(self, value: int) -> Atom | None:
        if self._values.kind(value) is Kind.INT:
            return self._values.integer(value)
        text = self._values.text(value, self._encoding)
        return None if text is None else text.encode("utf-8", "surrogatepass")
