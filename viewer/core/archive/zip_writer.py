"""Writing archives as streams: the zip that torch.save writes, and the plain one of an npz.

torch's layout is written here and not by `zipfile`, because it is more than a zip: its records stand at
multiples of 64, their local headers state no sizes, and a loader that trusts `.format_version` computes the
place of each record from that. An npz is to be less than what `zipfile` writes: see NpzWriter. Nothing that was
written is read again; of a record no more is in memory than the chunk at hand.
"""

from __future__ import annotations

import hashlib
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PurePath
from types import TracebackType
from typing import BinaryIO, Final, Self

from typing_extensions import override

from viewer.core.archive import zip_layout as layout
from viewer.core.crc import crc32
from viewer.core.errors import ExportError
from viewer.core.progress import Progress

ALIGNMENT: Final = 64
DEFAULT_ROOT: Final = "archive"
PICKLE: Final = "data.pkl"
FORMAT_VERSION: Final = b"1"
ARCHIVE_VERSION: Final = b"3\n"
WORD: Final = 2**64 - 1
# the system and version that torch's zip library puts into the zip64 end record
MADE_BY: Final = 0x031E
NEEDED: Final = 45
SIMPLE_NEEDED: Final = 20
# the system by which the attributes of a file are meant, and those of a file that its owner reads and writes
UNIX: Final = 0x0300
READABLE: Final = 0o600 << 16
# time, and the earliest date that a zip can state (1980-01-01), so that equal content gives equal bytes
NO_DATE: Final = (0, 0x21)

Chunk = bytes | bytearray | memoryview


class ArchiveWriter(ABC):
    """Takes records one after the other and closes the archive when its block is left without an exception.

    After an exception the file holds no archive and has to be thrown away. The file stands at its beginning
    and stays open. `progress`: stops the closing, which writes an entry a record; then CancelledError.
    """

    def __init__(self, progress: Progress | None) -> None:
        self._names: set[str] = set()
        self._progress = progress or Progress()

    def add(self, name: str, data: Chunk) -> None:
        """One whole record. Raises ValueError when the name was used before."""
        self.add_stream(name, memoryview(data).nbytes, (data,))

    def add_stream(self, name: str, size: int, chunks: Iterable[Chunk]) -> None:
        """One record of `size` bytes that come in chunks. Raises ExportError when they are more or fewer."""
        if name in self._names:
            raise ValueError(f"a record {name} was written before")
        self._names.add(name)
        given = self._write_record(name, size, chunks)
        if given != size:
            raise ExportError("record-size-changed", name=name, given=given, size=size)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        if failure is None:
            self.close()
        else:
            self.abandon()

    @abstractmethod
    def close(self) -> None:
        """Write what makes the records an archive."""

    def abandon(self) -> None:
        """Leave the file as it is."""
        self._names.clear()

    @abstractmethod
    def _write_record(self, name: str, size: int, chunks: Iterable[Chunk]) -> int:
        """Write the record; gives the number of bytes that came."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A written record, as the directory will state it."""

    name: bytes
    header: int
    size: int
    crc: int

    @property
    def flags(self) -> int:
        """UTF-8, and a descriptor where there is data."""
        return layout.UTF8 | (layout.HAS_DESCRIPTOR if self.size else 0)


