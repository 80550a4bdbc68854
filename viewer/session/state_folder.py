"""A folder of small files in which the program remembers things: written whole, one after the other, by one thread.

What stands there may be lost, damaged or of another version: who reads it begins anew then. A folder that cannot be
written is told once and harms nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLockFile, QObject, Signal

log = logging.getLogger(__name__)

OWN: Final = 0o700
"""Names of files tell of a person."""
ABANDONED_S: Final = 3600
"""Age from which a half-written file is of a program that was ended."""
HALF: Final = ".half"
LOCK: Final = "shared.lock"
PATIENCE_MS: Final = 2_000
"""How long another program that changes the folder is waited for; one that was stopped holds nobody for good."""


@dataclass(slots=True)
class _Asked:
    """What is to be written under a name, not yet taken by the thread."""

    content: Callable[[], bytes]


class StateFolder(QObject):
    """`path`: made when something is first written. `failure`: why something could not be written, the first of all.

    failed: something could not be written; told once.
        Signal(failure: OSError)
    """

    failed = Signal(object)

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self._pool: ThreadPoolExecutor | None = None
        self._waiting: dict[str, _Asked] = {}
        self._lock = threading.Lock()
        self._last: Future[None] | None = None
        self._asked_for = 0
        self._written: dict[str, bytes] = {}
        self.failure: OSError | None = None

    def write(self, name: str, content: Callable[[], bytes], after: Callable[[], None] | None = None) -> None:
        """Write a file, soon: `content` is asked for it in the thread, then `after` is called there.

        A content of no bytes takes the file away. What was to be written under the same name, and waits with nothing
        else asked behind it, is left out.
        """
        with self._lock:
            waiting = self._waiting.get(name)
            if waiting is not None:
                waiting.content = content
                return
            asked = self._waiting[name] = _Asked(content)
        self._submit(lambda: self._write(name, asked, after))

    def run(self, work: Callable[[], None]) -> None:
        """Do something with the folder, after all that was asked before and before all that is asked behind it."""
        with self._lock:
            self._waiting.clear()
        self._submit(work)

    def make(self) -> None:
        """Make the folder; called in the thread. Raises OSError."""
        self.path.mkdir(mode=OWN, parents=True, exist_ok=True)

    def settle(self) -> None:
        """Wait until all is written that was asked for."""
        if self._last is not None:
            self._last.result()
            self._last = None

    def close(self) -> None:
        """Write what waits, and end the thread; a later write begins another one."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True)
        self.settle()

    def names(self) -> list[str]:
        """The files that stand there, the newest first."""
        return [name for _, _, name in sorted(self._found(), reverse=True)]

    def read(self, name: str, most: int) -> bytes:
        """A file; empty where it is not there, cannot be read or is longer than `most` bytes."""
        with contextlib.suppress(OSError), (self.path / name).open("rb") as file:
            content = file.read(most + 1)
            return content if len(content) <= most else b""
        return b""

    def put(self, name: str, content: bytes) -> bool:
        """Write a file, whole or not at all; called in the thread. False where it held that already. Raises OSError."""
        mark = hashlib.blake2b(content).digest()
        if self._written.get(name) == mark:
            with contextlib.suppress(OSError):
                os.utime(self.path / name)
                return False
        half = self.path / f"{name}.{os.getpid()}{HALF}"
        self.make()
        try:
            half.write_bytes(content)
            half.replace(self.path / name)
        except OSError:
            self.remove(half.name)
            raise
        self._written[name] = mark
        return True

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """No other program changes a file that several write while this one reads and writes it; in the thread.

        Raises OSError where the folder cannot be made.
        """
        self.make()
        lock = QLockFile(str(self.path / LOCK))
        # Where the folder takes no lock, the file will not be written either; that tells why.
        lock.tryLock(PATIENCE_MS)
        self._written.clear()
        try:
            yield
        finally:
            lock.unlock()

    def remove(self, name: str) -> None:
        """Take a file away; called in the thread."""
        self._written.pop(name, None)
        with contextlib.suppress(OSError):
            (self.path / name).unlink()

    def bound(self, most: int, most_bytes: int) -> None:
        """Leave the newest files, so many and so large in all; called in the thread."""
        total = 0
        for number, (_, size, name) in enumerate(sorted(self._found(), reverse=True)):
            total += size
            if number >= most or total > most_bytes:
                self.remove(name)

    def _found(self) -> Iterator[tuple[int, int, str]]:
        """Time, size and name of each file; what was left half written is taken away."""
        try:
            entries = list(os.scandir(self.path))
        except OSError:
            return
        for entry in entries:
            try:
                facts = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            if not entry.name.endswith(HALF):
                yield facts.st_mtime_ns, facts.st_size, entry.name
            elif time.time() - facts.st_mtime > ABANDONED_S:
                self.remove(entry.name)

    def _submit(self, work: Callable[[], None]) -> None:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(1, thread_name_prefix="viewer-state")
            self._asked_for += 1
            self._last = self._pool.submit(self._work, work)

    def _work(self, work: Callable[[], None]) -> None:
        """The thread ends with the last that was asked for: nothing has to end it, however late something is kept."""
        self._tried(work)
        with self._lock:
            self._asked_for -= 1
            if self._asked_for == 0 and self._pool is not None:
                self._pool.shutdown(wait=False)
                self._pool = None

    def _tried(self, work: Callable[[], None]) -> None:
        try:
            work()
        except OSError as failure:
            if self.failure is None:
                self.failure = failure
                self.failed.emit(failure)
        except Exception:
            # A fault of the program: nothing is kept by it, and nothing else is lost.
            log.exception("the state of a file was not kept")

    def _write(self, name: str, asked: _Asked, after: Callable[[], None] | None) -> None:
        with self._lock:
            if self._waiting.get(name) is asked:
                del self._waiting[name]
            give = asked.content
        content = give()
        if not content:
            self.remove(name)
        elif not self.put(name, content):
            return
        if after is not None:
            after()
