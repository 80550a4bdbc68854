"""Tensors: all tensors of the document as a list that sorts, as groups with sums, and what a scan of values found."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final
from weakref import WeakMethod

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.document import Document
from viewer.core.tensors import window
from viewer.core.tensors.columns import By
from viewer.core.tensors.grouping import TENSOR
from viewer.core.tensors.health import Finding
from viewer.core.tensors.tensor import Tensor
from viewer.core.tree import ROOT
from viewer.session.health import HEALTH
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.ui.measures import keep_lengths
from viewer.ui.models.cells import Cell
from viewer.ui.models.drag_loads import Load, load_of_tensors
from viewer.ui.models.empty_words import no_tensors
from viewer.ui.models.shown_tensors import MANY, ShownTensors
from viewer.ui.models.table_model import RowsModel
from viewer.ui.models.tensor_cells import MAXIMUM, MINIMUM, group_cell, summed, sums_of, tensor_cell, totals_words
from viewer.ui.models.tree_model import TreeModel
from viewer.ui.pane import Pane, kept_words
from viewer.ui.theme import Theme
from viewer.ui.widgets.columns import ColumnMenu
from viewer.ui.widgets.drag_out import DragOut
from viewer.ui.widgets.filter_bar import FilterBar
from viewer.ui.widgets.findings_page import FindingsPage
from viewer.ui.widgets.labels import ElidedLabel
from viewer.ui.widgets.open_rows import OpenRows, key_of
from viewer.ui.widgets.rows import sorting
from viewer.ui.widgets.segments import Segment, Segments
from viewer.ui.widgets.tensor_table import GroupsTree, TensorTable, position_in
from viewer.ui.words import count, tensors_of

LOW: Final = 230
"""Height below which the foot gives its room to the rows."""
ROOM: Final = 640
"""Width from which totals stand beside the filter."""
LIST, GROUPS, FINDINGS, EMPTY = range(4)
WAYS: Final = ("list", "groups", "findings")
REORDERED: Final = "reordered"
SCAN: Final = "health"
HELP: Final = "tensor-filter"
FEW: Final = 3
"""Groups that are opened at once."""
LOOKED_AT: Final = 200
"""Tensors by which the width of a column is chosen: those of a set are made when they are looked at."""


class TensorsPane(Pane):
    """A list that sorts, groups with sums, and the findings of a scan; a filter over the first two."""

    key: ClassVar[str] = "tensors"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._tensors: Sequence[Tensor] = []
        self.shown = ShownTensors(session, self)
        self._sums: tuple[int, int, int] | None = None
        self._quiet = self._is_set = False
        self._by: tuple[int, bool] | None = None
        self._make_list(theme)
        self._make_tree(theme)
        self.findings = FindingsPage(theme, self)
        self.findings.chosen.connect(self._finding_chosen)
        self.findings.scan_asked.connect(self._scan_or_stop)
        self.bar = FilterBar(theme, self.tr("Filter tensors"), "*.weight  dtype:bf16  shape:[*,768]  size>1MB", self)
        self.bar.field.textChanged.connect(self.shown.filter)
        self.bar.field.textChanged.connect(self.kept_changed)
        self.bar.offer_help()
        self.bar.help_asked.connect(lambda: self.asks.emit(f"explain.{HELP}"))
        self.shown.told.connect(lambda words, error: self.bar.tell(words, error=error))
        self.bar.left.connect(lambda: self.focus_target().setFocus(Qt.FocusReason.OtherFocusReason))
        self.ways = Segments(
            (
                Segment("list", self.tr("List"), self.tr("One row a tensor; columns sort")),
                Segment("groups", self.tr("Groups"), self.tr("By the parts of their names, with sums")),
                Segment("findings", self.tr("Health"), self.tr("NaN, infinities, zeros and copies, found by a scan")),
            ),
            self.tr("How tensors are shown"),
            self,
        )
        self.ways.chosen.connect(lambda: self._show_way())
        self.ways.chosen.connect(self.kept_changed)
        self._lay_out(theme)
        self.drags = [DragOut(session, view, self._dragged) for view in (self.table, self.tree)]
        for drags in self.drags:
            drags.told.connect(self.message)
        self.shown.changed.connect(self._reorder)
        self.shown.grouped.connect(self._show_groups)
        session.health.changed.connect(self._health_changed)
        self.show_document()

    def _make_list(self, theme: Theme) -> None:
        headers = [self.tr("Name"), self.tr("dtype"), self.tr("Shape"), self.tr("Elements"), self.tr("Bytes")]
        headers += [self.tr("Storage"), self.tr("Location"), self.tr("Shared with"), self.tr("State")]
        headers += [self.tr("Min"), self.tr("Max")]
        self.model = RowsModel(headers, self._cell, frozenset({By.ELEMENTS, By.BYTES, MINIMUM, MAXIMUM}), self)
        self.model.sorter = WeakMethod(self._sorted)
        self.table = TensorTable(theme, self.model, self)
        ColumnMenu(self.table).offer()
        self.table.selectionModel().currentRowChanged.connect(self._moved)
        self.table.selectionModel().selectionChanged.connect(self._chosen_changed)

    def _make_tree(self, theme: Theme) -> None:
        headers = [self.tr("Name"), self.tr("dtype"), self.tr("Shape"), self.tr("Elements"), self.tr("Bytes")]
        headers.append(self.tr("Share"))
        self.groups_model = TreeModel(headers, self._group_cell, self._opens, frozenset({3, 4, 5}), self)
        self.tree = GroupsTree(theme, self.groups_model, self)
        self.open_rows = OpenRows(self.tree, self.groups_model)
        self.open_rows.changed.connect(self.kept_changed)
        self.table.setAccessibleName(self.tr("Tensors"))
        self.tree.setAccessibleName(self.tr("Tensors"))
        self.tree.selectionModel().currentChanged.connect(self._group_moved)
        self.tree.selectionModel().selectionChanged.connect(self._chosen_changed)

    def _lay_out(self, theme: Theme) -> None:
        self.empty = QLabel(self)
        keep_lengths(theme, self.empty.setMargin, 14)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.pages = QStackedWidget(self)
        for page in (self.table, self.tree, self.findings, self.empty):
            self.pages.addWidget(page)
        self.totals = ElidedLabel(parent=self)
        self.totals.setProperty("muted", True)
        self.export = QPushButton(self.tr("Export selection…"), self)
        self.export.setProperty("link", True)
        self.export.clicked.connect(self._export)
        self.foot = QWidget(self)
        line = QHBoxLayout(self.foot)
        keep_lengths(theme, line.setContentsMargins, 12, 2, 8, 2)
        line.addWidget(self.totals)
        line.addStretch(1)
        line.addWidget(self.export)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self.foot)

    # -- the pane ---------------------------------------------------------------------------------

    @override
    def header_widgets(self) -> list[QWidget]:
        return [self.ways]

    @override
    def show_document(self) -> None:
        document = self.session.document
        if self.session.health.running:
            self.session.cancel(HEALTH)
        self.session.health.look_at(document)
        self._tensors = document.tensors if document is not None else []
        is_set = document is not None and bool(document.files)
        if is_set is not self._is_set:
            self._is_set = is_set
            self.table.show_files(is_set)
        self.table.show_states(all(window.complete(one) and not one.note for one in self._tensors[:LOOKED_AT]))
        self._quiet = True
        self.table.forget_order()
        self.model.set_rows(len(self._tensors))
        self._quiet = False
        self._sums = summed(self._tensors, MANY)
        self.badge_changed.emit(count(len(self._tensors)) if self._tensors else "")
        self.empty.setText(self._empty_words(document))
        self.shown.show(self._tensors, self.bar.field.text())
        self._health_changed()
        by, self._by = self._by, None if document is not None else self._by
        if document is not None and by is not None:
            self.table.sort_by(*by)

    @override
    def kept(self) -> Mapping[str, Any]:
        found = {"filter": self.bar.field.text(), "way": self.ways.current, "open": self.open_rows.kept()}
        return {**found, "sort": self._by or self.table.sorted_by()}

    @override
    def bring_back(self, kept: Mapping[str, Any]) -> None:
        self._by = sorting(kept.get("sort"), MINIMUM)
        self.open_rows.bring_back(kept.get("open"))
        self.bar.field.setText(kept_words(kept, "filter"))
        if kept.get("way") in WAYS:
            self.ways.set_current(kept_words(kept, "way"))
            self._show_way()

    @override
    def show_selection(self, selection: Selection) -> None:
        if selection.origin == self.key:
            return
        self._quiet = True
        if selection.tensor is None:
            self.table.clearSelection()
            self.tree.clearSelection()
        else:
            order = self.model.order
            row = selection.tensor if order is None else position_in(order, selection.tensor)
            self.table.setCurrentIndex(self.model.index(row, 0))
            self.table.scrollTo(self.model.index(row, 0))
            self._show_in_tree(selection.tensor)
        self._quiet = False

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        for part in (self.table, self.tree, self.findings, self.bar):
            part.set_theme(theme)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_way()
        self.tree.setColumnHidden(1, self.width() < self.theme.px(LOW * 3))

    @override
    def focus_target(self) -> QWidget:
        return (self.table, self.tree, self.findings.table)[min(self._page(), FINDINGS)]

    @override
    def topic(self) -> str:
        return HELP if self.bar.field.hasFocus() else ""

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        page, views = self._page(), (self.table, self.tree)
        can_copy = page in (LIST, GROUPS) and views[page].selectionModel().hasSelection()
        return {"edit.copy_file": self.drags[page].copy} if can_copy else {}

    def chosen(self) -> list[Tensor]:
        """The tensors whose rows are selected, in the document's order."""
        groups = self.shown.groups
        if self._page() == GROUPS and groups is not None:
            nodes = {self.groups_model.node(index) for index in self.tree.selectionModel().selectedRows()}
            found = {number for node in nodes for number in groups.below(node)}
            return [self._tensors[number] for number in sorted(found)]
        # Qt's own list of selected rows asks for every column of each.
        ranges = self.table.selectionModel().selection()
        parts = (ranges.at(number) for number in range(ranges.count()))
        rows = {self.model.source_row(row) for part in parts for row in range(part.top(), part.bottom() + 1)}
        return [self._tensors[row] for row in sorted(rows)]

    # -- ways to show them ------------------------------------------------------------------------

    def _page(self) -> int:
        return WAYS.index(self.ways.current)

    def _show_way(self) -> None:
        """The list, the groups or the findings; a sentence where there is nothing to show."""
        page = self._page()
        nothing = not self._tensors or (not self.shown.count and page != FINDINGS)
        if nothing and self._tensors:
            title = self.tr("Nothing matches \u201c{0}\u201d").format(html.escape(self.bar.field.text()))
            words = self.tr("{0} rows are hidden.").format(count(len(self._tensors)))
            self.empty.setText(f"<b>{title}</b><br>{words}")
        self.pages.setCurrentIndex(EMPTY if nothing else page)
        self.foot.setVisible(self.height() >= self.theme.px(LOW) and page != FINDINGS and bool(self._tensors))
        self.bar.setVisible(bool(self._tensors) and page != FINDINGS)
        if page == GROUPS and not nothing:
            self.shown.group()
        self._tell_totals()

    def _reorder(self) -> None:
        """Other tensors are shown, or in another order."""
        self._quiet = True
        self.model.set_order(self.shown.order)
        self.open_rows.leave()
        self.groups_model.set_tree(self.shown.groups.tree if self.shown.groups is not None else None)
        self._quiet = False
        self._show_way()
        self.show_selection(replace(self.session.selection, origin=REORDERED))

    def _show_groups(self) -> None:
        groups = self.shown.groups
        if groups is None:
            return
        self._quiet = True
        self.open_rows.leave()
        self.groups_model.set_tree(groups.tree)
        self.tree.forget_depth()
        key = key_of(self.session.document) if self.session.document is not None else ""
        if not self.open_rows.come(f"{key} {self.bar.field.text()}") and groups.tree.count(ROOT) <= FEW:
            for row in range(self.groups_model.rowCount()):
                self.tree.expand(self.groups_model.index(row, 0))
        self._quiet = False
        if self.session.selection.tensor is not None:
            self._show_in_tree(self.session.selection.tensor)

    def _show_in_tree(self, number: int) -> None:
        """Select the row of a tensor, if its groups are shown."""
        groups = self.shown.groups
        node = groups.node_of(number) if groups is not None and self._page() == GROUPS else ROOT
        if groups is None or node == ROOT:
            return
        self._quiet = True
        self.tree.show_node(self.groups_model, node)
        self._quiet = False

    def _sorted(self, column: int, descending: bool) -> None:
        """The order comes when it is known, with `changed`."""
        if not self._quiet:
            self.shown.sort(column, descending=descending)
            self.kept_changed.emit()

    # -- what the person does ---------------------------------------------------------------------

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        if current.isValid() and not self._quiet:
            self.session.select_tensor(self._tensors[self.model.source_row(current.row())], self.key)

    def _group_moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        tree = self.groups_model.tree
        node = self.groups_model.node(current)
        if tree is not None and node != ROOT and tree.kinds[node] == TENSOR and not self._quiet:
            self.session.select_tensor(self._tensors[tree.payloads[node]], self.key)

    def _chosen_changed(self) -> None:
        self.table.viewport().update()
        self._tell_totals()

    def _export(self) -> None:
        chosen = self.chosen()
        if chosen:
            self.export_asked.emit(chosen, False)

    def _dragged(self, index: QModelIndex) -> Load | None:
        """The chosen tensors, which the row under the mouse is one of by now."""
        return load_of_tensors(self.chosen(), self.session.path.stem) if index.isValid() else None

    def _scan_or_stop(self) -> None:
        if self.session.health.running:
            self.session.cancel(HEALTH)
        else:
            self.session.health.begin()

    def _finding_chosen(self, finding: Finding) -> None:
        tensor = self._tensors[finding.tensor]
        self.session.select_tensor(tensor, SCAN, finding.first)

    def _health_changed(self) -> None:
        health = self.session.health
        self.findings.show_health(self._tensors, health.found, running=health.running)
        is_over = health.found is not None and not health.running
        self.table.show_extremes(is_over)
        if is_over and self.bar.field.text():
            self.shown.filter(self.bar.field.text())

    # -- words ------------------------------------------------------------------------------------

    def _tell_totals(self) -> None:
        """Sums of what is selected, else of all that is shown: in the foot, or beside the filter where it is hidden."""
        rows = self.table.selectionModel().selection() if self._page() != GROUPS else None
        many = rows is not None and sum(rows.at(at).height() for at in range(rows.count())) > MANY
        chosen = [] if many else self.chosen()
        self.export.setEnabled(many or bool(chosen))
        if len(chosen) > 1:
            sums = sums_of(chosen)
            words = self.tr("Selected: {0}").format(sums)
        elif self.shown.kept is not None and self.shown.count <= MANY:
            kept = [self._tensors[number] for number in self.shown.kept]
            words = sums_of(kept)
        elif self.shown.kept is None and self._sums is not None:
            words = totals_words(*self._sums)
        else:
            words = tensors_of(self.shown.count)
        self.totals.setText(words)
        if not self.bar.field.text() and self._tensors:
            has_room = not self.foot.isVisibleTo(self) and self.width() >= self.theme.px(ROOM)
            self.bar.tell(words if has_room else "")

    def _empty_words(self, document: Document | None) -> str:
        return "<b>{}</b><br>{}".format(*no_tensors(document)) if document is not None else ""

    def _cell(self, row: int, column: int) -> Cell:
        health = self.session.health.found
        found = health.statistics.get(row) if health is not None else None
        return tensor_cell(self._tensors[row], column, is_set=self._is_set, found=found)

    def _group_cell(self, node: int, column: int) -> Cell:
        return group_cell(self.shown.groups, node, column) if self.shown.groups is not None else Cell()

    def _opens(self, node: int) -> bool:
        tree = self.groups_model.tree
        return tree is not None and tree.kinds[node] != TENSOR
