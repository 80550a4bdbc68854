"""The end records of a zip, and its central directory as columns.

Where readers differ, torch's (miniz) decides: offsets count from the first byte of the file, the numbers of
the zip64 end record win. Where that finds no directory, offsets count from where the archive begins, as
Python's zipfile has it, which finds archives with bytes in front.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.archive import zip_layout as layout
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.span import Region, Span
from viewer.wording.phrases import phrase

MOST_RECORDS: Final = 4_000_000
MOST_END_RECORDS: Final = 1_000
TAIL: Final = layout.END.size + 2 * 0xFFFF
WINDOW: Final = 4 * 1024 * 1024
# stands for an offset that is not there
NOWHERE: Final = 2**64 - 1

Column = npt.NDArray[np.uint64]

ENTRY_FORM: Final = np.dtype(
    [
        ("signature", "S4"), ("made_by", "<u2"), ("needed", "<u2"), ("flags", "<u2"), ("method", "<u2"),
        ("time", "<u2"), ("date", "<u2"), ("crc", "<u4"), ("packed", "<u4"), ("size", "<u4"),
        ("name_length", "<u2"), ("extra_length", "<u2"), ("comment_length", "<u2"), ("disk", "<u2"),
        ("inner", "<u2"), ("outer", "<u4"), ("header", "<u4"),
    ]
)  # fmt: skip


@dataclass(slots=True)
class Members:
    """The records of an archive, a column for each fact and a row for each record, in directory order.

    Offsets count in the source; NOWHERE where the part is missing. `entry`, `entry_end`: the directory entry.
    `header`: the local header; `data`: the record's first byte, `padding`: torch's padding field before it
    (equal to `data` when there is none), `descriptor`: bytes of the data descriptor behind it. `name_octets`: all
    names as they stand, one behind the other, divided at `name_bounds`. `local_names`: where the local header has
    another; `cut`: rows of which bytes are missing though no size says so.
    """

    names: list[str]
    flags: Column
    method: Column
    crc: Column
    packed: Column
    size: Column
    header: Column
    entry: Column
    entry_end: Column
    data: Column
    padding: Column
    descriptor: Column
    name_octets: npt.NDArray[np.uint8]
    name_bounds: npt.NDArray[np.int64]
    local_names: dict[int, str] = field(default_factory=dict)
    cut: set[int] = field(default_factory=set)

    def __len__(self) -> int:
        return len(self.names)

    def exotic_rows(self) -> list[int]:
        """The rows whose names are not ASCII."""
        places = np.flatnonzero(self.name_octets >= 0x80)
        rows: list[int] = np.unique(np.searchsorted(self.name_bounds, places, side="right") - 1).tolist()
        return rows

    def names_by_headers(self) -> list[str]:
        """The names, but those of the local headers where these have others."""
        return [self.local_names.get(row, name) for row, name in enumerate(self.names)] if self.local_names else []

    def raw_name(self, row: int) -> bytes:
        """The name as it stands in the directory."""
        return self.name_octets[self.name_bounds[row] : self.name_bounds[row + 1]].tobytes()


@dataclass(frozen=True, slots=True)
class End:
    """Where the directory is said to be. Offsets count in the source; `shift`: what was added to stated ones."""

    start: int
    stop: int
    count: int
    shift: int
    parts: tuple[Region, ...]
    other_start: int | None = None

    @property
    def first(self) -> int:
        """The first byte of the end records."""
        return self.parts[0].span.start


def column(values: Sequence[int]) -> Column:
    """Numbers below 2^64 as a column."""
    return np.array(values, dtype=np.uint64)


def find_end(source: ByteSource) -> End | None:
    """The last end record whose comment reaches the end of the file, else the last that has a directory.

    What begins as an archive and does not end as one was cut: an archive that lies within it is not meant.
    """
    base = max(0, source.size - TAIL)
    tail = source.read(base, TAIL)
    begins = source.read(0, 4) == layout.LOCAL_SIGNATURE
    best: End | None = None
    at = len(tail)
    for _ in range(MOST_END_RECORDS):
        at = tail.rfind(layout.END_SIGNATURE, 0, at + len(layout.END_SIGNATURE) - 1)
        if at < 0:
            break
        if at + layout.END.size > len(tail):
            continue
        end = _read_end(source, base + at, layout.END.unpack_from(tail, at))
        if end is not None and end.parts[-1].span.stop == source.size:
            return end
        if end is not None and not (begins and end.shift):
            best = best or end
    return best


def _read_end(source: ByteSource, at: int, fields: tuple[int, ...]) -> End | None:
    """The end record at `at` with the zip64 records before it; None where it leads to no directory."""
    _, _, _, _, count, size, offset, comment = fields
    region = Region(Span(at, min(at + layout.END.size + comment, source.size)), "zip-end", phrase("zip-end"))
    zip64 = _read_end64(source, at)
    if zip64 is None:
        return _locate(source, (count, size, offset), (region,))
    numbers, parts = zip64
    return _locate(source, numbers, (*parts, region))


def _read_end64(source: ByteSource, end: int) -> tuple[tuple[int, int, int], tuple[Region, ...]] | None:
    """(entries, size, offset) of the zip64 end record and its regions, where a locator stands before `end`.

    Of several archives of one size behind each other the locator of the last leads to the record of the first, whose
    numbers torch takes; the regions are those of the last all the same.
    """
    at = end - layout.LOCATOR.size
    data = source.read(at, layout.LOCATOR.size) if at >= 0 else b""
    if data[:4] != layout.LOCATOR_SIGNATURE or len(data) < layout.LOCATOR.size:
        return None
    locator = Region(Span(at, end), "zip-end", "zip64 locator")
    stated = layout.LOCATOR.unpack(data)[2]
    found = {start: _end64_fields(source, start, at) for start in (stated, at - layout.END64.size)}
    there = [(start, fields) for start, fields in found.items() if fields is not None]
    if not there:
        return None
    numbers, (start, last) = there[0][1], there[-1]
    record = Region(Span(start, min(start + 12 + last[1], at)), "zip-end", phrase("zip64-end"))
    return (numbers[7], numbers[8], numbers[9]), (record, locator)


def _end64_fields(source: ByteSource, start: int, stop: int) -> tuple[int, ...] | None:
    """The fields of a zip64 end record before `stop`; None where none stands at `start`."""
    data = source.read(start, layout.END64.size) if 0 <= start < stop else b""
    is_record = data[:4] == layout.END64_SIGNATURE and len(data) == layout.END64.size
    return layout.END64.unpack(data) if is_record else None


def _locate(source: ByteSource, numbers: tuple[int, int, int], parts: tuple[Region, ...]) -> End | None:
    """Find the directory from its stated size and offset, counted from the file's start or back from its end."""
    count, size, offset = numbers
    first = parts[0].span.start
    backward = first - size
    if count == 0 and size == 0:
        return End(first, first, 0, 0, parts) if offset == first else None
    starts = [start for start in (offset, backward) if _is_directory(source, start, first)]
    if not starts:
        return None
    start = starts[0]
    other = starts[1] if starts[1:] and starts[1] != start else None
    return End(start, min(start + size, first), count, _shift(source, start, start - offset), parts, other)


