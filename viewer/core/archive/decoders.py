"""Streams of compressed bytes, all with the one manner of bz2 and lzma: bytes in, at most so many bytes out."""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable
from typing import Final, Protocol

import zstandard

from viewer.core.memory import USUAL, limit, share

MOST_MEMORY: Final = 256 * 1024 * 1024
LEAST_MEMORY: Final = 66 * 1024 * 1024
"""What xz -9 needs: that is read under any memory limit."""
MOST_WINDOW: Final = 128 * 1024 * 1024
LEAST_WINDOW: Final = 8 * 1024 * 1024
"""What the format wants every reader to take."""
RAW_DEFLATE: Final = -15
ERRORS: Final = (zlib.error, lzma.LZMAError, zstandard.ZstdError, OSError, EOFError, ValueError)
REFUSED: Final = ("Memory usage limit", "too much memory")
"""What lzma and zstandard say of a sound stream whose memory was not granted: they have no error of its own for it."""

ZSTD: Final = b"\x28\xb5\x2f\xfd"
LARGEST_BLOCK: Final = 128 * 1024
RUN, RESERVED = 1, 3
CONTENT_SIZES: Final = (0, 2, 4, 8)


class Decoder(Protocol):
    """One stream. `decompress` raises one of ERRORS for bytes that are none of it."""

    @property
    def eof(self) -> bool:
        """True behind the end of the stream."""
        ...

    @property
    def needs_input(self) -> bool:
        """False while more can be had without more bytes."""
        ...

    @property
    def unused_data(self) -> bytes:
        """What was given and stands behind the end."""
        ...

    def decompress(self, data: bytes, max_length: int = ..., /) -> bytes:
        """Content, up to `max_length` bytes; a zstd block may give more, up to 128 KiB."""
        ...


class Deflate:
    """A deflate stream without header and checksum."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(RAW_DEFLATE)

    @property
    def eof(self) -> bool:
        """True behind the end of the stream."""
        return self._stream.eof

    @property
    def needs_input(self) -> bool:
        """False while given bytes wait."""
        return not self._stream.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        """What stands behind the end."""
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int = 0, /) -> bytes:
        """Content, up to `max_length` bytes."""
        return self._stream.decompress(self._stream.unconsumed_tail + data, max_length)


class ZstdFrame:
    """One zstd frame, handed on block by block: so what a damaged one holds before the damage is there."""

    def __init__(self) -> None:
        self._stream = zstandard.ZstdDecompressor(max_window_size=share(MOST_WINDOW, LEAST_WINDOW)).decompressobj()
        self._waiting = bytearray()
        self._header = True
        self._check = 0
        self._last = False
        self.eof = False

    @property
    def needs_input(self) -> bool:
        """False while a whole part waits, or one that cannot be read: `decompress` says so."""
        try:
            return not self.eof and not 0 < self._length() <= len(self._waiting)
        except ValueError:
            return False

    @property
    def unused_data(self) -> bytes:
        """What stands behind the end."""
        return bytes(self._waiting) if self.eof else b""

    def decompress(self, data: bytes, max_length: int = 0, /) -> bytes:
        """The content of the next block, where it is whole."""
        del max_length
        self._waiting += data
        length = self._length()
        if self.eof or not 0 < length <= len(self._waiting):
            return b""
        part = bytes(self._waiting[:length])
        del self._waiting[:length]
        self._note(part)
        return self._stream.decompress(part)

    def _note(self, part: bytes) -> None:
        """What the part says of those that follow."""
        if self._header:
            self._header = False
            self._check = 4 if part[4] & 4 else 0
            return
        if self._last:
            self.eof = True
            return
        self._last = bool(part[0] & 1)
        self.eof = self._last and not self._check

    def _length(self) -> int:
        """Bytes of the next part: header, block or checksum; 0: not known yet."""
        if self._header:
            return frame_header(self._waiting)
        return self._check if self._last else block_length(self._waiting)


def frame_header(data: bytearray) -> int:
    """Bytes of a frame's header; 0 where too few are there. Raises ValueError for one that cannot be read."""
    if len(data) < 5:
        return 0
    if data[:4] != ZSTD:
        raise ValueError("no zstd frame")
    facts = data[4]
    if facts & 3:
        raise ValueError("it needs a dictionary")
    is_single = facts >> 5 & 1
    content = CONTENT_SIZES[facts >> 6] or is_single
    return 5 + (0 if is_single else 1) + content


def block_length(data: bytearray) -> int:
    """Bytes of a block with its header; 0 where too few are there. Raises ValueError for an impossible one."""
    if len(data) < 3:
        return 0
    facts = int.from_bytes(data[:3], "little")
    kind, size = facts >> 1 & 3, facts >> 3
    if kind == RESERVED or size > LARGEST_BLOCK:
        raise ValueError("no such block")
    return 3 + (1 if kind == RUN else size)


def needs_memory(failure: Exception) -> bool:
    """Whether a stream failed because the person's limit leaves it too little memory, and not for its bytes."""
    return limit() < USUAL and any(words in str(failure) for words in REFUSED)


DECODERS: Final[dict[str, Callable[[], Decoder]]] = {
    "deflate": Deflate,
    "bz2": bz2.BZ2Decompressor,
    "xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, share(MOST_MEMORY, LEAST_MEMORY)),
    "lzma": lambda: lzma.LZMADecompressor(lzma.FORMAT_ALONE, share(MOST_MEMORY, LEAST_MEMORY)),
    "zstd": ZstdFrame,
}
"""How a stream of a kind is read; gzip and zlib are deflate with something around it."""
