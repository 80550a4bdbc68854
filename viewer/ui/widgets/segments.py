"""A switch of a few words side by side, one of which is on: the ways to look at one thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget
from typing_extensions import override

STEPS: Final = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


class Segment(NamedTuple):
    """One word of the switch: its stable name, the word, and what it does as a tooltip."""

    key: str
    title: str
    hint: str = ""


class Segments(QWidget):
    """The words in a frame. Tab comes to the one that is on, the arrow keys go to its neighbours.

    chosen: the person switched.
        Signal(key: str)
    """

    chosen = Signal(str)

    def __init__(self, segments: Sequence[Segment], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setProperty("segments", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._keys = [segment.key for segment in segments]
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(1, 1, 1, 1)
        row.setSpacing(0)
        for number, segment in enumerate(segments):
            button = QToolButton(self)
            button.setCheckable(True)
            button.setText(segment.title)
            button.setToolTip(segment.hint)
            self._group.addButton(button, number)
            row.addWidget(button)
        self._group.idClicked.connect(lambda number: self.chosen.emit(self._keys[number]))
        self.set_current(self._keys[0])

    @property
    def current(self) -> str:
        """The key of the word that is on."""
        return self._keys[self._group.checkedId()]

    def set_current(self, key: str) -> None:
        """Switch; tells nobody."""
        self._group.button(self._keys.index(key)).setChecked(True)
        for button in self._group.buttons():
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus if button.isChecked() else Qt.FocusPolicy.NoFocus)

    def choose(self, key: str) -> None:
        """Switch as the person does."""
        self._group.button(self._keys.index(key)).click()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()), 0)
        if not step:
            super().keyPressEvent(event)
            return
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft and event.key() not in (
            Qt.Key.Key_Up,
            Qt.Key.Key_Down,
        ):
            step = -step
        number = min(max(self._group.checkedId() + step, 0), len(self._keys) - 1)
        self._group.button(number).click()