def _shift(source: ByteSource, start: int, shift: int) -> int:
    """What offsets are short of; nothing where the end record is damaged, and the first entry leads to a header so."""
    if shift == 0:
        return 0
    entry = source.read(start, layout.ENTRY.size)
    header = int.from_bytes(entry[-4:], "little")
    signature = len(layout.LOCAL_SIGNATURE)
    is_shifted = source.read(max(0, header + shift), signature) == layout.LOCAL_SIGNATURE
    is_plain = source.read(header, signature) == layout.LOCAL_SIGNATURE
    return 0 if is_plain and not is_shifted else shift


def _is_directory(source: ByteSource, start: int, end: int) -> bool:
    return 0 <= start < end and source.read(start, 4) == layout.ENTRY_SIGNATURE


def read_listed(source: ByteSource, end: End, progress: Progress) -> tuple[Members, int, int]:
    """The entries of a directory, the offset where they end, and how many readers find: those before a damaged one."""
    members, stop = read_entries(source, end.start, end.first, end.shift, progress)
    found = len(members)
    if found < min(end.count, MOST_RECORDS):
        members, _ = read_entries(source, end.start, end.first, end.shift, progress, mend=True)
    return members, stop, found


def read_entries(
    source: ByteSource, start: int, stop: int, shift: int, progress: Progress, mend: bool = False
) -> tuple[Members, int]:
    """All entries from `start` on, and the offset where they end: at `stop`, or where no entry stands.

    `mend`: go on behind what is no entry.
    """
    names: list[bytes] = []
    places: list[int] = []
    tables: list[npt.NDArray[np.void]] = []
    large: dict[int, list[int]] = {}
    at = start
    while at < stop and len(names) < MOST_RECORDS:
        block = source.read(at, min(WINDOW, stop - at))
        found, used = _mend(block, names) if mend else _split(block, names)
        if not found:
            break
        table = _gather(block, found)
        _find_large(block, found, table, len(places), large)
        places += [at + place for place in found]
        tables.append(table)
        at += used
        progress.step("archive", at - start, stop - start)
    table = np.concatenate(tables) if tables else np.empty(0, ENTRY_FORM)
    return _members(table, names, [*places, at], large, shift), at


