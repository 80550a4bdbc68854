"""The line above bytes that are compared: with what, how much differs, ways from one difference to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from viewer.ui.spoken import speak
from viewer.ui.widgets.labels import ElidedLabel, IconButton

if TYPE_CHECKING:
    from viewer.ui.theme import Theme


class ByteCompareHead(QWidget):
    """Names and buttons.

    stepped: the next difference (1), or the one before (-1).
        Signal(step: int)
    left: the person is done.
        Signal()
    """

    stepped = Signal(int)
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._error = False
        self.name = ElidedLabel(Qt.TextElideMode.ElideMiddle, self)
        self.words = ElidedLabel(parent=self)
        self.previous = IconButton(theme, "chevron-up", self.tr("Previous difference"), self)
        self.next = IconButton(theme, "chevron-down", self.tr("Next difference"), self)
        self.list = IconButton(theme, "list", self.tr("List all differences"), self)
        self.lock = IconButton(theme, "link", self.tr("Scroll both together"), self)
        self.close_button = IconButton(theme, "close", self.tr("Stop comparing"), self)
        for switch in (self.list, self.lock):
            switch.setCheckable(True)
        self.lock.setChecked(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.px(12), theme.px(2), theme.px(6), theme.px(2))
        row.setSpacing(theme.px(4))
        row.addWidget(self.name)
        self.setAccessibleName(self.tr("Comparison of bytes"))
        row.addSpacing(theme.px(8))
        row.addWidget(self.words, 1)
        for button in self._buttons():
            row.addWidget(button)
        self.previous.clicked.connect(lambda: self.stepped.emit(-1))
        self.next.clicked.connect(lambda: self.stepped.emit(1))
        self.close_button.clicked.connect(self.left)

    def _buttons(self) -> tuple[IconButton, ...]:
        return self.previous, self.next, self.list, self.lock, self.close_button

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        for button in self._buttons():
            button.set_theme(theme)
        self._dress()

    def set_differing(self, *, on: bool) -> None:
        """Two runs of bytes are compared, and scroll together; or the same ones are shown twice, each by itself."""
        self.lock.setChecked(on)
        for button in (self.previous, self.next, self.list):
            button.setVisible(on)
        self.tell("")

    def tell(self, words: str, *, error: bool = False) -> None:
        """A sentence beside the name."""
        self._error = error
        if words == self.words.text():
            self._dress()
            return
        self.words.setText(words)
        speak(self, words)
        self._dress()

    def _dress(self) -> None:
        self.words.setStyleSheet(f"color: {self._theme.color('error' if self._error else 'muted').name()}")
