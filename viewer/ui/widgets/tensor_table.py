"""The list of tensors: its columns, of which the names take what the others leave; and the tree of their groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget
from typing_extensions import override

from viewer.core.tensors.columns import By
from viewer.ui.models.table_model import RowsModel
from viewer.ui.models.tensor_cells import MAXIMUM, MINIMUM
from viewer.ui.models.tree_model import TreeModel
from viewer.ui.theme import Theme
from viewer.ui.widgets.rows import RowTable, RowTree

NAME: Final = 150
"""Width that the names have at least."""
ENOUGH: Final = 260
"""Width of the names below which columns that say little go: most names of a model begin alike."""
WIDTHS: Final = (NAME, 104, 118, 96, 104, 66, 66, 92, 172, 96, 96)
GROUP_WIDTHS: Final = (96, 110, 100, 104, 124)
WHOLE: Final = 84
"""Width of the column of states where every one of them is a short word."""
SET_PLACE: Final = 170
"""Width of the column of places where names of files stand in it."""


class TensorTable(RowTable):
    """Columns: name, dtype, shape, elements, bytes, storage, location, shared, state, minimum, maximum."""

    def __init__(self, theme: Theme, model: RowsModel, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._is_set = False
        self.setModel(model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSortingEnabled(True)
        self.horizontalHeader().setStretchLastSection(False)
        self.forget_order()
        for column, width in enumerate(WIDTHS):
            self.setColumnWidth(column, theme.px(width))
        self.show_extremes(False)

    def forget_order(self) -> None:
        """No column is the one that rows are sorted by."""
        self.horizontalHeader().setSortIndicator(-1, self.horizontalHeader().sortIndicatorOrder())

    def show_extremes(self, are_known: bool) -> None:
        """The least and greatest numbers, once a person had values scanned."""
        for column in (MINIMUM, MAXIMUM):
            self.setColumnHidden(column, not are_known)
        self._fit()

    def show_files(self, is_set: bool) -> None:
        """Names of files stand where a tensor is stored, or keys."""
        self._is_set = is_set
        self.setColumnWidth(By.PLACE, self.theme.px(SET_PLACE if is_set else WIDTHS[By.PLACE]))
        self._fit()

    def show_states(self, are_whole: bool) -> None:
        """`are_whole`: the tensors have no more to say of themselves than that."""
        self.setColumnWidth(By.MISSING, self.theme.px(WHOLE if are_whole else WIDTHS[By.MISSING]))
        self._fit()

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._fit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Hide what is known elsewhere where names lack room; the state of a tensor stays."""
        header = self.horizontalHeader()
        leaving = (By.LOCATION, By.SHARED, By.PLACE) if self._is_set else (By.PLACE, By.LOCATION, By.SHARED)
        for column in leaving:
            self.setColumnHidden(column, False)
        for column in leaving:
            if self._room() >= self.theme.px(ENOUGH):
                break
            self.setColumnHidden(column, True)
        header.resizeSection(0, max(self._room(), self.theme.px(NAME)))

    def _room(self) -> int:
        """Width that the other columns leave."""
        header = self.horizontalHeader()
        return self.viewport().width() - sum(header.sectionSize(column) for column in range(1, header.count()))


class GroupsTree(RowTree):
    """Tensors by the parts of their names. Columns: name, dtype, shape, elements, bytes, share."""

    def __init__(self, theme: Theme, model: TreeModel, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setModel(model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        for column, width in enumerate(GROUP_WIDTHS, 1):
            self.setColumnWidth(column, theme.px(width))
        self.keep_room(NAME)


def position_in(order: Sequence[int], row: int) -> int:
    """Where a row stands in an order; -1 where it is left out."""
    try:
        return order.index(row)
    except ValueError:
        return -1
