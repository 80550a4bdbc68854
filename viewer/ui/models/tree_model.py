"""A core Tree as a Qt model. Node numbers are the internal ids; rows exist once they are looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from viewer.core.tree import ROOT, Tree
from viewer.ui.models.cells import CELL_ROLE, Cell, weak_test, weak_words, weakly
from viewer.ui.words import tip

Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()


class TreeModel(QAbstractItemModel):
    """`columns`: headers, translated. `cell(node, column)` says what a row shows; `opens(node)` whether it has rows.

    `upright`: shown from left to right in every language.
    """

    def __init__(
        self,
        columns: Sequence[str],
        cell: Callable[[int, int], Cell],
        opens: Callable[[int], bool] | None = None,
        right: frozenset[int] = frozenset(),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self._cell = weakly(cell)
        self._opens = weak_test(opens) if opens is not None else None
        self._right = right
        self.upright = False
        self._spoken: Callable[[int, int], str] | None = None
        self._tree: Tree | None = None

    def speak(self, spoken: Callable[[int, int], str]) -> None:
        """`spoken(node, column)`: as `Cell.spoken`, where making it for each cell would take long."""
        self._spoken = weak_words(spoken)

    @property
    def tree(self) -> Tree | None:
        """The rows that are shown."""
        return self._tree

    def set_tree(self, tree: Tree | None) -> None:
        """Show other rows."""
        self.beginResetModel()
        self._tree = tree
        self.endResetModel()

    def node(self, index: Index) -> int:
        """The node of an index; the root for an invalid one."""
        return index.internalId() if index.isValid() else ROOT

    def index_of(self, node: int, column: int = 0) -> QModelIndex:
        """The index of a node that was made."""
        if self._tree is None or node <= ROOT:
            return QModelIndex()
        return self.createIndex(self._tree.row(node), column, node)

    @override
    def index(self, row: int, column: int, parent: Index = _NONE) -> QModelIndex:
        if self._tree is None or not 0 <= column < len(self._columns):
            return QModelIndex()
        try:
            node = self._tree.child(parent.internalId() if parent.isValid() else ROOT, row)
        except IndexError:
            return QModelIndex()
        return self.createIndex(row, column, node)

    @override
    def parent(self, child: Index = _NONE) -> Any:  # the base class has an overload without arguments, for QObject
        if not child.isValid():
            return QModelIndex()
        above = self._tree.parent(child.internalId()) if self._tree is not None else ROOT
        return self.index_of(above)

    @override
    def rowCount(self, parent: Index = _NONE) -> int:
        if self._tree is None or parent.column() > 0:
            return 0
        return self._tree.count(self.node(parent))

    @override
    def columnCount(self, parent: Index = _NONE) -> int:
        return len(self._columns)

    @override
    def hasChildren(self, parent: Index = _NONE) -> bool:
        if self._tree is None or parent.column() > 0:
            return False
        node = self.node(parent)
        known = self._tree.opens[node]
        if known >= 0:
            return known == 1
        if self._opens is not None and node != ROOT:
            return self._opens(node)
        return self._tree.count(node) > 0

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._tree is None:
            return None
        if role == CELL_ROLE:
            return self._cell(index.internalId(), index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cell(index.internalId(), index.column()).text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            told = self._spoken(index.internalId(), index.column()) if self._spoken is not None else ""
            cell = self._cell(index.internalId(), index.column())
            return told or cell.spoken or cell.text
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return self._standing(index) if not index.column() else None
        if role == Qt.ItemDataRole.ToolTipRole:
            cell = self._cell(index.internalId(), index.column())
            return tip(cell.tooltip or cell.text)
        return None

    def _standing(self, index: Index) -> str:
        """Where a row stands, which Qt tells no screen reader."""
        assert self._tree is not None
        above, level = self._tree.parent(index.internalId()), 1
        node = above
        while node > ROOT:
            node, level = self._tree.parent(node), level + 1
        words = QCoreApplication.translate("TreeModel", "Level {level}, row {row} of {count}")
        return words.format(level=level, row=index.row() + 1, count=self._tree.count(above))

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return header_data(self._columns, self._right, section, orientation, role, upright=self.upright)


def header_data(
    columns: Sequence[str],
    right: frozenset[int],
    section: int,
    orientation: Qt.Orientation,
    role: int,
    *,
    upright: bool = False,
) -> Any:
    """Title and alignment of a column; the title as a tooltip too, for a column that became too narrow for it.

    `upright`: words stand at the left, whatever the language. Qt turns titles by the direction of the program.
    """
    if orientation != Qt.Orientation.Horizontal or section >= len(columns):
        return None
    if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
        return columns[section]
    if role == Qt.ItemDataRole.TextAlignmentRole:
        # Numbers stand at the right in every language, words where the language begins.
        side = Qt.AlignmentFlag.AlignRight if section in right else Qt.AlignmentFlag.AlignLeft
        if upright or section in right:
            side |= Qt.AlignmentFlag.AlignAbsolute
        return int(side | Qt.AlignmentFlag.AlignVCenter)
    return None
