"""Opcodes: the streams of the document as a tree of what builds what, or as a flat table in stream order."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from functools import partial
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QModelIndex, Qt, QTimer
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QLabel, QLineEdit, QStackedWidget, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.document import Pickle
from viewer.core.pickles.finding import find_opcodes
from viewer.core.pickles.opcode_tree import STREAM, OpcodeTree
from viewer.core.progress import Progress
from viewer.core.tensors.tensor import ValueRef
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.ui.models import opcode_links
from viewer.ui.models.cells import Cell, Piece, number
from viewer.ui.models.opcode_cells import table_cell, tree_cell
from viewer.ui.models.table_model import RowsModel
from viewer.ui.models.tree_model import TreeModel
from viewer.ui.pane import Area, Pane
from viewer.ui.theme import Theme
from viewer.ui.widgets.rows import RowTable, RowTree
from viewer.wording import QT_TRANSLATE_NOOP

TYPING_PAUSE_MS: Final = 150
NARROW: Final = 440
FILTER_JOB: Final = "opcode filter"


class OpcodesPane(Pane):
    """Tree or Stream of the same opcodes; a filter lists those that match in the table."""

    key: ClassVar[str] = "opcodes"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("panes", "Opcodes")
    icon: ClassVar[str] = "pickle"
    area: ClassVar[Area] = Area.STRUCTURE
    order: ClassVar[int] = 1

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._pickles: list[Pickle] = []
        self._starts: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self._opcodes: OpcodeTree | None = None
        self._quiet = False
        right = frozenset({1, 2, 3, 4})
        headers = [
            self.tr("Opcode and argument"),
            self.tr("Offset"),
            self.tr("Bytes"),
            self.tr("Depth"),
            self.tr("Memo"),
        ]
        self.tree_model = TreeModel(headers, self._tree_cell, self._opens, right, self)
        columns = [self.tr("Offset"), self.tr("Opcode"), self.tr("Argument"), self.tr("Depth"), self.tr("Memo")]
        self.table_model = RowsModel([*columns, self.tr("What it does")], self._table_cell, frozenset({0, 3, 4}), self)
        self.tree = RowTree(theme, self)
        self.table = RowTable(theme, self)
        self._switch = self._make_switch()
        self._build()
        self._add_link_actions()
        self.show_document()

    # -- widgets ----------------------------------------------------------------------------------

    def _build(self) -> None:
        self.filter = QLineEdit(self)
        self.filter.setPlaceholderText(self.tr("Filter by opcode, argument or offset"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._typed)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE_MS)
        self._pause.timeout.connect(self._apply_filter)
        self.tree.setModel(self.tree_model)
        self.tree.keep_room(170)
        for column, width in ((1, 62), (2, 60), (3, 52), (4, 54)):
            self.tree.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            self.tree.setColumnWidth(column, self.theme.px(width))
        self.tree.selectionModel().currentRowChanged.connect(self._tree_moved)
        self.table.setModel(self.table_model)
        for column, width in ((0, 84), (1, 130), (2, 220), (3, 56), (4, 64)):
            self.table.setColumnWidth(column, self.theme.px(width))
        self.table.selectionModel().currentRowChanged.connect(self._table_moved)
        self.empty = QLabel(self)
        self.empty.setWordWrap(True)
        self.empty.setMargin(self.theme.px(12))
        self.views = QStackedWidget(self)
        for view in (self.tree, self.table, self.empty):
            self.views.addWidget(view)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(_padded(self.filter, self.theme))
        layout.addWidget(self.views)

    def _make_switch(self) -> QToolButton:
        switch = QToolButton(self)
        switch.setCheckable(True)
        switch.setText(self.tr("Stream"))
        switch.setToolTip(self.tr("List all opcodes in the order of the stream"))
        switch.toggled.connect(self._show_mode)
        return switch

    @override
    def header_widgets(self) -> list[QWidget]:
        return [self._switch]

    @override
    def focus_target(self) -> QWidget:
        return self.views.currentWidget() or self

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        return opcode_links.commands(self.session)

    def _add_link_actions(self) -> None:
        """The menu of a row. The keys of its lines are the window's, which asks this pane."""
        self.link_actions: dict[str, QAction] = {}
        for name, spec in opcode_links.LINKS.items():
            action = self.link_actions[name] = QAction(spec.text, self)
            action.triggered.connect(partial(self._follow, name))
        for view in (self.tree, self.table):
            view.addActions([*self.link_actions.values()])
            view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.session.selection_changed.connect(self._enable_links)
        self._enable_links()

    def _enable_links(self) -> None:
        able = self.commands()
        for name, action in self.link_actions.items():
            action.setEnabled(name in able)

    def _follow(self, name: str) -> None:
        act = self.commands().get(name)
        if act is not None:
            act()

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.tree.set_theme(theme)
        self.table.set_theme(theme)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < self.theme.px(NARROW)
        for column in (2, 3):
            self.tree.setColumnHidden(column, narrow)
        self.tree.keep_room(170)

    # -- document and selection -------------------------------------------------------------------

    @override
    def show_document(self) -> None:
        document = self.session.document
        self._pickles = list(document.pickles) if document is not None else []
        counts = [len(pickle.code) for pickle in self._pickles]
        self._starts = np.cumsum([0, *counts])
        self._opcodes = OpcodeTree([pickle.values for pickle in self._pickles]) if self._pickles else None
        self._quiet = True
        self.tree_model.set_tree(self._opcodes.tree if self._opcodes is not None else None)
        self.tree.forget_depth()
        self.table_model.set_rows(int(self._starts[-1]))
        self._quiet = False
        total = int(self._starts[-1])
        self.badge_changed.emit(f"{total:,}" if total else "")
        self._show_mode()
        if document is not None and document.main >= 0 and self._opcodes is not None:
            self._open_main(document.main)

    @override
    def show_selection(self, selection: Selection) -> None:
        if selection.origin == self.key or selection.opcode is None or self._opcodes is None:
            return
        if selection.opcode.pickle >= len(self._pickles):
            return
        self._quiet = True
        if self.views.currentWidget() is self.tree:
            self._reveal_in_tree(selection.opcode)
        elif self.views.currentWidget() is self.table:
            self._reveal_in_table(selection.opcode)
        self._quiet = False

    def _open_main(self, pickle: int) -> None:
        """Open the rows of the object's pickle one level, so that something is to be seen."""
        assert self._opcodes is not None
        tree = self._opcodes.tree
        if len(self._pickles) > 1:
            self.tree.expand(self.tree_model.index_of(tree.nth(0, pickle)))

    def _reveal_in_tree(self, opcode: ValueRef) -> None:
        assert self._opcodes is not None
        node = self._opcodes.node_of(opcode.pickle, opcode.value)
        for above in self._opcodes.tree.path_to(node)[:-1]:
            self.tree.expand(self.tree_model.index_of(above))
        index = self.tree_model.index_of(node)
        self.tree.setCurrentIndex(index)
        self.tree.scrollTo(index)

    def _reveal_in_table(self, opcode: ValueRef) -> None:
        row = int(self._starts[opcode.pickle]) + opcode.value
        order = self.table_model.order
        if order is not None:
            row = int(np.searchsorted(np.asarray(order), row))
            if row >= len(order):
                return
        index = self.table_model.index(row, 0)
        self.table.setCurrentIndex(index)
        self.table.scrollTo(index)

    # -- what the person does ---------------------------------------------------------------------

    def _tree_moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        if self._quiet or not current.isValid() or self._opcodes is None:
            return
        node = current.internalId()
        if self._opcodes.tree.page(node) is not None:
            return
        pickle, opcode = self._opcodes.place(node)
        self.session.select_opcode(ValueRef(pickle, max(opcode, 0)), self.key)

    def _table_moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        if self._quiet or not current.isValid():
            return
        self.session.select_opcode(self._place(self.table_model.source_row(current.row())), self.key)

    def _show_mode(self) -> None:
        if not self._pickles:
            self.empty.setText(self._empty_words())
            self.views.setCurrentWidget(self.empty)
        else:
            stream = self._switch.isChecked() or bool(self.filter.text().strip())
            self.views.setCurrentWidget(self.table if stream else self.tree)
        self.filter.setEnabled(bool(self._pickles))
        self.show_selection(Selection(opcode=self.session.selection.opcode))

    def _empty_words(self) -> str:
        if self.session.document is None:
            return ""
        title = self.tr("No pickle in this file")
        return f"<b>{title}</b><br>" + self.tr("Its names and shapes do not stand in a pickle.")

    def _typed(self) -> None:
        self._pause.start()

    def _apply_filter(self) -> None:
        text = self.filter.text().strip()
        if not text:
            self.session.cancel(FILTER_JOB)
            self.table_model.set_order(None)
            self._show_mode()
            return
        pickles, starts = self._pickles, self._starts

        def work(progress: Progress) -> npt.NDArray[np.int64]:
            found = [
                find_opcodes(pickle.code, text, progress, pickle.base or 0) + starts[number]
                for number, pickle in enumerate(pickles)
            ]
            return np.concatenate(found)

        self.session.start(FILTER_JOB, work, self._filtered)

    def _filtered(self, rows: npt.NDArray[np.int64]) -> None:
        self._quiet = True
        self.table_model.set_order(rows.data)
        self._quiet = False
        if len(rows):
            self._show_mode()
            return
        words = self.tr("Nothing matches \u201c{text}\u201d").format(text=self.filter.text().strip())
        self.empty.setText(f"<b>{html.escape(words)}</b>")
        self.views.setCurrentWidget(self.empty)

    # -- cells ------------------------------------------------------------------------------------

    def _place(self, row: int) -> ValueRef:
        pickle = int(np.searchsorted(self._starts, row, side="right")) - 1
        return ValueRef(pickle, row - int(self._starts[pickle]))

    def _opens(self, node: int) -> bool:
        return self._opcodes is not None and self._opcodes.may_have_children(node)

    def _tree_cell(self, node: int, column: int) -> Cell:
        shown, document = self._opcodes, self.session.document
        if shown is None or document is None:
            return Cell()
        page = shown.tree.page(node)
        if page is not None:
            return Cell((Piece(f"{page[0]:,} \u2026 {page[1] - 1:,}", color="muted"),)) if column == 0 else Cell()
        pickle, opcode = shown.place(node)
        if shown.tree.kinds[node] == STREAM:
            return self._stream_cell(self._pickles[pickle], column)
        return tree_cell(self._pickles[pickle], shown.nestings[pickle], opcode, column)

    def _stream_cell(self, pickle: Pickle, column: int) -> Cell:
        if column == 0:
            name = pickle.role or pickle.record or self.tr("pickle")
            opcodes = self.tr("{count} opcodes").format(count=f"{len(pickle.code):,}")
            return Cell((Piece(name, bold=True), Piece(opcodes, color="muted")), icon="pickle")
        if column == 1:
            return number(f"{pickle.shown(pickle.span()).start:X}", "muted")
        return number(f"{pickle.span().length:,}", "muted") if column == 2 else Cell()

    def _table_cell(self, row: int, column: int) -> Cell:
        place = self._place(row)
        return table_cell(self._pickles[place.pickle], place.value, column)


def _padded(widget: QWidget, theme: Theme) -> QWidget:
    """A field with the margins of a filter bar."""
    holder = QWidget()
    layout = QVBoxLayout(holder)
    layout.setContentsMargins(theme.px(8), theme.px(4), theme.px(8), theme.px(4))
    layout.addWidget(widget)
    return holder
