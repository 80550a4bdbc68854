"""View > Columns: the columns of the table that has the keyboard, else of the one that its pane is about.

Not loaded before there is such a table.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from viewer.ui.widgets.columns import ColumnMenu, has_columns
from viewer.ui.widgets.rows import RowTable, RowTree


def table_of(near: Sequence[QWidget]) -> RowTable | RowTree | None:
    """The first of our own tables that has titles."""
    return next((one for one in near if isinstance(one, RowTable | RowTree) and has_columns(one)), None)


def ask(table: RowTable | RowTree) -> None:
    """Open the menu of its columns."""
    ColumnMenu(table).ask()
