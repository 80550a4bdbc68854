"""Space: where the bytes of the file go, as a map and an account; what is wasted, and what a compact export weighs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from PySide6.QtCore import QItemSelection, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.core.document import Document
from viewer.core.progress import Progress
from viewer.core.space.account import What
from viewer.core.space.nodes import By, Kind, Node, Nodes
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.session.space import space_of
from viewer.ui.measures import keep_lengths, keep_text
from viewer.ui.models.cells import Cell, Piece, number
from viewer.ui.models.space_words import COLORS, head_of, title_of, waste_words
from viewer.ui.models.table_model import RowsModel
from viewer.ui.models.tensor_cells import SWATCH, share_cell
from viewer.ui.pane import Pane
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import IconButton
from viewer.ui.widgets.rows import RowTable
from viewer.ui.widgets.segments import Segment, Segments
from viewer.ui.widgets.split import Split
from viewer.ui.widgets.treemap import Treemap
from viewer.ui.widgets.when_seen import WhenSeen
from viewer.ui.words import count, nbytes_of, said
from viewer.wording.space import MISSING, SPACE

JOB: Final = "space"
WIDE: Final = 620
"""Width below which the account has no room beside the map."""
TALL: Final = 420
"""Height below which the account has no room under the map either, so it stands beside it."""
ACCOUNT: Final = 420
LEAST: Final = 80
"""Height and width that the map keeps."""


class SpacePane(Pane):
    """A map of rectangles and a table beside it; the sentence on waste under the table."""

    key: ClassVar[str] = "space"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._document: Document | None = None
        self.nodes: Nodes | None = None
        self._path: list[Node] = []
        self._heads: list[tuple[What | None, int]] = []
        self._missing = -1
        self._later = WhenSeen(self, self._work_out)
        self.pages = QStackedWidget(self)
        whole = QWidget(self.pages)
        self.split = Split(Qt.Orientation.Horizontal, whole)
        left, right = QWidget(self.split), QWidget(self.split)
        self.map = Treemap(theme, left)
        keep_lengths(theme, self.map.setMinimumSize, LEAST, LEAST)
        self.map.chosen.connect(self._choose)
        self.map.entered.connect(self.look_into)
        self.map.left.connect(self.look_around)
        self.by = Segments(
            (
                Segment(By.BRANCH, self.tr("By branch"), self.tr("Group the tensors by their names")),
                Segment(By.STORAGE, self.tr("By storage"), self.tr("Show each storage, with what is wasted of it")),
            ),
            self.tr("What the map is grouped by"),
            self,
        )
        self.by.chosen.connect(lambda: self._show_top())
        self.by.chosen.connect(self.kept_changed)
        self.out = IconButton(theme, "back", self.tr("Look at what is around"), self)
        self.out.clicked.connect(self.look_around)
        self.crumbs = QLabel(whole)
        self.crumbs.setTextFormat(Qt.TextFormat.RichText)
        self.crumbs.linkActivated.connect(lambda link: self._back_to(int(link)))
        headers = [self.tr("What"), self.tr("Bytes"), self.tr("Share")]
        self.model = RowsModel(headers, self._cell, frozenset({1, 2}), self)
        self.table = RowTable(theme, right)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Space"))
        self.table.selectionModel().selectionChanged.connect(self._row_chosen)
        self.waste = QLabel(whole)
        self.waste.setWordWrap(True)
        self.waste.setProperty("muted", True)
        keep_text(theme, self.waste, "small")
        self.compact = QPushButton(self.tr("Export compact…"), whole)
        self.compact.setToolTip(self.tr("Write the elements in use and nothing else"))
        self.compact.clicked.connect(self._export)
        self.empty = QLabel(self.pages)
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out(theme, whole, left, right)
        self.show_document()

    def _lay_out(self, theme: Theme, whole: QWidget, left: QWidget, right: QWidget) -> None:
        px = theme.px
        header = self.table.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(1, px(104))
        self.table.setColumnWidth(2, px(124))
        column = QVBoxLayout(left)
        keep_lengths(theme, column.setContentsMargins, 12, 0, 4, 8)
        column.addWidget(self.map, 1)
        account = QVBoxLayout(right)
        account.setContentsMargins(0, 0, 0, 0)
        account.setSpacing(0)
        account.addWidget(self.table, 1)
        self.split.addWidget(left)
        self.split.addWidget(right)
        self.split.setStretchFactor(0, 1)
        self.split.setStretchFactor(1, 0)
        self.split.setSizes([px(900), px(ACCOUNT)])
        line = QHBoxLayout()
        keep_lengths(theme, line.setContentsMargins, 12, 2, 12, 2)
        keep_lengths(theme, line.setSpacing, 12)
        line.addWidget(self.crumbs)
        line.addWidget(self.waste, 1)
        line.addWidget(self.compact)
        rows = QVBoxLayout(whole)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addLayout(line)
        rows.addWidget(self.split, 1)
        self.pages.addWidget(whole)
        self.pages.addWidget(self.empty)
        keep_lengths(theme, self.empty.setMargin, 14)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.pages)

    # -- the pane ---------------------------------------------------------------------------------

    @override
    def header_widgets(self) -> list[QWidget]:
        return [self.by, self.out]

    @override
    def focus_target(self) -> QWidget:
        return self.map

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.map.set_theme(theme)
        self.map.setMinimumSize(theme.px(LEAST), theme.px(LEAST))
        self.table.set_theme(theme)
        self.out.set_theme(theme)
        self.waste.setFont(theme.text("small"))
        self._show_crumbs()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= self.theme.px(WIDE) or self.height() < self.theme.px(TALL)
        way = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self.split.orientation() is not way:
            self.split.setOrientation(way)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._later.ask()

    @override
    def kept(self) -> Mapping[str, Any]:
        return {"by": self.by.current}

    @override
    def bring_back(self, kept: Mapping[str, Any]) -> None:
        if kept.get("by") in list(By):
            self.by.set_current(By(kept["by"]))
            self._show_top()

    @override
    def show_document(self) -> None:
        document = self.session.document
        if document is self._document and self.nodes is not None:
            return
        if self.session.jobs.is_running(JOB):
            self.session.cancel(JOB)
        self._document, self.nodes = None, None
        self._show(None)
        self._later.ask()

    @override
    def show_selection(self, selection: Selection) -> None:
        tensor = selection.tensor
        self.map.mark((Kind.TENSOR, tensor) if tensor is not None else None)

    # -- the account ------------------------------------------------------------------------------

    def _work_out(self) -> None:
        """Begin, once for each document; again where it was stopped."""
        document = self.session.document
        is_begun = self.nodes is not None or self.session.jobs.is_running(JOB)
        if document is None or (document is self._document and is_begun):
            return
        self._document = document

        def work(progress: Progress) -> Nodes:
            return space_of(document, progress)

        self.session.start(JOB, work, self._show)

    def _show(self, nodes: Nodes | None) -> None:
        self.nodes = nodes
        has_bytes = nodes is not None and nodes.account.size > 0
        self.pages.setCurrentIndex(0 if has_bytes or nodes is None else 1)
        title, sentence = self.tr("This file is empty"), self.tr("It has 0 bytes.")
        self.empty.setText(f"<b>{title}</b><br>{sentence}")
        self._heads = []
        if nodes is not None:
            sums = sorted(nodes.account.sums.items(), key=lambda one: -one[1])
            self._heads = [(what, nbytes) for what, nbytes in sums if nbytes]
            self._heads.append((None, nodes.account.size))
            self._missing = len(self._heads) if nodes.account.missing else -1
            if nodes.account.missing:
                self._heads.append((None, nodes.account.missing))
        self.model.set_rows(len(self._heads))
        self.waste.setText(waste_words(nodes.account) if nodes is not None else "")
        self.compact.setVisible(nodes is not None and nodes.account.waste > 0)
        self._show_top()

    def _cell(self, row: int, column: int) -> Cell:
        what, nbytes = self._heads[row]
        total = self.nodes.account.size if self.nodes is not None else 0
        if column == 1:
            return number(count(nbytes))
        if column == 2:
            if row == self._missing:
                return Cell()
            return share_cell(nbytes, total)
        if row == self._missing:
            title, sentence = (said(text) for text in MISSING)
            return Cell((Piece(SWATCH, chip="gap", whole=True), Piece(title)), tooltip=sentence, spoken=title)
        if what is None:
            return Cell((Piece(self.tr("In the file"), bold=True),))
        swatch = Piece(SWATCH, chip=COLORS.get(what, "float32"), whole=True)
        return Cell((swatch, Piece(head_of(what))), tooltip=said(SPACE[what][1]), spoken=head_of(what))

    def _row_chosen(self, selected: QItemSelection) -> None:
        """Look at the bytes of a head alone; the last row is the whole."""
        # Not the current row: a table makes its first one that when Tab comes to it, and nobody chose it.
        if selected.isEmpty() or self.nodes is None or not self._path:
            return
        what = self._heads[selected.at(0).top()][0]
        groups = self.nodes.children(self._path[0])
        wanted = What.TENSORS if what is What.SHARED else what
        group = next((one for one in groups if one.what is wanted), None)
        self._path = self._path[:1] if group is None or what is None else [self._path[0], group]
        self._show_path()

    # -- looking into it --------------------------------------------------------------------------

    def look_into(self, node: Node) -> None:
        """Show what is in a node, which may lie several frames deeper."""
        if self.nodes is None or not self._path:
            return
        way = self._way(self._path[-1], node)
        if way:
            self._path += way
            self._show_path()

    def look_around(self) -> None:
        """Show what is around."""
        if len(self._path) > 1:
            self._path.pop()
            self._show_path()

    def _way(self, top: Node, node: Node) -> list[Node]:
        """The nodes from one below `top` to `node`, by the frames that are drawn."""
        tiles = self.map.tiles
        at = next((at for at, tile in enumerate(tiles) if tile.node == node and not tile.merged), -1)
        way: list[Node] = []
        while at >= 0:
            way.append(tiles[at].node)
            at = tiles[at].parent
        return way[::-1]

    def _show_top(self) -> None:
        self._path = [self.nodes.root(By(self.by.current))] if self.nodes is not None else []
        self._show_path()

    def _back_to(self, depth: int) -> None:
        self._path = self._path[: depth + 1]
        self._show_path()

    def _show_path(self) -> None:
        self.map.show_node(self.nodes, self._path[-1] if self._path else None)
        self.out.setEnabled(len(self._path) > 1)
        self._show_crumbs()

    def _show_crumbs(self) -> None:
        """Where in the tree the map is, each part a way back, and how many bytes that are."""
        accent = self.theme.color("accent").name()
        parts = []
        for depth, node in enumerate(self._path):
            text = title_of(node)[0].replace("&", "&amp;").replace("<", "&lt;")
            last = depth == len(self._path) - 1
            link = f'<a href="{depth}" style="color:{accent}">{text}</a>'
            parts.append(f"<b>{text}</b>" if last else link)
        size = nbytes_of(self._path[-1].nbytes) if self._path else ""
        self.crumbs.setText(" \u203a ".join(parts) + (f" \u2003{size}" if size else ""))

    def _export(self) -> None:
        """Ask for all tensors without what is wasted."""
        if self._document is not None:
            self.export_asked.emit(self._document.tensors, True)

    # -- selecting --------------------------------------------------------------------------------

    def _choose(self, node: Node) -> None:
        """Select what a rectangle stands for: the tensor, or the bytes."""
        document = self.session.document
        if document is None or self.nodes is None:
            return
        if node.kind is Kind.TENSOR and 0 <= node.number < len(document.tensors):
            self.session.select_tensor(document.tensors[node.number], self.key)
        elif node.span is not None:
            self.session.select_bytes((node.span,), self.key, node.member)
