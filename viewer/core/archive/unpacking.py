"""A compressed file unpacked as a stream into an unlinked temporary file, within a bound, as far as it is whole.

gzip   members of header, deflate stream, CRC and length; several may follow one another
zlib   header, deflate stream, Adler-32
bz2, xz, zstd   streams that may follow one another; xz with zeros between them, zstd with frames to skip
lzma   one stream
"""

from __future__ import annotations

import contextlib
import struct
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from viewer.core.archive.decoders import DECODERS, ERRORS, ZSTD, Decoder, needs_memory
from viewer.core.archive.inflated import LIMIT, Spool
from viewer.core.crc import crc32
from viewer.core.errors import ViewerError
from viewer.core.problem import Problem, error, note, warning
from viewer.core.span import Region, Span
from viewer.wording.phrases import phrase

if TYPE_CHECKING:
    from viewer.core.progress import Progress
    from viewer.core.source import ByteSource

MOST_STREAMS: Final = 100_000
PIECE: Final = 64 * 1024
MOST_AT_ONCE: Final = 1024 * 1024
GZIP: Final = b"\x1f\x8b"
GZIP_CRC, GZIP_EXTRA, GZIP_NAME, GZIP_COMMENT = 2, 4, 8, 16
USUAL_GZIP_HEADER: Final = 512
LONGEST_GZIP_HEADER: Final = 256 * 1024
CHECK_SIZES: Final = {"gzip": 8, "zlib": 4}
ZLIB_HEADER: Final = 2
ZLIB_DICTIONARY: Final = 0x20
BZIP2: Final = b"BZh"
XZ: Final = b"\xfd7zXZ\x00"
SKIPPABLE: Final = range(0x184D2A50, 0x184D2A60)
WORD: Final = 4


@dataclass(slots=True)
class Room:
    """Bytes that may still be unpacked, by all files inside one another together. `limit`: at first."""

    limit: int = LIMIT
    left: int = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.limit


@dataclass(slots=True)
class Unpacked:
    """What came out. `content` None: nothing, or more than may be. `name`: of the file inside, as gzip keeps it."""

    content: ByteSource | None = None
    regions: list[Region] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    name: str = ""


class TooMuchError(ViewerError):
    """More would come out than may be unpacked."""

    def __init__(self, limit: int) -> None:
        super().__init__("inflated-too-large", name="", size=limit, limit=limit)


def unpack(source: ByteSource, kind: str, room: Room, progress: Progress) -> Unpacked:
    """Unpack all that can be of a file of a kind: gzip, zlib, bz2, xz, lzma, zstd. Takes from the room.

    Damage is in `problems`; spans count in `source`. Raises SourceError where a device fails or the temporary
    folder is full, CancelledError when stopped.
    """
    work = _Work(source, kind, room, progress)
    try:
        work.run()
    except TooMuchError:
        work.spool.close()
        whole = Span(0, source.size)
        problem = error("unpack-limit", whole, limit=room.limit, ratio=f"{room.left / max(1, source.size):.1f}")
        return Unpacked(None, [Region(whole, "packed", "")], [problem])
    except BaseException:
        work.spool.close()
        raise
    room.left -= work.spool.size
    if work.spool.size or not work.found.problems:
        work.found.content = work.spool.finished()
    return work.found


