"""Contents: the container and the objects in it as one tree; a row selects its bytes, a byte opens its row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.summary.contents import Contents
from viewer.core.tensors.tensor import ValueRef
from viewer.core.tree import ROOT
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.ui.models.cells import Cell, Piece, number
from viewer.ui.models.damage_words import missing_words
from viewer.ui.models.drag_loads import Load, load_of_node
from viewer.ui.models.tree_model import TreeModel
from viewer.ui.pane import Pane
from viewer.ui.theme import Theme
from viewer.ui.widgets.cell_painter import MARGIN
from viewer.ui.widgets.drag_out import DragOut
from viewer.ui.widgets.open_rows import OpenRows, key_of
from viewer.ui.widgets.rows import RowTree
from viewer.ui.words import count, joined, of_say
from viewer.ui.words import size as size_words

SIZE_COLUMN: Final = 74
NARROW: Final = 260
ROOM: Final = 110
FEW: Final = 1_000


class ContentsPane(Pane):
    """Name and size of each row."""

    key: ClassVar[str] = "contents"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._quiet = False
        self.model = TreeModel([self.tr("Name"), self.tr("Size")], self._cell, self._opens, frozenset({1}), self)
        self.tree = RowTree(theme, self)
        self.tree.setModel(self.model)
        self.tree.setAccessibleName(self.tr("Contents"))
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        self.tree.setColumnWidth(1, theme.px(SIZE_COLUMN))
        self.tree.keep_room(ROOM)
        self.tree.selectionModel().currentRowChanged.connect(self._moved)
        self.drags = DragOut(session, self.tree, self._dragged)
        self.drags.told.connect(self.message)
        self.tree.clicked.connect(self._opened)
        self.tree.activated.connect(self._opened)
        self.open_rows = OpenRows(self.tree, self.model)
        self.open_rows.changed.connect(self.kept_changed)
        self.open_rows.opened.connect(self._opened_again)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.tree)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.pages)
        self.show_document()

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.tree.set_theme(theme)
        self._fit_sizes()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.tree.setColumnHidden(1, self.width() < self.theme.px(NARROW))
        self.tree.keep_room(ROOM)

    @override
    def focus_target(self) -> QWidget:
        return self.tree

    @override
    def show_document(self) -> None:
        contents = self.session.contents
        if contents is not None and self.model.tree is contents.tree:
            return
        self.open_rows.leave()
        self._quiet = True
        self.model.set_tree(contents.tree if contents is not None else None)
        self.tree.forget_depth()
        self._quiet = False
        if contents is not None:
            self._fit_sizes()
            self._come(contents)
            self.show_selection(self.session.selection)

    @override
    def show_selection(self, selection: Selection) -> None:
        contents = self.session.contents
        if selection.origin == self.key or contents is None or self.model.tree is not contents.tree:
            return
        self._quiet = True
        if selection.node is None:
            self.tree.clearSelection()
        else:
            self.tree.show_node(self.model, selection.node)
        self._quiet = False

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        document = self.session.document
        has_row = document is not None and bool(document.tensors) and self.tree.currentIndex().isValid()
        return {"edit.copy_file": self.drags.copy} if has_row else {}

    def _dragged(self, index: QModelIndex) -> Load | None:
        contents = self.session.contents
        if contents is None or self.model.tree is not contents.tree:
            return None
        node = self.model.node(index)
        return load_of_node(contents, node, self.session.path.stem, self.session.options.encoding)

    def _fit_sizes(self) -> None:
        """Room for the size of the whole document: no number is cut."""
        metrics = QFontMetrics(self.theme.mono())
        room = metrics.horizontalAdvance(count(self._file_size())) + 1 + self.theme.px(2 * MARGIN)
        self.tree.setColumnWidth(1, max(self.theme.px(SIZE_COLUMN), room))
        self.tree.keep_room(ROOM)

    @override
    def kept(self) -> Mapping[str, Any]:
        return {"open": self.open_rows.kept()}

    @override
    def bring_back(self, kept: Mapping[str, Any]) -> None:
        self.open_rows.bring_back(kept.get("open"))

    def _come(self, contents: Contents) -> None:
        """Open the rows that were open when the document was left; at first those that people come for."""
        if not self.open_rows.come(key_of(contents.document)):
            self._open_first(contents)

    def _opened_again(self) -> None:
        """Rows that came in above may have pushed the chosen one out of view."""
        current = self.tree.currentIndex()
        if current.isValid():
            self.tree.scrollTo(current)

    def _open_first(self, contents: Contents) -> None:
        """Open the document, the main pickle and its object, so that people see what they came for."""
        tree = contents.tree
        first = tree.child(ROOT, 0)
        self.tree.expand(self.model.index_of(first))
        document = contents.document
        if document.main < 0:
            return
        root = document.pickles[document.main].values.root
        if root < 0:
            return
        node = contents.node_of_value(ValueRef(document.main, root))
        if node is None:
            return
        for above in tree.path_to(node):
            self.tree.expand(self.model.index_of(above))

    # -- what the person does ---------------------------------------------------------------------

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        if not self._quiet and current.isValid():
            self.session.select_node(current.internalId(), self.key)

    def _opened(self, index: QModelIndex) -> None:
        """A click or the Enter key: a file inside this one opens."""
        contents = self.session.contents
        child = contents.child(index.internalId()) if contents is not None else None
        if child is not None:
            self.session.select_document(child.index, self.key)

    # -- cells ------------------------------------------------------------------------------------

    def _opens(self, node: int) -> bool:
        contents = self.session.contents
        return contents is not None and contents.opens(node)

    def _cell(self, node: int, column: int) -> Cell:
        contents = self.session.contents
        if contents is None:
            return Cell()
        state = contents.state(node)
        if column == 1:
            return self._size_cell(contents, node, state)
        color = "error" if state == "missing" else "warning" if state else "muted"
        icon = {"missing": "error", "cut": "warning"}.get(state) or contents.icon(node)
        label, whole = contents.label(node), contents.tensor(node) is not None
        # Names of one model begin alike.
        cut = "middle" if label.data else "end"
        pieces = [Piece(of_say(label), mono=label.data, bold=contents.tree.parent(node) == ROOT, cut=cut)]
        pieces += [
            Piece(of_say(part), mono=part.data, color="muted", small=part.data, whole=whole)
            for part in contents.details(node)
        ]
        cell = Cell(tuple(piece for piece in pieces if piece.text), icon, color)
        if state:
            cell.spoken = joined((cell.text, self._state_word(state)))
        return cell

    def _size_cell(self, contents: Contents, node: int, state: str) -> Cell:
        if state:
            return Cell(
                (Piece(self._state_word(state), color="error"),), right=True, tooltip=self._missing(contents, node)
            )
        size = contents.size(node)
        if size is None:
            return number("")
        # A file can declare more than it holds, even petabytes; the column has room for what it holds.
        fits = len(count(size)) <= len(count(self._file_size()))
        return number(count(size) if fits else size_words(size))

    def _state_word(self, state: str) -> str:
        return self.tr("missing") if state == "missing" else self.tr("cut")

    def _missing(self, contents: Contents, node: int) -> str:
        tensor = contents.tensor(node)
        return missing_words(tensor) if tensor is not None else ""

    def _file_size(self) -> int:
        document = self.session.document
        if document is None:
            return 0
        return max(document.source.size, *(child.source.size for child in document.children[:FEW]), 0)
