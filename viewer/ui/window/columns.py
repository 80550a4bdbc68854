"""View > Columns: the columns of the table that has the keyboard, else of the one that its pane is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QTableView, QTreeView

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtWidgets import QWidget

    from viewer.ui.widgets.rows import RowTable, RowTree
    from viewer.ui.window.frame import Frame

COLUMNS: Final = "view.columns"


class Columns(QObject):
    """The command of one window."""

    def __init__(self, window: Frame) -> None:
        super().__init__(window)
        self._window = window

    def handlers(self) -> Mapping[str, Callable[[], None]]:
        """What the action does."""
        return {COLUMNS: self._ask}

    def offered(self) -> set[str]:
        """The id of the action while there is such a table."""
        return {COLUMNS} if self._table() is not None else set()

    def _ask(self) -> None:
        table = self._table()
        if table is not None:
            from viewer.ui.widgets.columns import ColumnMenu

            ColumnMenu(table).ask()

    def _table(self) -> RowTable | RowTree | None:
        view = self._window.view
        dock = view.active_dock() if view is not None else None
        about = dock.pane.focus_target() if dock is not None and dock.made else None
        near = [one for one in (QApplication.focusWidget(), about) if isinstance(one, QTableView | QTreeView)]
        return _first_of(near) if near else None


def _first_of(near: Sequence[QWidget]) -> RowTable | RowTree | None:
    """The first of our own with titles; before there is one the code of tables is not loaded for this."""
    from viewer.ui.widgets.columns import has_columns
    from viewer.ui.widgets.rows import RowTable, RowTree

    return next((one for one in near if isinstance(one, RowTable | RowTree) and has_columns(one)), None)
