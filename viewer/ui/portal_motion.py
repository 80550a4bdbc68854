"""Whether the desktop of Linux wishes reduced motion, as its portal says: asked once, then heard of when it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import SLOT, QObject, Signal, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher, QDBusVariant

PORTAL: Final = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings")
REDUCED: Final = ("org.freedesktop.appearance", "reduced-motion")
ANIMATIONS: Final = ("org.gnome.desktop.interface", "enable-animations")
"""What desktops knew before the other was agreed on."""
PATIENCE_MS: Final = 5_000
CHANGED: Final[Any] = SLOT("changed(QString,QString,QDBusVariant)")
"""The bindings take this text, and state that they take bytes."""


class PortalMotion(QObject):
    """Asks the portal, and listens to it from then on.

    told: the portal has answered, or its setting has changed.
        Signal(reduced: bool)
    """

    told = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._left: list[tuple[str, str]] = []
        self._agreed = False

    def ask(self) -> None:
        """Listen and ask; the answer comes later, or never."""
        bus = QDBusConnection.sessionBus()
        if not bus.isConnected():
            return
        bus.connect(*PORTAL, "SettingChanged", self, CHANGED)
        self._left = [REDUCED, ANIMATIONS]
        self._next()

    @Slot(str, str, QDBusVariant)
    def changed(self, namespace: str, key: str, value: QDBusVariant) -> None:
        """The portal says that a setting is another one. The older name counts where the other is unknown."""
        is_agreed = (namespace, key) == REDUCED
        if not is_agreed and ((namespace, key) != ANIMATIONS or self._agreed):
            return
        self._tell(key, [value])

    def _next(self) -> None:
        """Ask for what is left."""
        if not self._left:
            return
        call = QDBusMessage.createMethodCall(*PORTAL, "Read")
        call.setArguments(list(self._left[0]))
        pending = QDBusConnection.sessionBus().asyncCall(call, PATIENCE_MS)
        QDBusPendingCallWatcher(pending, self).finished.connect(self._answered)

    def _answered(self, watcher: QDBusPendingCallWatcher) -> None:
        watcher.deleteLater()
        _, key = self._left.pop(0)
        if watcher.isError() or not self._tell(key, watcher.reply().arguments()):
            self._next()

    def _tell(self, key: str, answer: Sequence[object]) -> bool:
        """Pass an answer on; False where it is none."""
        reduced = wish(key, answer)
        if reduced is None:
            return False
        self._agreed = self._agreed or key == REDUCED[1]
        self.told.emit(reduced)
        return True


def wish(key: str, answer: Sequence[object]) -> bool | None:
    """What an answer of the portal means; None where it is none. Its values lie in one variant or in two."""
    value: object = answer[0] if answer else None
    while hasattr(value, "variant"):
        value = value.variant()
    if key == REDUCED[1] and isinstance(value, int):
        return value == 1
    return not value if key == ANIMATIONS[1] and isinstance(value, bool) else None
