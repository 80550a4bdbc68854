"""The files that are open, remembered while the program runs: after a fault, or a loss of power, they come back.

What is kept says too how often these files were opened again: files that end the program each time are not opened a
second time without being asked for.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer

from viewer.session.setting import Setting
from viewer.session.settings import OPEN_NOW, REOPEN, Settings

if TYPE_CHECKING:
    from viewer.session.session import Session
    from viewer.session.workspace import Workspace

MOST: Final = 50
SOON_MS: Final = 300
SETTLED_MS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Left:
    """The files of the last time, the one that was looked at by number. `tries`: how often they ended the program.

    `ended`: the program was left as usual.
    """

    paths: tuple[str, ...]
    current: int = 0
    tries: int = 0
    ended: bool = False


class Reopening(QObject):
    """Keeps the list of one program; of those of a screen only the one that takes second starts keeps any.

    `screen`: a name of it, of which each has a list of its own.
    """

    def __init__(self, workspace: Workspace, screen: str = "") -> None:
        super().__init__(workspace)
        self._kept = list_of(screen)
        self._work = workspace
        self._settings: Settings = workspace.settings
        self._tries = 0
        self._ended = False
        self._soon = QTimer(self, singleShot=True, interval=SOON_MS)
        self._soon.timeout.connect(self._keep)
        self._settled = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._settled.timeout.connect(self._settle)

    def begin(self) -> Left | None:
        """What was open the last time, where it is to come back; then keep what is open now."""
        left = read(self._settings.get(self._kept) or self._settings.get(OPEN_NOW))
        self.follow()
        wish = self._settings.get(REOPEN)
        if left is None or not left.paths or wish == "never" or (left.ended and wish != "always"):
            self._keep()
            return None
        return left

    def follow(self) -> None:
        """Keep what is open from now on."""
        for signal in (self._work.added, self._work.removed, self._work.current_changed):
            signal.connect(self._changed)
        self._work.ending.connect(self.end)

    def try_again(self, left: Left) -> None:
        """Open these files; the one that was looked at is looked at. Those that are gone are left out."""
        self._tries = left.tries + 1
        # Written before the first is opened: a file that ends the program is known by it at the next start.
        self._write(replace(left, tries=self._tries, ended=False))
        self._settled.start()
        open_again(self._work, left)

    def end(self) -> None:
        """The program is left as usual, with these files open."""
        if self._ended:
            return
        self._ended = True
        self._soon.stop()
        self._settled.stop()
        self._tries = 0
        self._write(replace(self._now(), ended=True))

    def _changed(self) -> None:
        if not self._ended:
            self._soon.start()

    def _settle(self) -> None:
        self._tries = 0
        self._keep()

    def _keep(self) -> None:
        self._write(self._now())

    def _now(self) -> Left:
        return replace(open_now(self._work), tries=self._tries)

    def _write(self, left: Left) -> None:
        text = json.dumps(
            {"paths": left.paths, "current": left.current, "tries": left.tries, "ended": left.ended}, ensure_ascii=True
        )
        self._settings.set(self._kept, text)
        # The list of a version that had one for all screens is taken over once.
        if self._kept != OPEN_NOW:
            self._settings.reset(OPEN_NOW)
        self._settings.save()


def list_of(screen: str) -> Setting[str]:
    """Where the list of a screen is kept."""
    if not screen:
        return OPEN_NOW
    return Setting(f"{OPEN_NOW.key}_{hashlib.sha256(os.fsencode(screen)).hexdigest()[:12]}", "")


def open_now(work: Workspace) -> Left:
    """The files of a workspace."""
    sessions: Sequence[Session] = work.sessions[:MOST]
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


def read(text: str) -> Left | None:
    """What was kept; None where there is nothing, or nothing of this kind."""
    try:
        kept: Any = json.loads(text) if text else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(kept, dict) or not isinstance(kept.get("paths"), list):
        return None
    paths = tuple(path for path in kept["paths"] if isinstance(path, str) and path and "\0" not in path)
    numbers = [kept.get(name) for name in ("current", "tries")]
    current, tries = (number if isinstance(number, int) and number >= 0 else 0 for number in numbers)
    return Left(paths[:MOST], current, tries, kept.get("ended") is True)