class _Work:
    """Unpacks stream by stream. `at`: the first byte that was not read yet."""

    def __init__(self, source: ByteSource, kind: str, room: Room, progress: Progress) -> None:
        self.source, self.kind, self.room, self.progress = source, kind, room, progress
        self.spool = Spool()
        self.found = Unpacked()
        self.at = 0
        self._first = 0
        self._crc = 0
        self._adler = 1

    def run(self) -> None:
        """All streams; then what stands behind them."""
        for number in range(MOST_STREAMS):
            if self.at >= self.source.size or not self._begins(number):
                break
            if not self._stream():
                self._region(self.at, self.source.size, "unknown")
                return
            self._skip_padding()
        left = Span(self.at, self.source.size) if self.at < self.source.size else None
        if left is not None and self._begins(MOST_STREAMS):
            self.found.problems.append(warning("streams-more", left, limit=MOST_STREAMS, count=left.length))
            self._region(left.start, left.stop, "unknown")
        elif left is not None:
            self.found.problems.append(note("unpack-trailing", left, count=left.length))
            self._region(left.start, left.stop, "trailing")

    def _begins(self, number: int) -> bool:
        """True where a stream begins; the first one was recognised."""
        head = self.source.read(self.at, len(XZ))
        if self.kind == "gzip":
            return head.startswith(GZIP)
        if self.kind == "bz2":
            return head.startswith(BZIP2)
        if self.kind == "xz":
            return head == XZ
        if self.kind == "zstd":
            return head.startswith(ZSTD) or int.from_bytes(head[:WORD], "little") in SKIPPABLE
        return number == 0

    def _stream(self) -> bool:
        """One stream with what stands around it; False where nothing behind it can be found."""
        self._first, self._crc, self._adler = self.spool.size, 0, 1
        if self.kind not in CHECK_SIZES:
            return self._skip_frame() or self._decode(DECODERS[self.kind]())
        start = self.at
        header = self._gzip_header() if self.kind == "gzip" else self._zlib_header()
        if not header:
            return False
        self.at += header
        self._region(start, self.at, "packed-header")
        return self._decode(DECODERS["deflate"]()) and self._check()

    # -- what stands around a stream --------------------------------------------------------------

    def _gzip_header(self) -> int:
        """Bytes of the header; 0 where it is cut or has no end."""
        for length in (USUAL_GZIP_HEADER, LONGEST_GZIP_HEADER):
            found = self._gzip_fields(self.source.read(self.at, length))
            if found:
                return found
        self._cut()
        return 0

    def _gzip_fields(self, head: bytes) -> int:
        """The same of so many bytes."""
        flags, at = (head[3], 10) if len(head) >= 10 else (0, len(head) + 1)
        if flags & GZIP_EXTRA:
            at += 2 + int.from_bytes(head[at : at + 2], "little")
        for flag in (GZIP_NAME, GZIP_COMMENT):
            if flags & flag and at <= len(head):
                end = head.find(b"\0", at)
                if flag == GZIP_NAME and end > 0 and not self.found.name:
                    self.found.name = head[at:end].decode("latin-1")
                at = end + 1 if end >= 0 else len(head) + 1
        at += 2 if flags & GZIP_CRC else 0
        return at if at <= len(head) else 0

    def _zlib_header(self) -> int:
        head = self.source.read(self.at, ZLIB_HEADER)
        if len(head) == ZLIB_HEADER and head[1] & ZLIB_DICTIONARY:
            self._broken(phrase("compressed-dictionary"))
            return 0
        return ZLIB_HEADER

    def _check(self) -> bool:
        """Hold the content against the checksum behind the stream."""
        start, size = self.at, CHECK_SIZES[self.kind]
        raw = self.source.read(start, size)
        self.at = min(start + size, self.source.size)
        self._region(start, self.at, "packed-check")
        if len(raw) < size:
            self._cut()
            return False
        length = self.spool.size - self._first
        expected = (
            struct.pack("<II", self._crc, length % 2**32) if self.kind == "gzip" else struct.pack(">I", self._adler)
        )
        if raw != expected:
            self.found.problems.append(error("unpack-checksum", Span(start, self.at)))
        return True

    def _skip_frame(self) -> bool:
        """Step over a zstd frame that holds no content."""
        head = self.source.read(self.at, 2 * WORD)
        if self.kind != "zstd" or int.from_bytes(head[:WORD], "little") not in SKIPPABLE:
            return False
        start = self.at
        self.at = min(start + 2 * WORD + int.from_bytes(head[WORD:], "little"), self.source.size)
        self._region(start, self.at, "packed-skipped")
        return True

    def _skip_padding(self) -> None:
        """Zeros that fill a tape or an xz file up."""
        if self.kind not in ("gzip", "xz"):
            return
        start = self.at
        while self.at < self.source.size:
            self.progress.check()
            piece = self.source.read(self.at, PIECE)
            zeros = len(piece) - len(piece.lstrip(b"\0"))
            self.at += zeros
            if zeros < len(piece) or not piece:
                break
        self._region(start, self.at, "padding")

    # -- a stream ---------------------------------------------------------------------------------

    def _decode(self, decoder: Decoder) -> bool:
        """Unpack one stream from where reading is; True when it ends well."""
        start, fed = self.at, self.at
        while not decoder.eof:
            data = self.source.read(fed, PIECE) if decoder.needs_input else b""
            try:
                content = decoder.decompress(data, MOST_AT_ONCE)
            except ERRORS as failure:
                self._recover(start, fed)
                self._end(start, min(fed + len(data), self.source.size))
                self._failed(failure)
                return False
            fed += len(data)
            self._write(content)
            self.progress.step("inflate", fed, self.source.size)
            if not data and not content and decoder.needs_input and not decoder.eof:
                self._end(start, self.source.size)
                self._cut()
                return False
        self._end(start, fed - len(decoder.unused_data))
        return True

    def _recover(self, start: int, failed: int) -> None:
        """What the piece that failed still gives: once more from the start, that piece byte by byte."""
        decoder = DECODERS["deflate" if self.kind in CHECK_SIZES else self.kind]()
        known = self.spool.size - self._first
        given, fed = 0, start
        with contextlib.suppress(*ERRORS):
            while fed < self.source.size and not decoder.eof:
                wanted = PIECE if fed < failed else 1
                data = self.source.read(fed, min(wanted, max(failed - fed, 1))) if decoder.needs_input else b""
                content = decoder.decompress(data, MOST_AT_ONCE)
                fed += len(data)
                self.progress.check()
                new = content[max(0, known - given) :]
                given += len(content)
                self._write(new)

    def _write(self, content: bytes) -> None:
        if self.spool.size + len(content) > self.room.left:
            raise TooMuchError(self.room.limit)
        self.spool.write(content)
        if self.kind == "gzip":
            self._crc = crc32(content, self._crc)
        elif self.kind == "zlib":
            self._adler = zlib.adler32(content, self._adler)

    def _end(self, start: int, stop: int) -> None:
        self.at = stop
        self._region(start, stop, "packed")

    def _cut(self) -> None:
        size = self.source.size
        span = Span(max(0, size - 1), size)
        self.found.problems.append(error("unpack-cut", span, present=self.spool.size))

    def _failed(self, failure: Exception) -> None:
        if not needs_memory(failure):
            self._broken(str(failure))
            return
        self.found.problems.append(error("unpack-memory", Span(0, self.source.size), present=self.spool.size))

    def _broken(self, reason: str) -> None:
        span = Span(min(self.at, self.source.size - 1), self.source.size)
        self.found.problems.append(error("unpack-broken", span, present=self.spool.size, reason=reason))

    def _region(self, start: int, stop: int, kind: str) -> None:
        if start < stop:
            self.found.regions.append(Region(Span(start, stop), kind, ""))
