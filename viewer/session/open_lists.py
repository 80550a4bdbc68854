"""Which files each window has open: a small file of its own for each, locked while its program runs.

A list that nobody holds is of a program that was ended, by a fault or as usual; a start on the same screen takes those
over. The system gives a lock back however a program ends, so that no number of a process has to be trusted.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from viewer.session.setting import Setting, parsed
from viewer.session.settings import OPEN_NOW, Settings
from viewer.session.state_folder import StateFolder

FOLDER: Final = "open"
MOST: Final = 1_000
"""Files of a list."""
MOST_BYTES: Final = 4 << 20
LISTS: Final = 20
"""Lists of programs that run no more: screens may be gone for good."""
LIST: Final = ".json"
LOCK: Final = ".lock"


@dataclass(frozen=True, slots=True)
class Left:
    """The files of the last time, the one that was looked at by number. `tries`: how often they ended the program.

    `ended`: the program was left as usual.
    """

    paths: tuple[str, ...]
    current: int = 0
    tries: int = 0
    ended: bool = False


class OpenLists:
    """The list of this window, and those of others. `screen`: a name of it; each has lists of its own."""

    def __init__(self, settings: Settings, screen: str = "") -> None:
        self._settings = settings
        self.folder = StateFolder(settings.state_folder / FOLDER)
        self._screen = screen_mark(screen)
        self._name = f"{self._screen}-{os.urandom(6).hex()}"
        self._lock = -1
        self._taken: dict[str, int] = {}

    def take(self, *, ended: bool) -> Left | None:
        """What windows of this screen had open that are gone: all that were not left as usual.

        `ended`: of those that were, the last one too. Their lists go once this window has written its own.
        """
        self._take_settings()
        found = dict[str, Left]()
        for name in self._lists():
            left = read(self.folder.read(name, MOST_BYTES).decode("ascii", "replace"))
            if not name.startswith(self._screen) or (left is not None and left.ended and not ended):
                continue
            lock = locked(self.folder.path / Path(name).with_suffix(LOCK))
            if lock is not None:
                self._taken[name] = lock
                found[name] = left or Left(())
        faults = [left for left in found.values() if not left.ended]
        return joined(faults or [left for left in found.values() if left.paths][:1])

    def lost(self) -> Left | None:
        """What other windows of this screen had open that ended by a fault while this one runs; all stays as it is."""
        found = []
        for name in self._lists():
            left = read(self.folder.read(name, MOST_BYTES).decode("ascii", "replace"))
            own = not name.startswith(self._screen) or name == f"{self._name}{LIST}" or name in self._taken
            if own or left is None or left.ended:
                continue
            lock = locked(self.folder.path / Path(name).with_suffix(LOCK))
            if lock is not None:
                os.close(lock)
                found.append(left)
        return joined(found)

    def drop_taken(self) -> None:
        """What was taken over is not wanted."""
        self.folder.run(self._tidy)

    def write(self, left: Left) -> None:
        """These files are open now; written soon."""
        self.folder.write(f"{self._name}{LIST}", partial(self._written, left), self._tidy)

    def forget(self, path: str) -> None:
        """Let no list of a program that runs no more name this file, or any where there is no path."""
        self.folder.run(lambda: self._forget(path))

    def end(self, left: Left | None) -> None:
        """The window is gone. `left`: what comes back at the next start, None for nothing."""
        if left is not None:
            self.write(left)
        else:
            self.folder.run(lambda: self.folder.remove(f"{self._name}{LIST}"))
        self.folder.run(self._let_go)
        self.folder.close()

    # -- in the thread that writes ----------------------------------------------------------------

    def _written(self, left: Left) -> bytes:
        if self._lock < 0:
            self.folder.make()
            own = locked(self.folder.path / f"{self._name}{LOCK}")
            self._lock = own if own is not None else -1
        return written(left)

    def _tidy(self) -> None:
        """What was taken over stands in this window's list by now; of what is left the oldest lists go."""
        for name, lock in self._taken.items():
            self._remove(name, lock)
        self._taken.clear()
        for name in self._lists()[LISTS:]:
            held = locked(self.folder.path / Path(name).with_suffix(LOCK)) if name[: -len(LIST)] != self._name else None
            if held is not None:
                self._remove(name, held)

    def _forget(self, path: str) -> None:
        for name in self._lists():
            left = read(self.folder.read(name, MOST_BYTES).decode("ascii", "replace"))
            is_own = name == f"{self._name}{LIST}"
            if is_own or left is None or (path and path not in left.paths):
                continue
            lock = self._taken.get(name)
            held = lock if lock is not None else locked(self.folder.path / Path(name).with_suffix(LOCK))
            if held is None:
                continue
            kept = tuple(one for one in left.paths if path and one != path)
            if kept:
                self.folder.put(name, written(replace(left, paths=kept, current=0)))
                if lock is None:
                    os.close(held)
            else:
                self._taken.pop(name, None)
                self._remove(name, held)

    def _remove(self, name: str, lock: int) -> None:
        self.folder.remove(name)
        # The name of the lock goes first: who opens it behind that locks another file. Windows wants it closed before.
        lock_name = name.removesuffix(LIST) + LOCK
        if sys.platform == "win32":
            os.close(lock)
            self.folder.remove(lock_name)
        else:
            self.folder.remove(lock_name)
            os.close(lock)

    def _let_go(self) -> None:
        """Hold no locks any more."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
            self.folder.remove(f"{self._name}{LOCK}")
        for lock in self._taken.values():
            os.close(lock)
        self._taken.clear()

    def _lists(self) -> list[str]:
        return [name for name in self.folder.names() if name.endswith(LIST)]

    def _take_settings(self) -> None:
        """The lists of a version that kept them among the settings become files, once."""
        for key in self._settings.keys_from(OPEN_NOW.key):
            kept = Setting(key, "")
            left = read(self._settings.get(kept))
            mark = key[len(OPEN_NOW.key) + 1 :] or self._screen
            if left is not None and left.paths:
                self.folder.write(f"{mark}-before{LIST}", partial(written, left))
            self._settings.reset(kept)
        self.folder.settle()


def written(left: Left) -> bytes:
    """A list as it is kept."""
    row = {"paths": left.paths[:MOST], "current": left.current, "tries": left.tries, "ended": left.ended}
    return json.dumps(row).encode("ascii")


def screen_mark(screen: str) -> str:
    """A screen in the names of its lists."""
    return hashlib.sha256(os.fsencode(screen)).hexdigest()[:12]


def locked(path: Path) -> int | None:
    """A descriptor that holds a lock until it is closed or the program ends; None where another one holds it.

    Where the folder knows no locks, nothing is held by anybody.
    """
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        os.close(lock)
        return None
    except OSError:
        pass
    return lock


def joined(found: Iterable[Left]) -> Left | None:
    """Several lists as one, each file once; what the newest of them looked at is looked at."""
    lists = [left for left in found if left.paths]
    if not lists:
        return None
    newest, paths = lists[0], dict.fromkeys(path for left in lists for path in left.paths)
    return replace(newest, paths=tuple(paths)[:MOST], tries=max(left.tries for left in lists))


def read(text: str) -> Left | None:
    """What was kept; None where there is nothing, or nothing of this kind."""
    kept = parsed(text)
    if not isinstance(kept, dict) or not isinstance(kept.get("paths"), list):
        return None
    paths = tuple(path for path in kept["paths"] if isinstance(path, str) and path and "\0" not in path)
    numbers = [kept.get(name) for name in ("current", "tries")]
    current, tries = (number if isinstance(number, int) and number >= 0 else 0 for number in numbers)
    return Left(paths[:MOST], current, tries, kept.get("ended") is True)
