"""How the open files stand is kept while the program runs, so that it comes back after a fault or a loss of power.

Never at each key: a while after the first change, and one file at a time. What takes long is done by the thread that
writes (viewer/session/state_folder.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.ui.window.file_view import FileView
    from viewer.ui.window.frame import Frame

SOON_MS: Final = 1_000


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
