"""The files that are open, remembered while the program runs: after a fault, or a loss of power, they come back.

What is kept says too how often these files were opened again: files that end the program each time are not opened a
second time without being asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from viewer.session.open_lists import Left, OpenLists
from viewer.session.settings import REOPEN, Settings

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.session.workspace import Workspace

SOON_MS: Final = 300
SETTLED_MS: Final = 10_000


class Reopening(QObject):
    """Keeps the list of one window."""

    def __init__(self, workspace: Workspace, lists: OpenLists) -> None:
        super().__init__(workspace)
        self._lists = lists
        self._work = workspace
        self._settings: Settings = workspace.settings
        self._tries = 0
        self._ended = False
        self._asked: Left | None = None
        self._soon = QTimer(self, singleShot=True, interval=SOON_MS)
        self._soon.timeout.connect(self._keep)
        self._settled = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._settled.timeout.connect(self._settle)

    def begin(self, *, is_first: bool = True) -> Left | None:
        """What was open the last time, where it is to come back; then keep what is open now.

        With `tries` it is to be asked for first, and `try_again` is the answer.

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
        self._asked = left if left.tries else None
        return left

    def follow(self) -> None:
        """Keep what is open from now on."""
        for signal in (self._work.added, self._work.removed, self._work.moved, self._work.current_changed):
            signal.connect(self._changed)
        self._work.ending.connect(self.end)

    def try_again(self, left: Left) -> None:
        """Open these files; the one that was looked at is looked at. Those that are gone are left out."""
        self._tries, self._asked = left.tries + 1, None
        # On the disk before the first is opened: a file that ends the program is known by it at the next start.
        paths = dict.fromkeys((*left.paths, *open_now(self._work).paths))
        self._lists.write(replace(left, paths=tuple(paths), tries=self._tries, ended=False))
        self._lists.folder.settle()
        self._settled.start()
        open_again(self._work, left)

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
        open_again(self._work, left)

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
        self._lists.end(replace(open_now(self._work), ended=True) if comes_back else None)

    def _changed(self) -> None:
        if not self._ended:
            self._soon.start()

    def _settle(self) -> None:
        self._tries = 0
        self._keep()

    def _keep(self) -> None:
        if self._settings.get(REOPEN) == "never":
            self._lists.write(Left(()))
        else:
            self._lists.write(self._with_asked(replace(open_now(self._work), tries=self._tries)))

    def _with_asked(self, now: Left) -> Left:
        if self._asked is None:
            return now
        paths = dict.fromkeys((*now.paths, *self._asked.paths))
        return Left(tuple(paths), now.current, self._asked.tries)


def open_now(work: Workspace) -> Left:
    """The files of a workspace."""
    sessions: Sequence[Session] = work.sessions
    at = sessions.index(work.current) if work.current in sessions else 0
    return Left(tuple(str(session.path.absolute()) for session in sessions), at)


def open_again(work: Workspace, left: Left) -> None:
    """Open these files, but for those that are gone."""
    opened = [work.open(path) if not _is_gone(path) else None for path in left.paths]
    looked_at = opened[left.current] if left.current < len(opened) else None
    if looked_at is not None:
        work.activate(looked_at)


def _is_gone(path: str) -> bool:
    """True for what is not there any more; what may not be looked at is opened, which says why it cannot be."""
    try:
        return not Path(path).exists()
    except OSError:
        return False
