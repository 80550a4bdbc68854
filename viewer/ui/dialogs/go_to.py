"""The go-to bar: an offset in any way of writing; what it names is said while it is typed.

Names are looked up in the jobs of the session. The bar holds nothing of a file once it is closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QCompleter, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget
from typing_extensions import override

from viewer.core.span import Span
from viewer.session.offsets import OffsetError, padded, parse_offset, reference
from viewer.ui.measures import keep_mono
from viewer.ui.spoken import speak
from viewer.ui.theme import Theme, icon, paint_bar
from viewer.ui.widgets.field_icons import fit_icons
from viewer.ui.widgets.labels import IconButton
from viewer.ui.words import count, nbytes_of, offset

if TYPE_CHECKING:
    from viewer.core.progress import Progress
    from viewer.session.byte_names import ByteNames
    from viewer.session.session import Session

FIELD: Final = 300
MOST_OFFERED: Final = 50
UNMARKED: Final = ("", "empty", "waits")
NAMES: Final = "names of places"
OFFERS: Final = "names that are offered"


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
        self._forget()
        span, source = session.selection.span, session.shown_source
        self._session = session
        session.document_changed.connect(self._look_up)
        self._look_up()
        self.ask(span.start if span is not None else 0, source.size if source is not None else 0)

    def _look_up(self) -> None:
        """Learn the names, once the file is decoded."""
        from viewer.session.byte_names import ByteNames

        session = self._session
        document = session.document if session is not None else None
        source = session.shown_source if session is not None else None
        if session is None or document is None or source is None:
            return
        self._size = source.size
        place = session.selection.source
        marks = ((mark.name, mark.start) for mark in session.bookmarks.of(place))
        self._names = ByteNames(document, place, marks)
        session.jobs.start(NAMES, self._names.made, self._named)

    def ask(self, here: int, size: int) -> None:
        """Wait for an offset in a file of `size` bytes; `here` is what + and - count from."""
        self._here, self._size = here, size
        self.setVisible(True)
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._check(self.field.text())

    @override
    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible)
        if not visible:
            self._forget()

    def _forget(self) -> None:
        """Hold nothing of the file: it may be closed."""
        if self._session is not None:
            self._session.document_changed.disconnect(self._look_up)
            self._session.jobs.cancel(NAMES)
            self._session.jobs.cancel(OFFERS)
        self._session = self._names = None
        self._found.setStringList([])

    def _named(self, names: ByteNames) -> None:
        """The names are known: what is typed may be one."""
        if names is self._names:
            self._check(self.field.text())
            self._offer(self.field.text())

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self.field.setFixedWidth(theme.px(FIELD))
        self._lens.setIcon(icon(theme, "goto"))
        fit_icons(self.field, theme)
        keep_mono(theme, self.field)
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
        paint_bar(self, self._theme.color("pane"), self._theme.color("border"))

    def _faults(self, code: str) -> str:
        words = {
            "empty": self.tr("This file has {0}.").format(nbytes_of(self._size)),
            "not-a-number": self.tr("Write a number: 0x1F4 or 1F4h is hexadecimal, 500 decimal, 0764 octal."),
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
            told = (offset(at), count(at), *self._read_as(text), self._owner(at))
            self.said.setText("   ".join(told).rstrip())
        except OffsetError as found:
            fault = found.code
            waits = fault == "no-such-name" and self._session is not None and not self._knows_names()
            self.said.setText(self.tr("Looking up the names") if waits else self._faults(fault))
            fault = "waits" if waits else fault
        speak(self.field, self.said.text())
        self.go.setEnabled(not fault)
        self._mark(is_fault=fault not in UNMARKED)

    def _read_as(self, text: str) -> list[str]:
        """How numbers were read that start with 0: a dump means hexadecimal by it, C means octal."""
        words = {
            8: self.tr("{number} is read as octal"),
            16: self.tr("{number} is read as hexadecimal"),
        }
        return [words[base].format(number=number) for number, base in padded(text)]

    def _mark(self, *, is_fault: bool) -> None:
        for widget in (self.field, self.said):
            widget.setProperty("fault", is_fault)
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
        session = self._session
        self._leave()
        if session is not None:
            span = Span(min(at, self._here), max(at, self._here) + 1)
            session.select_bytes((span,), "go to", session.selection.source)

    def _meant(self, text: str) -> int:
        return parse_offset(text, self._here, self._size, self._names.find if self._names is not None else None)

    def _owner(self, at: int) -> str:
        """What stands there."""
        from viewer.ui.models.byte_owners import owner_of

        return owner_of(self._session, at) if self._session is not None else ""

    def _offer(self, text: str) -> None:
        """Look for names that hold what stands behind the last @."""
        names, session = self._names, self._session
        begun = self._begun(text)
        if begun is None or names is None or session is None or not self._knows_names():
            self._close_names()
            return

        def work(progress: Progress) -> tuple[ByteNames, str, list[str]]:
            return names, begun, names.holding(begun, MOST_OFFERED, progress)

        session.jobs.start(OFFERS, work, self._offered)

    def _knows_names(self) -> bool:
        return self._names is not None and self._names.is_made

    def _begun(self, text: str) -> str | None:
        """The part of a name before the cursor; None where there is none."""
        _, sign, begun = text[: self.field.cursorPosition()].rpartition("@")
        return begun if sign and " " not in begun else None

    def _offered(self, found: tuple[ByteNames, str, list[str]]) -> None:
        names, begun, offers = found
        if names is not self._names or begun != self._begun(self.field.text()):
            return
        self._found.setStringList([] if offers == [begun] else offers)
        if self._found.rowCount() and self.field.hasFocus():
            if not self.go.isEnabled():
                # What is typed is no fault as long as it may become a name.
                self.said.setText(self.tr("Choose a name, or go on typing."))
                self._mark(is_fault=False)
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
        quoted = reference(name)
        self.field.setText(before + quoted + text[at:])
        self.field.setCursorPosition(len(before) + len(quoted))

    def _leave(self) -> None:
        self._close_names()
        self.setVisible(False)
        self.left.emit()