def _split(block: bytes, names: list[bytes]) -> tuple[list[int], int]:
    """Where each whole entry of the block begins, and the bytes that they take; their names are appended."""
    places: list[int] = []
    lengths = layout.ENTRY_LENGTHS.unpack_from
    at = 0
    last = len(block) - layout.ENTRY.size
    while at <= last and block[at : at + 4] == layout.ENTRY_SIGNATURE and len(names) < MOST_RECORDS:
        name, extra, comment = lengths(block, at + layout.ENTRY_LENGTHS_AT)
        name_at = at + layout.ENTRY.size
        name_end = name_at + name
        if name_end + extra + comment > len(block):
            break
        places.append(at)
        names.append(block[name_at:name_end])
        at = name_end + extra + comment
    return places, at


def _mend(block: bytes, names: list[bytes]) -> tuple[list[int], int]:
    """The same, from signature to signature: lengths that lead to none are taken to be damaged."""
    places: list[int] = []
    at = block.find(layout.ENTRY_SIGNATURE)
    while 0 <= at <= len(block) - layout.ENTRY.size and len(names) < MOST_RECORDS:
        name, extra, comment = layout.ENTRY_LENGTHS.unpack_from(block, at + layout.ENTRY_LENGTHS_AT)
        name_at = at + layout.ENTRY.size
        stop = name_at + name + extra + comment
        if stop != len(block) and block[stop : stop + 4] != layout.ENTRY_SIGNATURE:
            following = block.find(layout.ENTRY_SIGNATURE, name_at)
            stop = following if following >= 0 else len(block)
            name = min(name, max(0, stop - name_at - (extra if extra < stop - name_at else 0)))
        places.append(at)
        names.append(block[name_at : name_at + name])
        at = stop if stop < len(block) else len(block)
    return places, max(at, 0)


def _gather(block: bytes, places: list[int]) -> npt.NDArray[np.void]:
    """The fixed part of the entries at these places, a row each."""
    octets = np.frombuffer(block, np.uint8)
    rows = octets[np.array(places)[:, np.newaxis] + np.arange(layout.ENTRY.size)]
    table: npt.NDArray[np.void] = rows.view(ENTRY_FORM)[:, 0]
    return table


def _find_large(
    block: bytes, places: list[int], table: npt.NDArray[np.void], first: int, large: dict[int, list[int]]
) -> None:
    """The zip64 numbers of the entries that need them, by row."""
    marked = (table["size"] == layout.BIG) | (table["packed"] == layout.BIG) | (table["header"] == layout.BIG)
    for row in np.flatnonzero(marked).tolist():
        start = places[row] + layout.ENTRY.size + int(table["name_length"][row])
        numbers = layout.zip64_numbers(block[start : start + int(table["extra_length"][row])])
        if numbers:
            large[first + row] = numbers


def _members(
    table: npt.NDArray[np.void], names: list[bytes], bounds: list[int], large: dict[int, list[int]], shift: int
) -> Members:
    wide = {name: table[name].astype(np.uint64) for name in ("flags", "method", "crc", "packed", "size", "header")}
    for row, numbers in large.items():
        for name in ("size", "packed", "header"):
            if wide[name][row] == layout.BIG and numbers:
                wide[name][row] = numbers.pop(0)
    flags = wide["flags"]
    nowhere = np.full(len(names), NOWHERE, np.uint64)
    return Members(
        decode_names(names, flags),
        flags,
        wide["method"],
        wide["crc"],
        wide["packed"],
        wide["size"],
        _shifted(wide["header"], shift),
        column(bounds[:-1]),
        column(bounds[1:]),
        nowhere,
        nowhere.copy(),
        np.zeros(len(names), np.uint64),
        *join_names(names),
    )


def decode_names(names: list[bytes], flags: Column) -> list[str]:
    """Names as text."""
    return [
        name.decode("ascii") if name.isascii() else layout.decode_name(name, int(flags[row]))
        for row, name in enumerate(names)
    ]


def join_names(names: list[bytes]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """All names one behind the other, and where each begins and the last ends."""
    bounds = np.zeros(len(names) + 1, np.int64)
    np.cumsum([len(name) for name in names], out=bounds[1:])
    return np.frombuffer(b"".join(names), np.uint8), bounds


def _shifted(offsets: Column, shift: int) -> Column:
    """Offsets as they stand in the file; what falls outside of 64 bits is NOWHERE."""
    if shift >= 0:
        limit = np.uint64(NOWHERE - shift)
        return np.where(offsets < limit, offsets + np.uint64(shift), np.uint64(NOWHERE))
    back = np.uint64(-shift)
    return np.where(offsets >= back, offsets - back, np.uint64(NOWHERE))
