"""Keys that stand more than once in a mapping: unpicklers keep the last value, readers of the stream see them all."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.keyed import Keyed, keyed
from viewer.core.pickles.references import distinct
from viewer.core.pickles.values import Kind, Values
from viewer.core.problem import Problem, warning
from viewer.core.span import Span
from viewer.core.tensors.rows import Rows

MOST_KEYS: Final = 1 << 18
"""Different keys that are compared in one stream; how often each is used does not matter."""
LONGEST_KEY: Final = 1024
"""Bytes of a key that is compared."""
LONGEST: Final = 60
Column = npt.NDArray[np.int64]
Atom = bytes | int
"""What a key is: the UTF-8 of a text, or an integer."""


def key_problems(
    values: Values, encoding: str = "utf-8", place: Span | None = None, found: Keyed | None = None
) -> list[Problem]:
    """At most one Problem, on the texts and integers that are keys twice.

    `place`: where it stands instead; `found`: the keys of the stream.
    """
    _, targets, owners, rows, keys = found if found is not None else keyed(values)
    if not len(rows):
        return []
    different = distinct(keys)
    offsets = values.code.offsets
    different = different[offsets[different + 1] - offsets[different] <= LONGEST_KEY][:MOST_KEYS]
    if not len(different):
        return []
    atoms = _Keys(values, encoding).atoms(different)
    numbers = _numbered(atoms)
    at = np.minimum(np.searchsorted(different, keys), len(different) - 1)
    is_known = (different[at] == keys) & (numbers[at] >= 0)
    again = _again(targets[owners[is_known]], numbers[at[is_known]])
    if not len(again):
        return []
    first = int(np.flatnonzero(is_known)[again.min()])
    atom = atoms[int(at[first])]
    text = repr(atom.decode("utf-8", "backslashreplace") if isinstance(atom, bytes) else atom)
    shown = text if len(text) <= LONGEST else text[: LONGEST - 1] + "\u2026"
    return [warning("pickle-key-twice", place or values.code.span(int(rows[first])), count=len(again), key=shown)]


def _numbered(atoms: list[Atom | None]) -> Column:
    """The same number for the same key; -1 for what is no text and no integer."""
    known: dict[Atom, int] = {}
    numbers = (-1 if atom is None else known.setdefault(atom, len(known)) for atom in atoms)
    return np.fromiter(numbers, dtype=np.int64, count=len(atoms))


def _again(targets: Column, numbers: Column) -> Column:
    """Where a key stands in a mapping for the second time."""
    both = np.sort(targets * MOST_KEYS + numbers)
    if not (both[1:] == both[:-1]).any():
        return both[:0]
    order = np.lexsort((numbers, targets))
    same = np.zeros(len(order) + 1, dtype=np.bool_)
    same[1:-1] = (targets[order[1:]] == targets[order[:-1]]) & (numbers[order[1:]] == numbers[order[:-1]])
    found: Column = order[same[:-1] & ~np.append(False, same[:-2])]
    return found


class _Keys:
    def __init__(self, values: Values, encoding: str) -> None:
        self._values = values
        self._rows = Rows(values, encoding)
        self._encoding = encoding

    def atoms(self, keys: Column) -> list[Atom | None]:
        """The texts and integers among some values; None for all else."""
        atoms: list[Atom | None] = list(self._rows.octets(keys))
        for place in [place for place, atom in enumerate(atoms) if atom is None]:
            atoms[place] = self._read(int(keys[place]))
        return atoms

    def _read(self, value: int) -> Atom | None:
        if self._values.kind(value) is Kind.INT:
            return self._values.integer(value)
        text = self._values.text(value, self._encoding)
        return None if text is None else text.encode("utf-8", "surrogatepass")
