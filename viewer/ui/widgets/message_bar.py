"""Messages slide in as bars under the file tabs: icon, title, one sentence, two actions at most, a way to close.

Two bars at most, errors first. Errors and warnings stay, and notes that offer something: who reads is not hurried, and
no click lands on what moved up. Other notes and news of success leave by themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.ui.spoken import DRAWN, speak
from viewer.ui.theme import Theme, paint_bar, pixmap
from viewer.ui.widgets.labels import IconButton
from viewer.ui.widgets.motion import slide_in
from viewer.ui.widgets.wrapped import breakable
from viewer.ui.words import named, paragraph, severity_word

RANKS: Final = {"error": 0, "warning": 1, "note": 2, "done": 3}
LEAVE_MS: Final = {"note": 15_000, "done": 8_000}
MOST: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """What a bar says. `severity`: error, warning, note, done. `actions`: words and what they do; the bar closes then.

    `key`: a later message of the same key takes the place of this one. `about`: the session it belongs to, None: all.
    `closed`: what it means that the bar was closed, by the person or by the clock, and none of the actions was taken.
    `stays`: the bar and its actions stay when one of them is done; its sentence is what the action gives back.
    """

    severity: str
    title: str
    sentence: str = ""
    actions: tuple[tuple[str, Callable[[], str | None]], ...] = ()
    key: str = ""
    about: object = None
    closed: Callable[[], None] | None = None
    stays: bool = False


class MessageBar(QFrame):
    """One message.

    closed: the person or the clock closed it.
        Signal(message: Message)
    acted: one of its actions is taken.
        Signal(message: Message)
    """

    closed = Signal(object)
    acted = Signal(object)

    def __init__(self, message: Message, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = message
        self._theme = theme
        self._icon = QLabel()
        self._title = label(message.title, bold=True)
        self._sentence = label(message.sentence)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._actions = QHBoxLayout()
        self._close = IconButton(theme, "close", self.tr("Close the message"))
        self._close.clicked.connect(self._leave)
        self._clock = QTimer(self, singleShot=True)
        self._clock.timeout.connect(self._leave)
        self._lay_out()
        self.set_theme(theme)
        self._name(message.sentence)
        self._start_clock()

    def set_theme(self, theme: Theme) -> None:
        """Colours or sizes changed."""
        self._theme = theme
        severity = self.message.severity
        self._icon.setPixmap(pixmap(theme, severity, severity, 16, self.devicePixelRatioF()))
        self._icon.setToolTip(severity_word(self.message.severity))
        self._close.set_theme(theme)
        self.setMinimumHeight(theme.px(54 if self.message.sentence else 44))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        severity = self.message.severity
        paint_bar(self, self._theme.color(f"{severity}_bar"), self._theme.color(f"{severity}_edge"))

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self._clock.stop()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._start_clock()

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setContentsMargins(0, 6, 0, 7)
        words.setSpacing(1)
        words.addWidget(self._title)
        if self.message.sentence:
            words.addWidget(self._sentence)
        for text, act in self.message.actions:
            button = QPushButton(text)
            button.clicked.connect(lambda _=False, act=act: self._act(act))
            self._actions.addWidget(button)
        self._actions.setSpacing(8)
        self._body.setSpacing(8)
        self._body.addLayout(words, 1)
        if self.message.actions:
            self._body.addLayout(self._actions)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 12, 0)
        row.setSpacing(8)
        row.addWidget(self._icon)
        row.addSpacing(4)
        row.addLayout(self._body, 1)
        row.addWidget(self._close)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    def _turn(self) -> None:
        """The actions go below the words where they would leave them less than half of the bar."""
        is_narrow = 2 * self._actions.sizeHint().width() > self.width()
        way = QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight
        if way is self._body.direction():
            return
        self._body.setDirection(way)
        self._body.setAlignment(self._actions, Qt.AlignmentFlag.AlignLeading if is_narrow else Qt.AlignmentFlag(0))
        self._actions.setContentsMargins(0, 0, 0, 7 if is_narrow else 0)

    def _act(self, act: Callable[[], str | None]) -> None:
        if not self.message.stays:
            self._clock.stop()
            self.acted.emit(self.message)
            act()
            return
        done = act()
        if done:
            self._sentence.setText(breakable(done))
            self._sentence.setAccessibleName(done)
            self._name(done)
            speak(self, done)

    def _name(self, sentence: str) -> None:
        told = paragraph(self.message.title, sentence)
        self.setAccessibleName(named(severity_word(self.message.severity), told))

    def _leave(self) -> None:
        self._clock.stop()
        self.closed.emit(self.message)

    def _start_clock(self) -> None:
        message = self.message
        offers = message.severity == "note" and message.actions
        if message.severity in LEAVE_MS and not offers:
            self._clock.start(LEAVE_MS[message.severity])


def label(text: str, *, bold: bool = False) -> QLabel:
    """Words that wrap; plain text, because parts of it come from files."""
    made = QLabel(breakable(text))
    if made.text() != text:
        made.setAccessibleName(DRAWN.sub("", text))
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(True)
    made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if bold:
        font = made.font()
        font.setBold(True)
        made.setFont(font)
    return made


class MessageBars(QWidget):
    """The bars of one window. Messages about a session that is not looked at wait until it is."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._messages: list[Message] = []
        self._bars: dict[Message, MessageBar] = {}
        self._about: object = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.setVisible(False)

    @property
    def shown(self) -> list[Message]:
        """The messages that can be read now, from the top."""
        meant = [message for message in self._messages if message.about in (None, self._about)]
        return sorted(meant, key=lambda message: RANKS[message.severity])[:MOST]

    def add(self, message: Message) -> None:
        """Say something; the newest of a severity stands first."""
        if message.key:
            self.dismiss(message.key, message.about)
        self._messages.insert(0, message)
        self._arrange()

    def dismiss(self, key: str, about: object = None) -> None:
        """Take back what was said under a key."""
        self._messages = [one for one in self._messages if (one.key, one.about) != (key, about)]
        self._arrange()

    def close_first(self) -> bool:
        """Close the uppermost bar; False when there is none."""
        shown = self.shown
        if shown:
            self._close(shown[0])
        return bool(shown)

    def look_at(self, about: object) -> None:
        """Another session is looked at."""
        self._about = about
        self._arrange()

    def forget_about(self, about: object) -> None:
        """A session ended; what was said about it goes."""
        self._messages = [one for one in self._messages if one.about is not about]
        self._arrange()

    def set_theme(self, theme: Theme) -> None:
        """Colours or sizes changed."""
        self._theme = theme
        for bar in self._bars.values():
            bar.set_theme(theme)

    def _close(self, message: Message) -> None:
        self._forget(message)
        if message.closed is not None:
            message.closed()

    def _forget(self, message: Message) -> None:
        self._messages = [one for one in self._messages if one is not message]
        self._arrange()

    def _arrange(self) -> None:
        shown = self.shown
        for message in [one for one in self._bars if one not in shown]:
            bar = self._bars.pop(message)
            self._column.removeWidget(bar)
            bar.setVisible(False)
            bar.deleteLater()
        self.setVisible(bool(shown))
        for at, message in enumerate(shown):
            if message not in self._bars:
                bar = self._bars[message] = MessageBar(message, self._theme, self)
                bar.closed.connect(self._close)
                bar.acted.connect(self._forget)
                self._column.insertWidget(at, bar)
                slide_in(bar, bar.sizeHint().height())
            elif self._column.indexOf(self._bars[message]) != at:
                self._column.insertWidget(at, self._bars[message])

    @override
    def sizeHint(self) -> QSize:
        return QSize(400, super().sizeHint().height())
