"""Words of which one is on, as many lines of them as the width needs: a row of tabs hides what it has no room for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QToolButton, QWidget
from typing_extensions import override

from viewer.ui.widgets.flow import FlowLayout
from viewer.ui.widgets.segments import step_of

GAP = 4


class PageSwitch(QWidget):
    """Tab comes to the word that is on, the arrow keys go to its neighbours.

    changed: another word is on.
        Signal(number: int)
    """

    changed = Signal(int)

    def __init__(self, titles: Sequence[str], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        flow = FlowLayout(self)
        flow.setSpacing(GAP)
        for number, title in enumerate(titles):
            button = QToolButton(self)
            button.setCheckable(True)
            button.setText(title)
            self._group.addButton(button, number)
            flow.addWidget(button)
        self._group.idToggled.connect(self._toggled)
        self.set_current(0)

    @property
    def current(self) -> int:
        """The number of the word that is on."""
        return self._group.checkedId()

    def set_current(self, number: int) -> None:
        """Switch."""
        self._group.button(number).setChecked(True)

    def titles(self) -> list[str]:
        """The words as they stand."""
        return [button.text() for button in self._group.buttons() if isinstance(button, QToolButton)]

    def set_title(self, number: int, title: str) -> None:
        """Another word in its place."""
        button = self._group.button(number)
        if button.text() != title:
            button.setText(title)
            self.updateGeometry()

    def _toggled(self, number: int, on: bool) -> None:
        button = self._group.button(number)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus if on else Qt.FocusPolicy.NoFocus)
        if on:
            self.changed.emit(number)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = step_of(event.key(), mirrored=self.isRightToLeft())
        if not step:
            super().keyPressEvent(event)
            return
        number = self.current + step
        if 0 <= number < len(self._group.buttons()):
            self.set_current(number)
            self._group.button(number).setFocus(Qt.FocusReason.TabFocusReason)
