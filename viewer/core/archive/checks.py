"""Checks of a zip that no reader of today makes: what torch writes, and whether it is still so.

`check_torch` looks at names, columns and records of a few bytes, and is made when a file is opened. `check_sums`
and `check_padding` read the whole archive, so they are work for a thread.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from viewer.core.archive import zip_layout as layout
from viewer.core.archive.findings import Findings
from viewer.core.archive.record import Record
from viewer.core.archive.seal import DIGITS, read_seal
from viewer.core.archive.seal import NAME as SEAL
from viewer.core.archive.zip_directory import NOWHERE, Members
from viewer.core.archive.zip_reader import ZipArchive, rows_where
from viewer.core.problem import Problem, error, note, warning
from viewer.core.progress import Progress
from viewer.core.source import BLOCK, ByteSource
from viewer.core.span import Span

STEP: Final = "checksums"
VERSIONS: Final = range(1, 11)
VERSION_NAMES: Final = ("version", ".data/version")
LONGEST: Final = 64
FEW: Final = 3


@dataclass(frozen=True, slots=True)
class Sums:
    """What reading all records gave: how many fit their checksums, how many state none, which do not fit."""

    good: int
    unstated: int
    problems: tuple[Problem, ...]


def check_torch(archive: ZipArchive, prefix: str) -> list[Problem]:
    """Version, folder, alignment, checksums that are not stated, and the seal. `prefix`: the folder with its slash.

    Nothing is said of an archive whose directory is missing: what it lacks was cut off.
    """
    if not archive.has_directory:
        return []
    found = [
        *check_version(archive, prefix),
        *check_folder(archive, prefix),
        *check_alignment(archive, prefix),
    ]
    return [*found, *check_stated(archive), *check_seal(archive, prefix)]


def check_version(archive: ZipArchive, prefix: str) -> list[Problem]:
    """The version that today's torch wants to see before anything else."""
    record = next((found for name in VERSION_NAMES if (found := archive.find(prefix + name)) is not None), None)
    if record is None:
        return [warning("torch-version-missing")]
    text = small(record)
    if text is None:
        return []
    stated = text.strip()
    if stated.isdigit() and int(stated) in VERSIONS:
        return []
    return [warning("torch-version", record.data, value=repr(text.decode("ascii", "backslashreplace")))]


def check_folder(archive: ZipArchive, prefix: str) -> list[Problem]:
    """The first record that does not lie in the folder of the others."""
    if archive.root:
        return []
    for row, name in enumerate(archive.names):
        if not prefix or not name.startswith(prefix):
            root = prefix.rstrip("/") or "a folder"
            return [warning("torch-folders", archive.records[row].header, name=name, root=root)]
    return []


def check_alignment(archive: ZipArchive, prefix: str) -> list[Problem]:
    """Records that do not stand where the archive itself says."""
    record = archive.find(prefix + ".storage_alignment")
    text = None if record is None else small(record)
    if text is None or not text.isdigit() or not 0 < int(text) < 2**32:
        return []
    members = archive.columns
    there = members.data != NOWHERE
    places = members.data - np.uint64(max(0, archive.shift))
    rows = rows_where(there & (members.size > 0) & (places % np.uint64(int(text)) != 0))
    if not rows:
        return []
    start = int(members.data[rows[0]])
    span = Span(start, start + 1).clipped(archive.source.size)
    return [note("torch-alignment", span, alignment=int(text), count=len(rows), name=members.names[rows[0]])]


def check_stated(archive: ZipArchive) -> list[Problem]:
    """Records that have bytes and state a checksum of 0."""
    members = archive.columns
    rows = rows_where((members.crc == 0) & (members.size > 0))
    if not rows:
        return []
    first = archive.records[rows[0]]
    return [note("zip-no-checksums", first.entry, count=len(rows), name=first.name)]


def check_seal(archive: ZipArchive, prefix: str) -> list[Problem]:
    """Whether the CRC fields are those that the archive was saved with."""
    record = archive.find(prefix + SEAL)
    text = None if record is None else small(record)
    if record is None or text is None:
        return []
    seal = read_seal(text, sealed(archive.columns, record.name))
    if seal is None:
        return [note("torch-seal-form", record.data)]
    return [] if seal.whole else [warning("torch-seal", record.data)]


