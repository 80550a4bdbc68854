"""Holding back Python's collector of cycles while a great many objects are made that all stay.

It would walk them again and again as they grow more (measured with 40,000 tensors: a third of the whole time),
and nothing else can run during a walk. What is read holds hardly any cycles, so nothing piles up meanwhile.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Pauses:
    """How many pauses are open, in any thread; the last one to end lets the collector go on if it did before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open = 0
        self._was_enabled = False

    def begin(self) -> None:
        with self._lock:
            if not self._open:
                self._was_enabled = gc.isenabled()
                gc.disable()
            self._open += 1

    @property
    def is_open(self) -> bool:
        return self._open > 0

    def end(self) -> None:
        with self._lock:
            self._open -= 1
            if self._open:
                return
            # Frozen and freed again, all objects count as old, so that the next collection walks none of them.
            gc.freeze()
            gc.unfreeze()
            if self._was_enabled:
                gc.enable()


_pauses = _Pauses()


def is_paused() -> bool:
    """True while some block makes objects that all stay: a walk of them now would be for nothing, and long."""
    return _pauses.is_open


@contextmanager
def collector_paused() -> Iterator[None]:
    """No automatic collection while the block runs; blocks may lie in each other and run in several threads."""
    _pauses.begin()
    try:
        yield
    finally:
        _pauses.end()
