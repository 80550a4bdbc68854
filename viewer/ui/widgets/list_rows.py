"""What lists with rows of their own painting share: a model of plain values and a delegate of one height."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

if TYPE_CHECKING:
    from viewer.ui.theme import Theme

ROW_ROLE: Final = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
ROOT: Final = QModelIndex()
WIDTH: Final = 200
One = TypeVar("One")


class ListRows(QAbstractListModel, Generic[One]):
    """The rows, as they are; derive from it and say what a row is in words. `ROW_ROLE` gives the row itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[One, ...] = ()

    def set_rows(self, rows: Sequence[One]) -> None:
        """Show other rows."""
        if tuple(rows) != self.rows:
            self.beginResetModel()
            self.rows = tuple(rows)
            self.endResetModel()

    def words(self, row: One, role: int) -> str | None:
        """What a role other than `ROW_ROLE` gives."""
        raise NotImplementedError

    @override
    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        return row if role == ROW_ROLE else self.words(row, role)


class ListDelegate(QStyledItemDelegate):
    """Rows of `height`, beside a 13 px system font; derive from it and paint."""

    height: int

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(self.theme.px(WIDTH), self.theme.px(self.height))
