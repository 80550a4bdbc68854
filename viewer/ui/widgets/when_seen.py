"""Work that waits until somebody looks: panes behind other tabs work out nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from weakref import WeakMethod

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDockWidget, QWidget

STEP_MS: Final = 15
MOST_TRIES: Final = 60


class WhenSeen(QTimer):
    """Calls `act` when its widget is on the screen. `act`: a method of the widget, which may be called again.

    Qt shows docks behind other tabs too, far outside of the window, and tells only the dock when it comes to the front.
    One that does lies behind the one before for a moment: so it is looked at again, for a second at most.
    """

    def __init__(self, widget: QWidget, act: Callable[[], None]) -> None:
        super().__init__(widget, singleShot=True, interval=STEP_MS)
        self._act = WeakMethod(act)
        self._tries = 0
        self._dock: QDockWidget | None = None
        self.timeout.connect(self._look)

    def ask(self) -> None:
        """It was shown, or there is something else to show."""
        self._tries = 0
        self._find_dock()
        self.start()

    def _find_dock(self) -> None:
        """Hear of it when the dock comes to the front."""
        above = self.parent()
        while self._dock is None and above is not None:
            above = above.parent()
            if isinstance(above, QDockWidget):
                self._dock = above
                above.visibilityChanged.connect(self._came)

    def _came(self, is_visible: bool) -> None:
        if is_visible:
            self.ask()

    def _look(self) -> None:
        widget, act = self.parent(), self._act()
        if not isinstance(widget, QWidget) or act is None or not widget.isVisible():
            return
        if is_seen(widget):
            act()
        elif self._tries < MOST_TRIES:
            self._tries += 1
            self.start()


def is_seen(widget: QWidget) -> bool:
    """True where some of a widget, or of what covers it as a part of it, is on the screen."""
    parts = (widget, *widget.findChildren(QWidget))
    return any(part.isVisible() and not part.visibleRegion().isEmpty() for part in parts)
