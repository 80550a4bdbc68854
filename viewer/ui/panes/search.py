"""Search results: what the box of the toolbar found in the whole file, by kinds, as it is found."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHeaderView, QLabel, QStackedWidget, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.search.base import NAME, Found
from viewer.session.session import Session
from viewer.ui.command_keys import KEY_NEWS, way_to
from viewer.ui.measures import keep_lengths, keep_mono
from viewer.ui.models.cells import Cell
from viewer.ui.models.hit_cells import OFFSET, OPENS, PLACE, TEXT, HitCells, head_cell
from viewer.ui.models.search_model import HEAD, SearchModel
from viewer.ui.pane import Pane, kept_words
from viewer.ui.theme import Theme
from viewer.ui.widgets.kind_chips import KindChips
from viewer.ui.widgets.labels import IconButton
from viewer.ui.widgets.rows import RowTable
from viewer.ui.widgets.when_seen import WhenSeen
from viewer.ui.widgets.wrapped import WrappedLabel
from viewer.ui.words import count, left_to_right, of_failure, paragraph, said, size
from viewer.wording.search import CUT, FAULTS, UNREAD

NARROW: Final = 420
OFFSET_WIDTH: Final = 90
PLACE_SHARE: Final = 0.36


class SearchPane(Pane):
    """A table of hits, each under its kind; chips to list one kind only. Choosing a row selects it in all panes."""

    key: ClassVar[str] = "search"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._cells = HitCells([], "utf-8")
        self._first_wanted = False
        # What was looked for the last time, until this pane is seen: it reads the whole file.
        self._wanted: Mapping[str, Any] = {}
        self._seen = WhenSeen(self, self._look_again)
        headers = [self.tr("Found"), self.tr("Where"), self.tr("Offset")]
        self.model = SearchModel(headers, self._cell, frozenset({OFFSET}), self)
        self.table = RowTable(theme, self)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Search results"))
        self.table.horizontalHeader().setStretchLastSection(False)
        self.table.horizontalHeader().setSectionResizeMode(TEXT, QHeaderView.ResizeMode.Stretch)
        self.table.selectionModel().currentRowChanged.connect(self._moved)
        self.table.doubleClicked.connect(self._open)
        self.table.installEventFilter(self)
        self.chips = KindChips(theme, self)
        self.chips.chosen.connect(self._show_kind)
        self.chips.chosen.connect(self.kept_changed)
        self.notes = WrappedLabel(parent=self)
        self.empty = QLabel(self)
        self.empty.setWordWrap(True)
        keep_lengths(theme, self.empty.setMargin, 14)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.case = self._switch("Aa", self.tr("Capitals and small letters differ"))
        self.expression = self._switch(".*", self.tr("Regular expression"))
        self.export_button = IconButton(theme, "export", self.tr("Export the tensors found…"), self)
        self.export_button.clicked.connect(lambda: self.asks.emit("file.export_found"))
        self._lay_out()
        session.search.began.connect(self._begin)
        session.search.found.connect(self._add)
        session.search.ended.connect(self._end)
        KEY_NEWS.changed.connect(self._tell_keys)
        self._begin()
        self._end()

    def _lay_out(self) -> None:
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.table)
        self.pages.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.notes)
        column.addWidget(self.chips)
        column.addWidget(self.pages, 1)

    def _switch(self, text: str, words: str) -> QToolButton:
        switch = QToolButton(self)
        switch.setCheckable(True)
        switch.setText(left_to_right(text))
        switch.setToolTip(words)
        switch.setAccessibleName(words)
        keep_mono(self.theme, switch)
        switch.clicked.connect(self._switched)
        return switch

    @override
    def header_widgets(self) -> list[QWidget]:
        return [self.export_button, self.case, self.expression]

    @override
    def focus_target(self) -> QWidget:
        return self.table

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.table.set_theme(theme)
        self.export_button.set_theme(theme)
        for switch in (self.case, self.expression):
            switch.setFont(theme.mono())
        self._tell()
        self._fit()

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        if not self.model.rowCount():
            return {}
        following, before = partial(self.step, 1), partial(self.step, -1)
        return {
            "go.next_hit": following,
            "go.previous_hit": before,
            "edit.find_next": following,
            "edit.find_previous": before,
        }

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Where room lacks, what was found goes before where it is."""
        px = self.theme.px
        self.table.setColumnHidden(PLACE, self.width() < px(NARROW))
        self.table.setColumnWidth(PLACE, round(PLACE_SHARE * self.width()))
        self.table.setColumnWidth(OFFSET, px(OFFSET_WIDTH))

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._seen.ask()

    @override
    def kept(self) -> Mapping[str, Any]:
        search = self.session.search
        if self._wanted or not search.text:
            return self._wanted
        kind = self.chips.wanted or self.chips.kind
        return {"text": search.text, "case": search.match_case, "expression": search.expression, "kind": kind}

    @override
    def bring_back(self, kept: Mapping[str, Any]) -> None:
        if kept_words(kept, "text") and not self.session.search.text:
            self._wanted = {name: kept.get(name) for name in ("text", "case", "expression", "kind")}
            self._seen.ask()

    def _look_again(self) -> None:
        wanted, self._wanted = self._wanted, {}
        if wanted:
            self.chips.want(kept_words(wanted, "kind"))
            text, case = kept_words(wanted, "text"), wanted["case"] is True
            self.session.search.look(text, match_case=case, expression=wanted["expression"] is True)

    # -- what the person does ---------------------------------------------------------------------

    def step(self, step: int) -> None:
        """Choose the next hit (1) or the one before (-1), round the end; of a search that runs the first to come."""
        current = self.table.currentIndex()
        at = current.row() if current.isValid() else min(0, -step)
        row = self.model.next_hit(at, step)
        self._first_wanted = row < 0 and self.session.search.running
        if row >= 0:
            self._choose(row)

    def enter(self) -> None:
        """Give the keyboard to the hits."""
        if not self.table.currentIndex().isValid():
            self.step(1)
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose(self, row: int) -> None:
        index = self.model.index(row, TEXT)
        self.table.setCurrentIndex(index)
        # The row of the group is seen together with its first hit.
        if row and self.model.hit(row - 1) is None:
            self.table.scrollTo(self.model.index(row - 1, TEXT))
        self.table.scrollTo(index)

    def _switched(self) -> None:
        search = self.session.search
        search.look(search.text, match_case=self.case.isChecked(), expression=self.expression.isChecked())

    def _show_kind(self, kind: str) -> None:
        self.model.show_only(kind)

    def _moved(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        hit = self.model.hit(current.row()) if current.isValid() else None
        if hit is not None:
            self.session.search.select(hit, self.key)

    def _open(self, index: QModelIndex) -> None:
        """Show a hit in the pane that shows it at its best, with the keyboard."""
        hit = self.model.hit(index.row())
        if hit is not None:
            self.session.search.select(hit, self.key)
            self.asks.emit(f"pane.{OPENS[hit.kind]}")

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._open(self.table.currentIndex())
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.asks.emit("pane.hex")
                return True
        return super().eventFilter(watched, event)

    # -- what the search says ---------------------------------------------------------------------

    def _begin(self) -> None:
        search = self.session.search
        self._wanted = {} if search.text else self._wanted
        self.kept_changed.emit()
        self._cells = HitCells(self.session.documents, self.session.options.text_encoding)
        self._first_wanted = False
        self.case.setChecked(search.match_case)
        self.expression.setChecked(search.expression)
        self.model.set_hits(search.hits)
        self._tell()

    def _add(self, batch: Sequence[Found]) -> None:
        self.model.add(batch)
        self._tell()
        if self._first_wanted:
            self.step(1)

    def _end(self) -> None:
        self._first_wanted = False
        self._tell()

    def _tell(self) -> None:
        """Counts, notes, and the page that is seen."""
        search = self.session.search
        before = self.chips.kind
        self.chips.show_totals(search.totals)
        if self.chips.kind != before:
            self.model.show_only(self.chips.kind)
        self.badge_changed.emit(count(search.total) if search.total else "")
        self.export_button.setEnabled(bool(search.totals.get(NAME)))
        self.notes.setText(self._notes())
        ink, px = self.theme.color("error" if search.fault else "muted").name(), self.theme.px
        self.notes.setStyleSheet(f"color: {ink}; padding: {px(6)}px {px(14)}px {px(2)}px {px(14)}px")
        self.notes.setVisible(bool(self.notes.text()))
        self._tell_keys()
        self.pages.setCurrentIndex(0 if search.total else 1)

    def _tell_keys(self) -> None:
        title, sentence = self._empty_words()
        self.empty.setText(f"<b>{html.escape(title)}</b><br>{html.escape(sentence)}" if title else "")

    def _notes(self) -> str:
        search = self.session.search
        if search.fault is not None:
            return said(FAULTS[search.fault.code], search.fault.params)
        if search.failure is not None:
            return of_failure(search.failure)
        found = [self.tr("The search was stopped before its end.")] if search.stopped else []
        found += [said(CUT, {"count": search.cut})] if search.cut else []
        found += [said(UNREAD, {"count": search.unread})] if search.unread else []
        return paragraph(*found)

    def _empty_words(self) -> tuple[str, str]:
        search, root = self.session.search, self.session.root
        if not search.text:
            words = self.tr("Press {keys} and look for names, strings, source, classes, numbers or offsets.")
            return self.tr("No search yet"), words.format(keys=way_to("edit.search"))
        if search.fault is not None or search.failure is not None:
            return "", ""
        if root is None:
            return self.tr("Not searched yet"), self.tr("The search begins when the file has been read.")
        if search.running:
            return self.tr("Searching"), self.tr("Hits are listed as they are found.")
        return self.tr("Not found"), self.tr("{size} searched.").format(size=size(root.whole_size))

    def _cell(self, row: int, column: int) -> Cell:
        hit = self.model.hit(row)
        if hit is not None:
            return self._cells.cell(hit, column)
        kind, number = self.model.place(row)
        if number != HEAD or column != TEXT:
            return Cell()
        search = self.session.search
        listed = len(search.hits.get(kind, ()))
        return head_cell(kind, listed, search.totals.get(kind, 0), self.tr("the first {0} are listed"))
