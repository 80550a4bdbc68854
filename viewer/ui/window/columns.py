"""View > Columns: the columns of the table that has the keyboard, else of the one that its pane is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from viewer.ui.widgets.columns import ColumnMenu, has_columns
from viewer.ui.widgets.rows import RowTable, RowTree

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
            ColumnMenu(table).ask()

    def _table(self) -> RowTable | RowTree | None:
        view = self._window.view
        dock = view.active_dock() if view is not None else None
        about = dock.pane.focus_target() if dock is not None and dock.made else None
        for widget in (QApplication.focusWidget(), about):
            if has_columns(widget) and isinstance(widget, RowTable | RowTree):
                return widget
        return None
