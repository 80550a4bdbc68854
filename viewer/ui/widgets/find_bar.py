"""Find bar: what to look for among the bytes and where; slides in above the bytes and stays usable beside them.

Its rows go on in further lines where there is no room.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.search_bytes.base import Query, QueryError
from viewer.ui.measures import keep_lengths
from viewer.ui.spoken import speak
from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.find_form import HEX, FindForm
from viewer.ui.widgets.flow import FlowLayout
from viewer.ui.widgets.labels import Box, ElidedLabel
from viewer.ui.words import said
from viewer.wording.byte_search import FAULTS

FILE, RECORD, STORAGE, TENSOR, SELECTION = "file", "record", "storage", "tensor", "selection"
WORDS: Final = 90


class FindBar(QWidget):
    """The bar.

    wanted: look for the query, backwards or not.
        Signal(query: Query, backwards: bool)
    changed: the query is another one, or none.
        Signal(query: Query | None)
    scope_chosen: look elsewhere: file, record, storage, tensor, selection.
        Signal(scope: str)
    left: the person is done.
        Signal()
    """

    wanted = Signal(object, bool)
    changed = Signal(object)
    scope_chosen = Signal(str)
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._made: Query | None = None
        self._to_speak = ""
        self._past: list[tuple[str, str]] = []
        self._turned = -1
        self.entry = FindForm(theme, self)
        self.form, self.field, self.cases = self.entry.form, self.entry.field, self.entry.cases
        self.scope = Box(self)
        self.scope.addItem(self.tr("in the file"), FILE)
        self.scope.addItem(self.tr("in the record"), RECORD)
        self.scope.addItem(self.tr("in the storage"), STORAGE)
        self.scope.addItem(self.tr("in the tensor"), TENSOR)
        self.scope.addItem(self.tr("in the selection"), SELECTION)
        self.scope.setAccessibleName(self.tr("Where to look"))
        self.scope.setToolTip(self.scope.accessibleName())
        self.previous = QToolButton(self)
        self.next = QToolButton(self)
        self.list = QToolButton(self)
        self.close_button = QToolButton(self)
        self.offer = QPushButton(self)
        self.offer.setFlat(True)
        self.offer.hide()
        self.offer.clicked.connect(self._take_offer)
        self.words = ElidedLabel(parent=self)
        keep_lengths(theme, self.words.setMinimumWidth, WORDS)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._build(theme)
        self.set_theme(theme)

    def _build(self, theme: Theme) -> None:
        named = (
            (self.previous, self.tr("Previous hit")),
            (self.next, self.tr("Next hit")),
            (self.list, self.tr("List all hits")),
            (self.close_button, self.tr("Close the bar")),
        )
        for button, words in named:
            button.setToolTip(words)
            button.setAccessibleName(words)
        self.list.setCheckable(True)
        steps = QWidget(self)
        together = QHBoxLayout(steps)
        together.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, together.setSpacing, 6)
        layout = QVBoxLayout(self)
        keep_lengths(theme, layout.setContentsMargins, 12, 4, 8, 4)
        keep_lengths(theme, layout.setSpacing, 4)
        for button in (self.previous, self.next, self.list, self.close_button):
            together.addWidget(button)
        upper: tuple[QWidget, ...] = (self.form, self.field, steps)
        lower: tuple[QWidget, ...] = (self.scope, *self.entry.options, self.offer, self.words)
        for widgets in (upper, lower):
            row = FlowLayout()
            keep_lengths(theme, row.setSpacing, 6)
            layout.addLayout(row)
            for widget in widgets:
                row.addWidget(widget)
        for wide in (self.field, self.words):
            policy = wide.sizePolicy()
            policy.setHorizontalStretch(1)
            wide.setSizePolicy(policy)
        self.field.setToolTip(self.tr("Up and Down: what was looked for before"))
        self.field.textEdited.connect(self._forget_turn)
        self.field.returnPressed.connect(lambda: self.ask(backwards=False))
        self.entry.changed.connect(self._changed)
        self.next.clicked.connect(lambda: self.ask(backwards=False))
        self.previous.clicked.connect(lambda: self.ask(backwards=True))
        self.close_button.clicked.connect(self.left)
        self.scope.activated.connect(lambda: self.scope_chosen.emit(self.scope.currentData()))

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.previous.setIcon(icon(theme, "chevron-up"))
        self.next.setIcon(icon(theme, "chevron-down"))
        self.list.setIcon(icon(theme, "list"))
        self.close_button.setIcon(icon(theme, "close"))
        self.entry.set_theme(theme)
        self._error = theme.color("error").name()
        self._muted = theme.color("muted").name()

    def set_past(self, past: Sequence[tuple[str, str]]) -> None:
        """What was looked for before, the last one first: form and text."""
        self._past, self._turned = list(past), -1

    def _forget_turn(self) -> None:
        self._turned = -1

    def _turn(self, step: int) -> None:
        """Take what was looked for before that which stands in the field, or after it."""
        turned = self._turned + step
        if step > 0 and turned == 0 and self._past and self._past[0] == (self.entry.kind, self.field.text()):
            turned = 1
        if not 0 <= turned < len(self._past):
            return
        kind, text = self._past[turned]
        self.form.setCurrentIndex(max(0, self.form.findData(kind)))
        self.field.setText(text)
        self._turned = turned

    def query(self) -> Query | None:
        """What the bar asks for; None, with a sentence beside the field, where it means no bytes."""
        if self._made is not None:
            return self._made
        try:
            found = self._made = self.entry.query()
        except QueryError as failure:
            sentence = said(FAULTS[failure.code], failure.params) if FAULTS[failure.code] else ""
            self.tell(sentence, error=failure.code != "empty")
            return None
        self.tell("")
        return found

    def forget(self) -> None:
        """What the query was made of is something else now."""
        self._made = None

    def ask(self, *, backwards: bool) -> None:
        """Look for the next or the previous hit."""
        query = self.query()
        if query is not None:
            self.wanted.emit(query, backwards)

    def _show_offer(self) -> None:
        """Offer the form that is more likely meant, in a sentence that is a button."""
        wanted = self.entry.other_form()
        self.offer.setText(
            self.tr("These are digits of bytes: find as hex") if wanted == HEX else self.tr("Find as text")
        )
        self.offer.setVisible(bool(wanted))

    def _take_offer(self) -> None:
        self.form.setCurrentIndex(self.form.findData(self.entry.other_form()))
        self.field.setFocus()
        self.ask(backwards=False)

    def tell(self, words: str, *, error: bool = False, aloud: bool = True) -> None:
        """A sentence below the field. `aloud`: also to a screen reader; a count that grows would never let it end."""
        self.words.setStyleSheet(f"color: {self._error if error else self._muted}")
        if words != self.words.text():
            self.words.setText(words)
            self._to_speak = words
        if aloud and self._to_speak:
            self._to_speak = ""
            speak(self.field, words)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._turn(1 if event.key() == Qt.Key.Key_Up else -1)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and shift:
            self.ask(backwards=True)
        else:
            super().keyPressEvent(event)

    def _changed(self) -> None:
        self._made = None
        self.entry.show_options()
        self._show_offer()
        self.changed.emit(self.query())
