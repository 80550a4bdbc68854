"""Tensors: all tensors of the document in one table that sorts; a click selects one, several can be exported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Final
from weakref import WeakMethod

from PySide6.QtCore import QItemSelection, QModelIndex
from PySide6.QtWidgets import QAbstractItemView, QLabel, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.tensors import window
from viewer.core.tensors.columns import By, place_text, shown_name
from viewer.core.tensors.sorting import ordered
from viewer.core.tensors.tensor import Tensor
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.ui.models.cells import Cell, Piece, mono, number, plain
from viewer.ui.models.damage_words import missing_words
from viewer.ui.models.empty_words import no_tensors
from viewer.ui.models.table_model import RowsModel
from viewer.ui.pane import Area, Pane
from viewer.ui.theme import Theme
from viewer.ui.widgets.rows import RowTable
from viewer.wording import QT_TRANSLATE_NOOP

KEY_TAIL: Final = 5
SET_PLACE: Final = 170
"""Width of the column of places where names of files stand in it."""
SORTING: Final = "sorting"
MANY: Final = 5_000
"""Tensors that are sorted at once."""


class TensorsPane(Pane):
    """Columns: name, dtype, shape, elements, bytes, storage, location, shared."""

    key: ClassVar[str] = "tensors"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("panes", "Tensors")
    icon: ClassVar[str] = "tensor"
    area: ClassVar[Area] = Area.BOTTOM
    order: ClassVar[int] = 2

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._tensors: Sequence[Tensor] = []
        self._quiet = self._is_set = False
        headers = [self.tr("Name"), self.tr("dtype"), self.tr("Shape"), self.tr("Elements"), self.tr("Bytes")]
        headers += [self.tr("Storage"), self.tr("Location"), self.tr("Shared with"), self.tr("State")]
        self.model = RowsModel(headers, self._cell, frozenset({By.ELEMENTS, By.BYTES}), self)
        self.model.sorter = WeakMethod(self._sorted)
        self.table = RowTable(theme, self)
        self.table.setModel(self.model)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setSortingEnabled(True)
        self.table.horizontalHeader().setSortIndicator(-1, self.table.horizontalHeader().sortIndicatorOrder())
        for column, width in enumerate((220, 124, 120, 112, 126, 70, 70, 90, 124)):
            self.table.setColumnWidth(column, theme.px(width))
        self.table.selectionModel().currentRowChanged.connect(self._moved)
        self.table.selectionModel().selectionChanged.connect(self._chosen_changed)
        self.empty = QLabel(self)
        self.empty.setMargin(theme.px(14))
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.table)
        self.pages.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.pages)
        self.show_document()

    @override
    def show_document(self) -> None:
        document = self.session.document
        self._tensors = document.tensors if document is not None else []
        is_set = document is not None and bool(document.files)
        if is_set is not self._is_set:
            self._is_set = is_set
            self.table.setColumnWidth(By.PLACE, self.theme.px(SET_PLACE if is_set else 70))
        self._quiet = True
        self.table.horizontalHeader().setSortIndicator(-1, self.table.horizontalHeader().sortIndicatorOrder())
        self.model.set_rows(len(self._tensors))
        self._quiet = False
        self.badge_changed.emit(f"{len(self._tensors):,}" if self._tensors else "")
        self.pages.setCurrentIndex(0 if self._tensors else 1)
        self.empty.setText(self._empty_words(document))

    @override
    def show_selection(self, selection: Selection) -> None:
        if selection.origin == self.key:
            return
        self._quiet = True
        if selection.tensor is None:
            self.table.clearSelection()
        else:
            order = self.model.order
            row = selection.tensor if order is None else _position(order, selection.tensor)
            index = self.model.index(row, 0)
            self.table.setCurrentIndex(index)
            self.table.scrollTo(index)
        self._quiet = False

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.table.set_theme(theme)

    @override
    def focus_target(self) -> QWidget:
        return self.table

    def chosen(self) -> list[Tensor]:
        """The tensors whose rows are selected, in the document's order."""
        # Qt's own list of selected rows asks for every column of each.
        ranges = self.table.selectionModel().selection()
        parts = (ranges.at(number) for number in range(ranges.count()))
        rows = {self.model.source_row(row) for part in parts for row in range(part.top(), part.bottom() + 1)}
        return [self._tensors[row] for row in sorted(rows)]

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        if current.isValid() and not self._quiet:
            self.session.select_tensor(self._tensors[self.model.source_row(current.row())], self.key)

    def _chosen_changed(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        del selected, deselected
        self.table.viewport().update()

    def _empty_words(self, document: Document | None) -> str:
        if document is None:
            return ""
        title, sentence = no_tensors(document)
        return f"<b>{title}</b><br>{sentence}"

    def _sorted(self, column: int, descending: bool) -> Sequence[int] | None:
        """The order of the rows; of very many it is worked out off the GUI thread, and shown when it is known."""
        if self.session.jobs.is_running(SORTING):
            self.session.cancel(SORTING)
        tensors = self._tensors
        if column < 0:
            return range(len(tensors))
        by = By(column)
        if len(tensors) <= MANY:
            return ordered(tensors, by, descending, Progress())
        self.session.start(SORTING, lambda progress: (tensors, ordered(tensors, by, descending, progress)), self._order)
        return None

    def _order(self, found: tuple[Sequence[Tensor], Sequence[int]]) -> None:
        """Show the rows in the order that was worked out for these tensors."""
        tensors, order = found
        if tensors is self._tensors:
            self._quiet = True
            self.model.set_order(order)
            self._quiet = False
            self.show_selection(replace(self.session.selection, origin=SORTING))

    def _cell(self, row: int, column: int) -> Cell:
        tensor = self._tensors[row]
        if column == By.NAME:
            return Cell((Piece(shown_name(tensor), mono=True),), icon="tensor")
        if column == By.DTYPE:
            return mono(tensor.dtype)
        if column == By.SHAPE:
            return mono(shape_text(tensor.shape))
        if column in (By.ELEMENTS, By.BYTES):
            return number(f"{tensor.elements if column == By.ELEMENTS else window.nbytes(tensor):,}")
        return self._place_cell(tensor, column)

    def _place_cell(self, tensor: Tensor, column: int) -> Cell:
        storage = tensor.storage
        if column == By.PLACE:
            where = place_text(tensor)
            is_short = len(where) <= KEY_TAIL + 1 or self._is_set
            shown = where if is_short else "\u2026" + where[-KEY_TAIL:]
            return Cell((Piece(shown, mono=True, color="muted"),), tooltip=where if shown != where else "")
        if column == By.LOCATION:
            return mono(storage.location if storage is not None else "", "muted")
        if column == By.SHARED:
            return plain(f"{len(tensor.shared_with):,}" if tensor.shared_with else self.tr("no"), "muted")
        if storage is None:
            return plain(tensor.note or tensor.layout, "muted")
        if window.complete(tensor):
            return plain(self.tr("whole"), "muted")
        missing, nbytes = window.missing_bytes(tensor)
        words = self.tr("cut, {0} missing").format(f"{missing:,}") if missing < nbytes else self.tr("missing")
        return Cell((Piece(words, color="error"),), tooltip=missing_words(tensor))


def shape_text(shape: Sequence[int]) -> str:
    """A shape as torch prints it."""
    return "[" + ", ".join(str(size) for size in shape) + "]"


def _position(order: Sequence[int], row: int) -> int:
    try:
        return order.index(row)
    except ValueError:
        return -1
