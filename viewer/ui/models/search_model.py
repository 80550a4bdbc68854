"""The hits of a search as a Qt model: groups of one kind, each under a row of its own, that grow as more is found."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from viewer.core.search.base import KINDS, Found, Hit
from viewer.ui.models.cells import Cell
from viewer.ui.models.table_model import RowsModel

Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
HEAD: Final = -1
"""The number of a group's own row."""


class SearchModel(RowsModel):
    """`cell(row, column)` says what a row shows; `place` tells what a row is. `only`: the one kind that is shown."""

    def __init__(
        self,
        columns: Sequence[str],
        cell: Callable[[int, int], Cell],
        right: frozenset[int] = frozenset(),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(columns, cell, right, parent)
        self._hits: dict[str, list[Hit]] = {}
        self._shown: list[str] = []
        self._starts = [0]
        self.only = ""

    def set_hits(self, hits: Mapping[str, Sequence[Hit]]) -> None:
        """Show other hits."""
        self.beginResetModel()
        self._hits = {kind: list(found) for kind, found in hits.items() if found}
        self._count()
        self.endResetModel()

    def show_only(self, kind: str) -> None:
        """Show the hits of one kind, or of all where it is ""."""
        self.beginResetModel()
        self.only = kind
        self._count()
        self.endResetModel()

    def add(self, batch: Sequence[Found]) -> None:
        """More hits; rows that are there stay what they are."""
        for kind, hits, _ in batch:
            if hits and self.only in ("", kind):
                self._add(kind, hits)
            elif hits:
                self._hits.setdefault(kind, []).extend(hits)
        for kind in {found.kind for found in batch}.intersection(self._shown):
            head = self.index(self._starts[self._shown.index(kind)], 0)
            self.dataChanged.emit(head, head)

    def _add(self, kind: str, hits: Sequence[Hit]) -> None:
        known = kind in self._shown
        order = [other for other in KINDS if other in self._shown or other == kind]
        group = order.index(kind)
        at = self._starts[group + 1] if known else self._starts[group]
        self.beginInsertRows(_NONE, at, at + len(hits) - known)
        self._hits.setdefault(kind, []).extend(hits)
        self._count()
        self.endInsertRows()

    def _count(self) -> None:
        self._shown = [kind for kind in KINDS if self._hits.get(kind) and self.only in ("", kind)]
        self._starts = [0, *accumulate(len(self._hits[kind]) + 1 for kind in self._shown)]

    def place(self, row: int) -> tuple[str, int]:
        """The kind of a row, and its number among the hits of that kind; HEAD for the row of the group."""
        group = bisect_right(self._starts, row) - 1
        return self._shown[group], row - self._starts[group] + HEAD

    def hit(self, row: int) -> Hit | None:
        """The hit of a row; None for the row of a group, and where there is no row."""
        if not 0 <= row < self._starts[-1]:
            return None
        kind, number = self.place(row)
        return self._hits[kind][number] if number != HEAD else None

    def next_hit(self, row: int, step: int) -> int:
        """The row of the next hit (1) or the one before (-1), round the end; -1: there is none."""
        count = self._starts[-1]
        for distance in range(1, 4) if count else ():
            other = (row + step * distance) % count
            if self.hit(other) is not None:
                return other
        return -1

    @override
    def rowCount(self, parent: Index = _NONE) -> int:
        return 0 if parent.isValid() else self._starts[-1]

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        # The rows of groups are passed over by the keys.
        return super().flags(index) if self.hit(index.row()) is not None else Qt.ItemFlag.NoItemFlags
