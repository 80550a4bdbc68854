"""Whether the system wishes reduced motion. Qt tells it from 6.12 on; until then each system is asked in its own way.

Asked when the window is up, and without waiting. The portal of Linux tells of changes; Windows and macOS are asked
again whenever the program comes to the front, as a person does who was away to change it. Where nobody answers nothing
is wished, and nothing is said of it. What is asked of macOS was not tried on it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from viewer.ui.portal_motion import PortalMotion

SPI_GETCLIENTAREAANIMATION: Final = 0x1042
APPKIT: Final = "/System/Library/Frameworks/AppKit.framework/AppKit"
OBJC: Final = "/usr/lib/libobjc.A.dylib"


class SystemMotion(QObject):
    """Asks the system.

    told: the system has answered, for the first time or otherwise than before.
        Signal(reduced: bool)
    """

    told = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._portal: PortalMotion | None = None
        self._read: Callable[[], bool | None] | None = None
        self._last: bool | None = None

    def ask(self) -> None:
        """Ask now, and follow changes from then on; the answer comes later, or never."""
        if sys.platform in READERS:
            if self._read is None:
                app = QGuiApplication.instance()
                if isinstance(app, QGuiApplication):
                    app.applicationStateChanged.connect(self._come_back)
            self._read = READERS[sys.platform]
            self._read_again()
        elif has_bus() and self._portal is None:
            self._ask_portal()

    def _ask_portal(self) -> None:
        try:
            from viewer.ui.portal_motion import PortalMotion
        except ImportError:
            return
        self._portal = PortalMotion(self)
        self._portal.told.connect(self._tell)
        self._portal.ask()

    def _come_back(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self._read_again()

    def _read_again(self) -> None:
        reduced = self._read() if self._read is not None else None
        if reduced is not None:
            self._tell(reduced)

    def _tell(self, reduced: bool) -> None:
        if reduced != self._last:
            self._last = reduced
            self.told.emit(reduced)


def has_bus() -> bool:
    """True where a session bus runs already; a library that finds none would start one."""
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    stated = "DBUS_SESSION_BUS_ADDRESS" in os.environ
    return sys.platform.startswith("linux") and (stated or (bool(folder) and Path(folder, "bus").exists()))


def windows_reduces() -> bool | None:
    """The choice of Windows "Animation effects", turned off; None where it does not say."""
    import ctypes

    libraries = getattr(ctypes, "windll", None)
    if libraries is None:
        return None
    on = ctypes.c_int(1)
    known = libraries.user32.SystemParametersInfoW(SPI_GETCLIENTAREAANIMATION, 0, ctypes.byref(on), 0)
    return not on.value if known else None


def macos_reduces() -> bool | None:
    """The choice of macOS "Reduce motion", as NSWorkspace tells it; None where it does not say."""
    import ctypes

    try:
        ctypes.CDLL(APPKIT)
        objc = ctypes.CDLL(OBJC)
        objc.objc_getClass.restype = objc.sel_registerName.restype = ctypes.c_void_p
        address = ctypes.cast(objc.objc_msgSend, ctypes.c_void_p).value
    except (OSError, AttributeError):
        return None
    # The function takes what the method takes: it is called as the method is, never as one of variable arguments.
    ask = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(address or 0)
    ask_bool = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)(address or 0)
    workspace = ask(objc.objc_getClass(b"NSWorkspace"), objc.sel_registerName(b"sharedWorkspace"))
    if not workspace:
        return None
    return bool(ask_bool(workspace, objc.sel_registerName(b"accessibilityDisplayShouldReduceMotion")))


READERS: Final[dict[str, Callable[[], bool | None]]] = {"win32": windows_reduces, "darwin": macos_reduces}
