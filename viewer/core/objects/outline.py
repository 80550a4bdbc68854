"""Outline: what a record that is no pickle of tensors holds, as rows for people: a graph, bytecode, a list of names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

MOST_ROWS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Outline:
    """One row. `label`: text out of the file, or where `own` a key of `wording.outlines`.

    `value`: what stands beside it, text out of the file. `count`: how many it stands for, -1 = it is no list.
    """

    label: str
    value: str = ""
    count: int = -1
    rows: tuple[Outline, ...] = ()
    own: bool = False

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Outline]]:
        """This row and all below it, each with its depth."""
        yield depth, self
        for row in self.rows:
            yield from row.walk(depth + 1)


def listing(label: str, rows: Sequence[Outline], count: int = -1) -> Outline:
    """A list of the program's own name; of more than 10,000 rows the first, and how many are left."""
    total = len(rows) if count < 0 else count
    shown = tuple(rows[:MOST_ROWS])
    if total > len(shown):
        shown = (*shown, Outline("more", count=total - len(shown), own=True))
    return Outline(label, count=total, rows=shown, own=True)


def fact(label: str, value: str) -> Outline:
    """One fact under a name of the program's own."""
    return Outline(label, value, own=True)


def lines_outline(label: str, text: str) -> Outline:
    """A text as rows of its lines; a text of one line stands in the row itself."""
    lines = text.splitlines()
    if len(lines) <= 1:
        return fact(label, text.strip())
    return listing(label, [Outline(line) for line in lines[:MOST_ROWS]], len(lines))


def pairs_outline(label: str, pairs: dict[str, object], longest: int = 500) -> Outline:
    """The entries of a flat JSON object."""
    shown = [Outline(name[:longest], str(value)[:longest]) for name, value in [*pairs.items()][:MOST_ROWS]]
    return listing(label, shown, len(pairs))
