"""The go-to bar: an offset in any way of writing; what it names is said while it is typed."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QCompleter, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget
from typing_extensions import override

from viewer.core.span import Span
from viewer.session.byte_names import ByteNames
from viewer.session.offsets import OffsetError, parse_offset
from viewer.session.session import Session
from viewer.ui.models.byte_regions import owner_text
from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.labels import IconButton
from viewer.ui.words import count, nbytes_of, offset

FIELD: Final = 300
MOST_OFFERED: Final = 50


class GoToBar(QWidget):
    """A field, what it names, a button. Esc closes it; Shift+Enter selects up to there.

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
        self._session: Session | None = None
        self._names: ByteNames | None = None
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("0x1F4, 64k, +16, end-64, @fc.weight"))
        self.field.setAccessibleName(self.tr("Go to offset"))
        self.field.textChanged.connect(self._check)
        self.field.textEdited.connect(self._offer)
        self.field.returnPressed.connect(self._accept)
        self.field.installEventFilter(self)
        self._found = QStringListModel(self)
        self.completer = QCompleter(self._found, self)
        self.completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.completer.activated.connect(self._complete)
        self.completer.setWidget(self.field)
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

    def ask_in(self, session: Session) -> None:
        """Wait for an offset in the bytes that a session shows; names are those of tensors, records, bookmarks."""
        span, source, document = session.selection.span, session.shown_source, session.document
        self._session = session
        place = session.selection.source
        marks = ((mark.name, mark.start) for mark in session.bookmarks.of(place))
        self._names = ByteNames(document, place, marks) if document is not None else None
        self.ask(span.start if span is not None else 0, source.size if source is not None else 0)

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
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
            return True
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and shift:
            self._extend()
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
            "no-such-name": self.tr("No tensor, record or bookmark here has this name."),
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
            at = self._meant(text)
            self.said.setText(f"{offset(at)}   {count(at)}   {self._owner(at)}".rstrip())
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
            at = self._meant(self.field.text())
        except OffsetError:
            return
        self._leave()
        self.accepted.emit(at)

    def _extend(self) -> None:
        """Select from where the caret stands up to the byte that is named, both with it."""
        try:
            at = self._meant(self.field.text())
        except OffsetError:
            return
        self._leave()
        if self._session is not None:
            span = Span(min(at, self._here), max(at, self._here) + 1)
            self._session.select_bytes((span,), "go to", self._session.selection.source)

    def _meant(self, text: str) -> int:
        return parse_offset(text, self._here, self._size, self._names.find if self._names is not None else None)

    def _owner(self, at: int) -> str:
        """What stands there."""
        document = self._session.document if self._session is not None else None
        if document is None or self._session is None:
            return ""
        return owner_text(document, at, self._session.selection.source)

    def _offer(self, text: str) -> None:
        """Names that hold what stands behind the last @."""
        _, sign, begun = text[: self.field.cursorPosition()].rpartition("@")
        if not sign or self._names is None or " " in begun:
            self._close_names()
            return
        found = self._names.starting(begun, MOST_OFFERED)
        self._found.setStringList([] if found == [begun] else found)
        if self._found.rowCount():
            self.completer.complete()
        else:
            self._close_names()

    def _close_names(self) -> None:
        popup = self.completer.popup()
        if popup is not None:
            popup.hide()

    def _complete(self, name: str) -> None:
        text, at = self.field.text(), self.field.cursorPosition()
        before = text[:at].rpartition("@")[0]
        quoted = f'@"{name}"' if " " in name else f"@{name}"
        self.field.setText(before + quoted + text[at:])
        self.field.setCursorPosition(len(before) + len(quoted))

    def _leave(self) -> None:
        self._close_names()
        self.setVisible(False)
        self.left.emit()