class TorchZipWriter(ArchiveWriter):
    """The zip checkpoint of today's torch. Record names are given without the root folder.

    `data.pkl` comes first, then the storages as `data/0`, `data/1`. The records that say how the archive is
    made (format version, alignment, byte order, version, serialization id) are added by the writer.
    """

    def __init__(
        self, file: BinaryIO, root: str = DEFAULT_ROOT, byteorder: str = "little", progress: Progress | None = None
    ) -> None:
        super().__init__(progress)
        self._file = file
        self._root = root
        self._byteorder = byteorder
        self._at = 0
        self._entries: list[Entry] = []

    @override
    def close(self) -> None:
        self.add("version", ARCHIVE_VERSION)
        self.add(".data/serialization_id", self._serialization_id())
        start = self._at
        for entry in self._progress.each(self._entries):
            self._put(directory_entry(entry))
        self._put(end_records(len(self._entries), start, self._at - start))
        self._file.flush()

    @override
    def _write_record(self, name: str, size: int, chunks: Iterable[Chunk]) -> int:
        header = self._at
        encoded = f"{self._root}/{name}".encode()
        self._put(local_header(encoded, header, size))
        crc = given = 0
        write, checksum = self._file.write, crc32
        for chunk in chunks:
            write(chunk)
            crc = checksum(chunk, crc)
            given += memoryview(chunk).nbytes
        self._at += given
        self._entries.append(Entry(encoded, header, size, crc))
        if size:
            form = layout.DESCRIPTOR64 if max(size, header) >= layout.BIG else layout.DESCRIPTOR
            self._put(form.pack(layout.DESCRIPTOR_SIGNATURE, crc, size, size))
        if name == PICKLE:
            self._write_marks()
        return given

    def _write_marks(self) -> None:
        """What torch writes behind data.pkl, before any storage."""
        self.add(".format_version", FORMAT_VERSION)
        self.add(".storage_alignment", str(ALIGNMENT).encode())
        self.add("byteorder", self._byteorder.encode())

    def _put(self, data: bytes) -> None:
        self._file.write(data)
        self._at += len(data)

    def _serialization_id(self) -> bytes:
        """40 digits: 20 that stand for the names, 20 that fold the checksums of all records with data.

        torch's first half depends on the hash function of its C++ library; any one will do, no reader checks it.
        """
        names = b"\n".join(entry.name.partition(b"/")[2] for entry in self._entries)
        first = int.from_bytes(hashlib.blake2b(names, digest_size=8).digest(), "little")
        return f"{first:020d}{fold(entry.crc for entry in self._entries if entry.size):020d}".encode()


@dataclass(frozen=True, slots=True)
class Member:
    """A written member of an npz, as both of its headers state it. `packed`: bytes that it takes in the archive."""

    name: bytes
    header: int
    method: int
    size: int = 0
    packed: int = 0
    crc: int = 0


