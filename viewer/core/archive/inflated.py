"""A deflated record as a source: inflated as a stream into an unlinked temporary file when it is first read."""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import weakref
import zlib
from typing import IO, Final, Protocol

from typing_extensions import override

from viewer.core.crc import crc32
from viewer.core.errors import SourceError
from viewer.core.problem import Problem, error, warning
from viewer.core.progress import Progress
from viewer.core.source import BLOCK, ByteSource, MemorySource

LIMIT: Final = 1024**3
SMALL: Final = 1024 * 1024
# deflate cannot give more bytes of content for a compressed one
MOST_RATIO: Final = 1032
# compressed bytes that are inflated at once
PIECE: Final = 64 * 1024
RAW_DEFLATE: Final = -15


class InflatedSource(ByteSource):
    """The content of a deflated record, with offsets of its own. Never whole in memory beyond 1 MiB.

    `size` is what the archive states until the record is inflated, and then what came out. `problems` says
    afterwards what was wrong with the compressed bytes: as much as could be inflated is there all the same.
    Reading raises SourceError where the content is larger than `limit` bytes. `crc`: the stated checksum; 0 is
    none, as where torch was told to write none.
    """

    def __init__(
        self, packed: ByteSource, stated: int, name: str = "", limit: int = LIMIT, crc: int | None = None
    ) -> None:
        self.packed = packed
        self.name = name
        self.limit = limit
        self.crc = crc
        self.size = stated
        self.stated = stated
        self.problems: list[Problem] = []
        self._content: ByteSource | None = None
        self._lock = threading.Lock()

    @property
    def ratio(self) -> float:
        """Bytes of content for each compressed byte; as stated, until the record is inflated."""
        return self.size / max(1, self.packed.size)

    def prepare(self, progress: Progress) -> None:
        """Inflate now, unless that is done. Raises SourceError beyond the limit, CancelledError when stopped."""
        with self._lock:
            if self._content is None:
                self._content = self._inflate(progress)
                self.size = self._content.size

    def verify(self, progress: Progress) -> tuple[int | None, list[Problem]]:
        """The CRC-32 of the content and what is wrong with the compressed bytes; nothing is kept of it.

        What is inflated already was judged then: its CRC is the stated one, or None where that is wrong. Raises
        SourceError beyond the limit, CancelledError when stopped.
        """
        if self._content is not None:
            return (None, []) if self.problems else (self.crc, [])
        tally = Tally()
        problems = self._fill(tally, progress)
        return tally.crc, problems

    @override
    def read(self, offset: int, length: int) -> bytes:
        return self._ready().read(offset, length)

    @override
    def read_into(self, offset: int, buffer: memoryview) -> int:
        return self._ready().read_into(offset, buffer)

    @override
    def close(self) -> None:
        with self._lock:
            if self._content is not None:
                self._content.close()

    def _ready(self) -> ByteSource:
        if self._content is None:
            self.prepare(Progress())
        assert self._content is not None
        return self._content

    def _inflate(self, progress: Progress) -> ByteSource:
        # a stated size that so few bytes cannot give is a fault, not a reason to refuse what is there
        if self.limit < self.stated <= self.packed.size * MOST_RATIO:
            raise SourceError("inflated-too-large", name=self.name, size=self.stated, limit=self.limit)
        spool = Spool()
        try:
            self.problems = self._fill(spool, progress)
        except BaseException:
            spool.close()
            raise
        return spool.finished()

    def _fill(self, spool: Spool, progress: Progress) -> list[Problem]:
        """Inflate everything into the spool; gives what was wrong with it."""
        inflater = zlib.decompressobj(RAW_DEFLATE)
        taken = 0
        while not inflater.eof:
            data = inflater.unconsumed_tail or self.packed.read(taken, PIECE)
            if data and not inflater.unconsumed_tail:
                taken += len(data)
            before = inflater.copy()
            try:
                spool.write(inflater.decompress(data, BLOCK) if data else inflater.flush())
            except zlib.error as failure:
                last_bytes(before, data, spool)
                reason, stated = str(failure), self.stated
                return [error("inflate-broken", name=self.name, present=spool.size, stated=stated, reason=reason)]
            if spool.size > self.limit:
                raise SourceError("inflated-too-large", name=self.name, size=spool.size, limit=self.limit)
            if not data and not inflater.eof:
                return [error("inflate-cut", name=self.name, present=spool.size, stated=self.stated)]
            progress.step("inflate", taken, self.packed.size)
        if spool.size != self.stated:
            return [warning("inflate-size", name=self.name, present=spool.size, stated=self.stated)]
        return [warning("inflate-checksum", name=self.name)] if self.crc and self.crc != spool.crc else []


