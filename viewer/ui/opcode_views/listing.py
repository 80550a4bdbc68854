"""Listing: the pickles as statements, in the order in which Python would do them; each line knows its opcodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QLabel, QStackedLayout, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.progress import Progress
from viewer.core.tensors.tensor import ValueRef
from viewer.session.session import Session
from viewer.ui.measures import keep_lengths
from viewer.ui.models.cells import Cell, number
from viewer.ui.models.listing_lines import ListingLines, make_lines
from viewer.ui.models.table_model import RowsModel
from viewer.ui.opcode_views.base import OpcodeView
from viewer.ui.theme import Theme
from viewer.ui.widgets.code_colours import tokens_of
from viewer.ui.widgets.code_rows import CodeTable, code_cell
from viewer.ui.widgets.listing_foot import ListingFoot
from viewer.ui.widgets.rows import copy_text
from viewer.ui.words import count, hexadecimal
from viewer.wording import QT_TRANSLATE_NOOP

JOB: Final = "listing"
SAVE: Final = "file.export_listing"
OFFSET, STATEMENT = 0, 1
MOST_COPIED: Final = 20_000
"""Lines that are put on the clipboard at once."""


class ListingView(OpcodeView):
    """A table of two columns: where the bytes of a line begin, and its text."""

    key: ClassVar[str] = "listing"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("opcodes", "Listing")
    hint: ClassVar[str] = QT_TRANSLATE_NOOP("opcodes", "Read the pickle as statements: imports, calls, values")

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.lines: ListingLines | None = None
        self._quiet = False
        self._wanted: ValueRef | None = None
        self.model = RowsModel([self.tr("Offset"), self.tr("Statement")], self._cell, frozenset({OFFSET}), self)
        self.table = CodeTable(theme, STATEMENT, self)
        self.table.setModel(self.model)
        self.table.setColumnWidth(OFFSET, theme.px(84))
        self.table.setAccessibleName(self.tr("The pickle as statements"))
        self.table.selectionModel().currentRowChanged.connect(self._moved)
        self.table.copied.connect(self.copy)
        self.words = QLabel(self)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.words.setWordWrap(True)
        keep_lengths(theme, self.words.setMargin, 12)
        self.foot = ListingFoot(theme, self)
        self.foot.copy.clicked.connect(lambda: self.copy())
        self.foot.save.clicked.connect(lambda: self.asks.emit(SAVE))
        session.progressed.connect(self._progressed)
        self._lay_out()
        self.set_theme(theme)

    def _lay_out(self) -> None:
        self._stack = QStackedLayout()
        self._stack.addWidget(self.words)
        self._stack.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._stack, 1)
        column.addWidget(self.foot)

    @property
    @override
    def rows(self) -> QAbstractItemView:
        return self.table

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        return {"edit.copy_text": self.copy} if self.lines is not None and self.table.hasFocus() else {}

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.table.set_theme(theme)
        self.foot.set_theme(theme)

    # -- document and selection -------------------------------------------------------------------

    @override
    def show_document(self) -> None:
        self._set_lines(None)
        self.session.cancel(JOB)
        document = self.session.document
        if document is None or not document.pickles:
            return
        pickles, encoding = tuple(document.pickles), self.session.options.text_encoding
        self.words.setText(self.tr("The listing is being made."))

        def work(progress: Progress) -> ListingLines:
            # The lexer makes itself at its first use, which takes long.
            tokens_of("v1 = 1")
            return make_lines(document, pickles, encoding, progress)

        self.session.start(JOB, work, self._ready)

    def _ready(self, lines: ListingLines) -> None:
        self._set_lines(lines)
        if self._wanted is not None:
            self.reveal(self._wanted)

    def _progressed(self, key: str, step: object) -> None:
        """The work ended: the lines come next, unless the person stopped it."""
        if key == JOB and step is None:
            self.words.setText(self.tr("The listing was stopped before its end."))

    def _set_lines(self, lines: ListingLines | None) -> None:
        self._quiet = True
        self.lines = lines
        self.model.set_rows(len(lines) if lines is not None else 0)
        self._quiet = False
        self.table.keep_room(lines.letters if lines is not None else 0)
        self._stack.setCurrentWidget(self.table if lines is not None else self.words)
        words = self.tr("{0} lines").format(count(len(lines))) if lines is not None else ""
        self.foot.tell(words, able=lines is not None)

    @override
    def reveal(self, opcode: ValueRef) -> None:
        self._wanted = opcode
        if self.lines is None:
            return
        line = self.lines.line_of(opcode)
        if not 0 <= line < self.model.rowCount():
            return
        self._quiet = True
        index = self.model.index(line, STATEMENT)
        self.table.selectionModel().setCurrentIndex(
            index, QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        )
        self.table.scrollTo(self.model.index(line, OFFSET))
        self._quiet = False

    # -- what the person does ---------------------------------------------------------------------

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        if self._quiet or not current.isValid() or self.lines is None:
            return
        broken = self.lines.break_at(current.row())
        if broken is not None:
            self._wanted = broken
            self.chosen.emit(broken)
            return
        pickle, first, last = self.lines.opcodes(current.row())
        self._wanted = ValueRef(pickle, last)
        self.several_chosen.emit(self._wanted, first)

    def copy(self) -> None:
        """Put the chosen lines on the clipboard, or all where none is chosen; of very many the first 20,000."""
        if self.lines is None:
            return
        chosen = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        lines = chosen or range(len(self.lines))
        copy_text("\n".join(self.lines.text(line) for line in lines[:MOST_COPIED]))

    def _cell(self, row: int, column: int) -> Cell:
        if self.lines is None:
            return Cell()
        if column == STATEMENT:
            return code_cell(self.lines.text(row))
        offset = self.lines.offset(row)
        return number(hexadecimal(offset) if offset is not None else "", "muted")
