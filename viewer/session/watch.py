"""Watch: tells when the file that is open was written to, replaced or removed by somebody else."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from viewer.core.progress import Progress
from viewer.core.source import FileSource, Identity
from viewer.session.jobs import Jobs

SETTLE_MS: Final = 200
KEY: Final = "watching"


class Watch(QObject):
    """Watches the file of one source.

    changed: what stands under the file's name is not what was read.
        Signal(subject: object, what: str)   changed or gone
    """

    changed = Signal(object, str)

    def __init__(self, source: FileSource, jobs: Jobs, subject: object, parent: QObject | None = None) -> None:
        """`subject`: whatever the file belongs to, handed on with the signal."""
        super().__init__(parent)
        self._subject = subject
        self._path = source.path.absolute()
        self._known: Identity | None = source.identity
        self._jobs = jobs
        # The folder is watched too: a file that is replaced by renaming is a new one under the old name.
        self._watcher = QFileSystemWatcher([str(self._path), str(self._path.parent)], self)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._watcher.fileChanged.connect(self._settle.start)
        self._watcher.directoryChanged.connect(self._settle.start)
        self._settle.timeout.connect(self.check)

    def check(self) -> None:
        """Look at the file now, off the GUI thread."""
        self._jobs.start(KEY, self._look, self._compare)

    def close(self) -> None:
        """Watch no more."""
        self._settle.stop()
        self._watcher.removePaths([*self._watcher.files(), *self._watcher.directories()])
        self.setParent(None)
        self.deleteLater()

    def _look(self, progress: Progress) -> Identity | None:
        del progress
        try:
            facts = self._path.stat()
        except OSError:
            return None
        return Identity(facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns)

    def _compare(self, found: Identity | None) -> None:
        if found == self._known:
            return
        self._known = found
        if found is not None and str(self._path) not in self._watcher.files():
            self._watcher.addPath(str(self._path))
        self.changed.emit(self._subject, "gone" if found is None else "changed")
