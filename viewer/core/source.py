"""Bytes to read from: a file by positional reads, a slice of another source, bytes in memory.

Never mapped: a file that another process cuts must give a short read, not kill the program. A read
beyond the end gives what is there. Sources may be read from several threads at once.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from typing_extensions import override

from viewer.core.errors import SourceError
from viewer.core.memory import share

PAGE: Final = 64 * 1024
CACHED_PAGES: Final = 64
LEAST_PAGES: Final = 4
DIRECT: Final = 512
BLOCK: Final = 1024 * 1024
# Opening must not wait for the other end of a pipe, nor be handed on to child processes.
FLAGS: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True)
class Identity:
    """What tells one state of a file from another."""

    device: int
    inode: int
    size: int
    modified_ns: int


def identity_of(facts: os.stat_result) -> Identity:
    """The state of a file, as the system tells it."""
    return Identity(facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns)


class ByteSource(ABC):
    """`size` bytes that can be read at any offset. Size is fixed when the source is opened."""

    size: int

    @abstractmethod
    def read(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes at `offset`; fewer at the end. Raises SourceError when the device fails."""

    def peek(self, offset: int, length: int) -> bytes:
        """As `read`, for a few bytes of many far places, none of which will be asked for again: past any cache."""
        return self.read(offset, length)

    def read_into(self, offset: int, buffer: memoryview) -> int:
        """Fill the buffer from `offset`; gives the number of bytes that were there."""
        data = self.read(offset, len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def to_outer(self, offset: int) -> int | None:
        """The same byte's offset in the outermost file; None where bytes are inflated or made."""
        del offset
        return None

    def slice(self, start: int, stop: int) -> ByteSource:
        """The bytes [start, stop) as a source of their own; what lies beyond the end is left out."""
        start = max(0, min(start, self.size))
        return SliceSource(self, start, max(start, min(stop, self.size)))

    def close(self) -> None:
        """Give the file back, where there is one. Reading afterwards raises SourceError."""
        return


class MemorySource(ByteSource):
    """Bytes that already stand in memory."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.size = len(data)

    @override
    def read(self, offset: int, length: int) -> bytes:
        if offset < 0 or length <= 0:
            return b""
        return self._data[offset : offset + length]


class SliceSource(ByteSource):
    """A part of another source: a stored record, a storage, a nested file."""

    parent: ByteSource
    start: int

    def __init__(self, parent: ByteSource, start: int, stop: int) -> None:
        self.parent = parent
        self.start = start
        self.size = stop - start

    @override
    def read(self, offset: int, length: int) -> bytes:
        length = min(length, self.size - offset)
        return self.parent.read(self.start + offset, length) if length > 0 and offset >= 0 else b""

    @override
    def peek(self, offset: int, length: int) -> bytes:
        length = min(length, self.size - offset)
        return self.parent.peek(self.start + offset, length) if length > 0 and offset >= 0 else b""

    @override
    def read_into(self, offset: int, buffer: memoryview) -> int:
        length = min(len(buffer), self.size - offset)
        return self.parent.read_into(self.start + offset, buffer[:length]) if length > 0 and offset >= 0 else 0

    @override
    def to_outer(self, offset: int) -> int | None:
        return self.parent.to_outer(self.start + offset)

    @override
    def slice(self, start: int, stop: int) -> ByteSource:
        start = max(0, min(start, self.size))
        stop = max(start, min(stop, self.size))
        return SliceSource(self.parent, self.start + start, self.start + stop)


class FileSource(ByteSource):
    """A file read by position, through a small cache of pages for small reads.

    A read of more than a page goes past the cache, and a read into a buffer of 512 bytes or more. `path` is as
    the person gave it. `flags`: of the opening, beside those of all files.
    """

    def __init__(self, path: str | os.PathLike[str], flags: int = 0) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()
        self._pages: OrderedDict[int, bytes] = OrderedDict()
        self._file = open_file(self.path, flags)
        self.identity = self.current_identity()
        self.size = self.identity.size

    def current_identity(self) -> Identity:
        """What the open file is now; differs from `identity` when it was written to since."""
        return identity_of(os.fstat(self._file))

    @override
    def read(self, offset: int, length: int) -> bytes:
        length = min(length, self.size - offset)
        if length <= 0 or offset < 0:
            return b""
        if length > PAGE:
            return self._read_whole(offset, length)
        first, last = offset // PAGE, (offset + length - 1) // PAGE
        at = offset - first * PAGE
        data = self._page(first)
        # Of a file that was cut the page behind may be an older one than this: its bytes would move up.
        if last != first and len(data) == PAGE:
            data += self._page(last)
        return data[at : at + length]

    @override
    def peek(self, offset: int, length: int) -> bytes:
        length = min(length, self.size - offset)
        return self._read_whole(offset, length) if length > 0 and offset >= 0 else b""

    @override
    def read_into(self, offset: int, buffer: memoryview) -> int:
        length = min(len(buffer), self.size - offset)
        if length < DIRECT:
            return super().read_into(offset, buffer)
        done = 0
        while done < length:
            count = self._pread_into(buffer[done:length], offset + done)
            if count == 0:
                break
            done += count
        return done

    @override
    def to_outer(self, offset: int) -> int | None:
        return offset

    @override
    def close(self) -> None:
        with self._lock:
            if self._file >= 0:
                os.close(self._file)
            self._file = -1
            self._pages.clear()

    def __del__(self) -> None:
        """One that nobody closed gives its file back when nobody holds it any more."""
        if getattr(self, "_file", -1) >= 0:
            os.close(self._file)

    def forget(self) -> None:
        """Drop the cached pages, so that the next read sees what stands on the disk."""
        with self._lock:
            self._pages.clear()

    def _page(self, number: int) -> bytes:
        with self._lock:
            page = self._pages.get(number)
            if page is not None:
                self._pages.move_to_end(number)
                return page
        page = self._read_whole(number * PAGE, PAGE)
        with self._lock:
            self._pages[number] = page
            while len(self._pages) > share(CACHED_PAGES, LEAST_PAGES):
                self._pages.popitem(last=False)
        return page

    def _read_whole(self, offset: int, length: int) -> bytes:
        data = self._pread(length, offset)
        if len(data) == length or offset + len(data) >= self.size:
            return data
        parts = [data]
        done = len(data)
        while done < length and parts[-1]:
            parts.append(self._pread(length - done, offset + done))
            done += len(parts[-1])
        return b"".join(parts)

    def _pread(self, length: int, offset: int) -> bytes:
        try:
            if hasattr(os, "pread"):
                return os.pread(self._file, length, offset)
            with self._lock:
                os.lseek(self._file, offset, os.SEEK_SET)
                return os.read(self._file, length)
        except OSError as failure:
            raise self._unreadable(failure) from failure

    def _pread_into(self, buffer: memoryview, offset: int) -> int:
        if not hasattr(os, "preadv"):
            data = self._pread(len(buffer), offset)
            buffer[: len(data)] = data
            return len(data)
        try:
            return os.preadv(self._file, [buffer], offset)
        except OSError as failure:
            raise self._unreadable(failure) from failure

    def _unreadable(self, failure: OSError) -> SourceError:
        return SourceError("file-unreadable", path=str(self.path), reason=failure.strerror or str(failure))


def open_file(path: Path, flags: int = 0) -> int:
    """A descriptor for reading a regular file. Raises SourceError with the sentence for anything else."""
    shown = printable(str(path))
    try:
        descriptor = os.open(path, FLAGS | flags)
    except (FileNotFoundError, NotADirectoryError) as failure:
        raise SourceError("file-missing", path=shown) from failure
    except PermissionError as failure:
        code = "file-is-folder" if _is_folder(path) else "file-not-permitted"
        raise SourceError(code, path=shown) from failure
    except OSError as failure:
        code = "file-is-folder" if failure.errno == errno.EISDIR else "file-unreadable"
        raise SourceError(code, path=shown, reason=failure.strerror or str(failure)) from failure
    except ValueError as failure:
        raise SourceError("file-unreadable", path=shown, reason=str(failure)) from failure
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    raise SourceError("file-is-folder" if stat.S_ISDIR(mode) else "file-not-regular", path=shown)


def _is_folder(path: Path) -> bool:
    """False also for what may not even be looked at, since a folder around it is closed."""
    try:
        return path.is_dir()
    except OSError:
        return False


def printable(text: str) -> str:
    """A name from the file system as text that any terminal and file can hold."""
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # No system gave this name: a list that was kept may be damaged.
        data = text.encode("utf-8", "surrogatepass")
    return data.decode("utf-8", "backslashreplace")


def one_line(text: str) -> str:
    """Text of a file as one line: characters that do not print as escapes, so that none is obeyed."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode-escape").decode() for char in text)
