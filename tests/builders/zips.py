"""Zips byte by byte, with any fault: two names, wrong sizes, flags, damaged signatures, bytes in between.

`plain_zip` writes what it is told and checks nothing. The faultless layout of torch is tests.builders.torch_zip.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

LOCAL: Final = b"PK\x03\x04"
ENTRY: Final = b"PK\x01\x02"
END: Final = b"PK\x05\x06"
END64: Final = b"PK\x06\x06"
LOCATOR: Final = b"PK\x06\x07"
DESCRIPTOR: Final = b"PK\x07\x08"
BIG: Final = 0xFFFFFFFF
ENCRYPTED: Final = 0x0001
DESCRIBED: Final = 0x0008
UTF8: Final = 0x0800


@dataclass(frozen=True, slots=True)
class Member:
    """One record. What is None is as it should be.

    `descriptor`: its length, 12 or 16 (32-bit sizes), 20 or 24 (64-bit ones), 12 and 20 without signature; the
    local header then states no sizes. `zip64`: sizes and offset of the directory entry stand in a zip64 field.
    `before`: bytes between the record before and this header. `header`: the offset that the directory states.
    """

    name: str | bytes
    data: bytes = b""
    deflated: bool = False
    flags: int = 0
    method: int | None = None
    crc: int | None = None
    packed: int | None = None
    size: int | None = None
    header: int | None = None
    local_name: bytes | None = None
    local_extra: bytes = b""
    entry_extra: bytes = b""
    comment: bytes = b""
    descriptor: int = 0
    zip64: bool = False
    signature: bytes = LOCAL
    before: bytes = b""

    @property
    def raw(self) -> bytes:
        """The name in the directory."""
        return self.name if isinstance(self.name, bytes) else self.name.encode()

    @property
    def stored(self) -> bytes:
        """The bytes as they stand in the archive."""
        if not self.deflated:
            return self.data
        packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        return packer.compress(self.data) + packer.flush()

    @property
    def facts(self) -> tuple[int, int, int]:
        """Checksum, packed size and size as they are stated."""
        crc = zlib.crc32(self.data) if self.crc is None else self.crc
        packed = len(self.stored) if self.packed is None else self.packed
        return crc, packed, len(self.data) if self.size is None else self.size

    @property
    def how(self) -> tuple[int, int]:
        """Flags and method as they are stated."""
        described = DESCRIBED if self.descriptor else 0
        return self.flags | described, (8 if self.deflated else 0) if self.method is None else self.method


def local(member: Member) -> bytes:
    """Header, name, extra field, data and descriptor."""
    name = member.raw if member.local_name is None else member.local_name
    flags, method = member.how
    crc, packed, size = (0, 0, 0) if member.descriptor else member.facts
    sizes = (crc, min(packed, BIG), min(size, BIG), len(name), len(member.local_extra))
    fixed = struct.pack("<4sHHHHHIIIHH", member.signature, 20, flags, method, 0, 0, *sizes)
    return fixed + name + member.local_extra + member.stored + descriptor(member)


def descriptor(member: Member) -> bytes:
    """The data descriptor in the form that the member asks for."""
    if not member.descriptor:
        return b""
    form = "<III" if member.descriptor in (12, 16) else "<IQQ"
    return (DESCRIPTOR if member.descriptor in (16, 24) else b"") + struct.pack(form, *member.facts)


def entry(member: Member, header: int) -> bytes:
    """The directory entry of a record whose local header stands at `header`."""
    flags, method = member.how
    crc, packed, size = member.facts
    header = header if member.header is None else member.header
    extra = member.entry_extra
    if member.zip64:
        extra = struct.pack("<HHQQQ", 1, 24, size, packed, header) + extra
        packed = size = header = BIG
    facts = (flags, method, 0, 0, crc, packed, size, len(member.raw), len(extra), len(member.comment))
    return struct.pack("<4sHHHHHHIIIHHHHHII", ENTRY, 20, 20, *facts, 0, 0, 0, header) + (
        member.raw + extra + member.comment
    )


def end(count: int, size: int, start: int, comment: bytes = b"") -> bytes:
    """The end record."""
    few = min(count, 0xFFFF)
    return struct.pack("<4sHHHHIIH", END, 0, 0, few, few, min(size, BIG), min(start, BIG), len(comment)) + comment


def end64(count: int, size: int, start: int) -> bytes:
    """The zip64 end record and its locator."""
    record = struct.pack("<4sQHHIIQQQQ", END64, 44, 45, 45, 0, 0, count, count, size, start)
    return record + struct.pack("<4sIQI", LOCATOR, 0, start + size, 1)


def directory(members: Iterable[Member]) -> tuple[bytes, bytes, int]:
    """The records, the entries, and the number of both."""
    records, entries, count = bytearray(), bytearray(), 0
    for member in members:
        records += member.before
        entries += entry(member, len(records))
        records += local(member)
        count += 1
    return bytes(records), bytes(entries), count


def plain_zip(
    members: Iterable[Member],
    prefix: bytes = b"",
    comment: bytes = b"",
    count: int | None = None,
    zip64: bool = False,
    shift: int = 0,
) -> bytes:
    """An archive of these records. `prefix` is put in front, without any offset counting it, as by `cat`.

    `count`: the number of records that the end records state. `shift`: added to the stated place of the directory.
    """
    records, entries, real = directory(members)
    stated = real if count is None else count
    start = len(records) + shift
    more = end64(stated, len(entries), start) if zip64 else b""
    return prefix + records + entries + more + end(stated, len(entries), start, comment)
