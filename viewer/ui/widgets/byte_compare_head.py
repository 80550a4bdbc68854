"""The line above bytes that are compared: with what, how much differs, ways from one difference to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.ui.spoken import speak
from viewer.ui.widgets.labels import ElidedLabel, IconButton
from viewer.ui.widgets.wrapped import WrappedLabel

if TYPE_CHECKING:
    from viewer.ui.theme import Theme


class ByteCompareHead(QWidget):
    """Names and buttons. Where the counts have no room beside them they stand in lines of their own.

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
        self._said = ""
        self.name = ElidedLabel(Qt.TextElideMode.ElideMiddle, self)
        self.words = WrappedLabel(parent=self)
        self.previous = IconButton(theme, "chevron-up", self.tr("Previous difference"), self)
        self.next = IconButton(theme, "chevron-down", self.tr("Next difference"), self)
        self.list = IconButton(theme, "list", self.tr("List all differences"), self)
        self.lock = IconButton(theme, "link", self.tr("Scroll both together"), self)
        self.close_button = IconButton(theme, "close", self.tr("Stop comparing"), self)
        for switch in (self.list, self.lock):
            switch.setCheckable(True)
        self.lock.setChecked(True)
        self.setAccessibleName(self.tr("Comparison of bytes"))
        self._row, self._lines = QHBoxLayout(), QVBoxLayout(self)
        self._row.addWidget(self.name)
        self._row.addSpacing(theme.px(8))
        self._row.addWidget(self.words, 1)
        for button in self._buttons():
            self._row.addWidget(button)
        self._lines.addLayout(self._row)
        self._space()
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
        self._space()
        if self.words.styleSheet():
            self._dress()
        self._fit()

    def set_differing(self, *, on: bool) -> None:
        """Two runs of bytes are compared, and scroll together; or the same ones are shown twice, each by itself."""
        self.lock.setChecked(on)
        for button in (self.previous, self.next, self.list):
            button.setVisible(on)
        self.tell("")

    def tell(self, words: str, *, error: bool = False) -> None:
        """A sentence beside the name."""
        self._error = error
        self._dress()
        if words == self._said:
            return
        self._said = words
        self.words.setText(words)
        self._fit()
        speak(self, words)

    def _fit(self) -> None:
        """Put the words beside the name or below it."""
        needed = self.name.sizeHint().width() + self.fontMetrics().horizontalAdvance(self._said)
        needed += sum(button.sizeHint().width() + self._row.spacing() for button in self._buttons())
        margins = self._lines.contentsMargins()
        below = bool(self._said) and needed + 4 * self._theme.px(8) > self.width() - margins.left() - margins.right()
        if below != (self._lines.indexOf(self.words) >= 0):
            self._row.removeWidget(self.words)
            self._lines.removeWidget(self.words)
            if below:
                self._lines.addWidget(self.words)
            else:
                self._row.insertWidget(2, self.words, 1)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _space(self) -> None:
        px = self._theme.px
        self._lines.setContentsMargins(px(12), px(2), px(6), px(2))
        self._lines.setSpacing(px(2))
        self._row.setSpacing(px(4))

    def _dress(self) -> None:
        self.words.setStyleSheet(f"color: {self._theme.color('error' if self._error else 'muted').name()}")
