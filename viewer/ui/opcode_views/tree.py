"""Tree: what builds what; each row holds the opcodes that built it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.document import Document, Pickle
from viewer.core.pickles.opcode_tree import STREAM, OpcodeTree
from viewer.core.summary.held_streams import held_streams
from viewer.core.tensors.tensor import ValueRef
from viewer.session.session import Session
from viewer.ui.models.cells import Cell, Piece, number, plain
from viewer.ui.models.opcode_break import break_cell, break_spoken, is_break
from viewer.ui.models.opcode_cells import (
    BYTES,
    DEPTH,
    MAKES,
    MEMO,
    NAME,
    OFFSET,
    headers,
    name_cell,
    opcode_cell,
    preview,
    spoken,
)
from viewer.ui.models.tree_model import TreeModel
from viewer.ui.opcode_views.base import OpcodeView
from viewer.ui.theme import Theme
from viewer.ui.widgets.open_rows import OpenRows, key_of
from viewer.ui.widgets.rows import RowTree
from viewer.ui.words import as_written, count, hexadecimal, joined, nbytes_of, said
from viewer.wording import QT_TRANSLATE_NOOP
from viewer.wording.rows import ROLES

COLUMNS: Final = (NAME, OFFSET, BYTES, MAKES, DEPTH, MEMO)
WIDTHS: Final = (62, 106, 110, 52, 54)
NEEDS: Final = {DEPTH: 400, BYTES: 520, MAKES: 700}
"""Widths of the view below which columns give their room to the names."""

MARGINS: Final = 20
ROOM: Final = 170


class TreeView(OpcodeView):
    """A tree of rows that exist once they are looked at."""

    key: ClassVar[str] = "tree"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("opcodes", "Tree")
    hint: ClassVar[str] = QT_TRANSLATE_NOOP("opcodes", "Show each value with the opcodes that built it")

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._pickles: list[Pickle] = []
        self._inside: list[Document] = []
        self._opcodes: OpcodeTree | None = None
        self._quiet = False
        self._encoding = "utf-8"
        titles = [self.tr("Opcode and argument"), *(headers()[column] for column in COLUMNS[1:])]
        right = frozenset(COLUMNS.index(column) for column in (OFFSET, DEPTH, MEMO))
        self.model = TreeModel(titles, self._cell, self._opens, right, self)
        self.model.speak(self._spoken)
        self.tree = RowTree(theme, self)
        # A column of code and offsets: from left to right in every language.
        self.tree.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.tree.setModel(self.model)
        self.tree.keep_room(ROOM)
        for column, width in enumerate(WIDTHS, 1):
            self.tree.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            self.tree.setColumnWidth(column, theme.px(width))
        self.tree.selectionModel().currentRowChanged.connect(self._moved)
        self.tree.activated.connect(self._entered)
        self.tree.setAccessibleName(self.tr("Opcodes as a tree"))
        self.open_rows = OpenRows(self.tree, self.model)
        self.open_rows.changed.connect(self.kept_changed)
        self.open_rows.opened.connect(self._opened_again)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tree)

    @property
    @override
    def rows(self) -> QAbstractItemView:
        return self.tree

    @override
    def show_document(self) -> None:
        self.open_rows.leave()
        document = self.session.document
        found = held_streams(document) if document is not None else None
        self._inside = [part for part, _ in found.streams] if found is not None else []
        self._pickles = [pickle for _, pickle in found.streams] if found is not None else []
        own = bool(document is not None and document.pickles)
        streams = [pickle.values for pickle in self._pickles]
        self._opcodes = OpcodeTree(streams, found.held) if found is not None and own else None
        self._encoding = self.session.options.text_encoding
        self._quiet = True
        self.model.set_tree(self._opcodes.tree if self._opcodes is not None else None)
        self._fit_offsets()
        self.tree.forget_depth()
        self._quiet = False
        if document is None or self._opcodes is None or self.open_rows.come(key_of(document)):
            return
        if document.main >= 0 and self._opcodes.own > 1:
            # Open the rows of the object's pickle, so that something is to be seen.
            self.tree.expand(self.model.index_of(self._opcodes.tree.nth(0, document.main)))

    @override
    def kept(self) -> Mapping[str, Any]:
        return {"open": self.open_rows.kept()}

    @override
    def bring_back(self, kept: Mapping[str, Any]) -> None:
        self.open_rows.bring_back(kept.get("open"))

    def _opened_again(self) -> None:
        current = self.tree.currentIndex()
        if current.isValid():
            self.tree.scrollTo(current)

    def _fit_offsets(self) -> None:
        """Half an offset is another offset: the column takes the digits of the last one."""
        last = max((pickle.shown(pickle.span()).stop for pickle in self._pickles), default=0)
        needed = QFontMetrics(self.theme.mono()).horizontalAdvance("0" * len(hexadecimal(last))) + self.theme.px(
            MARGINS
        )
        self.tree.setColumnWidth(COLUMNS.index(OFFSET), max(self.theme.px(WIDTHS[0]), needed))

    @override
    def reveal(self, opcode: ValueRef) -> None:
        if self._opcodes is None or opcode.pickle >= self._opcodes.own:
            return
        node = self._opcodes.node_of(opcode.pickle, opcode.value)
        self._quiet = True
        self.tree.show_node(self.model, node)
        self._quiet = False

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.tree.set_theme(theme)
        self._fit_offsets()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for column, needed in NEEDS.items():
            self.tree.setColumnHidden(COLUMNS.index(column), self.width() < self.theme.px(needed))
        self.tree.keep_room(ROOM)

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        if self._quiet or not current.isValid() or self._opcodes is None:
            return
        node = current.internalId()
        if self._opcodes.tree.page(node) is not None:
            return
        pickle, opcode = self._opcodes.place(node)
        if pickle < self._opcodes.own:
            self.chosen.emit(ValueRef(pickle, max(opcode, 0)))
        else:
            inner = ValueRef(self._pickles[pickle].index, max(opcode, 0))
            self.chosen_inside.emit(self._inside[pickle], inner, False)

    def _entered(self, index: QModelIndex) -> None:
        """A double click or the Enter key: the file in a value opens."""
        node = index.internalId()
        if self._opcodes is None or self._opcodes.tree.page(node) is not None:
            return
        pickle, opcode = self._opcodes.place(node)
        if pickle >= self._opcodes.own:
            self.chosen_inside.emit(self._inside[pickle], ValueRef(self._pickles[pickle].index, max(opcode, 0)), True)

    def _opens(self, node: int) -> bool:
        return self._opcodes is not None and self._opcodes.may_have_children(node)

    def _cell(self, node: int, column: int) -> Cell:
        shown = self._opcodes
        if shown is None:
            return Cell()
        page = shown.tree.page(node)
        if page is not None:
            return (
                Cell((Piece(f"{count(page[0])} \u2026 {count(page[1] - 1)}", color="muted"),))
                if column == 0
                else Cell()
            )
        pickle, opcode = shown.place(node)
        if shown.tree.kinds[node] == STREAM:
            return self._stream_cell(pickle, column)
        if is_break(self._pickles[pickle], opcode):
            return break_cell(self._inside[pickle], self._pickles[pickle], COLUMNS[column], joined=True)
        if column == 0:
            return name_cell(self._pickles[pickle], opcode, preview(self._pickles[pickle], opcode, self._encoding))
        return opcode_cell(self._pickles[pickle], opcode, COLUMNS[column], self._encoding)

    def _spoken(self, node: int, column: int) -> str:
        """What a screen reader is told of the row of an opcode."""
        shown = self._opcodes
        if column or shown is None or shown.tree.page(node) is not None or shown.tree.kinds[node] == STREAM:
            return ""
        pickle, opcode = shown.place(node)
        if is_break(self._pickles[pickle], opcode):
            return break_spoken(self._inside[pickle], self._pickles[pickle])
        return spoken(self._pickles[pickle], opcode, self._encoding)

    def _stream_cell(self, number_of: int, column: int) -> Cell:
        """The row of a whole pickle; of one in a value with how it lies there."""
        pickle, inside = self._pickles[number_of], self._inside[number_of]
        if column == 0:
            name = (
                (said(ROLES[pickle.role]) if pickle.role in ROLES else pickle.role)
                or pickle.record
                or self.tr("pickle")
            )
            if self._opcodes is not None and number_of >= self._opcodes.own:
                how = as_written(inside.how)
                name = how if len(inside.pickles) == 1 else joined((how, name))
            opcodes = self.tr("{count} opcodes").format(count=count(len(pickle.code)))
            return Cell((Piece(name, bold=True), Piece(opcodes, color="muted")), icon="pickle")
        if COLUMNS[column] == OFFSET:
            return number(hexadecimal(pickle.shown(pickle.span()).start), "muted")
        return plain(nbytes_of(pickle.span().length), "muted") if COLUMNS[column] == BYTES else Cell()
