"""One imported name in full: how it is rated and why, and a table of all its uses."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QItemSelection, Qt, Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QHeaderView, QLabel, QScrollArea, QVBoxLayout, QWidget

from viewer.ui.measures import keep_lengths, keep_rows
from viewer.ui.models.cells import Cell, mono, number, plain
from viewer.ui.models.import_rows import MOST_USES, ImportRow, UseRow
from viewer.ui.models.table_model import RowsModel
from viewer.ui.spoken import tell_as
from viewer.ui.theme import Theme
from viewer.ui.widgets.rows import ROW, RowTable
from viewer.ui.widgets.wrapped import breakable, show_marked_up
from viewer.ui.words import count, hexadecimal, left_to_right, said
from viewer.wording.imports import IMPORT_REASONS, SEVERITIES, USES, WEIGHTS_ONLY

LONGEST: Final = 400
MOST_REASONS: Final = 5
ROWS_SHOWN: Final = 12


class ImportDetails(QWidget):
    """Name, severity with reasons, the answer of weights_only, uses.

    use_chosen: a use was clicked.
        Signal(use: UseRow)
    """

    use_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.uses: Sequence[UseRow] = ()
        area = QScrollArea(self)
        inner = QWidget(area)
        area.setWidget(inner)
        self.label = QLabel(inner)
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setWordWrap(True)
        keep_lengths(theme, self.label.setMargin, 12)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.model = RowsModel([self.tr("Use"), self.tr("Offset"), self.tr("With")], self._cell, frozenset({1}), self)
        self.table = RowTable(theme, inner)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Uses of this import"))
        self.table.setColumnWidth(0, theme.px(150))
        self.table.setColumnWidth(1, theme.px(76))
        self.table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self.table.selectionModel().selectionChanged.connect(self._moved)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.label)
        column.addWidget(self.table)
        column.addStretch(1)
        tell_as(area, QAccessible.Role.Pane)
        area.setAccessibleName(self.tr("About this import"))
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)
        self._theme = theme
        keep_lengths(theme, self.setMinimumWidth, 240)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self.table.set_theme(theme)

    def show_import(self, row: ImportRow | None, uses: Sequence[UseRow]) -> None:
        """Show another name; None: none."""
        self.uses = uses
        self.model.set_rows(len(uses))
        self.table.setVisible(bool(uses))
        # What stands here scrolls as one; a long table scrolls by itself.
        keep_rows(self._theme, self.table, min(len(uses), ROWS_SHOWN), ROW, 30)
        show_marked_up(self.label, "" if row is None else self._words(row))

    def _words(self, row: ImportRow) -> str:
        found = row.found
        name = row.name if len(row.name) <= LONGEST else row.name[: LONGEST - 1] + "…"
        parts = [said(IMPORT_REASONS[reason.code], reason.params) for reason in found.reasons[:MOST_REASONS]]
        if found.row.mapped is not None and found.row.module is not None:
            written = f"{found.row.module}.{found.row.name}"
            if written != found.row.mapped:
                parts.append(self.tr("Written as {0}, which is how Python 2 names it.").format(written[:LONGEST]))
        answer = said(WEIGHTS_ONLY["accepted" if found.accepted else "refused"])
        parts.append(self.tr("torch.load(weights_only=True): {0}.").format(answer))
        uses = found.count()
        if uses > MOST_USES:
            parts.append(self.tr("The first {0} of {1} uses are listed.").format(count(MOST_USES), count(uses)))
        title = f"<b>{html.escape(breakable(left_to_right(name)))}</b> · {said(SEVERITIES[found.severity])}"
        return f'<p style="margin: 0">{title}</p>' + "".join(
            f'<p style="margin: 4px 0 0 0">{html.escape(breakable(part))}</p>' for part in parts
        )

    def _moved(self, selected: QItemSelection) -> None:
        # Not the current row: a table makes its first one that when Tab comes to it, and nobody chose it.
        if not selected.isEmpty():
            self.use_chosen.emit(self.uses[selected.at(0).top()])

    def _cell(self, row: int, column: int) -> Cell:
        shown = self.uses[row]
        if column == 0:
            dropped = ", dropped" if shown.use.dropped else ""
            return plain(said(USES[f"{shown.use.kind}{dropped}"]))
        if column == 1:
            return number(hexadecimal(shown.span.start), "muted")
        return mono(shown.text)
