"""The line at the bottom: where the selection is, what owns it, and what the file is. Offsets are copied by a click."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QToolTip, QWidget
from typing_extensions import override

from viewer.ui.command_keys import KEY_NEWS, first_key
from viewer.ui.theme import Theme, pixmap
from viewer.ui.widgets.labels import ElidedLabel, Line, drawn_width
from viewer.ui.words import count, named, nbytes_of, offset

if TYPE_CHECKING:
    from viewer.core.span import Span

MOST_TOLD: Final = 20
HINTS_APART: Final = "    "
APART: Final = 16
KEPT_FREE: Final = 5
"""Pixels that a QStatusBar keeps free above and below what stands in it."""
"""Pixels between the selection and the file where both need all their room."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the left side says: the selected bytes, the name of what owns the first of them, and more about it.

    `more`: ranges that are selected beside the first.
    """

    span: Span | None = None
    owner: str = ""
    detail: str = ""
    more: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What the right side says of the file, the most important first; where room lacks the last ones go first."""

    format: str = ""
    byte_order: str = ""
    text: str = ""
    size: str = ""


class StatusLine(QWidget):
    """Left: offset twice, length, owner. Right: facts of the file, and that it is only read.

    copied: a number was put on the clipboard.
        Signal(text: str)
    choice_asked: a fact that can be chosen was clicked.
        Signal(fact: str, at: QPoint)   byte_order or text; the place on the screen
    """

    copied = Signal(str)
    choice_asked = Signal(str, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines: list[Line] = []
        self.hexadecimal = self._number()
        self.decimal = self._number()
        self.length = QLabel()
        self.owner = ElidedLabel()
        self.detail = ElidedLabel(Qt.TextElideMode.ElideRight)
        for label in (self.owner, self.detail):
            label.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.idle = QLabel(self.tr("No file open"))
        self.hints = QLabel(self._hints())
        KEY_NEWS.changed.connect(self._tell_keys)
        self.byte_order = self._choice("byte_order", self.tr("Choose the byte order"))
        self.text = self._choice("text", self.tr("Choose how strings of Python 2 are read"))
        self._facts: list[QLabel | QToolButton] = [QLabel(), self.byte_order, self.text, QLabel()]
        self._lock = QLabel()
        self.read_only = QLabel(self.tr("Read-only"))
        for part in (self._lock, self.read_only):
            part.setToolTip(self.tr("The file is never changed."))
        for widget in (self.idle, self.hints, self.read_only, self.detail, *self._facts):
            widget.setProperty("muted", True)
        self._span: Span | None = None
        self._is_open = False
        self._lay_out()
        self.set_theme(theme)
        self.set_file(is_open=False)

    def set_file(self, *, is_open: bool) -> None:
        """Show the fields of a file, or the two hints of the welcome page."""
        self._is_open = is_open
        hints: tuple[QWidget, ...] = (self.idle, self.hints)
        fields: tuple[QWidget, ...] = (self.hexadecimal, self.decimal, self.length, self.owner, self.detail)
        for widget in hints:
            widget.setVisible(not is_open)
        for widget in (*fields, *self._facts, *self._lines, self._lock, self.read_only):
            widget.setVisible(is_open)
        if is_open:
            self.set_standing(Standing())
            self.set_facts(FileFacts())

    def set_standing(self, standing: Standing) -> None:
        """Where the selection is."""
        span = self._span = standing.span
        self.hexadecimal.setText(offset(span.start) if span is not None else "")
        self.decimal.setText(count(span.start) if span is not None else "")
        ranges = (span, *standing.more) if span is not None else ()
        total = sum(each.length for each in ranges)
        words = nbytes_of(total)
        if standing.more:
            words = self.tr("{bytes} in {count} ranges").format(bytes=words, count=count(len(ranges)))
        self.length.setText(words if ranges else "")
        self.length.setToolTip(f"{offset(total)}: " + ", ".join(map(str, ranges[:MOST_TOLD])) if ranges else "")
        self._forget_least()
        self.owner.setText(standing.owner)
        self.detail.setText(standing.detail)
        self.hexadecimal.setVisible(span is not None)
        parts = (self.decimal, span), (self.length, span), (self.owner, standing.owner), (self.detail, standing.detail)
        for line, (widget, there) in zip(self._lines, parts, strict=False):
            widget.setVisible(bool(there))
            line.setVisible(bool(there))
        self._fit()

    def set_facts(self, facts: FileFacts) -> None:
        """What the file is."""
        for field, widget in zip(fields(facts), self._facts, strict=True):
            widget.setText(getattr(facts, field.name))
        for button in (self.byte_order, self.text):
            button.setAccessibleName(named(button.toolTip(), button.text()))
        self._fit()

    def _fit(self) -> None:
        """The detail gives way first; where that is not enough, the facts go, the last one first.

        Then what is said elsewhere or follows from the rest, so that the name of the owner is never squeezed.
        """
        self._leave_out()
        room = self.width() - self._needed()
        # Qt would take from both alike. A label that never had words tells the size of a font that it had.
        is_kept = room >= 0 and bool(self.owner.text())
        self.owner.setMinimumWidth(self.owner.sizeHint().width() if is_kept else 0)
        self.detail.setMaximumWidth(max(0, room))

    def _forget_least(self) -> None:
        """A label never asks for less than the least that it was given, and remembers that until it changes."""
        self.owner.setMinimumWidth(0)

    def _leave_out(self) -> None:
        has_span = self._span is not None
        for at, fact in enumerate(self._facts):
            self._show(fact, self._lines[4 + at], is_shown=bool(fact.text()))
        self._show(self.length, self._lines[1], is_shown=has_span)
        self._show(self.decimal, self._lines[0], is_shown=has_span)
        self.read_only.setVisible(self._is_open)
        for at in reversed(range(len(self._facts))):
            if self._needed() <= self.width():
                return
            self._show(self._facts[at], self._lines[4 + at], is_shown=False)
        for part, line in ((self.read_only, None), (self.length, self._lines[1]), (self.decimal, self._lines[0])):
            if self._needed() <= self.width():
                return
            self._show(part, line, is_shown=False)

    def _show(self, part: QWidget, line: QWidget | None, *, is_shown: bool) -> None:
        """A part and the line beside it."""
        part.setVisible(is_shown and self._is_open)
        if line is not None:
            line.setVisible(is_shown and self._is_open)

    def _needed(self) -> int:
        numbers: tuple[QWidget, ...] = (self.hexadecimal, self.decimal, self.length)
        fixed: tuple[QWidget, ...] = (*numbers, self.owner, self._lock, self.read_only)
        parts = [part for part in (*fixed, *self._facts, *self._lines) if not part.isHidden()]
        return (
            sum(part.sizeHint().width() if not isinstance(part, Line) else part.width() for part in parts) + 48 + APART
        )

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self._forget_least()
        small = theme.text("small")
        for widget in (self.length, self.idle, self.hints, self.read_only, *self._facts):
            widget.setFont(small)
        for button in (self.hexadecimal, self.decimal, self.owner, self.detail):
            button.setFont(theme.mono("small" if button is self.detail else "mono"))
        for line in self._lines:
            line.set_theme(theme)
        self._tell_keys()
        self._lock.setPixmap(pixmap(theme, "lock", "muted", 14, self.devicePixelRatioF()))
        self.setFixedHeight(self._high())
        self._fit()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._high())

    def _high(self) -> int:
        """As high as the status bar without what Qt keeps free in it above and below."""
        return self._theme.px(26) - KEPT_FREE

    def _hints(self) -> str:
        hints = ((self.tr("{keys} open"), "file.open"), (self.tr("{keys} all commands"), "tools.palette"))
        told = [words.format(keys=first_key(command)) for words, command in hints if first_key(command)]
        return HINTS_APART.join(told)

    def _tell_keys(self) -> None:
        self.hints.setText(self._hints())
        self.hints.setMinimumWidth(drawn_width(self.hints.fontMetrics(), self.hints.text()))

    def _number(self) -> QToolButton:
        button = QToolButton()
        button.setStyleSheet("QToolButton { padding: 0; margin: 0; border: 0; }")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setToolTip(self.tr("Copy this offset"))
        button.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        button.clicked.connect(lambda: self._copy(button))
        return button

    def _choice(self, what: str, words: str) -> QToolButton:
        button = QToolButton()
        button.setStyleSheet("QToolButton { padding: 0; margin: 0; border: 0; }")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setToolTip(words)
        button.clicked.connect(lambda: self.choice_asked.emit(what, button.mapToGlobal(QPoint(0, 0))))
        return button

    def _copy(self, button: QToolButton) -> None:
        if self._span is None:
            return
        text = f"0x{self._span.start:X}" if button is self.hexadecimal else str(self._span.start)
        QGuiApplication.clipboard().setText(text)
        QToolTip.showText(button.mapToGlobal(button.rect().topLeft()), self.tr("Copied"), button)
        self.copied.emit(text)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 12, 0)
        row.setSpacing(0)
        row.addWidget(self.idle)
        left: tuple[QWidget, ...] = (self.hexadecimal, self.decimal, self.length, self.owner, self.detail)
        for widget in left:
            if widget is not self.hexadecimal:
                self._lines.append(Line(self._theme))
                row.addWidget(self._lines[-1])
            row.addWidget(widget)
        row.addSpacing(APART)
        row.addStretch(1)
        row.addWidget(self.hints)
        for widget in self._facts:
            row.addWidget(widget)
            self._lines.append(Line(self._theme))
            row.addWidget(self._lines[-1])
        row.addWidget(self._lock)
        row.addSpacing(4)
        row.addWidget(self.read_only)
        self.owner.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.detail.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
