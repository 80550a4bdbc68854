"""All hits of a search among bytes: where each stands, what is around it, who owns it. Texts are made when drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHeaderView, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.errors import ViewerError
from viewer.ui.models.cells import Cell, Piece, mono
from viewer.ui.models.table_model import RowsModel
from viewer.ui.widgets.rows import RowTable
from viewer.ui.words import offset

if TYPE_CHECKING:
    from viewer.core.search_bytes.hit_list import HitList
    from viewer.core.source import ByteSource
    from viewer.core.span import Span
    from viewer.ui.theme import Theme

OFFSET, BYTES, TEXT, OWNER = range(4)
BEFORE: Final = 4
SHOWN: Final = 16
WIDTHS: Final = (110, 250, 190)


class ByteHits(QWidget):
    """The table.

    chosen: go to a hit.
        Signal(hit: Span)
    left: the keyboard goes back to the bytes.
        Signal()
    """

    chosen = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme, owner: Callable[[int], str], parent: QWidget | None = None) -> None:
        """`owner`: what owns the byte at an offset, in words."""
        super().__init__(parent)
        self._owner = owner
        self._hits: HitList | None = None
        self._source: ByteSource | None = None
        headers = [self.tr("Offset"), self.tr("Bytes"), self.tr("Text"), self.tr("Owner")]
        self.model = RowsModel(headers, self._cell, parent=self)
        self.table = RowTable(theme, self)
        self.table.setModel(self.model)
        self.table.horizontalHeader().setSectionResizeMode(OWNER, QHeaderView.ResizeMode.Stretch)
        self.table.selectionModel().currentRowChanged.connect(self._moved)
        self.table.setAccessibleName(self.tr("Hits"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.table.set_theme(theme)
        for column, width in enumerate(WIDTHS):
            self.table.setColumnWidth(column, theme.px(width))

    def show_hits(self, hits: HitList | None, source: ByteSource | None) -> None:
        """Show other hits, or more of the same: those that are shown already stay where they are."""
        if hits is not self._hits:
            self._hits, self._source = hits, source
            self.model.set_rows(0)
        self.model.grow(len(hits) if hits is not None else 0)

    def choose(self, number: int) -> None:
        """Show a row as the current one, telling nobody."""
        self.table.selectionModel().blockSignals(True)
        self.table.setCurrentIndex(self.model.index(number, OFFSET))
        self.table.selectionModel().blockSignals(False)
        self.table.viewport().update()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        if current.isValid() and self._hits is not None and current.row() < len(self._hits):
            self.chosen.emit(self._hits[current.row()])

    def _cell(self, row: int, column: int) -> Cell:
        if self._hits is None or row >= len(self._hits):
            return Cell()
        hit = self._hits[row]
        if column == OFFSET:
            return mono(offset(hit.start))
        if column == OWNER:
            return mono(self._owner(hit.start), "muted")
        return self._around(hit, text=column == TEXT)

    def _around(self, hit: Span, *, text: bool) -> Cell:
        """The bytes of a hit between some that stand before and behind it."""
        start = max(0, hit.start - BEFORE)
        shown = min(hit.length, SHOWN - 2 * BEFORE)
        try:
            data = self._source.read(start, hit.start - start + shown + BEFORE) if self._source is not None else b""
        except ViewerError:
            data = b""
        before, inside = data[: hit.start - start], data[hit.start - start :][:shown]
        behind = data[hit.start - start + shown :] if shown == hit.length else b""
        form = as_letters if text else as_digits
        joined = "code" if text else ""
        more = "…" if shown < hit.length else ""
        pieces = [
            Piece(form(before), mono=True, color="muted"),
            Piece(form(inside) + more, mono=True, bold=True, role=joined),
            Piece(form(behind), mono=True, color="muted", role=joined),
        ]
        return Cell(tuple(piece for piece in pieces if piece.text))


def as_digits(data: bytes) -> str:
    """`80 02`."""
    return data.hex(" ").upper()


def as_letters(data: bytes) -> str:
    """ASCII, dots for the rest."""
    return "".join(chr(value) if 0x20 <= value < 0x7F else "·" for value in data)
