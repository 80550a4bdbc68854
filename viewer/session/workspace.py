"""Workspace: all files that are open, which of them is looked at, and what is remembered of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from viewer.core.errors import ViewerError
from viewer.core.folder import is_folder
from viewer.core.source import FileSource, Identity, open_file
from viewer.session.bookmarks import kept_bookmarks
from viewer.session.file_marks import KnownFiles
from viewer.session.jobs import Jobs
from viewer.session.offsets import parse_target
from viewer.session.places import MOVED, SAME, Found, Places
from viewer.session.recent import RecentFiles
from viewer.session.state_folder import StateFolder

if TYPE_CHECKING:
    from viewer.core.span import Span
    from viewer.session.session import Session
    from viewer.session.settings import Settings
    from viewer.session.watch import Watch

WINDOW: Final = "window"
"""The folder of what is kept of windows."""


class Workspace(QObject):
    """The sessions, one a file. `current`: the one that is looked at, None when no file is open.

    `places_left`: how the file of a session was left when it was open the last time, where that is known.
    `identities`: by which the files of the sessions are known. `forgotten_now`: sessions whose file was forgotten since
    it was opened.

    added: a session begins; whoever shows it is made now, before its file is opened.
        Signal(session: Session)
    removed: a session ended; its threads have stopped.
        Signal(session: Session)
    ending: all sessions are about to be closed.
        Signal()
    current_changed: another session is looked at.
        Signal(session: Session | None)
    moved: the sessions stand in another order.
        Signal()
    refused: a file could not be opened at all.
        Signal(path: Path, failure: Exception)
    forgotten: nothing is to be known of a file any more, of any with no path.
        Signal(path: str)
    changed_on_disk: the file of a session is not what was read.
        Signal(session: Session, what: str)   changed or gone
    """

    added = Signal(object)
    removed = Signal(object)
    ending = Signal()
    current_changed = Signal(object)
    moved = Signal()
    refused = Signal(object, object)
    forgotten = Signal(str)
    changed_on_disk = Signal(object, str, object)

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.settings = settings
        self.recent = RecentFiles(settings, self)
        self._known = KnownFiles()
        self.places = Places(settings, self._known)
        self.bookmarks = kept_bookmarks(settings)
        self.window_folder = StateFolder(settings.state_folder / WINDOW, self)
        self.jobs = Jobs(self)
        self.sessions: list[Session] = []
        self.current: Session | None = None
        self.places_left: dict[Session, Found] = {}
        self.identities: dict[Session, Identity] = {}
        self.forgotten_now: set[Session] = set()
        self._watches: dict[Session, Watch] = {}

    def open_targets(self, targets: Iterable[str]) -> None:
        """Open each `FILE[#OFFSET[+LENGTH]]`; the last one is looked at."""
        for text in targets:
            target = parse_target(text)
            self.open(target.path, target.span)

    def open(self, path: str | os.PathLike[str], at: Span | None = None, like: Session | None = None) -> Session | None:
        """Open a file, or look at it where it is open already. None when refused.

        `at`: bytes to select first. `like`: a session of the file before, whose options and place it takes over.
        """
        from viewer.session.session import Session

        path = Path(path)
        known = self.find(path)
        if known is not None:
            self.activate(known)
            if at is not None:
                known.select_bytes((at,), "start", _member(known, path), document=0)
            return known
        try:
            _check(path)
            facts = path.stat()
        except (ViewerError, OSError) as failure:
            self.refused.emit(path, failure)
            return None
        session = Session(path, self)
        if like is not None:
            session.take_over(like)
        identity = Identity(facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns)
        session.bookmarks.join(self.bookmarks, self._known.names(path, identity))
        session.habits.join(self.settings)
        self.identities[session] = identity
        found = self.places.find(path, identity)
        if found is not None:
            if found.how == MOVED and self.recent.known(found.path) in self.recent.files:
                self.recent.move(found.path, str(path))
            # Who reads a file again knows that it has changed.
            self.places_left[session] = found if like is None else replace(found, how=SAME)
            span = found.place.span
            if like is None and at is None and span is not None and span.stop <= identity.size:
                at = span
        return self._begin(session, at)

    def find(self, path: Path) -> Session | None:
        """The session that shows this file, by whatever name."""
        try:
            name = os.path.realpath(path)
        except ValueError:
            # No system can name it: a NUL, or half of a surrogate pair.
            return None
        for session in self.sessions:
            if name in (os.path.realpath(session.path), os.path.realpath(session.shown_path)):
                return session
        try:
            facts = path.stat()
        except OSError:
            return None
        number = facts.st_dev, facts.st_ino
        return next((session for session in self.sessions if _number(session) == number), None)

    def found_again(self, path: str) -> str:
        """Where a file is now that was renamed since it was open, as far as its folder tells; "" where it does not."""
        return self.places.found_again(path)

    def activate(self, session: Session | None) -> None:
        """Look at this session; one that ended while its line of a menu could be chosen is none any more."""
        if session is not self.current and (session is None or session in self.sessions):
            self.current = session
            self.current_changed.emit(session)

    def has(self, session: Session) -> bool:
        """True as long as the session has not ended."""
        return session in self.sessions

    def arrange(self, place: Callable[[Session], int]) -> None:
        """Order the sessions by their places."""
        self.sessions.sort(key=place)
        self.moved.emit()

    def reload(self, session: Session) -> Session | None:
        """Open the file of a session anew, at the same place and with the same options; the session ends.

        None when refused: then the session stays, since what it holds may be all that is left of the file.
        """
        path = session.path
        try:
            _check(path)
        except (ViewerError, OSError) as failure:
            self.refused.emit(path, failure)
            return None
        was_forgotten = session in self.forgotten_now
        self.close(session)
        again = self.open(path, like=session)
        if again is not None and was_forgotten:
            self.stay_forgotten(again)
        return again

    def close(self, session: Session) -> None:
        """End a session: its work is stopped, its file given back; the next one to it is looked at."""
        at = self.sessions.index(session)
        self.sessions.remove(session)
        self.places_left.pop(session, None)
        self.forgotten_now.discard(session)
        watch = self._watches.pop(session, None)
        if watch is not None:
            watch.close()
        if session is self.current:
            others = self.sessions
            self.activate(others[min(at, len(others) - 1)] if others else None)
        session.close()
        self.removed.emit(session)
        self.identities.pop(session, None)
        # Without a parent: what is connected to a session may hold the last reference to the workspace, which
        # must not delete the session a second time.
        session.setParent(None)
        session.deleteLater()

    def forget_file(self, session: Session) -> None:
        """Forget how the file of a session was left, its bookmarks, and that it was open."""
        self.stay_forgotten(session)
        session.bookmarks.clear()
        self.forgotten.emit(str(session.path.absolute()))

    def stay_forgotten(self, session: Session) -> None:
        """Know nothing of a file that was forgotten while it was open, though its session is another one by now."""
        self.places.forget(session.path, self.identities[session])
        self.recent.forget([str(session.path.absolute())])
        self.forgotten_now.add(session)

    def forget_all(self) -> None:
        """The same of all files."""
        self.places.forget_all()
        for session in self.sessions:
            session.bookmarks.clear()
        self.bookmarks.forget_all()
        self.recent.forget_all()
        self.forgotten_now.update(self.sessions)
        self.forgotten.emit("")

    def close_all(self) -> None:
        """End all sessions and all work."""
        self.ending.emit()
        for session in reversed(self.sessions):
            self.close(session)
        self.jobs.close()
        for kept in (self.places, self.bookmarks, self.recent):
            kept.close()
        self.window_folder.close()
        self.settings.save()

    def _begin(self, session: Session, at: Span | None) -> Session | None:
        from viewer.session.watch import Watch, of_file

        self.sessions.append(session)
        session.peers = lambda: [one for one in self.sessions if one is not session]
        session.document_changed.connect(self._describe)
        self.added.emit(session)
        self.activate(session)
        session.open(at)
        source = session.source
        if source is None:
            failure = session.failure
            self.close(session)
            self.refused.emit(session.path, failure)
            return None
        self.recent.add(session.path, source.size)
        watch = self._watches[session] = Watch(session.jobs, session, self)
        watch.changed.connect(self.changed_on_disk)
        if isinstance(source, FileSource):
            watch.follow([of_file(source)])
        else:
            session.failed.connect(self._no_set)
        return session

    def _no_set(self, failure: Exception) -> None:
        """A folder holds nothing that can be opened."""
        from viewer.session.session import Session

        session = self.sender()
        if isinstance(session, Session) and session in self.sessions and not session.documents:
            path = session.path
            self.close(session)
            self.recent.forget([str(path.absolute())])
            self.refused.emit(path, failure)

    def _describe(self) -> None:
        from viewer.core.problem import Severity
        from viewer.session.session import Session

        session = self.sender()
        root = session.root if isinstance(session, Session) else None
        if isinstance(session, Session) and root is not None:
            damaged = any(problem.severity is Severity.ERROR for part in root.walk() for problem in part.problems)
            # A folder has no size before its files are known.
            size = 0 if isinstance(session.source, FileSource) else root.whole_size
            self.recent.describe(session.path, root.format, len(root.tensors), damaged=damaged, size=size)
            watch = self._watches.get(session)
            if watch is not None:
                watch.follow_set(root)
            other = self._of_set(session)
            if other is not None:
                # The session is in the middle of telling of its document.
                QTimer.singleShot(0, self, lambda: self._join(session, other))

    def _of_set(self, session: Session) -> Session | None:
        """Another session of the same set of files."""
        root, path = session.root, os.path.realpath(session.shown_path)
        others = (one for one in self.sessions if one is not session and one.root is not None and one.root.files)
        same = (one for one in others if os.path.realpath(one.shown_path) == path)
        return next(same, None) if root is not None and root.files else None

    def _join(self, session: Session, other: Session) -> None:
        """Look at the part of a set in the session that shows the set already."""
        if session not in self.sessions or other not in self.sessions:
            return
        place, name = session.selection, session.root.opened_by if session.root is not None else ""
        if session is self.current:
            self.activate(other)
        if place.spans:
            other.select_bytes(place.spans, "start", place.source, document=0)
        elif name:
            other.select_member(name, "start")
        self.close(session)


def _check(path: Path) -> None:
    """Raises ViewerError or OSError for what is neither a folder nor a file that can be read."""
    if not is_folder(path):
        os.close(open_file(path))


def _member(session: Session, path: Path) -> str:
    """What a file is called in the set that a session shows; "" for the file that stands for it, or that is alone."""
    is_shown = os.path.realpath(path) == os.path.realpath(session.shown_path)
    return session.root.opened_by if session.root is not None and not is_shown else ""


def _number(session: Session) -> tuple[int, int] | None:
    source = session.source
    return (source.identity.device, source.identity.inode) if isinstance(source, FileSource) else None
