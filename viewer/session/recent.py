"""Recent files: what was opened, newest first, with what a list of them shows; those that are pinned stand before."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from viewer.session.settings import RECENT, RECENT_KEPT, Settings

PINNED: Final = 100
"""Files that can be pinned."""


@dataclass(frozen=True, slots=True)
class RecentFile:
    """One file. `size` in bytes, `opened` in seconds since 1970; `format` and `tensors` as read, "" and 0 before.

    `damaged`: an error was found in it. `pinned`: it stays, whatever else is opened.
    """

    path: str
    size: int = 0
    opened: int = 0
    format: str = ""
    tensors: int = 0
    damaged: bool = False
    pinned: bool = False


class RecentFiles(QObject):
    """The list, kept in the settings and bounded by one of them.

    `gone`: paths of files that were not there when they were last looked for.

    changed: another list, or other files are gone.
        Signal()
    """

    changed = Signal()

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._files = list(_read(settings.get(RECENT)))
        self.gone: frozenset[str] = frozenset()

    @property
    def files(self) -> tuple[RecentFile, ...]:
        """Those that are pinned, then the others, newest first."""
        return tuple(self._files)

    def known(self, path: str | os.PathLike[str]) -> RecentFile:
        """What is known of a file."""
        name = str(Path(path).absolute())
        return next((file for file in self._files if file.path == name), RecentFile(name))

    def add(self, path: str | os.PathLike[str], size: int) -> None:
        """A file was opened."""
        newest = replace(self.known(path), size=size, opened=int(time.time()))
        self.gone -= {newest.path}
        if newest.pinned:
            # Pinned files keep their places, where people look for them.
            self._keep([newest if file.path == newest.path else file for file in self._current()])
        else:
            self._keep([newest, *(file for file in self._current() if file.path != newest.path)])

    def describe(self, path: str | os.PathLike[str], form: str, tensors: int, *, damaged: bool, size: int = 0) -> None:
        """What was found in it. `size`: bytes, where they are known only now."""
        name = str(Path(path).absolute())
        facts: dict[str, Any] = {"format": form, "tensors": tensors, "damaged": damaged}
        if size:
            facts["size"] = size
        self._keep([replace(file, **facts) if file.path == name else file for file in self._current()])

    def pin(self, path: str | os.PathLike[str], *, pinned: bool) -> None:
        """Pin a file, which comes last among the pinned ones; or pin it no more."""
        meant = replace(self.known(path), pinned=pinned)
        others = [file for file in self._current() if file.path != meant.path]
        first = [file for file in others if file.pinned]
        self._keep([*first, meant, *(file for file in others if not file.pinned)])

    def move(self, path: str, other: str) -> None:
        """A file is somewhere else now."""
        moved = replace(self.known(path), path=str(Path(other).absolute()))
        files = [moved if file.path == path else file for file in self._current() if file.path != moved.path]
        self.gone -= {path, moved.path}
        self._keep(files)

    def forget(self, paths: Iterable[str]) -> None:
        """Leave these out from now on."""
        gone = set(paths)
        self._keep([file for file in self._current() if file.path not in gone])

    def clear(self) -> None:
        """Forget all that are not pinned."""
        self._keep([file for file in self._current() if file.pinned])

    def forget_all(self) -> None:
        """Forget all."""
        self._keep([])

    def set_gone(self, paths: Iterable[str]) -> None:
        """These are not there, the others are."""
        gone = frozenset(paths)
        if gone != self.gone:
            self.gone = gone
            self.changed.emit()

    def _current(self) -> list[RecentFile]:
        """The list as the settings hold it by now: another window may have written it."""
        return list(_read(self._settings.get(RECENT)))

    def _keep(self, files: list[RecentFile]) -> None:
        pinned = [file for file in files if file.pinned][:PINNED]
        others = [file for file in files if not file.pinned][: self._settings.get(RECENT_KEPT)]
        files = [*pinned, *others]
        if files == self._files:
            return
        self._files = files
        self._settings.set(RECENT, json.dumps([_row(file) for file in files]))
        self.changed.emit()


def missing(files: Iterable[RecentFile]) -> list[str]:
    """Paths of the files that are there no more. May take long on a network: call it off the GUI thread."""
    return [file.path for file in files if _is_gone(Path(file.path))]


def _is_gone(path: Path) -> bool:
    """False for what may not be looked at: it may be there, and opening it says why it cannot be."""
    try:
        return not path.exists()
    except OSError:
        return False


def _row(file: RecentFile) -> dict[str, Any]:
    """As it is kept; a version that knows no pins reads those that are not pinned."""
    row = asdict(file)
    if not file.pinned:
        del row["pinned"]
    return row


def _read(text: str) -> Iterator[RecentFile]:
    """The list out of the settings; what another version wrote and does not fit is left out."""
    try:
        rows: Any = json.loads(text)
    except (ValueError, RecursionError):
        return
    for row in rows if isinstance(rows, list) else ():
        try:
            file = RecentFile(**row)
        except TypeError:
            continue
        shapes = (file.path, str), (file.size, int), (file.opened, int), (file.format, str), (file.tensors, int)
        if all(isinstance(value, kind) for value, kind in shapes):
            yield replace(file, damaged=file.damaged is True, pinned=file.pinned is True)
