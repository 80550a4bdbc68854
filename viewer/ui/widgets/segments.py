"""A switch of a few words side by side, one of which is on: the ways to look at one thing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from viewer.ui.words import named

ALONG: Final = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
LEAST: Final = 8
"""Letters of a word that are to be seen."""
UPRIGHT: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


def step_of(key: int, *, mirrored: bool) -> int:
    """How many words an arrow key goes on: 1, -1, or 0 where it is no arrow. `mirrored`: they are read leftwards."""
    along = ALONG.get(Qt.Key(key), 0)
    return UPRIGHT.get(Qt.Key(key), -along if mirrored else along)


class Segment(NamedTuple):
    """One word of the switch: its stable name, the word, and what it does as a tooltip."""

    key: str
    title: str
    hint: str = ""


class Segments(QWidget):
    """The words in a frame; where they have no room, the one that is on, cut if need be, with the others in a menu.

    Tab comes to the word that is on, the arrow keys go to its neighbours.

    chosen: the person switched.
        Signal(key: str)
    """

    chosen = Signal(str)

    def __init__(self, segments: Sequence[Segment], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._keys = [segment.key for segment in segments]
        self._titles = [segment.title for segment in segments]
        self._group = QButtonGroup(self)
        self.frame = QWidget(self)
        self.frame.setProperty("segments", True)
        self.frame.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self.frame)
        row.setContentsMargins(1, 1, 1, 1)
        row.setSpacing(0)
        for number, segment in enumerate(segments):
            button = QToolButton(self.frame)
            button.setCheckable(True)
            button.setText(segment.title)
            button.setToolTip(segment.hint)
            self._group.addButton(button, number)
            row.addWidget(button)
        self._group.idClicked.connect(self._clicked)
        self.folded = self._make_folded(segments, name)
        self.set_current(self._keys[0])

    def _make_folded(self, segments: Sequence[Segment], name: str) -> QToolButton:
        """The button that stands for the frame, with a menu of the words."""
        button = QToolButton(self)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolTip(name)
        self._choices = QActionGroup(self)
        menu = QMenu(button)
        for segment in segments:
            action = QAction(segment.title, self._choices)
            action.setCheckable(True)
            action.triggered.connect(lambda checked=False, key=segment.key: self.choose(key))
            menu.addAction(action)
        button.setMenu(menu)
        button.hide()
        return button

    @property
    def current(self) -> str:
        """The key of the word that is on."""
        return self._keys[self._group.checkedId()]

    def set_current(self, key: str) -> None:
        """Switch; tells nobody."""
        number = self._keys.index(key)
        self._group.button(number).setChecked(True)
        for button in self._group.buttons():
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus if button.isChecked() else Qt.FocusPolicy.NoFocus)
        self._choices.actions()[number].setChecked(True)
        self.folded.setAccessibleName(named(self.accessibleName(), self._titles[number]))
        self._fit()
        self.updateGeometry()

    def offer(self, keys: Collection[str]) -> None:
        """Show these words only; another one is on where the one that was is not among them. Tells nobody."""
        for number, key in enumerate(self._keys):
            self._group.button(number).setVisible(key in keys)
            self._choices.actions()[number].setVisible(key in keys)
        if self.current not in keys:
            self.set_current(next((key for key in self._keys if key in keys), self._keys[0]))
        self.updateGeometry()

    def choose(self, key: str) -> None:
        """Switch as the person does."""
        self._group.button(self._keys.index(key)).click()

    def _clicked(self, number: int) -> None:
        self.set_current(self._keys[number])
        self.chosen.emit(self._keys[number])

    @override
    def sizeHint(self) -> QSize:
        return self.frame.sizeHint()

    @override
    def minimumSizeHint(self) -> QSize:
        whole, metrics = self.frame.sizeHint(), self.folded.fontMetrics()
        words = min(metrics.horizontalAdvance(self._title()), LEAST * metrics.averageCharWidth())
        return QSize(min(whole.width(), self._around() + words), min(whole.height(), self.folded.sizeHint().height()))

    def _title(self) -> str:
        return self._titles[self._group.checkedId()]

    def _around(self) -> int:
        """What the folded button takes beside its word."""
        return self.folded.sizeHint().width() - self.folded.fontMetrics().horizontalAdvance(self.folded.text())

    def _fit(self) -> None:
        """As much of the word that is on as there is room for; all of it under the mouse."""
        title, metrics = self._title(), self.folded.fontMetrics()
        room = max(self.width() - self._around(), 0)
        is_cut = not self.folded.isHidden() and metrics.horizontalAdvance(title) > room
        self.folded.setText(metrics.elidedText(title, Qt.TextElideMode.ElideRight, room) if is_cut else title)
        self.folded.setToolTip(self.folded.accessibleName() if is_cut else self.accessibleName())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        has_room = self.width() >= self.frame.sizeHint().width()
        self.frame.setVisible(has_room)
        self.folded.setVisible(not has_room)
        for part in (self.frame, self.folded):
            part.setGeometry(QRect(0, 0, self.width(), self.height()))
        self._fit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = step_of(event.key(), mirrored=self.isRightToLeft())
        if not step:
            super().keyPressEvent(event)
            return
        number = self._group.checkedId() + step
        while 0 <= number < len(self._keys) and self._group.button(number).isHidden():
            number += step
        if 0 <= number < len(self._keys):
            self._group.button(number).click()
