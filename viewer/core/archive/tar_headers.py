"""The blocks of a tar: one header of 512 bytes as fields, numbers in octal and in binary, PAX records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

BLOCK: Final = 512
NAME, SIZE, CHECKSUM, TYPE, LINK, MAGIC, PREFIX = (0, 124, 148, 156, 157, 257, 345)
SPARSE_MORE, SPARSE_NEXT = 482, 504
USTAR: Final = b"ustar"
LONGEST_LENGTH: Final = 20

# Without content, whatever size they state.
EMPTY: Final[dict[bytes, str]] = {
    b"1": "hard link",
    b"2": "symbolic link",
    b"3": "character device",
    b"4": "block device",
    b"5": "folder",
    b"6": "pipe",
}
PAX, PAX_OF_ALL, LONG_NAME, LONG_LINK, SPARSE = frozenset({b"x", b"X"}), b"g", b"L", b"K", b"S"
EXTENSIONS: Final = PAX | {PAX_OF_ALL, LONG_NAME, LONG_LINK}


@dataclass(frozen=True, slots=True)
class Header:
    """One header. `size` as stated; None where the field is no number. `sums`: the checksum fits."""

    name: bytes
    size: int | None
    kind: bytes
    link: bytes
    ustar: bool
    sums: bool


def read_header(block: bytes) -> Header | None:
    """The fields of a block; None for one that is cut or all zeros."""
    if len(block) < BLOCK or not block.strip(b"\0"):
        return None
    is_ustar = block[MAGIC : MAGIC + 5] == USTAR
    name, prefix = text(block[NAME : NAME + 100]), b""
    # GNU writes "ustar  " and keeps dates where POSIX has the front of a long name.
    if is_ustar and block[MAGIC + 5 : MAGIC + 6] == b"\0":
        prefix = text(block[PREFIX : PREFIX + 155])
    kind = block[TYPE : TYPE + 1]
    size = number(block[SIZE : SIZE + 12])
    if kind == SPARSE:
        prefix = b""
    return Header(
        prefix + b"/" + name if prefix else name, size, kind, text(block[LINK : LINK + 100]), is_ustar, fits(block)
    )


def fits(block: bytes) -> bool:
    """True when the checksum is that of the block; some old programs added the bytes as signed ones."""
    stated = number(block[CHECKSUM : CHECKSUM + 8])
    rest = block[:CHECKSUM] + block[TYPE:]
    plain = sum(rest) + 8 * ord(" ")
    if stated == plain:
        return len(block) == BLOCK and stated > 0
    return stated == plain - 256 * sum(byte > 127 for byte in rest) and len(block) == BLOCK


def text(field: bytes) -> bytes:
    """A field up to its first zero."""
    return field.partition(b"\0")[0]


def number(field: bytes) -> int | None:
    """A number in octal digits or, with the first bit set, in binary of base 256; None where it is neither."""
    if field[:1] == b"\x80":
        return int.from_bytes(field[1:], "big")
    if field[:1] == b"\xff":
        return int.from_bytes(field, "big", signed=True)
    digits = text(field).strip()
    if digits.strip(b"01234567"):
        return None
    return int(digits or b"0", 8)


def pax_records(data: bytes) -> Iterator[tuple[bytes, bytes] | None]:
    """Keys and values of lines `LENGTH key=value`; None at the end where the rest is none of these."""
    at = 0
    while at < len(data) and data[at : at + 1] != b"\0":
        space = data.find(b" ", at, at + LONGEST_LENGTH)
        digits = data[at:space] if space > 0 else b""
        length = int(digits) if digits.isdigit() else 0
        record = data[space + 1 : at + length]
        key, sign, value = record.partition(b"=")
        if at + length > len(data) or not sign or not value.endswith(b"\n"):
            yield None
            return
        yield key, value[:-1]
        at += length
