"""Compressed files with every part in the test's hands: gzip members, zlib streams, zstd frames of plain blocks."""

from __future__ import annotations

import struct
import zlib
from typing import Final

ZSTD: Final = b"\x28\xb5\x2f\xfd"


def deflated(data: bytes) -> bytes:
    """A deflate stream without header and checksum."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def gzip_member(
    data: bytes,
    name: bytes | None = None,
    comment: bytes | None = None,
    extra: bytes | None = None,
    crc: int | None = None,
    header_crc: bool = False,
) -> bytes:
    """One member. `crc` None: the right one."""
    flags = (2 if header_crc else 0) | (4 if extra is not None else 0)
    flags |= (8 if name is not None else 0) | (16 if comment is not None else 0)
    head = b"\x1f\x8b\x08" + bytes([flags]) + bytes(4) + b"\x02\xff"
    head += b"" if extra is None else struct.pack("<H", len(extra)) + extra
    head += b"".join(part + b"\0" for part in (name, comment) if part is not None)
    head += struct.pack("<H", zlib.crc32(head) & 0xFFFF) if header_crc else b""
    return head + deflated(data) + struct.pack("<II", zlib.crc32(data) if crc is None else crc, len(data) % 2**32)


def zlib_stream(data: bytes, adler: int | None = None) -> bytes:
    """Header, deflate stream, Adler-32."""
    return b"\x78\xda" + deflated(data) + struct.pack(">I", zlib.adler32(data) if adler is None else adler)


def zstd_block(data: bytes, last: bool, times: int = 0) -> bytes:
    """A block as it is; with `times` one byte that is repeated so often."""
    kind, size = (1, times) if times else (0, len(data))
    return (size << 3 | kind << 1 | last).to_bytes(3, "little") + data


def zstd_frame(*blocks: bytes, window: int = 0x50) -> bytes:
    """A frame without checksum and stated size; `blocks` as `zstd_block` makes them."""
    return ZSTD + bytes([0, window]) + b"".join(blocks)


def zstd_skipped(data: bytes) -> bytes:
    """A frame that every reader steps over."""
    return struct.pack("<II", 0x184D2A53, len(data)) + data
