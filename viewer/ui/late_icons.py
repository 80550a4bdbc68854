"""Icons of actions, drawn one by one once the window is up: those of all menus take a tenth of the start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction

from viewer.ui.theme import Theme, icon


class LateIcons(QObject):
    """The icons of some actions, by name. `theme`: they are drawn in its colours."""

    def __init__(self, names: Mapping[QAction, str], theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._names = dict(names)
        self._theme = theme
        self._bare = list(self._names)
        self._next = QTimer(self, interval=0)
        self._next.timeout.connect(self._draw_next)
        self._next.start()

    def set_theme(self, theme: Theme) -> None:
        """Draw those anew that are drawn."""
        self._theme = theme
        for action in self._names:
            if action not in self._bare:
                action.setIcon(icon(theme, self._names[action]))

    def draw(self, actions: Iterable[QAction]) -> None:
        """Those of these actions are needed now: they can be seen."""
        for action in actions:
            if action in self._bare:
                self._bare.remove(action)
                action.setIcon(icon(self._theme, self._names[action]))

    def _draw_next(self) -> None:
        self.draw(self._bare[:1])
        if not self._bare:
            self._next.stop()
