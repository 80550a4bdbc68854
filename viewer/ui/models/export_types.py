"""The types that an export changes: from which to which, how many tensors, their bytes, and what numbers may lose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication

from viewer.core.export.losses import DIGITS, may_overflow, may_vanish
from viewer.core.export.plan import Plan
from viewer.core.progress import Progress
from viewer.core.tensors.dtypes import DTYPES
from viewer.ui.models.cells import Cell, Piece, mono, number
from viewer.ui.words import count

translate: Final = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class TypeRow:
    """Tensors that are turned from one type into another, and the bytes of their elements before and after."""

    source: str
    result: str
    count: int
    before: int
    after: int


def type_rows(plan: Plan, progress: Progress) -> Sequence[TypeRow]:
    """A row for each pair of types; raises CancelledError."""
    shapes = dict(plan.content.entries)
    found: dict[tuple[str, str], list[int]] = {}
    for one in progress.each(plan.converted):
        tensor = shapes.get(one.name)
        elements = tensor.elements if tensor is not None else 0
        sums = found.setdefault((one.source, one.result), [0, 0, 0])
        sums[0] += 1
        sums[1] += nbytes_as(one.source, elements)
        sums[2] += nbytes_as(one.result, elements)
    return [TypeRow(*pair, *sums) for pair, sums in found.items()]


def nbytes_as(dtype: str, elements: int) -> int:
    """The bytes of so many elements, 0 for what is no single type."""
    known = DTYPES.get(dtype)
    return known.nbytes(elements) if known is not None else 0


def meaning(row: TypeRow) -> tuple[str, bool]:
    """What the change does to numbers, and whether any may be lost."""
    if row.source not in DIGITS or row.result not in DIGITS:
        return translate("export", "written in another form"), False
    if may_overflow(row.source, row.result):
        return translate("export", "rounded; too large numbers become infinite and are counted"), True
    if may_vanish(row.source, row.result):
        return translate("export", "rounded; very small numbers may become zero and are counted"), True
    return translate("export", "every number is kept"), False


def type_cell(row: TypeRow, column: int) -> Cell:
    """One cell of the table of types."""
    if column < 2:
        return mono((row.source, row.result)[column])
    if column < 5:
        value = (row.count, row.before, row.after)[column - 2]
        return number(count(value) if value else "")
    words, may_lose = meaning(row)
    if not may_lose:
        return Cell((Piece(words, color="muted"),))
    return Cell((Piece(words, color="warning"),), icon="warning", icon_color="warning")
