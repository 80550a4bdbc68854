"""Recent files: what was opened, newest first, with what a list of them shows."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from viewer.session.settings import RECENT, RECENT_KEPT, Settings


@dataclass(frozen=True, slots=True)
class RecentFile:
    """One file. `size` in bytes, `opened` in seconds since 1970; `format` and `tensors` as read, "" and 0 before.

    `damaged`: an error was found in it.
    """

    path: str
    size: int = 0
    opened: int = 0
    format: str = ""
    tensors: int = 0
    damaged: bool = False


class RecentFiles(QObject):
    """The list, kept in the settings and bounded by one of them.

    changed: another list.
        Signal()
    """

    changed = Signal()

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._files = list(_read(settings.get(RECENT)))

    @property
    def files(self) -> tuple[RecentFile, ...]:
        """Newest first."""
        return tuple(self._files)

    def add(self, path: str | os.PathLike[str], size: int) -> None:
        """A file was opened."""
        name = str(Path(path).absolute())
        known = next((file for file in self._files if file.path == name), RecentFile(name))
        newest = replace(known, size=size, opened=int(time.time()))
        self._keep([newest, *(file for file in self._files if file.path != name)])

    def describe(self, path: str | os.PathLike[str], form: str, tensors: int, *, damaged: bool, size: int = 0) -> None:
        """What was found in it. `size`: bytes, where they are known only now."""
        name = str(Path(path).absolute())
        facts: dict[str, Any] = {"format": form, "tensors": tensors, "damaged": damaged}
        if size:
            facts["size"] = size
        self._keep([replace(file, **facts) if file.path == name else file for file in self._files])

    def forget(self, paths: Iterable[str]) -> None:
        """Leave these out from now on."""
        gone = set(paths)
        self._keep([file for file in self._files if file.path not in gone])

    def clear(self) -> None:
        """Forget all."""
        self._keep([])

    def _keep(self, files: list[RecentFile]) -> None:
        files = files[: self._settings.get(RECENT_KEPT)]
        if files == self._files:
            return
        self._files = files
        self._settings.set(RECENT, json.dumps([asdict(file) for file in files]))
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


def _read(text: str) -> Iterator[RecentFile]:
    """The list out of the settings; what another version wrote and does not fit is left out."""
    try:
        rows: Any = json.loads(text)
    except ValueError:
        return
    for row in rows if isinstance(rows, list) else ():
        try:
            file = RecentFile(**row)
        except TypeError:
            continue
        shapes = (file.path, str), (file.size, int), (file.opened, int), (file.format, str), (file.tensors, int)
        if all(isinstance(value, kind) for value, kind in shapes):
            yield file