class NpzWriter(ArchiveWriter):
    """The plain zip of an npz: stored unless `deflated`, sizes and checksum in each local header, no descriptors.

    Readers in C++ (cnpy and its kind) read the local headers only, as 32-bit numbers, so that all is stated there, and
    zip64 fields stand only where a number does not fit: `zipfile` begins with them at 2 GiB. The file has to be
    seekable. Names are full: `weight.npy`.
    """

    def __init__(self, file: BinaryIO, deflated: bool = False, progress: Progress | None = None) -> None:
        super().__init__(progress)
        self._file = file
        self._deflated = deflated
        self._at = 0
        self._members: list[Member] = []

    @override
    def close(self) -> None:
        start = self._at
        for member in self._progress.each(self._members):
            self._put(stated_entry(member))
        count, size = len(self._members), self._at - start
        end = end_records(count, start, size)
        is_large = count >= layout.MANY or max(start, size) >= layout.BIG
        self._put(end if is_large else end[-layout.END.size :])
        self._file.flush()

    @override
    def _write_record(self, name: str, size: int, chunks: Iterable[Chunk]) -> int:
        member = Member(name.encode(), self._at, layout.DEFLATED if self._deflated else layout.STORED)
        # what cannot be made smaller grows a little
        is_large = size >= layout.BIG - (layout.BIG // 1000 if self._deflated else 0)
        self._put(stated_header(member, is_large))
        crc = given = packed = 0
        write, checksum = self._file.write, crc32
        deflater = zlib.compressobj(wbits=-zlib.MAX_WBITS) if self._deflated else None
        for chunk in chunks:
            crc = checksum(chunk, crc)
            given += memoryview(chunk).nbytes
            data = chunk if deflater is None else deflater.compress(chunk)
            packed += memoryview(data).nbytes
            write(data)
        if deflater is not None:
            packed += write(deflater.flush())
        self._at += packed
        member = replace(member, size=given, packed=packed, crc=crc)
        self._file.seek(member.header)
        write(stated_header(member, is_large))
        self._file.seek(self._at)
        self._members.append(member)
        return given

    def _put(self, data: bytes) -> None:
        self._file.write(data)
        self._at += len(data)


def root_for(path: str) -> str:
    """The root folder that torch gives an archive of this name: the name without folder and last suffix."""
    name = PurePath(path.replace("\\", "/")).name
    stem = name.rpartition(".")[0] if "." in name else name
    return stem if stem.isascii() and stem.strip(".") else DEFAULT_ROOT


def fold(checksums: Iterable[int]) -> int:
    """The combination of checksums that torch makes: 64 bits."""
    folded = 0
    for crc in checksums:
        folded ^= (crc + 0x9E3779B9 + (folded << 6) + (folded >> 2)) & WORD
    return folded


def local_header(name: bytes, at: int, size: int) -> bytes:
    """Header, name, zip64 field and padding of a record whose header stands at `at`."""
    large = b""
    if size >= layout.BIG or at >= layout.BIG:
        large += size.to_bytes(8, "little") + bytes(8) if size >= layout.BIG else b""
        large += at.to_bytes(8, "little") if at >= layout.BIG else b""
        large = layout.FIELD.pack(layout.ZIP64_FIELD, len(large)) + large
    padding = -(at + layout.LOCAL.size + len(name) + len(large) + layout.FIELD.size) % ALIGNMENT
    extra = large + layout.PADDING_FIELD + padding.to_bytes(2, "little") + layout.PADDING_BYTE * padding
    flags = Entry(name, at, size, 0).flags
    fixed = layout.LOCAL.pack(layout.LOCAL_SIGNATURE, 0, flags, 0, 0, 0, 0, 0, 0, len(name), len(extra))
    return fixed + name + extra


def directory_entry(entry: Entry) -> bytes:
    """One entry of the central directory; numbers beyond 32 bits stand in a zip64 field."""
    numbers = (entry.size, entry.size, entry.header)
    extra = zip64_field(number for number in numbers if number >= layout.BIG)
    packed, size, header = (min(number, layout.BIG) for number in numbers)
    lengths = (len(entry.name), len(extra), 0)
    facts = (layout.ENTRY_SIGNATURE, 0, 0, entry.flags, layout.STORED, 0, 0, entry.crc, packed, size)
    return layout.ENTRY.pack(*facts, *lengths, 0, 0, 0, header) + entry.name + extra


def stated_header(member: Member, is_large: bool) -> bytes:
    """Local header and name of a member; `is_large`: with a zip64 field for both sizes."""
    extra, sizes = b"", (member.packed, member.size)
    if is_large:
        extra, sizes = zip64_field((member.size, member.packed)), (layout.BIG, layout.BIG)
    facts = (SIMPLE_NEEDED if not extra else NEEDED, name_flag(member.name), member.method, *NO_DATE, member.crc)
    lengths = len(member.name), len(extra)
    return layout.LOCAL.pack(layout.LOCAL_SIGNATURE, *facts, *sizes, *lengths) + member.name + extra


def stated_entry(member: Member) -> bytes:
    """One entry of the central directory of an npz."""
    extra = zip64_field(number for number in (member.size, member.packed, member.header) if number >= layout.BIG)
    needed = NEEDED if extra else SIMPLE_NEEDED
    facts = (UNIX | needed, needed, name_flag(member.name), member.method, *NO_DATE, member.crc)
    packed, size, header = (min(number, layout.BIG) for number in (member.packed, member.size, member.header))
    rest = (packed, size, len(member.name), len(extra), 0, 0, 0, READABLE, header)
    return layout.ENTRY.pack(layout.ENTRY_SIGNATURE, *facts, *rest) + member.name + extra


def zip64_field(numbers: Iterable[int]) -> bytes:
    """The extra field with these numbers; nothing where there are none."""
    data = b"".join(number.to_bytes(8, "little") for number in numbers)
    return layout.FIELD.pack(layout.ZIP64_FIELD, len(data)) + data if data else b""


def name_flag(name: bytes) -> int:
    """Says that a name is UTF-8, where that makes a difference: to some readers any flag is one too many."""
    return 0 if name.isascii() else layout.UTF8


def end_records(count: int, start: int, size: int) -> bytes:
    """The zip64 end record, its locator and the end record, of which torch always writes all three."""
    numbers = (count, count, size, start)
    facts = (layout.END64_SIGNATURE, layout.END64.size - 12, MADE_BY, NEEDED, 0, 0)
    end64 = layout.END64.pack(*facts, *numbers)
    locator = layout.LOCATOR.pack(layout.LOCATOR_SIGNATURE, 0, start + size, 1)
    few, size, start = min(count, layout.MANY), min(size, layout.BIG), min(start, layout.BIG)
    return end64 + locator + layout.END.pack(layout.END_SIGNATURE, 0, 0, few, few, size, start, 0)
