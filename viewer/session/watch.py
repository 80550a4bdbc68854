"""Watch: tells when a file that is open was written to, replaced or removed by somebody else; of a set any of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from viewer.core.document import MEMBER, Document
from viewer.core.folder import MemberSource
from viewer.core.source import FileSource, Identity, identity_of

if TYPE_CHECKING:
    from viewer.core.progress import Progress
    from viewer.session.jobs import Jobs

SETTLE_MS: Final = 200
KEY: Final = "watching"
MOST_WATCHED: Final = 256
"""Files of a set that are watched one by one, as systems have few places for it; of the others their folders are."""
MOST_FOLDERS: Final = 64
STEP: Final = 256


class Watched(NamedTuple):
    """A file: where it stands, what people call it, and what it was when it was opened; None: it was gone."""

    path: str
    name: str
    identity: Identity | None


class Watch(QObject):
    """Watches the files of one session.

    changed: what stands under the name of a file is not what was read.
        Signal(subject: object, what: str, names: list)   changed or gone, and which files
    """

    changed = Signal(object, str, object)

    def __init__(self, jobs: Jobs, subject: object, parent: QObject | None = None, key: str = KEY) -> None:
        """`subject`: whatever the files belong to, handed on with the signal. `key`: of the job that looks at them."""
        super().__init__(parent)
        self._subject = subject
        self._known: dict[str, Watched] = {}
        self._root: Document | None = None
        self._jobs, self._key = jobs, key
        self._watcher = QFileSystemWatcher(self)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._watcher.fileChanged.connect(self._settle.start)
        self._watcher.directoryChanged.connect(self._settle.start)
        self._settle.timeout.connect(self.check)

    def follow(self, files: Iterable[Watched]) -> None:
        """Watch these files from now on, and no others; the first of very many one by one."""
        self._known = {file.path: file for file in files}
        # The folders are watched too: a file that is replaced by renaming is a new one under the old name.
        folders = dict.fromkeys(path.rpartition(os.sep)[0] or os.sep for path in self._known)
        wanted = dict.fromkeys((*islice(self._known, MOST_WATCHED), *islice(folders, MOST_FOLDERS)))
        have = {*self._watcher.files(), *self._watcher.directories()}
        if old := [path for path in have if path not in wanted]:
            self._watcher.removePaths(old)
        if new := [path for path in wanted if path not in have]:
            self._watcher.addPaths(new)

    def follow_set(self, root: Document) -> None:
        """Watch the files of a set, where they are not watched already; of a file of it that is alone now only that."""
        if root is self._root or not (root.files or self._root):
            return
        self._root = root if root.files else None
        self.follow(of_set(root))

    def check(self) -> None:
        """Look at the files now, off the GUI thread."""
        known = list(self._known.values())
        self._jobs.start(self._key, lambda progress: look(known, progress), self._compare)

    def close(self) -> None:
        """Watch no more."""
        self._settle.stop()
        if paths := [*self._watcher.files(), *self._watcher.directories()]:
            self._watcher.removePaths(paths)
        self.setParent(None)
        self.deleteLater()

    def _compare(self, found: list[Watched]) -> None:
        """Tell of files that are others than before, each time once."""
        found = [file for file in found if file.path in self._known]
        if not found:
            return
        self._known.update((file.path, file) for file in found)
        watched = self._watcher.files()
        there = [file.path for file in found if file.identity is not None and file.path not in watched]
        if there and len(watched) < MOST_WATCHED:
            self._watcher.addPaths(there)
        what = "changed" if any(file.identity is not None for file in found) else "gone"
        self.changed.emit(self._subject, what, [file.name for file in found])


def look(known: list[Watched], progress: Progress) -> list[Watched]:
    """The files that are others now than they were, as they are. Raises CancelledError."""
    found = []
    for number, file in enumerate(known):
        if number % STEP == 0:
            progress.check()
        try:
            identity = identity_of(Path(file.path).stat())
        except OSError:
            identity = None
        if identity != file.identity:
            found.append(file._replace(identity=identity))
    return found


def of_file(source: FileSource) -> Watched:
    """The file of a source."""
    path = source.path.absolute()
    return Watched(str(path), path.name, source.identity)


def of_set(root: Document) -> list[Watched]:
    """The files of a set, that it is opened by first; of a file alone itself."""
    found = [of_file(root.source)] if isinstance(root.source, FileSource) else []
    for child in root.children:
        if child.is_member and isinstance(child.source, MemberSource):
            source = child.source
            found.append(Watched(source.place, child.how.removeprefix(MEMBER), source.identity))
    return found
