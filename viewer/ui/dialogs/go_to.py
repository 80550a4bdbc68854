"""The go-to bar: an offset in any way of writing; what it names is said while it is typed."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget
from typing_extensions import override

from viewer.session.offsets import OffsetError, parse_offset
from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.labels import IconButton
from viewer.ui.words import count, nbytes_of, offset

FIELD: Final = 300


class GoToBar(QWidget):
    """A field, what it names, a button. Esc closes it.

    accepted: go there.
        Signal(offset: object)
    left: the bar was closed; the keyboard goes back.
        Signal()
    """

    accepted = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._here = 0
        self._size = 0
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("0x1F4, 500, +16, end-64"))
        self.field.setAccessibleName(self.tr("Go to offset"))
        self.field.textChanged.connect(self._check)
        self.field.returnPressed.connect(self._accept)
        self.field.installEventFilter(self)
        self._lens = self.field.addAction(icon(theme, "goto"), QLineEdit.ActionPosition.LeadingPosition)
        self.said = QLabel()
        self.go = QPushButton(self.tr("Go"))
        self.go.clicked.connect(self._accept)
        self.close_button = IconButton(theme, "close", self.tr("Close"))
        self.close_button.clicked.connect(self._leave)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 5)
        row.setSpacing(8)
        row.addWidget(self.field)
        row.addWidget(self.said, 1)
        row.addWidget(self.go)
        row.addWidget(self.close_button)
        self.set_theme(theme)
        self.setVisible(False)

    def ask(self, here: int, size: int) -> None:
        """Wait for an offset in a file of `size` bytes; `here` is what + and - count from."""
        self._here, self._size = here, size
        self.setVisible(True)
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._check(self.field.text())

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self.field.setFont(theme.mono())
        self.field.setFixedWidth(theme.px(FIELD))
        self._lens.setIcon(icon(theme, "goto"))
        self.close_button.set_theme(theme)
        self.update()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
            self._leave()
            return True
        return False

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("pane"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("border"))
        painter.end()

    def _faults(self, code: str) -> str:
        words = {
            "empty": self.tr("This file has {0}.").format(nbytes_of(self._size)),
            "not-a-number": self.tr("Write a number: 0x1F4 or 1F4h is hexadecimal, 500 decimal."),
            "beyond-end": self.tr("That is beyond the end. The last byte is at {0}.").format(
                offset(max(0, self._size - 1))
            ),
            "before-start": self.tr("That is before the start of the file."),
            "unfinished": self.tr("A number is missing on one side of the sign."),
        }
        return words[code]

    def _check(self, text: str) -> None:
        fault = ""
        try:
            at = parse_offset(text, self._here, self._size)
            self.said.setText(f"{offset(at)}   {count(at)}")
        except OffsetError as found:
            fault = found.code
            self.said.setText(self._faults(fault))
        self.go.setEnabled(not fault)
        for widget, state in ((self.field, fault not in ("", "empty")), (self.said, fault not in ("", "empty"))):
            widget.setProperty("fault", state)
            widget.style().unpolish(widget)
            widget.style().polish(widget)

    def _accept(self) -> None:
        try:
            at = parse_offset(self.field.text(), self._here, self._size)
        except OffsetError:
            return
        self._leave()
        self.accepted.emit(at)

    def _leave(self) -> None:
        self.setVisible(False)
        self.left.emit()
