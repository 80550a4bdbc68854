"""The box of the toolbar: what is looked for in the whole file. Typing waits for a pause; Esc clears, then leaves."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget
from typing_extensions import override

from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.field_icons import clearable, fit_icons
from viewer.ui.widgets.labels import hint

TYPING_PAUSE_MS: Final = 250
WIDTH: Final = 230
NARROW: Final = 120


class SearchBox(QLineEdit):
    """The field.

    wanted: look for another text; "" = for none.
        Signal(text: str)
    stepped: go to the next hit (1) or the one before (-1).
        Signal(step: int)
    entered: the keyboard should go to the hits.
        Signal()
    left: the keyboard should go back to the bytes.
        Signal()
    """

    wanted = Signal(str)
    stepped = Signal(int)
    entered = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._asked = ""
        self.setPlaceholderText(self.tr("Search everything"))
        self.setAccessibleName(self.tr("Search everything"))
        clearable(self)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._lens = self.addAction(icon(theme, "search"), QLineEdit.ActionPosition.LeadingPosition)
        self._pause = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._pause.timeout.connect(self.ask)
        self.textEdited.connect(self._edited)
        self.textChanged.connect(self._emptied)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Colours or sizes changed."""
        self._theme = theme
        self._lens.setIcon(icon(theme, "search"))
        fit_icons(self, theme)
        self.updateGeometry()

    def show_text(self, text: str) -> None:
        """What the file that is looked at was searched for; asks for nothing."""
        self._pause.stop()
        self._asked = text
        self.setText(text)

    def show_fault(self, sentence: str) -> None:
        """Why nothing can be looked for; "" where it can."""
        hint(self, sentence)
        if self.property("fault") != bool(sentence):
            self.setProperty("fault", bool(sentence))
            self.style().unpolish(self)
            self.style().polish(self)

    def ask(self) -> None:
        """Look now for what is typed, where that is something else than before."""
        self._pause.stop()
        if self.text() != self._asked:
            self._asked = self.text()
            self.wanted.emit(self._asked)

    def _edited(self) -> None:
        self._pause.start()

    def _emptied(self, text: str) -> None:
        """By the button in the field too, which edits nothing."""
        if not text:
            self.ask()

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(WIDTH), super().sizeHint().height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(NARROW), super().minimumSizeHint().height())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
            else:
                self.left.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.ask()
            self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown):
            self.ask()
            self.entered.emit()
        else:
            super().keyPressEvent(event)
