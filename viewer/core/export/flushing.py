"""A file that goes to the disk while it is written: to flush a large one at its end may take minutes without a stop."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from typing_extensions import override

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

FIRST: Final = 8 * 1024 * 1024
LEAST: Final = 1024 * 1024
MOST: Final = 32 * 1024 * 1024
SHORT: Final = 0.03
LONG: Final = 0.1
"""Seconds of a flush below which the next one comes later, and above which it comes sooner."""
flush_data: Final[Callable[[int], None]] = getattr(os, "fdatasync", os.fsync)


class SteadyWriter(io.BufferedWriter):
    """A new file by its descriptor, which it owns. `write` flushes now and then, so that no flush takes long.

    Raises OSError, also for what was written before.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__(io.FileIO(descriptor, "wb"))
        self._step = self._left = FIRST

    @override
    def write(self, buffer: ReadableBuffer, /) -> int:
        written = super().write(buffer)
        self._left -= written
        if self._left <= 0:
            self._flush_data()
        return written

    def _flush_data(self) -> None:
        self.flush()
        start = time.monotonic()
        flush_data(self.fileno())
        took = time.monotonic() - start
        if took < SHORT:
            self._step = min(2 * self._step, MOST)
        elif took > LONG:
            self._step = max(self._step // 2, LEAST)
        self._left = self._step
