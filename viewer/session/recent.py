"""Recent files: what was opened, newest first, with what a list of them shows; those that are pinned stand before.

All windows share one list in the state folder. A change holds at once in its window, and is made in the file by the
thread that writes, on the list as it stands there by then: two windows lose nothing of each other's.
"""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, Signal, Slot

from viewer.session.setting import parsed
from viewer.session.settings import RECENT, RECENT_KEPT, Settings
from viewer.session.state_folder import StateFolder

FOLDER: Final = "recent"
NAME: Final = "recent.json"
MOST_BYTES: Final = 4 << 20
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


Change = Callable[[list[RecentFile]], list[RecentFile]]


class RecentFiles(QObject):
    """The list, bounded by one of the settings.

    `gone`: paths of files that were not there when they were last looked for.

    changed: another list, or other files are gone.
        Signal()
    """

    changed = Signal()
    _on_disk = Signal(object)

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.folder = StateFolder(settings.state_folder / FOLDER, self)
        self._asked: deque[tuple[int, Change]] = deque()
        self._last = self._done = 0
        self._files = self._kept()
        self.gone: frozenset[str] = frozenset()
        self._on_disk.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._take_before()

    @property
    def files(self) -> tuple[RecentFile, ...]:
        """Those that are pinned, then the others, newest first."""
        return tuple(self._files)

    def known(self, path: str | os.PathLike[str]) -> RecentFile:
        """What is known of a file."""
        return _known(self._files, str(Path(path).absolute()))

    def add(self, path: str | os.PathLike[str], size: int) -> None:
        """A file was opened."""
        name, now = str(Path(path).absolute()), int(time.time())
        self.gone -= {name}

        def change(files: list[RecentFile]) -> list[RecentFile]:
            newest = replace(_known(files, name), size=size, opened=now)
            if newest.pinned:
                # Pinned files keep their places, where people look for them.
                return [newest if file.path == name else file for file in files]
            return [newest, *(file for file in files if file.path != name)]

        self._change(change)

    def describe(self, path: str | os.PathLike[str], form: str, tensors: int, *, damaged: bool, size: int = 0) -> None:
        """What was found in it. `size`: bytes, where they are known only now."""
        name = str(Path(path).absolute())
        facts: dict[str, Any] = {"format": form, "tensors": tensors, "damaged": damaged}
        if size:
            facts["size"] = size
        self._change(lambda files: [replace(file, **facts) if file.path == name else file for file in files])

    def pin(self, path: str | os.PathLike[str], *, pinned: bool) -> None:
        """Pin a file, which comes last among the pinned ones; or pin it no more."""
        name = str(Path(path).absolute())
        facts = self.known(path)

        def change(files: list[RecentFile]) -> list[RecentFile]:
            meant = replace(_known(files, name, facts), pinned=pinned)
            others = [file for file in files if file.path != name]
            first = [file for file in others if file.pinned]
            return [*first, meant, *(file for file in others if not file.pinned)]

        self._change(change)

    def move(self, path: str, other: str) -> None:
        """A file is somewhere else now."""
        name, facts = str(Path(other).absolute()), self.known(path)
        self.gone -= {path, name}

        def change(files: list[RecentFile]) -> list[RecentFile]:
            before = _known(files, path, facts)
            moved = replace(before, path=name, pinned=before.pinned or _known(files, name).pinned)
            return [moved if file.path == path else file for file in files if file.path != name]

        self._change(change)

    def forget(self, paths: Iterable[str]) -> None:
        """Leave these out from now on."""
        gone = set(paths)
        self._change(lambda files: [file for file in files if file.path not in gone])

    def clear(self) -> None:
        """Forget all that are not pinned."""
        self._change(lambda files: [file for file in files if file.pinned])

    def forget_all(self) -> None:
        """Forget all."""
        self._change(lambda _: [])

    def close(self) -> None:
        """Write what waits."""
        self.folder.close()

    def set_gone(self, paths: Iterable[str]) -> None:
        """These are not there, the others are."""
        gone = frozenset(paths)
        if gone != self.gone:
            self.gone = gone
            self.changed.emit()

    def _change(self, change: Change) -> None:
        most = self._settings.get(RECENT_KEPT)

        def bounded(files: list[RecentFile]) -> list[RecentFile]:
            files = change(files)
            pinned = [file for file in files if file.pinned][:PINNED]
            return [*pinned, *[file for file in files if not file.pinned][:most]]

        self._last += 1
        self._asked.append((self._last, bounded))
        self.folder.run(self._write)
        self._show(bounded(list(self._files)))

    def _show(self, files: list[RecentFile]) -> None:
        if files != self._files:
            self._files = files
            self.changed.emit()

    @Slot(object)
    def _take(self, written: tuple[int, list[RecentFile]]) -> None:
        """The list as it stands on the disk, with what other windows changed; more of this one may be on its way."""
        done, files = written
        while self._asked and self._asked[0][0] <= done:
            self._asked.popleft()
        for _, change in self._asked:
            files = change(files)
        self._show(files)

    def _kept(self) -> list[RecentFile]:
        return list(_read(self.folder.read(NAME, MOST_BYTES).decode("utf-8", "replace")))

    def _take_before(self) -> None:
        """The list of a version that kept it among the settings, once."""
        before = list(_read(self._settings.get(RECENT)))
        if before:
            self._change(lambda files: [*files, *(file for file in before if _known(files, file.path) not in files)])
            self.folder.settle()
        if self.folder.failure is None and self._settings.get(RECENT) != RECENT.default:
            self._settings.reset(RECENT)

    def _write(self) -> None:
        """In the thread. What could not be written is tried again with the next change."""
        asked = [(number, change) for number, change in tuple(self._asked) if number > self._done]
        if not asked:
            return
        with self.folder.alone():
            files = before = self._kept()
            for _, change in asked:
                files = change(files)
            if files != before:
                self.folder.put(NAME, json.dumps([_row(file) for file in files]).encode("ascii"))
        self._done = asked[-1][0]
        self._on_disk.emit((self._done, files))


def _known(files: Iterable[RecentFile], path: str, other: RecentFile | None = None) -> RecentFile:
    """What a list holds of a file; else `other`."""
    return next((file for file in files if file.path == path), other or RecentFile(path))


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
    """The list out of what was kept; what another version wrote and does not fit is left out."""
    rows = parsed(text)
    for row in rows if isinstance(rows, list) else ():
        try:
            file = RecentFile(**row)
        except TypeError:
            continue
        shapes = (file.path, str), (file.size, int), (file.opened, int), (file.format, str), (file.tensors, int)
        if all(isinstance(value, kind) for value, kind in shapes):
            yield replace(file, damaged=file.damaged is True, pinned=file.pinned is True)
