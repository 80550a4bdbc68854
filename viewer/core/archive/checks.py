"""Checks of a zip that no reader of today makes: what torch writes, and whether it is still so.

`check_torch` looks at names, columns and records of a few bytes, and is made when a file is opened. `check_sums`
and `check_padding` read the whole archive, so they are work for a thread.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from viewer.core.archive import zip_layout as layout
from viewer.core.archive.findings import Findings
from viewer.core.archive.inflated import InflatedSource
from viewer.core.archive.layout_checks import FOLDERS, SEAL, check_alignment, check_names, small
from viewer.core.archive.record import Record
from viewer.core.archive.seal import read_seal
from viewer.core.archive.zip_directory import Members
from viewer.core.archive.zip_reader import ZipArchive, rows_where
from viewer.core.crc import crc32
from viewer.core.errors import SourceError
from viewer.core.problem import Problem, error, note, warning
from viewer.core.progress import Progress
from viewer.core.source import BLOCK, ByteSource
from viewer.core.span import Span
from viewer.wording.told import Told

STEP: Final = "checksums"
VERSIONS: Final = range(1, 11)
VERSION_NAMES: Final = ("version", ".data/version")
FEW: Final = 3
TOO_LARGE: Final = "inflated-too-large"


@dataclass(frozen=True, slots=True)
class Sums:
    """What reading all records gave: how many fit their checksums, how many state none, which do not fit."""

    good: int
    unstated: int
    problems: tuple[Problem, ...]


def check_torch(archive: ZipArchive, prefix: str) -> list[Problem]:
    """Version, folder, names, alignment, checksums that are not stated, and the seal.

    `prefix`: the folder with its slash.

    Nothing is said of an archive whose directory is missing: what it lacks was cut off.
    """
    if not archive.has_directory:
        return []
    found = [
        *check_version(archive, prefix),
        *check_folder(archive, prefix),
        *check_names(archive),
        *check_alignment(archive, prefix),
    ]
    return [*found, *check_stated(archive, prefix), *check_seal(archive, prefix)]


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


def check_stated(archive: ZipArchive, prefix: str) -> list[Problem]:
    """Records that have bytes and state a checksum of 0: all of them, or some storages, as without their data."""
    members = archive.columns
    held = members.size > 0
    rows = rows_where((members.crc == 0) & held)
    if not rows:
        return []
    first = archive.records[rows[0]]
    folders = tuple(prefix + folder for folder in FOLDERS)
    if len(rows) < int(held.sum()) and all(members.names[row].startswith(folders) for row in rows):
        return [note("torch-data-skipped", first.data, count=len(rows), name=first.name)]
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
    empty: list[Record] = []
    total = sum(record.data.length for record in records)
    for record in records:
        found, problems = crc_of_record(record, progress, done, total)
        done += record.data.length
        for problem in problems:
            findings.add(problem)
        if found is not None and found == record.crc:
            good += 1
        elif not record.crc and record.size:
            unstated += 1
            if found is not None and record.name in names and found == crc_of_zeros(record.size):
                empty.append(record)
        elif found is not None:
            findings.add(sum_problem(record, names.get(record.name, ()), found))
    if empty:
        named = list(dict.fromkeys(name for record in empty for name in names[record.name]))
        findings.add(warning("storage-zeros", empty[0].data, count=len(empty), names=few(named)))
    return Sums(good, unstated, tuple(findings.problems()))


def crc_of_record(record: Record, progress: Progress, done: int, total: int) -> tuple[int | None, list[Problem]]:
    """The CRC-32 of a record's content; None where it cannot be told, and why, if that was not said before."""
    source = record.source
    if source is None or record.extra.get("cut"):
        return None, []
    if not isinstance(source, InflatedSource):
        return crc_of(source, progress, done, total), []
    try:
        crc, problems = source.verify(progress)
    except SourceError as failure:
        if failure.code != TOO_LARGE:
            raise
        return None, []
    whole = crc is not None and all(problem.code == "inflate-checksum" for problem in problems)
    return crc if whole else None, [] if whole else [replace(problem, span=record.data) for problem in problems]


def crc_of_zeros(count: int) -> int:
    """The CRC-32 of so many zeros."""
    crc, block = 0, bytes(min(count, BLOCK))
    for at in range(0, count, BLOCK):
        crc = crc32(block[: count - at], crc)
    return crc


def crc_of(source: ByteSource, progress: Progress, done: int, total: int) -> int:
    """The CRC-32 of all bytes, read block by block into one buffer."""
    buffer = memoryview(bytearray(min(BLOCK, max(1, source.size))))
    crc = at = 0
    while at < source.size:
        progress.step(STEP, done + at, total)
        count = source.read_into(at, buffer[: source.size - at])
        if not count:
            break
        crc = crc32(buffer[:count], crc)
        at += count
    return crc


def sum_problem(record: Record, tensors: Sequence[str], found: int) -> Problem:
    """The finding by the names that people know: those of the tensors in the record."""
    facts = {"name": record.name, "stated": record.crc, "found": found}
    if not tensors:
        return error("record-checksum", record.data, **facts)
    return error("tensor-checksum", record.data, tensors=few(tensors), **facts)


def few(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    first = ", ".join(names[:FEW])
    return Told(first, " (+", len(names) - FEW, ")") if len(names) > FEW else first


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
