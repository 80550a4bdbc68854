"""Whether the system wishes reduced motion. Qt tells it from 6.12 on; until then the portal of Linux and Windows do.

Asked when the window is up, and without waiting. Where nobody answers nothing is wished, and nothing is said of it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusPendingCallWatcher

PORTAL: Final = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings")
REDUCED: Final = ("org.freedesktop.appearance", "reduced-motion")
ANIMATIONS: Final = ("org.gnome.desktop.interface", "enable-animations")
"""What desktops knew before the other was agreed on."""
PATIENCE_MS: Final = 5_000
SPI_GETCLIENTAREAANIMATION: Final = 0x1042


class SystemMotion(QObject):
    """Asks the system.

    told: the system has answered.
        Signal(reduced: bool)
    """

    told = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._left: list[tuple[str, str]] = []

    def ask(self) -> None:
        """Ask now; the answer comes later, or never."""
        if sys.platform == "win32":
            self.told.emit(_windows_reduces())
        elif has_bus():
            self._left = [REDUCED, ANIMATIONS]
            self._next()

    def _next(self) -> None:
        """Ask the portal for what is left."""
        try:
            from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher
        except ImportError:
            return
        bus = QDBusConnection.sessionBus()
        if not self._left or not bus.isConnected():
            return
        call = QDBusMessage.createMethodCall(*PORTAL, "Read")
        call.setArguments(list(self._left[0]))
        QDBusPendingCallWatcher(bus.asyncCall(call, PATIENCE_MS), self).finished.connect(self._answered)

    def _answered(self, watcher: QDBusPendingCallWatcher) -> None:
        watcher.deleteLater()
        reduced = None if watcher.isError() else wish(self._left[0][1], watcher.reply().arguments())
        self._left = self._left[1:]
        if reduced is None:
            self._next()
        else:
            self.told.emit(reduced)


def has_bus() -> bool:
    """True where a session bus runs already; a library that finds none would start one."""
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    stated = "DBUS_SESSION_BUS_ADDRESS" in os.environ
    return sys.platform.startswith("linux") and (stated or (bool(folder) and Path(folder, "bus").exists()))


def wish(key: str, answer: Sequence[object]) -> bool | None:
    """What an answer of the portal means; None where it is none. Its values lie in one variant or in two."""
    value: object = answer[0] if answer else None
    while hasattr(value, "variant"):
        value = value.variant()
    if key == REDUCED[1] and isinstance(value, int):
        return value == 1
    return not value if key == ANIMATIONS[1] and isinstance(value, bool) else None


def _windows_reduces() -> bool:
    """The choice of Windows "Animation effects", turned off."""
    if sys.platform != "win32":
        return False
    import ctypes

    on = ctypes.c_int(1)
    known = ctypes.windll.user32.SystemParametersInfoW(SPI_GETCLIENTAREAANIMATION, 0, ctypes.byref(on), 0)
    return bool(known) and not on.value
