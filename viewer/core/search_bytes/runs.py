"""Runs of one byte value: where the bytes change behind a place or before it."""

from __future__ import annotations

import numpy as np

from viewer.core.progress import Progress
from viewer.core.source import BLOCK, ByteSource

READING = "searching"


def run_end(source: ByteSource, offset: int, progress: Progress) -> int | None:
    """The first offset behind a byte whose byte is another; None: it is the same to the end."""
    value = source.read(offset, 1)
    at, size = offset + 1, source.size
    while value and at < size:
        progress.step(READING, at - offset, size - offset)
        data = np.frombuffer(source.read(at, min(BLOCK, size - at)), np.uint8)
        if not len(data):
            return None
        others = np.flatnonzero(data != value[0])
        if len(others):
            return at + int(others[0])
        at += len(data)
    return None


def run_start(source: ByteSource, offset: int, progress: Progress) -> int | None:
    """Where the run begins that the byte before an offset ends; None: there is no byte before it."""
    value = source.read(offset - 1, 1) if offset else b""
    stop = offset - 1
    while value and stop > 0:
        progress.step(READING, offset - stop, offset)
        start = max(0, stop - BLOCK)
        data = np.frombuffer(source.read(start, stop - start), np.uint8)
        others = np.flatnonzero(data != value[0])
        if len(others):
            return start + int(others[-1]) + 1
        stop = start
    return 0 if value else None
