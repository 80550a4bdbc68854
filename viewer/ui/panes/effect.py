"""Effect: what the chosen opcode does, with the stack before and after it and the memo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import ClassVar, Final

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from viewer.core.document import Document, Pickle
from viewer.core.pickles.effects import Effects
from viewer.core.progress import Progress
from viewer.core.tensors.tensor import ValueRef
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.ui.measures import keep_lengths, keep_text
from viewer.ui.models import effect_rows, opcode_links
from viewer.ui.models.cells import Cell
from viewer.ui.models.effect_rows import EffectRows
from viewer.ui.models.empty_words import no_pickle
from viewer.ui.models.opcode_break import break_problem, break_span, place_of
from viewer.ui.models.table_model import RowsModel
from viewer.ui.pane import Pane
from viewer.ui.theme import Theme
from viewer.ui.widgets.effect_head import EffectHead
from viewer.ui.widgets.rows import RowTable
from viewer.ui.widgets.split import Split
from viewer.ui.words import count

TABLES: Final = "effect tables"
LARGE: Final = 300_000
"""Opcodes beyond which the tables are made in a thread before the first opcode is shown."""

NARROW: Final = 420
LOW: Final = 400
LEAST: Final = 104
"""Height of a table below which the pane scrolls."""


class EffectPane(Pane):
    """Head with the sentence, stack before and after, memo. A click on an item goes to the opcode that made it."""

    key: ClassVar[str] = "effect"

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._document: Document | None = None
        self._effects: dict[int, Effects] = {}
        self._place: ValueRef | None = None
        self.rows: EffectRows | None = None
        columns = [self.tr("Slot"), self.tr("Before"), self.tr("After"), self.tr("Item"), self.tr("Made at")]
        self.stack_model = RowsModel(columns, self._stack_cell, frozenset({effect_rows.SLOT, effect_rows.MADE}), self)
        columns = [self.tr("Slot"), self.tr("Value"), self.tr("Stored at"), self.tr("First read")]
        right = frozenset({effect_rows.NUMBER, effect_rows.STORED, effect_rows.READ})
        self.memo_model = RowsModel(columns, self._memo_cell, right, self)
        self.pages = QStackedWidget(self)
        self.area = QScrollArea(self.pages)
        whole = QWidget(self.area)
        self.area.setWidget(whole)
        self.head = EffectHead(theme, whole)
        self.head.opcode_chosen.connect(self._go)
        self.head.command_chosen.connect(self.asks)
        split = Split(Qt.Orientation.Vertical, whole)
        of_stack, of_memo = QWidget(split), QWidget(split)
        self.stack, self.memo = RowTable(theme, of_stack), RowTable(theme, of_memo)
        self.stack_facts, self.memo_facts = QLabel(of_stack), QLabel(of_memo)
        self.empty = QLabel(self.pages)
        self._section(of_stack, self.tr("Stack, top first"), self.stack_facts, self.stack)
        self._section(of_memo, self.tr("Memo"), self.memo_facts, self.memo)
        self._build(whole, split)
        self._style()
        self.show_document()

    # -- widgets ----------------------------------------------------------------------------------

    def _build(self, whole: QWidget, split: Split) -> None:
        for table, model in ((self.stack, self.stack_model), (self.memo, self.memo_model)):
            table.setModel(model)
            table.horizontalHeader().setStretchLastSection(False)
            table.clicked.connect(self._clicked)
            for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                shortcut = QShortcut(QKeySequence(key), table, context=Qt.ShortcutContext.WidgetShortcut)
                shortcut.activated.connect(self._entered)
        self._size_columns()
        self.empty.setWordWrap(True)
        keep_lengths(self.theme, self.empty.setMargin, 12)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        inner = QVBoxLayout(whole)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self.head)
        inner.addWidget(split, 1)
        for table in (self.stack, self.memo):
            keep_lengths(self.theme, table.setMinimumHeight, LEAST)
        area = self.area
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.pages.addWidget(area)
        self.pages.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.pages)

    def _size_columns(self) -> None:
        for column in (effect_rows.BEFORE, effect_rows.AFTER, effect_rows.ITEM):
            self.stack.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self.memo.horizontalHeader().setSectionResizeMode(effect_rows.VALUE, QHeaderView.ResizeMode.Stretch)
        self.stack.setColumnWidth(effect_rows.SLOT, self.theme.px(48))
        self.stack.setColumnWidth(effect_rows.MADE, self.theme.px(76))
        self.memo.setColumnWidth(effect_rows.NUMBER, self.theme.px(48))
        self.memo.setColumnWidth(effect_rows.STORED, self.theme.px(76))
        self.memo.setColumnWidth(effect_rows.READ, self.theme.px(84))

    def _section(self, holder: QWidget, title: str, facts: QLabel, table: RowTable) -> None:
        """A table under its title, with a fact on the other side."""
        line = QHBoxLayout()
        keep_lengths(self.theme, line.setContentsMargins, 12, 6, 12, 4)
        line.addWidget(QLabel(title, holder))
        line.addStretch(1)
        line.addWidget(facts)
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(line)
        column.addWidget(table, 1)
        table.setAccessibleName(title)

    def _style(self) -> None:
        for label in (self.stack_facts, self.memo_facts):
            label.setStyleSheet(f"color: {self.theme.color('muted').name()}")
            keep_text(self.theme, label, "small")

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        for part in (self.head, self.stack, self.memo):
            part.set_theme(theme)
        self._style()

    @override
    def focus_target(self) -> QWidget:
        return self.stack

    @override
    def topic(self) -> str:
        return opcode_links.topic(self.session)

    @override
    def commands(self) -> Mapping[str, Callable[[], None]]:
        found = dict(opcode_links.commands(self.session))
        if opcode_links.names_import(self.session):
            found[opcode_links.IMPORT] = partial(self.asks.emit, "pane.imports")
        return found

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_place()

    def _fit(self) -> None:
        """Before and after stand side by side where there is room, else in one list."""
        narrow = self.width() < self.theme.px(NARROW)
        self.head.set_low(low=self.height() < self.theme.px(LOW))
        for column in (effect_rows.BEFORE, effect_rows.AFTER):
            self.stack.setColumnHidden(column, narrow)
        self.stack.setColumnHidden(effect_rows.ITEM, not narrow)
        self.stack.setColumnHidden(effect_rows.MADE, narrow)
        self.memo.setColumnHidden(effect_rows.STORED, narrow)
        if self.rows is not None and self.rows.listed is not narrow:
            self.rows.listed = narrow
            self.stack_model.set_rows(self.rows.stack_rows)

    def effects(self) -> list[Effects]:
        """The tables of the pickles that were looked at."""
        return [*self._effects.values()]

    # -- document and selection -------------------------------------------------------------------

    @override
    def show_document(self) -> None:
        self._document = self.session.document
        self._effects = {}
        self._show(None)
        self.show_selection(self.session.selection)

    @override
    def show_selection(self, selection: Selection) -> None:
        self._place = place_of(self._document, selection)
        if self.isVisible():
            self._show_place()

    def _show_place(self) -> None:
        """Show the opcode that is selected; first make the tables of a large pickle."""
        place, document = self._place, self._document
        if place is None or document is None:
            self._show(None)
            return
        effects = self._effects.get(place.pickle)
        if effects is not None:
            self._show(place)
            return
        made = Effects(document.pickles[place.pickle].values)
        if len(made.code) < LARGE:
            self._effects[place.pickle] = made
            self._show(place)
            return

        def work(progress: Progress) -> Effects:
            progress.step("opcodes", 0, 0)
            made.prepare()
            return made

        def done(effects: Effects) -> None:
            if self._document is document:
                self._effects[place.pickle] = effects
                self._show_place()

        self._show(None)
        self.empty.setText(self.tr("The stack and the memo of this pickle are being made out."))
        self.session.start(TABLES, work, done)

    def _show(self, place: ValueRef | None) -> None:
        shown = self.rows
        if (
            place is not None
            and shown is not None
            and (shown.pickle.index, shown.opcode) == (place.pickle, place.value)
        ):
            return
        if place is None:
            self.rows = None
            self.stack_model.set_rows(0)
            self.memo_model.set_rows(0)
            self.empty.setText(self._empty_words())
            self.pages.setCurrentWidget(self.empty)
            return
        pickle = self._pickle(place)
        self.rows = EffectRows(pickle, self._effects[place.pickle], place.value, self.session.options.text_encoding)
        self.head.show_opcode(self.rows, break_problem(self._document, pickle))
        self._show_tables(self.rows)
        self.pages.setCurrentIndex(0)

    def _show_tables(self, rows: EffectRows) -> None:
        rows.listed = self.width() < self.theme.px(NARROW)
        self.stack_model.set_rows(rows.stack_rows)
        self.memo_model.set_rows(rows.slots[1])
        before, after = (count(depth) for depth in rows.depths)
        words = self.tr("depth {0}") if before == after else self.tr("depth {0} \u2192 {1}")
        self.stack_facts.setText(words.format(before, after))
        before, after = (count(slots) for slots in rows.slots)
        words = self.tr("slots {0}") if before == after else self.tr("slots {0} \u2192 {1}")
        self.memo_facts.setText(words.format(before, after))
        if rows.memo_row >= 0:
            index = self.memo_model.index(rows.memo_row, 0)
            self.memo.setCurrentIndex(index)
            self.memo.scrollTo(index)

    def _empty_words(self) -> str:
        document = self.session.document
        if document is None:
            return ""
        title = self.tr("No opcode selected")
        sentence = self.tr("Click an opcode to see the stack before and after it.")
        if not document.pickles:
            title, sentence = no_pickle(document)
        return f"<b>{title}</b><br>{sentence}"

    def _pickle(self, place: ValueRef) -> Pickle:
        assert self._document is not None
        return self._document.pickles[place.pickle]

    # -- cells and clicks -------------------------------------------------------------------------

    def _stack_cell(self, row: int, column: int) -> Cell:
        return self.rows.stack_cell(row, column) if self.rows is not None else Cell()

    def _memo_cell(self, row: int, column: int) -> Cell:
        return self.rows.memo_cell(row, column) if self.rows is not None else Cell()

    def _clicked(self, index: QModelIndex) -> None:
        if self.rows is None or not index.isValid():
            return
        find = self.rows.made_by if index.model() is self.stack_model else self.rows.memo_target
        self._go(find(index.row(), index.column()))

    def _entered(self) -> None:
        table = self.memo if self.memo.hasFocus() else self.stack
        self._clicked(table.currentIndex())

    def _go(self, opcode: int) -> None:
        """Select an opcode of the same pickle, or the bytes that it breaks at; all panes follow."""
        if self.rows is None or opcode < 0:
            return
        pickle = self.rows.pickle
        if opcode < len(pickle.code):
            self.session.select_opcode(ValueRef(pickle.index, opcode), self.key)
        elif pickle.code.broken is not None:
            self.session.select_bytes((break_span(pickle),), self.key, pickle.place)
            self._show(ValueRef(pickle.index, opcode))
