"""The parts of a zip as they stand in bytes: signatures, headers, extra fields, names. Little endian throughout."""

from __future__ import annotations

import re
from collections.abc import Iterator
from struct import Struct
from typing import Final

LOCAL_SIGNATURE: Final = b"PK\x03\x04"
ENTRY_SIGNATURE: Final = b"PK\x01\x02"
END_SIGNATURE: Final = b"PK\x05\x06"
END64_SIGNATURE: Final = b"PK\x06\x06"
LOCATOR_SIGNATURE: Final = b"PK\x06\x07"
DESCRIPTOR_SIGNATURE: Final = b"PK\x07\x08"

# signature, version, flags, method, time, date, crc, packed size, size, name length, extra length
LOCAL: Final = Struct("<4sHHHHHIIIHH")
# signature, made by, version, flags, method, time, date, crc, packed size, size, lengths of name, extra and
# comment, disk, inner and outer attributes, offset of the local header
ENTRY: Final = Struct("<4sHHHHHHIIIHHHHHII")
# the three lengths within it, at ENTRY_LENGTHS_AT
ENTRY_LENGTHS: Final = Struct("<HHH")
ENTRY_LENGTHS_AT: Final = 28
# signature, disk, disk of the directory, entries here, entries, size and offset of the directory, comment length
END: Final = Struct("<4sHHHHIIH")
# signature, size of the rest, made by, version, disk, disk of the directory, entries here, entries, size, offset
END64: Final = Struct("<4sQHHIIQQQQ")
# signature, disk, offset of the zip64 end record, disks
LOCATOR: Final = Struct("<4sIQI")
# signature, crc, packed size, size
DESCRIPTOR: Final = Struct("<4sIII")
DESCRIPTOR64: Final = Struct("<4sIQQ")
FIELD: Final = Struct("<HH")

BIG: Final = 0xFFFFFFFF
MANY: Final = 0xFFFF
STORED: Final = 0
DEFLATED: Final = 8
ENCRYPTED: Final = 0x0001
HAS_DESCRIPTOR: Final = 0x0008
UTF8: Final = 0x0800
ZIP64_FIELD: Final = 0x0001
# torch pads the extra field with a field of this name, so that the data stands at a multiple of the alignment
PADDING_FIELD: Final = b"FB"
PADDING_BYTE: Final = b"Z"
LONGEST_DESCRIPTOR: Final = DESCRIPTOR64.size
# version, flags and method as writers leave them, then the lengths of name and extra field
USUAL_FIELDS: Final = re.compile(rb"[\x00-\x3f]\x00.[\x00\x08][\x00\x08]\x00.{16}(..)..", re.DOTALL)
USUAL_NAME: Final = 512


def extra_fields(extra: bytes) -> Iterator[tuple[int, int, int]]:
    """(id, start, stop) of the content of each field; one that reaches beyond the end stops the walk."""
    at = 0
    while at + FIELD.size <= len(extra):
        kind, length = FIELD.unpack_from(extra, at)
        at += FIELD.size
        if at + length > len(extra):
            return
        yield kind, at, at + length
        at += length


def zip64_numbers(extra: bytes) -> list[int]:
    """The 64-bit numbers of the zip64 field, in their order; empty when there is no such field."""
    for kind, start, stop in extra_fields(extra):
        if kind == ZIP64_FIELD:
            return [int.from_bytes(extra[at : at + 8], "little") for at in range(start, stop - 7, 8)]
    return []


def damaged_name(data: bytes) -> str | None:
    """The name in a local header of usual form whose signature is damaged, but for one byte at least; else None."""
    kept = sum(one == other for one, other in zip(data, LOCAL_SIGNATURE, strict=False))
    fields = USUAL_FIELDS.match(data, len(LOCAL_SIGNATURE))
    if fields is None or not 0 < kept < len(LOCAL_SIGNATURE):
        return None
    length = int.from_bytes(fields[1], "little")
    name = data[LOCAL.size : LOCAL.size + length]
    text = decode_name(name, UTF8)
    return text if len(name) == length and is_usual_name(text) else None


def is_usual_name(name: str) -> bool:
    """True for a name that a writer would give a member."""
    return 0 < len(name) <= USUAL_NAME and name.isprintable()


def padding_start(extra: bytes) -> int:
    """Where torch's padding field begins within the extra field, as far as the given bytes tell; -1: nowhere."""
    at = 0
    while at + FIELD.size <= len(extra):
        if extra[at : at + 2] == PADDING_FIELD:
            return at
        at += FIELD.size + FIELD.unpack_from(extra, at)[1]
    return -1


def decode_name(raw: bytes, flags: int) -> str:
    """A member's name as text: UTF-8 where the flag says so, else code page 437; other bytes as hexadecimal escapes."""
    return raw.decode("utf-8", "backslashreplace") if flags & UTF8 else raw.decode("cp437")


def descriptor_length(data: bytes, room: int, packed: int, size: int) -> int:
    """Bytes of the data descriptor at the beginning of `data`, 0: none.

    `room` is the distance to the next part; it decides where the sizes fit both forms, and where a signed
    descriptor has other sizes. Without a signature (which is optional) the sizes have to agree.
    """
    words = (packed & BIG).to_bytes(4, "little") + (size & BIG).to_bytes(4, "little")
    longs = packed.to_bytes(8, "little") + size.to_bytes(8, "little")
    at = 8 if data[:4] == DESCRIPTOR_SIGNATURE else 4
    short, long = data[at : at + 8] == words, data[at : at + 16] == longs
    if at == 4 and not short and not long:
        return 0
    if room == at + 16:
        return room if long or not short else at + 8
    return at + 16 if long and not short else at + 8
