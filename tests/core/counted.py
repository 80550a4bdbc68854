"""A source that counts what is read of it."""

from __future__ import annotations

from viewer.core.source import MemorySource


class Counted(MemorySource):
    """`count`: the bytes that were read."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.count = 0

    def read(self, offset: int, length: int) -> bytes:
        data = super().read(offset, length)
        self.count += len(data)
        return data
