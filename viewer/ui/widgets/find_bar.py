"""Find bar: what to look for, as hexadecimal or text; slides in above the bytes and stays usable beside them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QToolButton, QWidget
from typing_extensions import override

from viewer.core.search.bytes import ENCODINGS, Query, QueryError, hex_query, text_query
from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.labels import ElidedLabel

HEX = "hex"
FIELD = 140


class FindBar(QWidget):
    """The bar.

    wanted: look for the query, backwards or not.
        Signal(query: Query, backwards: bool)
    changed: the query is another one, or none.
        Signal(query: Query | None)
    left: the person is done.
        Signal()
    """

    wanted = Signal(object, bool)
    changed = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form = QComboBox(self)
        self.form.addItem(self.tr("Hexadecimal"), HEX)
        for encoding in ENCODINGS:
            self.form.addItem(self.tr("Text, {encoding}").format(encoding=encoding.upper()), encoding)
        self.form.setCurrentIndex(1)
        self.form.setAccessibleName(self.tr("Form of what is looked for"))
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Find bytes or text"))
        self.field.setClearButtonEnabled(True)
        self.field.setFont(theme.mono())
        self.field.setMinimumWidth(theme.px(FIELD))
        self.cases = QCheckBox(self.tr("Any case"), self)
        self.previous = QToolButton(self)
        self.next = QToolButton(self)
        self.close_button = QToolButton(self)
        self.words = ElidedLabel(parent=self)
        self._build(theme)
        self.set_theme(theme)

    def _build(self, theme: Theme) -> None:
        for button, words in ((self.previous, self.tr("Previous hit")), (self.next, self.tr("Next hit"))):
            button.setToolTip(words)
            button.setAccessibleName(words)
        self.close_button.setToolTip(self.tr("Close the bar"))
        self.close_button.setAccessibleName(self.tr("Close the bar"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.px(12), theme.px(4), theme.px(8), theme.px(4))
        layout.setSpacing(theme.px(6))
        for widget in (self.form, self.field, self.cases, self.previous, self.next, self.words, self.close_button):
            layout.addWidget(widget, 1 if widget is self.field else 0)
        self.field.returnPressed.connect(lambda: self.ask(backwards=False))
        self.field.textChanged.connect(self._changed)
        self.form.currentIndexChanged.connect(self._changed)
        self.cases.toggled.connect(self._changed)
        self.next.clicked.connect(lambda: self.ask(backwards=False))
        self.previous.clicked.connect(lambda: self.ask(backwards=True))
        self.close_button.clicked.connect(self.left)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.previous.setIcon(icon(theme, "chevron-up"))
        self.next.setIcon(icon(theme, "chevron-down"))
        self.close_button.setIcon(icon(theme, "close"))
        self._error = theme.color("error").name()
        self._muted = theme.color("muted").name()

    def query(self) -> Query | None:
        """What the bar asks for; None, with a sentence beside the field, where it means no bytes."""
        text = self.field.text()
        try:
            if self.form.currentData() == HEX:
                found = hex_query(text)
            else:
                found = text_query(text, self.form.currentData(), ignore_case=self.cases.isChecked())
        except QueryError as failure:
            self.tell(self._sentence(failure.code, text), error=failure.code != "empty")
            return None
        self.tell("")
        return found

    def ask(self, *, backwards: bool) -> None:
        """Look for the next or the previous hit."""
        query = self.query()
        if query is not None:
            self.wanted.emit(query, backwards)

    def tell(self, words: str, *, error: bool = False) -> None:
        """A sentence to the right of the field."""
        self.words.setStyleSheet(f"color: {self._error if error else self._muted}")
        self.words.setText(words)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _changed(self) -> None:
        self.cases.setVisible(self.form.currentData() != HEX)
        self.changed.emit(self.query())

    def _sentence(self, code: str, text: str) -> str:
        if code == "odd":
            half = text.rstrip()[-1]
            return self.tr("Half a byte is left over: write {one} or {two}").format(one=f"0{half}", two=f"{half}0")
        if code == "letters":
            return self.tr("Write 0 to 9 and A to F; ?? is any byte")
        if code == "encoding":
            return self.tr("This encoding lacks some of these letters")
        return ""