def sealed(members: Members, seal: str) -> Iterable[int]:
    """The CRC fields of what the seal is made of, in the order of the file."""
    order = np.argsort(members.header, kind="stable").tolist()
    crcs, sizes = members.crc.tolist(), members.size.tolist()
    return (crcs[row] for row in order if sizes[row] and members.names[row] != seal)


def check_unused(archive: ZipArchive, folders: Sequence[str], used: Collection[str]) -> list[Problem]:
    """Records in the folders of the storages that no tensor needs. `used`: full names of those that are needed."""
    rows = [
        row
        for row, name in enumerate(archive.names)
        if name.startswith(tuple(folders)) and name not in used and not name.endswith("/")
    ]
    if not rows:
        return []
    first = archive.records[rows[0]]
    nbytes = int(archive.columns.size[rows].sum())
    return [note("torch-unreferenced", first.data, count=len(rows), name=first.name, nbytes=nbytes)]


def check_deflated(archive: ZipArchive, folders: Sequence[str]) -> list[Problem]:
    """Storages that are compressed: what torch maps instead of reading is not what they hold."""
    members = archive.columns
    packed = rows_where((members.method == layout.DEFLATED) & (members.size > 0))
    rows = [row for row in packed if members.names[row].startswith(tuple(folders))]
    if not rows:
        return []
    first = archive.records[rows[0]]
    return [note("torch-deflated", first.data, count=len(rows), name=first.name)]


def check_sums(records: Sequence[Record], names: Mapping[str, Sequence[str]], progress: Progress) -> Sums:
    """Read every record and hold it against its checksum. `names`: the tensors in a record, by its full name.

    Raises SourceError when the device fails, CancelledError when stopped.
    """
    findings = Findings()
    good = unstated = done = 0
    total = sum(record.data.length for record in records)
    for record in records:
        if not record.crc and record.size:
            unstated += 1
        elif record.source is not None and record.stored and not record.extra.get("cut"):
            found = crc_of(record.source, progress, done, total)
            good += found == record.crc
            if found != record.crc:
                findings.add(sum_problem(record, names.get(record.name, ()), found))
        done += record.data.length
    return Sums(good, unstated, tuple(findings.problems()))


def crc_of(source: ByteSource, progress: Progress, done: int, total: int) -> int:
    """The CRC-32 of all bytes, read block by block into one buffer."""
    buffer = memoryview(bytearray(min(BLOCK, max(1, source.size))))
    crc = at = 0
    while at < source.size:
        progress.step(STEP, done + at, total)
        count = source.read_into(at, buffer[: source.size - at])
        if not count:
            break
        crc = zlib.crc32(buffer[:count], crc)
        at += count
    return crc


def sum_problem(record: Record, tensors: Sequence[str], found: int) -> Problem:
    """The finding by the names that people know: those of the tensors in the record."""
    facts = {"name": record.name, "stated": record.crc, "found": found}
    if not tensors:
        return error("record-checksum", record.data, **facts)
    more = f" (+{len(tensors) - FEW})" if len(tensors) > FEW else ""
    return error("tensor-checksum", record.data, tensors=", ".join(tensors[:FEW]) + more, **facts)


def check_padding(archive_source: ByteSource, records: Sequence[Record], progress: Progress) -> list[Problem]:
    """Padding of torch's form that holds something else than its letter."""
    findings = Findings()
    for record in records:
        progress.check()
        header = record.header
        head = archive_source.peek(header.start, layout.LOCAL.size) if header is not None else b""
        if header is None or len(head) < layout.LOCAL.size:
            continue
        name, length = layout.LOCAL.unpack(head)[-2:]
        start = header.start + layout.LOCAL.size + name
        extra = archive_source.peek(start, length)
        for kind, first, last in layout.extra_fields(extra):
            padding = extra[first:last]
            if kind == int.from_bytes(layout.PADDING_FIELD, "little") and padding.strip(layout.PADDING_BYTE):
                findings.add(
                    note("zip-padding", Span(start + first, start + last), name=record.name, count=len(padding))
                )
    return findings.problems()


def small(record: Record) -> bytes | None:
    """The bytes of a record of a few bytes; None where it cannot be read as it stands."""
    if record.source is None or not record.stored or record.size > max(LONGEST, DIGITS):
        return None
    return record.source.read(0, LONGEST)
