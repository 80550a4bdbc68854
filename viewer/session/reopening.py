"""The files that are open, remembered while the program runs: after a fault, or a loss of power, they come back.

What is kept says too how often these files were opened again: files that end the program each time are not opened a
second time without being asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from viewer.session.open_lists import Left, OpenLists
from viewer.session.settings import REOPEN, Settings

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.session.workspace import Workspace

SOON_MS: Final = 300
SETTLED_MS: Final = 10_000


class Reopening(QObject):
    """Keeps the list of one window.

    `asked`: what is to be opened again once the person has said so; None where nothing waits for an answer.

    missed: files that were open are to come back, and are not there.
        Signal(paths: tuple[str, ...])
    """

    missed = Signal(object)

    def __init__(self, workspace: Workspace, lists: OpenLists) -> None:
        super().__init__(workspace)
        self._lists = lists
        self._work = workspace
        self._settings: Settings = workspace.settings
        self._tries = 0
        self._ended = False
        self.asked: Left | None = None
        self._soon = QTimer(self, singleShot=True, interval=SOON_MS)
        self._soon.timeout.connect(self._keep)
        self._settled = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._settled.timeout.connect(self._settle)

    def begin(self, *, is_first: bool = True) -> Left | None:
        """What was open the last time, where it is to come back; then keep what is open now.

        With `tries` it is to be asked for first; `try_again` or `leave_closed` is the answer.

        `is_first`: no other window of this screen takes second starts. One beside another takes over only what was
        open in windows that were not left as usual.
        """
        wish = self._settings.get(REOPEN)
        left = self._lists.take(ended=is_first)
        self.follow()
        if left is None or wish == "never" or (left.ended and wish != "always"):
            self._keep()
            return None
        # Where it is asked for first, it stays on the disk beside what is opened meanwhile, until the window is left.
        self.asked = left if left.tries else None
        return left

    def follow(self) -> None:
        """Keep what is open from now on."""
        for signal in (self._work.added, self._work.removed, self._work.moved, self._work.current_changed):
            signal.connect(self._changed)
        self._work.forgotten.connect(self._forget)
        self._work.ending.connect(self.end)

    def try_again(self, left: Left) -> None:
        """Open these files; the one that was looked at is looked at. Those that are gone are left out."""
        self._tries, self.asked = left.tries + 1, None
        # On the disk before the first is opened: a file that ends the program is known by it at the next start.
        paths = dict.fromkeys((*left.paths, *open_now(self._work).paths))
        self._lists.write(replace(left, paths=tuple(paths), tries=self._tries, ended=False))
        self._lists.folder.settle()
        self._settled.start()
        self._open_again(left)

    def leave_closed(self) -> None:
        """Do not open what was asked for, and do not ask again."""
        self.asked = None
        self._keep()

    def lost(self) -> Left | None:
        """What another window had open that was ended by a fault while this one runs, where it is to come back."""
        return self._lists.lost() if self._settings.get(REOPEN) != "never" else None

    def take_lost(self) -> None:
        """Open that beside what is open here."""
        left, now = self._lists.take(ended=False), open_now(self._work)
        if left is None:
            return
        self._tries = left.tries + 1
        # Now, not soon: their lists go once this one has their files.
        both = dict.fromkeys((*now.paths, *left.paths))
        self._lists.write(self._with_asked(Left(tuple(both), now.current, self._tries)))
        self._lists.folder.settle()
        self._settled.start()
        self._open_again(left)

    def drop_lost(self) -> None:
        """Leave it closed, and do not ask again."""
        self._lists.take(ended=False)
        self._lists.drop_taken()

    def hand_on(self) -> None:
        """Another window of this program takes the files and the list over."""
        self._ended = True
        self._soon.stop()
        self._settled.stop()

    def end(self) -> None:
        """The window is left as usual, with these files open."""
        if self._ended:
            return
        self.hand_on()
        comes_back = self._settings.get(REOPEN) == "always"
        self._lists.end(replace(known_now(self._work), ended=True) if comes_back else None)

    def _changed(self) -> None:
        if not self._ended:
            self._soon.start()

    def _forget(self, path: str) -> None:
        """A file is forgotten, or all are with no path: it does not come back, and no list names it."""
        if self.asked is not None:
            left = tuple(one for one in self.asked.paths if path and one != path)
            self.asked = replace(self.asked, paths=left) if left else None
        self._lists.forget(path)
        self._soon.stop()
        self._keep()

    def _open_again(self, left: Left) -> None:
        gone = open_again(self._work, left)
        if gone:
            self.missed.emit(gone)

    def _settle(self) -> None:
        if any(session.jobs.busy for session in self._work.sessions):
            # On a slow machine, or of a large file, the reading that may end the program is still to come.
            self._settled.start()
            return
        self._tries = 0
        self._keep()

    def _keep(self) -> None:
        if self._settings.get(REOPEN) == "never":
            self._lists.write(Left(()))
        else:
            self._lists.write(self._with_asked(replace(known_now(self._work), tries=self._tries)))

    def _with_asked(self, now: Left) -> Left:
        if self.asked is None:
            return now
        paths = dict.fromkeys((*now.paths, *self.asked.paths))
        return Left(tuple(paths), now.current, self.asked.tries)


def open_now(work: Workspace) -> Left:
    """The files of a workspace."""
    sessions: Sequence[Session] = work.sessions
    at = sessions.index(work.current) if work.current in sessions else 0
    return Left(tuple(str(session.path.absolute()) for session in sessions), at)


def open_on(work: Workspace, left: Left, known: Left, listed: Collection[str]) -> None:
    """Open the files of a workspace that ended in the one that takes its place: nobody opened them again.

    `left`: what was open there; `known`: without what was forgotten; `listed`: paths of its recent files.
    """
    open_again(work, left)
    for session in work.sessions:
        path = str(session.path.absolute())
        if path in left.paths and path not in known.paths:
            work.stay_forgotten(session)
        elif path not in listed:
            work.recent.forget([path])


def known_now(work: Workspace) -> Left:
    """The same without those that were forgotten since."""
    kept = [session for session in work.sessions if session not in work.forgotten_now]
    at = kept.index(work.current) if work.current in kept else 0
    return Left(tuple(str(session.path.absolute()) for session in kept), at)


def open_again(work: Workspace, left: Left) -> tuple[str, ...]:
    """Open these files, one that was renamed by its new name; gives those that are gone."""
    opened: list[Session | None] = []
    gone: list[str] = []
    for path in left.paths:
        found = work.found_again(path) if _is_gone(path) else path
        opened.append(work.open(found) if found else None)
        gone += [] if found else [path]
    looked_at = opened[left.current] if left.current < len(opened) else None
    if looked_at is not None:
        work.activate(looked_at)
    return tuple(gone)


def _is_gone(path: str) -> bool:
    """True for what is not there any more; what may not be looked at is opened, which says why it cannot be."""
    try:
        return not Path(path).exists()
    except OSError:
        return False
