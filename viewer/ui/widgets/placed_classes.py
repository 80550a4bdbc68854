"""Classes with the places where they are used: a row a place, which is a link. Long lists are folded."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final
from weakref import ref

from PySide6.QtCore import QCoreApplication, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.summary.missing import Missing, Place
from viewer.core.tensors.path import shown_short
from viewer.ui.measures import keep_lengths, keep_rows
from viewer.ui.models.cells import Cell, Piece
from viewer.ui.models.table_model import Index, RowsModel
from viewer.ui.theme import Theme
from viewer.ui.widgets.rows import ROW, RowTable
from viewer.ui.words import count, tip

FOLDED: Final = 5
MOST_ROWS: Final = 14
HEADER: Final = 30
LONGEST: Final = 300


class _Model(RowsModel):
    """Rows whose tooltip is the whole path, which the row may show in part."""

    def __init__(self, owner: PlacedClasses) -> None:
        titles = [
            QCoreApplication.translate("PlacedClasses", "Class or function"),
            QCoreApplication.translate("PlacedClasses", "Where it stands"),
        ]
        super().__init__(titles, owner.cell, parent=owner)
        self._owner = ref(owner)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        owner = self._owner()
        if owner is not None and role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            words = owner.words(index.row(), index.column())
            return tip(words) if role == Qt.ItemDataRole.ToolTipRole else words
        return super().data(index, role)


class PlacedClasses(QWidget):
    """A table over any number of places, and the button that unfolds it.

    place_chosen: a place was clicked, or Enter was pressed on it.
        Signal(value: int)
    """

    place_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._classes: Sequence[Missing] = ()
        self._starts: list[int] = [0]
        self._unfolded = False
        self.model = _Model(self)
        self.table = RowTable(theme, self)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Classes that torch does not bring"))
        self.table.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for column in (0, 1):
            self.table.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self.table.clicked.connect(self._choose)
        self.table.activated.connect(self._choose)
        self.fold = QPushButton(self)
        self.fold.setProperty("link", True)
        self.fold.clicked.connect(self._turn)
        column_ = QVBoxLayout(self)
        column_.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, column_.setSpacing, 2)
        column_.addWidget(self.table)
        column_.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignLeft)

    @property
    def rows(self) -> int:
        """All rows, folded or not."""
        return self._starts[-1]

    def show_classes(self, theme: Theme, classes: Sequence[Missing]) -> None:
        """Show others, folded."""
        self.theme = theme
        self.table.set_theme(theme)
        self._classes = classes
        self._starts = [0, *accumulate(max(1, entry.count) for entry in classes)]
        self._unfolded = False
        self._lay_out()

    def place(self, row: int) -> Place | None:
        """What a row leads to; None for a class that leads to nothing that is kept."""
        entry, number = self._entry(row)
        return entry.places[number] if entry.places else None

    def _entry(self, row: int) -> tuple[Missing, int]:
        at = bisect_right(self._starts, row) - 1
        return self._classes[at], row - self._starts[at]

    def _lay_out(self) -> None:
        rows = self.rows if self._unfolded else min(self.rows, FOLDED)
        self.model.set_rows(rows)
        keep_rows(self.theme, self.table, min(rows, MOST_ROWS), ROW, HEADER)
        self.fold.setVisible(self.rows > FOLDED)
        words = self.tr("Show fewer") if self._unfolded else self.tr("Show all {count}")
        self.fold.setText(words.format(count=count(self.rows)))

    def _turn(self) -> None:
        self._unfolded = not self._unfolded
        self._lay_out()

    def words(self, row: int, column: int) -> str:
        """All that a cell stands for: the whole name, the whole path."""
        entry, number = self._entry(row)
        if column == 0:
            return entry.name
        if not entry.places:
            return self.tr("in nothing that is kept")
        return shown_short(entry.places[number].path) or self.tr("the root")

    def cell(self, row: int, column: int) -> Cell:
        """What a cell shows."""
        entry, number = self._entry(row)
        if column == 0:
            return self._class_cell(entry) if number == 0 else Cell()
        words = self.words(row, column)
        if not entry.places:
            return Cell((Piece(words, color="muted"),))
        # The end of a long path tells places apart, so it gives way before that.
        return Cell((Piece(words[-LONGEST:], mono=bool(entry.places[number].path), color="accent", cut="start"),))

    def _class_cell(self, entry: Missing) -> Cell:
        """The name, how often, then its module: the start of a long one gives way."""
        module, _, name = entry.name.rpartition(".")
        pieces = [Piece(name[:LONGEST], mono=True)]
        if entry.count > 1:
            pieces.append(Piece(f"\u00d7\u202f{count(entry.count)}", color="muted", small=True))
        return Cell((*pieces, Piece(module[-LONGEST:], mono=True, color="muted", small=True, cut="start")))

    def _choose(self, index: QModelIndex) -> None:
        place = self.place(index.row())
        if place is not None:
            self.place_chosen.emit(place.value)
