"""Parts that share a pane, with borders that the keyboard moves as well: Qt's own are for the mouse alone.

A border is a stop of Tab between the parts that it divides. Arrow keys move it, page keys in larger steps, Home and End
as far as it goes.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget
from typing_extensions import override

from viewer.ui.spoken import speak, tell_as
from viewer.ui.words import count

STEP: Final = 16
"""Pixels of an arrow key."""
LEAP: Final = 96
"""Pixels of a page key."""
FAR: Final = 1_000_000
"""Further than any border goes."""
STEPS: Final = {Qt.Key.Key_PageUp: -LEAP, Qt.Key.Key_PageDown: LEAP, Qt.Key.Key_Home: -FAR, Qt.Key.Key_End: FAR}
ACROSS: Final = {**STEPS, Qt.Key.Key_Left: -STEP, Qt.Key.Key_Right: STEP}
DOWN: Final = {**STEPS, Qt.Key.Key_Up: -STEP, Qt.Key.Key_Down: STEP}


class Border(QSplitterHandle):
    """What stands between two parts. It tells what share of the room is before it."""

    def __init__(self, way: Qt.Orientation, parent: QSplitter) -> None:
        super().__init__(way, parent)
        tell_as(self, QAccessible.Role.Splitter)
        self.setAccessibleName(self.tr("Border between parts, moved by arrow keys"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        across = self.orientation() == Qt.Orientation.Horizontal
        step = (ACROSS if across else DOWN).get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        # Qt counts what it is told from the left, whichever way the language runs.
        place = self.x() if across else self.y()
        if across and self.isRightToLeft():
            place += self.width()
        self.moveSplitter(place + step)
        self._tell()

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._tell()

    def _tell(self) -> None:
        split = self.splitter()
        sizes = split.sizes()
        share = 100 * sum(sizes[: split.indexOf(self)]) / max(1, sum(sizes))
        speak(self, self.tr("{percent} % stand before it").format(percent=count(round(share))))


class Split(QSplitter):
    """A splitter whose borders take keys. No part can be made so small that it is gone."""

    def __init__(self, way: Qt.Orientation, parent: QWidget | None = None) -> None:
        super().__init__(way, parent)
        self.setChildrenCollapsible(False)

    @override
    def createHandle(self) -> QSplitterHandle:
        return Border(self.orientation(), self)

    def tab_children(self) -> list[QWidget]:
        """Each border right before what stands behind it."""
        pairs = ((self.handle(at), self.widget(at)) for at in range(self.count()))
        return [one for pair in pairs for one in pair if one is not None]