class Spool:
    """Takes bytes: in memory while they are few, in a temporary file without a name when they grow.

    `size` and `crc` are those of all that was written.
    """

    def __init__(self) -> None:
        self.size = 0
        self.crc = 0
        self._memory = bytearray()
        self._file: IO[bytes] | None = None

    def write(self, data: bytes) -> None:
        """Add bytes. Raises SourceError when the temporary folder has no room."""
        self.size += len(data)
        self.crc = crc32(data, self.crc)
        if self._file is None and self.size <= SMALL:
            self._memory += data
            return
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (outlives this call)
                self._write_all(self._file, bytes(self._memory))
                self._memory.clear()
            self._write_all(self._file, data)
        except OSError as failure:
            raise temporary_failure(failure) from failure

    def finished(self) -> ByteSource:
        """All that was written, to be read."""
        if self._file is None:
            return MemorySource(bytes(self._memory))
        return TemporarySource(self._file, self.size)

    def close(self) -> None:
        """Throw away what was written."""
        if self._file is not None:
            self._file.close()

    @staticmethod
    def _write_all(file: IO[bytes], data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) :]


class Tally(Spool):
    """Counts bytes and keeps none."""

    @override
    def write(self, data: bytes) -> None:
        self.size += len(data)
        self.crc = crc32(data, self.crc)


class Inflater(Protocol):
    """What is used of a zlib decompressor."""

    def decompress(self, data: bytes, max_length: int = ..., /) -> bytes:
        """Up to `max_length` bytes of content."""


def last_bytes(inflater: Inflater, data: bytes, spool: Spool) -> None:
    """What a piece that cannot be inflated as a whole still gives, byte by byte up to the damage."""
    with contextlib.suppress(zlib.error):
        for at in range(len(data)):
            spool.write(inflater.decompress(data[at : at + 1], BLOCK))


class TemporarySource(ByteSource):
    """A temporary file read by position; it goes when the source is closed or no longer used."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self.size = size
        self._file = file
        self._lock = threading.Lock()
        weakref.finalize(self, file.close)

    @override
    def read(self, offset: int, length: int) -> bytes:
        length = min(length, self.size - offset)
        if length <= 0 or offset < 0:
            return b""
        buffer = bytearray(length)
        count = self.read_into(offset, memoryview(buffer))
        return bytes(buffer[:count])

    @override
    def read_into(self, offset: int, buffer: memoryview) -> int:
        wanted = min(len(buffer), self.size - offset)
        done = 0
        try:
            while done < wanted and offset >= 0:
                count = self._read_at(offset + done, buffer[done:wanted])
                if count == 0:
                    break
                done += count
        except (OSError, ValueError) as failure:
            raise temporary_failure(failure) from failure
        return done

    @override
    def close(self) -> None:
        self._file.close()

    def _read_at(self, offset: int, buffer: memoryview) -> int:
        if hasattr(os, "preadv"):
            return os.preadv(self._file.fileno(), [buffer], offset)
        with self._lock:
            self._file.seek(offset)
            data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def temporary_failure(failure: OSError | ValueError) -> SourceError:
    """The sentence for a temporary file that could not be written or read."""
    reason = failure.strerror if isinstance(failure, OSError) and failure.strerror else str(failure)
    return SourceError("temporary-file-failed", folder=tempfile.gettempdir(), reason=reason)
