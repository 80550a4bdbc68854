"""The card of the tour and the rings round what it speaks of. Neither moves nor covers what it points at.

Nothing here slides or fades: where no motion is wished there is none to leave out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QPen, QShortcut
from PySide6.QtWidgets import QAbstractButton, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.ui.spoken import speak
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import IconButton, lead
from viewer.ui.words import count

WIDTH: Final = 360
GAP: Final = 14
EDGE: Final = 2
ROOM: Final = 3
"""Between a ring and what it is round: a button in the same colour would hide it."""
RADIUS: Final = 6


class TourRings(QWidget):
    """Rings over the whole window, through which the mouse goes."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.places: tuple[QRect, ...] = ()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def set_theme(self, theme: Theme) -> None:
        """Colours changed."""
        self._theme = theme
        self.update()

    def mark(self, places: Sequence[QRect]) -> None:
        """Draw a ring round each of these."""
        self.places = tuple(places)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("accent"), 2 * EDGE))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        inside = QRectF(self.rect()).adjusted(EDGE, EDGE, -EDGE, -EDGE)
        for place in self.places:
            around = QRectF(place).adjusted(-ROOM, -ROOM, ROOM, ROOM)
            painter.drawRoundedRect(around.intersected(inside), RADIUS, RADIUS)
        painter.end()


class TourCard(QFrame):
    """One step: its number, what it says, and the ways on.

    Enter does what is focused, arrow keys go on and back, Escape leaves.

    stepped: another step is wanted, 1 on and -1 back.
        Signal(by: int)
    sample_asked: a sample should be opened, to try it.
        Signal()
    left: no more of it.
        Signal()
    """

    stepped = Signal(int)
    sample_asked = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("tour")
        self._said: tuple[int, str, str, bool] | None = None
        self.setAutoFillBackground(True)
        self.number = QLabel()
        self.number.setProperty("muted", True)
        self.title = QLabel()
        self.title.setWordWrap(True)
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.close_button = IconButton(theme, "close", self.tr("Leave the tour"))
        self.close_button.clicked.connect(self.left)
        self.sample = QPushButton(self.tr("Open a sample"))
        self.sample.setProperty("link", True)
        self.sample.clicked.connect(self.sample_asked)
        self.back = QPushButton(self.tr("Back"))
        self.back.clicked.connect(lambda: self.stepped.emit(-1))
        self.on = QPushButton()
        self.on.setProperty("primary", True)
        self.on.clicked.connect(lambda: self.stepped.emit(1))
        self._lay_out()
        self._take_keys()
        self.set_theme(theme)

    def show_step(self, at: int, steps: int, title: str, words: str, *, offers_sample: bool) -> None:
        """Say a step, from 0, and have a screen reader say it."""
        said = (at, title, words, offers_sample)
        if said == self._said:
            return
        self._said = said
        self.number.setText(self.tr("Step {0} of {1}").format(count(at + 1), count(steps)))
        self.title.setText(title)
        self.words.setText(words)
        self.back.setEnabled(at > 0)
        self.on.setText(self.tr("Done") if at == steps - 1 else self.tr("Next"))
        self.sample.setVisible(offers_sample)
        for label in (self.number, self.title, self.words):
            lead(label)
        self.setAccessibleName(f"{self.tr('Tour')}, {self.number.text()}")
        speak(self, f"{self.number.text()}. {title}. {words}")

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self.close_button.set_theme(theme)
        self.number.setFont(theme.text("small"))
        self.title.setFont(theme.text("heading"))
        edge, ground = theme.color("accent").name(), theme.color("pane").name()
        self.setStyleSheet(f"#tour {{ background: {ground}; border: 1px solid {edge}; border-radius: {RADIUS}px; }}")

    def fit(self, room: QRect, places: Sequence[QRect]) -> None:
        """Stand beside these places within the room, over none of them where that can be."""
        width = min(self._theme.px(WIDTH), room.width() - 2 * GAP)
        self.setFixedWidth(max(width, self.minimumSizeHint().width()))
        size = QSize(self.width(), max(self.heightForWidth(self.width()), self.minimumSizeHint().height()))
        self.resize(size)
        self.move(beside(places, size, room, mirrored=self.isRightToLeft()).topLeft())

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.number, 1)
        head.addWidget(self.close_button)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.sample)
        foot.addStretch(1)
        foot.addWidget(self.back)
        foot.addWidget(self.on)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 10, 12)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.title)
        column.addWidget(self.words)
        column.addSpacing(6)
        column.addLayout(foot)

    def _take_keys(self) -> None:
        mirrored = self.isRightToLeft()
        forward, backward = (Qt.Key.Key_Left, Qt.Key.Key_Right) if mirrored else (Qt.Key.Key_Right, Qt.Key.Key_Left)
        acts = {
            forward: lambda: self.stepped.emit(1),
            backward: lambda: self.stepped.emit(-1),
            Qt.Key.Key_Escape: self.left.emit,
            Qt.Key.Key_Return: self._press,
            Qt.Key.Key_Enter: self._press,
        }
        for key, act in acts.items():
            shortcut = QShortcut(QKeySequence(key), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)

    def _press(self) -> None:
        """Enter, which Qt gives to buttons of dialogs only."""
        focused = self.focusWidget()
        (focused if isinstance(focused, QAbstractButton) else self.on).click()


def beside(places: Sequence[QRect], size: QSize, room: QRect, *, mirrored: bool = False) -> QRect:
    """Where a card of that size stands: below, after, before or above the places, as near as the room allows.

    Where it cannot but cover some of them it goes into the corner in which it covers least.
    """
    inner = room.adjusted(GAP, GAP, -GAP, -GAP)
    around = QRect()
    for place in places:
        around = around.united(place)
    at = around.center() - QPoint(size.width() // 2, size.height() // 2)
    after, before = around.right() + GAP, around.left() - GAP - size.width()
    corners = [QPoint(x, y) for y in (inner.bottom(), inner.top()) for x in (inner.right(), inner.left())]
    wanted = [
        QPoint(at.x(), around.bottom() + GAP),
        QPoint(before if mirrored else after, at.y()),
        QPoint(after if mirrored else before, at.y()),
        QPoint(at.x(), around.top() - GAP - size.height()),
        *(reversed(corners) if mirrored else corners),
    ]
    fitted = [_within(QRect(corner, size), inner) for corner in wanted]
    return min(fitted, key=lambda rect: sum(_area(rect.intersected(place)) for place in places))


def _within(rect: QRect, room: QRect) -> QRect:
    """Moved into the room; its upper left corner where it is larger."""
    x = max(min(rect.x(), room.right() + 1 - rect.width()), room.x())
    y = max(min(rect.y(), room.bottom() + 1 - rect.height()), room.y())
    return QRect(QPoint(x, y), rect.size())


def _area(rect: QRect) -> int:
    return rect.width() * rect.height() if rect.isValid() else 0
