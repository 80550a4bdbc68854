"""How window and open files stand is kept while the program runs, and comes back after a fault or a loss of power.

Never at each key: a while after the first change, and one file at a time. What takes long is done by the thread that
writes (viewer/session/state_folder.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QTimer
from typing_extensions import override

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.ui.window.file_view import FileView
    from viewer.ui.window.frame import Frame

SOON_MS: Final = 1_000
GEOMETRY: Final = "geometry"
MOST_BYTES: Final = 4096
MOVES: Final = frozenset({QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.WindowStateChange})


class Keeping(QObject):
    """Keeps the places of the files of one window."""

    def __init__(self, window: Frame) -> None:
        super().__init__(window)
        self._window = window
        self._changed: dict[Session, None] = {}
        self._soon = QTimer(self, singleShot=True, interval=SOON_MS)
        self._soon.timeout.connect(self._keep_next)

    def follow(self, session: Session, view: FileView) -> None:
        """Keep the place of a file each time that it is another one."""
        for signal in (session.document_changed, session.selection_changed, view.commands_changed, view.kept_changed):
            signal.connect(lambda: self._note(session))

    def keep(self, session: Session, view: FileView) -> None:
        """Keep it now."""
        self._changed.pop(session, None)
        identity = self._window.workspace.identities.get(session)
        if identity is not None and session.source is not None:
            self._window.workspace.places.keep(session.path, identity, view.place())

    def _note(self, session: Session) -> None:
        if session not in self._window.views:
            return
        self._changed[session] = None
        if not self._soon.isActive():
            self._soon.start(SOON_MS)

    def _keep_next(self) -> None:
        session = next(iter(self._changed), None)
        if session is None:
            return
        self.keep(session, self._window.views[session])
        if self._changed:
            self._soon.start(0)


class KeptGeometry(QObject):
    """Where the window stands, how large it is, and whether it fills the screen: a while after each change."""

    def __init__(self, window: Frame) -> None:
        super().__init__(window)
        self._window, self._folder = window, window.workspace.window_folder
        self._soon = QTimer(self, singleShot=True, interval=SOON_MS)
        self._soon.timeout.connect(self.keep)
        window.installEventFilter(self)
        window.workspace.ending.connect(self._end)

    def kept(self) -> bytes:
        """As `saveGeometry` gave it the last time; none where nothing is known."""
        return self._folder.read(GEOMETRY, MOST_BYTES)

    def keep(self) -> None:
        """Keep it now."""
        geometry = bytes(self._window.saveGeometry().data())
        self._folder.write(GEOMETRY, lambda: geometry)

    def _end(self) -> None:
        self._window.removeEventFilter(self)
        self._soon.stop()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in MOVES and self._window.isVisible():
            self._soon.start()
        return False
