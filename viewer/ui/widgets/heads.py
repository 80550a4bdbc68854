"""Titles of columns: their side, their font, and room for all of their words."""

from __future__ import annotations

from typing import Final
from weakref import WeakKeyDictionary

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHeaderView, QTableView, QTreeView

from viewer.ui.measures import keep_text
from viewer.ui.models.table_model import RowsModel
from viewer.ui.models.tree_model import TreeModel
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import drawn_width

HEAD_MARGIN = 8

_EXACT: Final[WeakKeyDictionary[QHeaderView, dict[int, tuple[int, float]]]] = WeakKeyDictionary()
"""What columns were scaled to, in whole px and before it was rounded: else each change of the text would cut a bit."""


def turn_heads(view: QTreeView | QTableView) -> None:
    """Titles stand over what they name; Qt turns them by the direction of the program, not of the table."""
    model = view.model()
    if isinstance(model, RowsModel | TreeModel):
        model.upright = not view.isRightToLeft()


def with_head(header: QHeaderView, column: int, width: int, theme: Theme) -> int:
    """A column's width that leaves room for its title, which other languages may need more of; 0 stays 0."""
    model = header.model()
    if not width or model is None:
        return width
    title = str(model.headerData(column, Qt.Orientation.Horizontal) or "")
    # In exactly its own width a title would be cut.
    return max(width, drawn_width(QFontMetrics(theme.text("caption")), title) + 1 + 2 * theme.px(HEAD_MARGIN))


def scale_heads(header: QHeaderView, before: Theme, after: Theme) -> None:
    """Columns grow with the text, else numbers would be cut; those that are hidden too.

    Qt cuts titles by the font of the header, not by the smaller one that the style sheet draws them with.
    """
    keep_text(after, header, "caption")
    if before.scale == after.scale:
        return
    exact = _EXACT.setdefault(header, {})
    for column in range(header.count()):
        # A hidden one has no width to be asked for.
        is_hidden = header.isSectionHidden(column)
        header.setSectionHidden(column, False)
        width = header.sectionSize(column)
        shown, meant = exact.get(column, (width, width))
        meant = (meant if shown == width else width) * after.scale / before.scale
        header.resizeSection(column, round(meant))
        exact[column] = header.sectionSize(column), meant
        header.setSectionHidden(column, is_hidden)
