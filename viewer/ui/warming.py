"""After the start: what was put off until the window is up begins, and the rest of the program is loaded behind it.

The window is shown after a part of the program was loaded. A file that is opened next would wait for the rest, so
a thread loads it meanwhile. Modules know no cycles, so that this thread and the others cannot wait for each other.
"""

from __future__ import annotations

import logging
import pkgutil
import threading
from collections.abc import Iterator
from importlib import import_module
from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget
from typing_extensions import override

log = logging.getLogger(__name__)

PATIENCE_MS: Final = 250
"""A window that nobody sees is not drawn; its work begins all the same."""
FIRST: Final = (
    "numpy",
    "viewer.core.opening",
    "viewer.session.rereading",
    "viewer.session.linking",
    "viewer.session.damage",
    "viewer.ui.window.file_view",
    "viewer.ui.window.standing",
    "viewer.ui.panes.hex",
)
"""What a file that is opened needs soonest."""
ELSEWHERE: Final = frozenset({"viewer.ui.portal_motion"})
"""What only some systems can load: it is, where they have what it asks."""
PACKAGES: Final = ("viewer.wording", "viewer.core", "viewer.session", "viewer.ui")


class FirstPicture(QObject):
    """Tells when a window that was just shown has been drawn for the first time.

    drawn: it was, or it cannot be seen.
        Signal()
    """

    drawn = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._soon = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._soon.timeout.connect(self.drawn)
        handle = window.windowHandle()
        if handle is not None and not handle.isExposed():
            handle.installEventFilter(self)
            self._soon.start()
        else:
            self._soon.start(0)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Expose:
            # It is drawn by what comes after this filter.
            watched.removeEventFilter(self)
            self._soon.start(0)
        return False


class Warming:
    """The thread that loads the rest, until `stop`."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Load it now, if that was not begun before."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._load, name="viewer-warming")
            self._thread.start()

    def stop(self) -> None:
        """Load no more; waits for the module that is being loaded."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _load(self) -> None:
        try:
            for name in names():
                if self._stopped.is_set():
                    return
                import_module(name)
        except Exception:
            # What cannot be loaded fails again where it is wanted, and is told there.
            log.exception("not all of the program could be loaded")


def names() -> Iterator[str]:
    """All modules that the window may want, what is wanted soonest first."""
    yield from FIRST
    for package in PACKAGES:
        yield package
        found = (one.name for one in pkgutil.walk_packages(import_module(package).__path__, f"{package}."))
        yield from (name for name in found if name not in ELSEWHERE)


def load_all() -> None:
    """Load all of it here and now."""
    for name in names():
        import_module(name)
