"""A folder of small files in which the program remembers things: written whole, one after the other, by one thread.

What stands there may be lost, damaged or of another version: who reads it begins anew then. A folder that cannot be
written is told once and harms nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal

log = logging.getLogger(__name__)

OWN: Final = 0o700
"""Names of files tell of a person."""
ABANDONED_S: Final = 3600
"""Age from which a half-written file is of a program that was ended."""
HALF: Final = ".half"


class StateFolder(QObject):
    """`path`: made when something is first written.

    failed: something could not be written; told once.
        Signal(failure: OSError)
    """

    failed = Signal(object)

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self._pool: ThreadPoolExecutor | None = None
        self._waiting: dict[str, Callable[[], bytes]] = {}
        self._last: Future[None] | None = None
        self._written: dict[str, bytes] = {}
        self._told = False

    def write(self, name: str, content: Callable[[], bytes], after: Callable[[], None] | None = None) -> None:
        """Write a file, soon: `content` is asked for it in the thread, then `after` is called there.

        What was to be written under the same name and was not yet is left out.
        """
        is_waiting = name in self._waiting
        self._waiting[name] = content
        if not is_waiting:
            self.run(lambda: self._write(name, after))

    def run(self, work: Callable[[], None]) -> None:
        """Do something with the folder, after all that was asked before."""
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="viewer-state")
        self._last = self._pool.submit(self._tried, work)

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
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True)
        self._last = None

    def names(self) -> list[str]:
        """The files that stand there, the newest first."""
        return [name for _, _, name in sorted(self._found(), reverse=True)]

    def read(self, name: str, most: int) -> bytes:
        """A file; empty where it is not there, cannot be read or is longer than `most` bytes."""
        with contextlib.suppress(OSError), (self.path / name).open("rb") as file:
            content = file.read(most + 1)
            return content if len(content) <= most else b""
        return b""

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

    def _tried(self, work: Callable[[], None]) -> None:
        try:
            work()
        except OSError as failure:
            if not self._told:
                self._told = True
                self.failed.emit(failure)
        except Exception:
            # A fault of the program: nothing is kept by it, and nothing else is lost.
            log.exception("the state of a file was not kept")

    def _write(self, name: str, after: Callable[[], None] | None) -> None:
        content = self._waiting.pop(name)()
        mark = hashlib.blake2b(content).digest()
        if self._written.get(name) == mark:
            with contextlib.suppress(OSError):
                os.utime(self.path / name)
                return
        half = self.path / f"{name}.{os.getpid()}{HALF}"
        self.make()
        try:
            half.write_bytes(content)
            half.replace(self.path / name)
        except OSError:
            self.remove(half.name)
            raise
        self._written[name] = mark
        if after is not None:
            after()
