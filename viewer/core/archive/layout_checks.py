"""Checks of how the records of a zip lie, against how torch lays them: alignment, order, names, what else is there.

Names and columns are looked at, no record is read but the few bytes that state the alignment.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from viewer.core.archive.record import Record
from viewer.core.archive.zip_directory import NOWHERE
from viewer.core.archive.zip_reader import ZipArchive, rows_where
from viewer.core.problem import Problem, note, warning
from viewer.core.span import Span

ALIGNMENT: Final = 64
LONGEST: Final = 64
OBJECT: Final = "data.pkl"
SEAL: Final = ".data/serialization_id"
FOLDERS: Final = ("data/", "tensors/")
# One letter a record, in the order of the file; storages that follow one another are one.
STORAGE, OBJECT_LETTER = "S", "P"
_LETTERS: Final = {
    OBJECT: OBJECT_LETTER,
    ".format_version": "F",
    ".storage_alignment": "A",
    "byteorder": "B",
    "version": "V",
    ".data/version": "V",
    SEAL: "I",
}
# torch.save of all versions; libtorch puts the storages before the object.
_ORDERS: Final = re.compile(r"(?:V?P(?:FA)?B?S?|S?P)V?B?I?")


def check_alignment(archive: ZipArchive, prefix: str) -> list[Problem]:
    """Records that do not stand where the archive itself says, or where torch puts them when it says nothing."""
    record = archive.find(prefix + ".storage_alignment")
    stated = None if record is None else small(record)
    if record is not None and (stated is None or not stated.isdigit() or not 0 < int(stated) < 2**32):
        return []
    alignment = int(stated) if stated is not None else ALIGNMENT
    members = archive.columns
    there = members.data != NOWHERE
    places = members.data - np.uint64(max(0, archive.shift))
    rows = rows_where(there & (members.size > 0) & (places % np.uint64(alignment) != 0))
    if not rows:
        return []
    start = int(members.data[rows[0]])
    span = Span(start, start + 1).clipped(archive.source.size)
    facts = _first(archive, rows)
    if stated is None:
        return [note("torch-alignment-usual", span, alignment=alignment, **facts)]
    return [note("torch-alignment", span, alignment=alignment, **facts)]


def check_save(archive: ZipArchive, prefix: str) -> list[Problem]:
    """Of a checkpoint: records that torch.save does not write, and another order than any torch has.

    Nothing is said of an archive whose directory is missing: what it lacks was cut off. Of the order nothing is said
    where there are other records, or a name stands twice.
    """
    if not archive.has_directory:
        return []
    folders = tuple(prefix + folder for folder in FOLDERS)
    single = [row for row, name in enumerate(archive.names) if not name.startswith(folders)]
    known = {prefix + name for name in _LETTERS}
    others = [row for row in single if archive.names[row] not in known and not archive.names[row].endswith("/")]
    if others:
        nbytes = int(archive.columns.size[others].sum())
        first = archive.records[others[0]].data
        return [note("torch-records-other", first, nbytes=nbytes, **_first(archive, others))]
    if any(problem.code.startswith("zip-name-") for problem in archive.problems):
        return []
    wrong = _misplaced(archive, prefix)
    if not wrong:
        return []
    record = archive.find(wrong)
    return [note("torch-order", record.header if record is not None else None, name=wrong)]


def _misplaced(archive: ZipArchive, prefix: str) -> str:
    """The name that begins what is out of order, "" where nothing is; all records are storages or of `_LETTERS`."""
    header, names = archive.columns.header, archive.names
    if not (header[1:] > header[:-1]).all():
        names = [names[row] for row in np.argsort(header, kind="stable").tolist()]
    names = [name for name in names if name[-1:] != "/"]
    start = len(prefix)
    letters = [_LETTERS.get(name[start:], STORAGE) for name in names]
    if OBJECT_LETTER not in letters:
        return ""
    if not _ORDERS.fullmatch(re.sub("S+", STORAGE, "".join(letters))):
        return names[0]
    storages = [name for name, letter in zip(names, letters, strict=True) if letter is STORAGE]
    return "" if is_ordered([name.rpartition("/")[2] for name in storages]) else storages[0]


def is_ordered(keys: Sequence[str]) -> bool:
    """Whether keys stand in the order of their numbers, or in that of text, as to torch 2.6."""
    if all(map(str.isdecimal, keys)):
        numbers = list(map(int, keys))
        if numbers == sorted(numbers):
            return True
    return list(keys) == sorted(keys)


def check_names(archive: ZipArchive) -> list[Problem]:
    """Names by which a careless program would write outside of the folder that it unpacks to."""
    octets, bounds = archive.columns.name_octets, archive.columns.name_bounds
    begins = bounds[:-1][bounds[:-1] < bounds[1:]]
    if b".." not in octets.tobytes() and not np.isin(octets[begins], list(b"/\\")).any() and ord(":") not in octets:
        return []
    rows = [row for row, name in enumerate(archive.names) if leads_out(name)]
    if not rows:
        return []
    return [warning("zip-name-outside", archive.records[rows[0]].entry, **_first(archive, rows))]


def leads_out(name: str) -> bool:
    """True for an absolute name, and for one that climbs."""
    parts = name.replace("\\", "/").split("/")
    return ".." in parts or not parts[0] or re.match("[A-Za-z]:", parts[0]) is not None


def _first(archive: ZipArchive, rows: Sequence[int]) -> dict[str, object]:
    return {"count": len(rows), "name": archive.names[rows[0]]}


def small(record: Record) -> bytes | None:
    """The bytes of a record of a few bytes; None where it cannot be read as it stands."""
    if record.source is None or not record.stored or record.size > LONGEST:
        return None
    return record.source.read(0, LONGEST)
