"""A file that goes to the disk while it is written: to flush a large one at its end may take minutes without a stop.

Nothing stops a flush either, for which a slow disk takes as long as it likes: a thread does it, and who stops an
export waits no longer. The thread has a descriptor of its own, and ends with the flush.
"""

from __future__ import annotations

import contextlib
import io
import os
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from viewer.core.errors import CancelledError
from viewer.core.progress import Progress

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

FIRST: Final = 8 * 1024 * 1024
LEAST: Final = 1024 * 1024
MOST: Final = 32 * 1024 * 1024
SHORT: Final = 0.03
LONG: Final = 0.1
"""Seconds of a flush below which the next one comes later, and above which it comes sooner."""
LOOK: Final = 0.05
"""Seconds between two looks whether to stop while a flush runs."""
flush_data: Final[Callable[[int], None]] = getattr(os, "fdatasync", os.fsync)
Flush = Callable[[int], None]


class SteadyWriter(io.BufferedWriter):
    """A new file by its descriptor, which it owns. `write` flushes now and then, so that no flush takes long.

    Raises OSError, also for what was written before, and CancelledError.
    """

    def __init__(self, descriptor: int, progress: Progress) -> None:
        super().__init__(io.FileIO(descriptor, "wb"))
        self._progress = progress
        self._step = self._left = FIRST

    @override
    def write(self, buffer: ReadableBuffer, /) -> int:
        written = super().write(buffer)
        self._left -= written
        if self._left <= 0:
            self._flush_data()
        return written

    def settle(self) -> None:
        """All that was written is safe on the disk. Raises OSError and CancelledError."""
        self.flush()
        flushed(self.fileno(), os.fsync, self._progress)

    def _flush_data(self) -> None:
        self.flush()
        start = time.monotonic()
        flushed(self.fileno(), flush_data, self._progress)
        took = time.monotonic() - start
        if took < SHORT:
            self._step = min(2 * self._step, MOST)
        elif took > LONG:
            self._step = max(self._step // 2, LEAST)
        self._left = self._step


def flushed(descriptor: int, flush: Flush, progress: Progress) -> None:
    """Flush, and wait for it. Raises OSError; CancelledError while it still runs."""
    if os.name == "nt":
        # a second descriptor would keep the file from being removed there
        flush(descriptor)
        return
    work = _Flushing(os.dup(descriptor), flush)
    work.start()
    while not work.ended.wait(LOOK):
        if progress.cancelled:
            raise CancelledError
    if work.failure is not None:
        raise work.failure


class _Flushing(threading.Thread):
    """One flush of a descriptor that it owns."""

    def __init__(self, descriptor: int, flush: Flush) -> None:
        super().__init__(name="flushing", daemon=True)
        self._descriptor, self._flush = descriptor, flush
        self.ended = threading.Event()
        self.failure: OSError | None = None

    @override
    def run(self) -> None:
        try:
            self._flush(self._descriptor)
        except OSError as failure:
            self.failure = failure
        finally:
            with contextlib.suppress(OSError):
                os.close(self._descriptor)
            self.ended.set()
