"""The zip that torch.save writes: records aligned by padding, descriptors, always zip64 end records, no gaps.

`torch_zip(value)` gives a file of torch 2.13; `version` picks the records of an older one. `ZipWriter` writes any
records in this layout. Plain zips, with faults or without, are made by tests.builders.zips.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from typing_extensions import override

from tests.builders.torch_values import Storage, TorchPickler
from tests.builders.values import Fresh

BIG: Final = 0xFFFFFFFF
UTF8: Final = 0x0800
DESCRIPTOR: Final = 0x0008
WORD: Final = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Entry:
    """A record as the directory will name it. Offsets count in the archive."""

    name: str
    header: int
    start: int
    stop: int
    crc: int
    method: int
    size: int

    @property
    def descriptor(self) -> int:
        """Bytes of the data descriptor."""
        if self.stop == self.start:
            return 0
        return 24 if max(self.size, self.header) >= BIG else 16


class ZipWriter:
    """PyTorchStreamWriter's layout. `entries` are the records up to now; `finish` gives the whole archive."""

    def __init__(self, root: str = "archive", alignment: int = 64, crc: bool = True) -> None:
        self.root = root
        self.alignment = alignment
        self.crc = crc
        self.entries: list[Entry] = []
        self._data = bytearray()
        self._fold = 0

    def add(self, name: str, data: bytes, deflated: bool = False) -> Entry:
        """One record under the root."""
        full = f"{self.root}/{name}" if self.root else name
        stored = deflate(data) if deflated else data
        crc = zlib.crc32(data) if self.crc else 0
        header = len(self._data)
        self._data += local_header(full, header, stored, self.alignment, deflated)
        start = len(self._data)
        self._data += stored
        entry = Entry(full, header, start, len(self._data), crc, 8 if deflated else 0, len(data))
        if stored:
            form = "<4sIQQ" if entry.descriptor == 24 else "<4sIII"
            self._data += struct.pack(form, b"PK\x07\x08", crc, len(stored), len(data))
            self._fold ^= (crc + 0x9E3779B9 + (self._fold << 6) + (self._fold >> 2)) & WORD
            self._fold &= WORD
        self.entries.append(entry)
        return entry

    @property
    def seal(self) -> str:
        """The serialization id of the records written up to now: 20 digits over the names, 20 over the CRCs.

        torch's first half depends on the C++ library's hash; this one is a CRC of the names.
        """
        names = "\n".join(entry.name.partition("/")[2] for entry in self.entries)
        return f"{zlib.crc32(names.encode()) * 0x9E3779B97F4A7C15 & WORD:020d}{self._fold:020d}"

    def finish(self) -> bytes:
        """Directory and end records behind the records."""
        directory = b"".join(directory_entry(entry) for entry in self.entries)
        return bytes(self._data) + directory + end_records(len(self.entries), len(directory), len(self._data))


def deflate(data: bytes) -> bytes:
    """A raw deflate stream."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def local_header(name: str, at: int, stored: bytes, alignment: int, deflated: bool = False) -> bytes:
    """Header, name and the padding that puts the data on a multiple of the alignment."""
    encoded = name.encode()
    zip64 = b"" if at < BIG else struct.pack("<HHQ", 1, 8, at)
    used = at + 30 + len(encoded) + len(zip64) + 4
    pad = -used % alignment
    extra = zip64 + struct.pack("<2sH", b"FB", pad) + b"Z" * pad
    flags = UTF8 | (DESCRIPTOR if stored else 0)
    method = 8 if deflated else 0
    fixed = struct.pack("<4sHHHHHIIIHH", b"PK\x03\x04", 0, flags, method, 0, 0, 0, 0, 0, len(encoded), len(extra))
    return fixed + encoded + extra


def directory_entry(entry: Entry) -> bytes:
    """One entry of the central directory; offsets beyond 32 bits go to a zip64 field."""
    encoded = entry.name.encode()
    flags = UTF8 | (DESCRIPTOR if entry.stop > entry.start else 0)
    extra = b"" if entry.header < BIG else struct.pack("<HHQ", 1, 8, entry.header)
    stored = entry.stop - entry.start
    fixed = struct.pack("<4sHHHHHHIII", b"PK\x01\x02", 0, 0, flags, entry.method, 0, 0, entry.crc, stored, entry.size)
    tail = struct.pack("<HHHHHII", len(encoded), len(extra), 0, 0, 0, 0, min(entry.header, BIG))
    return fixed + tail + encoded + extra


def end_records(count: int, size: int, start: int) -> bytes:
    """zip64 end record, its locator, and the end record, which torch always writes all."""
    zip64 = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 0x031E, 45, 0, 0, count, count, size, start)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, start + size, 1)
    few = min(count, 0xFFFF)
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, few, few, min(size, BIG), min(start, BIG), 0)
    return zip64 + locator + end


class ZipPickler(TorchPickler):
    """Numbers storages by first use; ids have five items. `storages` maps key to storage."""

    def __init__(self, protocol: int = 2) -> None:
        super().__init__(protocol)
        self.storages: dict[str, Storage] = {}
        self._keys: dict[int, Fresh] = {}

    @override
    def persistent_id(self, value: object) -> object:
        if not isinstance(value, Storage):
            return super().persistent_id(value)
        key = self._keys.get(id(value))
        if key is None:
            key = Fresh(len(self._keys) if value.key is None else value.key)
            self._keys[id(value)] = key
            self.storages.setdefault(key, value)
        return ("storage", value.global_class, key, value.location, value.count)


# The records beside data.pkl and the storages, before and behind the storages, by the torch that wrote them.
SMALL: Final[dict[str, tuple[Mapping[str, bytes], Mapping[str, bytes], bool]]] = {
    "1.6": ({}, {"version": b"3\n"}, False),
    "2.1": ({"byteorder": b"%(byteorder)s"}, {"version": b"3\n"}, True),
    "2.13": (
        {".format_version": b"1", ".storage_alignment": b"%(alignment)d", "byteorder": b"%(byteorder)s"},
        {"version": b"3\n"},
        True,
    ),
}


def write(
    writer: ZipWriter,
    pickler: ZipPickler,
    body: bytes,
    version: str = "2.13",
    byteorder: str = "little",
    deflated: bool = False,
) -> None:
    """All records of a checkpoint, in the order of that torch."""
    before, behind, sealed = SMALL[version]
    facts = {b"alignment": writer.alignment, b"byteorder": byteorder.encode()}
    writer.add("data.pkl", body, deflated)
    for name, data in before.items():
        writer.add(name, data % facts)
    keys: Iterable[str] = pickler.storages if version == "2.13" else sorted(pickler.storages)
    for key in keys:
        writer.add(f"data/{key}", pickler.storages[key].data, deflated)
    for name, data in behind.items():
        writer.add(name, data)
    if sealed:
        writer.add(".data/serialization_id", writer.seal.encode())


def torch_zip(
    value: object,
    root: str = "archive",
    version: str = "2.13",
    protocol: int = 2,
    byteorder: str = "little",
    alignment: int = 64,
    deflated: bool = False,
    change: Callable[[bytes], bytes] | None = None,
) -> bytes:
    """The bytes of a checkpoint of one value.

    `byteorder` only names the order: give storages whose bytes have it. `change` alters data.pkl, to make faulty files.
    """
    pickler = ZipPickler(protocol)
    body = pickler.dumps(value)
    writer = ZipWriter(root, alignment)
    write(writer, pickler, body if change is None else change(body), version, byteorder, deflated)
    return writer.finish()
