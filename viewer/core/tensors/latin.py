"""Bytes that protocols below 3 keep as text: each byte a character of latin-1, written as UTF-8.

Where all bytes are below 0x80 they stand in the file as they are. Otherwise they are decoded block by block
when they are read; an index says how many of them each block of the text gives.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from typing_extensions import override

from viewer.core.source import ByteSource

BLOCK: Final = 64 * 1024
HIGHEST_LEAD: Final = 0xC3


class LatinError(ValueError):
    """The text has characters beyond latin-1, so it is no bytes."""


class LatinSource(ByteSource):
    """The bytes that a UTF-8 text [start, stop) of a source stands for. Raises LatinError."""

    def __init__(self, source: ByteSource, start: int, stop: int) -> None:
        self._source = source
        self._start = start
        self._stop = stop
        counts = [self._count(at) for at in range(start, stop, BLOCK)]
        self._before = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(np.array(counts, dtype=np.int64))))
        self.size = int(self._before[-1])
        self.plain = self.size == min(stop, source.size) - start

    @override
    def read(self, offset: int, length: int) -> bytes:
        length = min(length, self.size - offset)
        if length <= 0 or offset < 0:
            return b""
        first = int(np.searchsorted(self._before, offset, side="right")) - 1
        last = int(np.searchsorted(self._before, offset + length, side="left"))
        start = self._start + first * BLOCK
        # A character may begin in the byte before its block; continuation bytes at the start belong to that block.
        raw = self._source.read(start, min(self._stop, self._start + last * BLOCK + 1) - start)
        text = raw.lstrip(_CONTINUATION) if first else raw
        data = text.decode("utf-8", "ignore").encode("latin-1", "replace")
        skipped = offset - int(self._before[first])
        return data[skipped : skipped + length]

    def _count(self, at: int) -> int:
        """Characters that begin in the block at an offset."""
        data = np.frombuffer(self._source.read(at, min(BLOCK, self._stop - at)), dtype=np.uint8)
        if len(data) and data.max() > HIGHEST_LEAD:
            raise LatinError
        return int(np.count_nonzero((data & 0xC0) != 0x80))


_CONTINUATION: Final = bytes(range(0x80, 0xC0))
