"""Checks of how the records of a zip lie, against how torch lays them: alignment, order, names, what else is there.

Names and columns are looked at, no record is read but the few bytes that state the alignment.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
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
# One letter a record, in the order of the file; all storages are one S.
_LETTERS: Final = {
    OBJECT: "P",
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


def check_order(archive: ZipArchive, prefix: str) -> list[Problem]:
    """Records in another order than any torch writes them; nothing is said where there are other records too."""
    names = [archive.names[row] for row in np.argsort(archive.columns.header, kind="stable").tolist()]
    short = [name[len(prefix) :] for name in names if name.startswith(prefix) and not name.endswith("/")]
    storages = [name for name in short if name.startswith(FOLDERS)]
    letters = [_LETTERS.get(name, "S" if name.startswith(FOLDERS) else "?") for name in short]
    line = re.sub("S+", "S", "".join(letters))
    if "?" in line or "P" not in line or len(set(archive.names)) < len(names):
        return []
    if not _ORDERS.fullmatch(line):
        wrong = short[0]
    elif not is_ordered([name.partition("/")[2] for name in storages]):
        wrong = storages[0]
    else:
        return []
    first = archive.find(prefix + wrong)
    return [note("torch-order", first.header if first is not None else None, name=prefix + wrong)]


def is_ordered(keys: Sequence[str]) -> bool:
    """Whether keys stand in the order of text, as to torch 2.6, or in that of their numbers."""
    return list(keys) == sorted(keys) or (all(map(str.isdecimal, keys)) and is_rising(list(map(int, keys))))


def is_rising(numbers: Sequence[int]) -> bool:
    """Whether each number is greater than the one before it."""
    return all(low < high for low, high in pairwise(numbers))


def check_others(archive: ZipArchive, prefix: str) -> list[Problem]:
    """Records of a checkpoint that torch.save does not write, and torch.load does not look at."""
    known = {prefix + name for name in _LETTERS}
    folders = tuple(prefix + folder for folder in FOLDERS)
    rows = [
        row
        for row, name in enumerate(archive.names)
        if not name.startswith(folders) and name not in known and not name.endswith("/")
    ]
    if not rows:
        return []
    nbytes = int(archive.columns.size[rows].sum())
    return [note("torch-records-other", archive.records[rows[0]].data, nbytes=nbytes, **_first(archive, rows))]


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
