"""Tars byte by byte: ustar, PAX and GNU headers, and any fault in them."""

from __future__ import annotations

from typing import Final

BLOCK: Final = 512
END: Final = bytes(2 * BLOCK)
RECORD: Final = 20 * BLOCK
USTAR: Final = b"ustar\x0000"
GNU: Final = b"ustar  \0"


def padded(data: bytes) -> bytes:
    """Filled up to whole blocks."""
    return data + bytes(-len(data) % BLOCK)


def octal(value: int, width: int) -> bytes:
    """Digits and a closing zero."""
    return b"%0*o\0" % (width - 1, value)


def binary(value: int, width: int) -> bytes:
    """Base 256: the first bit is set, negative numbers begin with 0xFF."""
    data = value.to_bytes(width, "big", signed=True)
    return data if value < 0 else b"\x80" + data[1:]


def header(
    name: bytes,
    size: int | bytes = 0,
    kind: bytes = b"0",
    link: bytes = b"",
    magic: bytes = USTAR,
    prefix: bytes = b"",
    checksum: int | None = None,
) -> bytes:
    """One block. `size` as a number, or the twelve bytes of the field."""
    field = size if isinstance(size, bytes) else octal(size, 12)
    facts = octal(0o644, 8) + octal(0, 8) + octal(0, 8) + field + octal(0, 12)
    front = name.ljust(100, b"\0") + facts
    back = kind + link.ljust(100, b"\0") + magic.ljust(8, b"\0") + bytes(32) + bytes(32) + bytes(16)
    back = (back + prefix).ljust(BLOCK - 156, b"\0")
    total = sum(front) + sum(back) + 8 * 0x20 if checksum is None else checksum
    return front + b"%06o\0 " % total + back


def member(
    name: bytes,
    data: bytes = b"",
    kind: bytes = b"0",
    size: int | bytes | None = None,
    link: bytes = b"",
    magic: bytes = USTAR,
    prefix: bytes = b"",
    checksum: int | None = None,
) -> bytes:
    """Header, content and padding; facts as `header` takes them, `size` None: what the content has."""
    return header(name, len(data) if size is None else size, kind, link, magic, prefix, checksum) + padded(data)


def pax_record(key: bytes, value: bytes) -> bytes:
    """`LENGTH key=value` with a line feed; the length counts itself."""
    rest = b" " + key + b"=" + value + b"\n"
    length = len(rest) + 1
    while len(str(length)) + len(rest) != length:
        length = len(str(length)) + len(rest)
    return str(length).encode() + rest


def pax(kind: bytes = b"x", **records: bytes) -> bytes:
    """A header of additional facts for the next member, or with kind `g` for all."""
    return member(b"././@PaxHeader", b"".join(pax_record(k.encode(), v) for k, v in records.items()), kind)


def tar(*members: bytes, end: bytes = END, record: int = RECORD) -> bytes:
    """The members and the end blocks, filled with zeros up to whole records."""
    data = b"".join(members) + end
    return data + bytes(-len(data) % record)
