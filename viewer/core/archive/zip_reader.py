"""Reading a zip, as forgiving as torch's own reader, and saying where it had to be.

The central directory tells which records there are; the local headers tell where their bytes begin. Nothing
is inflated and no checksum is verified when an archive is opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from viewer.core.archive import zip_layout as layout
from viewer.core.archive.findings import Findings
from viewer.core.archive.inflated import LIMIT, InflatedSource
from viewer.core.archive.lookup import Double, doubles
from viewer.core.archive.record import Record
from viewer.core.archive.text_damage import HEAD, archive_problem
from viewer.core.archive.zip_directory import MOST_RECORDS, NOWHERE, End, Members, find_end, read_listed
from viewer.core.archive.zip_headers import read_headers
from viewer.core.archive.zip_neighbours import places_behind, places_in_front
from viewer.core.archive.zip_repair import with_lost
from viewer.core.archive.zip_salvage import salvage
from viewer.core.problem import Problem, error, note, warning
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.span import Region, Span, tile


class ZipArchive:
    """A zip as it was read. Records stand in directory order, names that stand twice are all listed.

    `root` is the folder that all names begin with, "" when there is none. `problems` is what was found on
    opening; spans count in `source`. `doubles`: records of one name, for a reader that takes torch's choice.
    """

    def __init__(
        self,
        source: ByteSource,
        members: Members,
        end: End | None,
        problems: list[Problem],
        limit: int = LIMIT,
        doubles: Sequence[Double] = (),
    ) -> None:
        self.source = source
        self.names: Sequence[str] = members.names
        self.records: Sequence[Record] = Records(source, members, limit)
        self.problems = problems
        self.root = common_folder(members.names) or common_folder(members.names_by_headers())
        self._members = members
        self._end = end
        self._doubles = doubles

    def find(self, name: str) -> Record | None:
        """The record of this full name; of several the one that torch takes, or the last, as Python's zipfile does."""
        row = self._rows.get(name)
        return None if row is None else self.records[row]

    def place(self, name: str) -> tuple[int, int, int] | None:
        """First byte, end of the bytes that are there, and stated size of a record that is stored as it is.

        None for all other records. As `find`, for archives of many thousands, without making a Record.
        """
        row = self._rows.get(name, -1)
        starts, stops, sizes = self._places
        return (starts[row], stops[row], sizes[row]) if row >= 0 and starts[row] >= 0 else None

    @property
    def has_directory(self) -> bool:
        """False where the records are those that local headers tell of."""
        return self._end is not None

    @property
    def shift(self) -> int:
        """What offsets stated in the archive are short of: the bytes in front of it."""
        return self._end.shift if self._end is not None else 0

    def neighbours(self) -> tuple[list[Span], list[Span]]:
        """Other archives in the same source: those in front of this one, those behind it."""
        return places_in_front(self.source, self._end), places_behind(self.source, self._end)

    @property
    def columns(self) -> Members:
        """The facts of all records, a column each; not to be changed."""
        return self._members

    @cached_property
    def _places(self) -> tuple[list[int], list[int], list[int]]:
        """The columns of `place`; a start of -1 where a record is not stored as it is."""
        members, size = self._members, np.uint64(self.source.size)
        plain = (members.method == layout.STORED) & ((members.flags & np.uint64(layout.ENCRYPTED)) == 0)
        plain &= members.data < size
        starts = np.where(plain, members.data, 0)
        stops = starts + np.minimum(np.minimum(members.packed, members.size), size - starts)
        firsts = np.where(plain, starts.astype(np.int64), -1)
        return firsts.tolist(), stops.tolist(), members.size.tolist()

    @cached_property
    def _rows(self) -> dict[str, int]:
        names = self.names
        count = self._end.count if self._end is not None and 0 < self._end.count < len(names) else len(names)
        doubted = self._members.local_names
        rows = {name: row for row, name in enumerate(names[:count]) if row not in doubted}
        for double in self._doubles:
            if double.torch >= 0 and double.torch not in doubted:
                rows.update(dict.fromkeys((names[row] for row in double.rows), double.torch))
        # what torch does not see, and what has two names, counts where nothing else has the name
        for row in [*doubted, *range(count, len(names))]:
            rows.setdefault(names[row], row)
        for row, name in doubted.items():
            rows.setdefault(name, row)
        return rows

    @cached_property
    def regions(self) -> list[Region]:
        """Every byte of the source with its owner, in order; they tile [0, size)."""
        parts = [*member_regions(self._members), *(self._end.parts if self._end else ())]
        first = min((part.span.start for part in parts), default=self.source.size)
        last = max((part.span.stop for part in parts), default=self.source.size)
        parts.append(Region(Span(0, first), "prefix", ""))
        if last < self.source.size:
            parts.append(Region(Span(last, self.source.size), "trailing", ""))
        return tile(parts, self.source.size)[0]


class Records(Sequence[Record]):
    """The records of an archive; each is made when it is first asked for."""

    def __init__(self, source: ByteSource, members: Members, limit: int) -> None:
        self._source = source
        self._members = members
        self._limit = limit
        self._exotic = frozenset(members.exotic_rows())
        self._made: list[Record | None] = [None] * len(members)

    @override
    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> list[Record]: ...
    @override
    def __getitem__(self, index: int | slice) -> Record | list[Record]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        record = self._made[index]
        if record is None:
            record = self._made[index] = self._make(index % len(self))
        return record

    @override
    def __iter__(self) -> Iterator[Record]:
        return (self[row] for row in range(len(self)))

    @property
    def names(self) -> Sequence[str]:
        """The names of all records."""
        return self._members.names

    def deflated(self) -> list[Record]:
        """Those that are packed; the others are not made for it."""
        return [self[row] for row in np.flatnonzero(self._members.method == layout.DEFLATED).tolist()]

    def _make(self, row: int) -> Record:
        members, size = self._members, self._source.size
        name = members.names[row]
        header, start, packed = int(members.header[row]), int(members.data[row]), int(members.packed[row])
        found = start != NOWHERE
        start = start if found else min(header, size)
        stop = min(start + packed, size) if found else start
        entry = int(members.entry[row])
        record = Record(
            name,
            Span(start, stop),
            int(members.size[row]),
            None,
            int(members.method[row]),
            int(members.crc[row]),
            Span(header, start) if found else None,
            Span(entry, int(members.entry_end[row])) if entry != NOWHERE else None,
            int(members.flags[row]),
        )
        if found:
            record.source = self._open(record)
        if row in members.cut or (found and start + packed > stop):
            record.extra["cut"] = True
        if row in self._exotic:
            record.extra["raw_name"] = members.raw_name(row)
        if row in members.local_names:
            record.extra["local_name"] = members.local_names[row]
        return record

    def _open(self, record: Record) -> ByteSource | None:
        if record.flags & layout.ENCRYPTED or record.method not in (layout.STORED, layout.DEFLATED):
            return None
        data = record.data
        if record.method == layout.STORED:
            return self._source.slice(data.start, min(data.stop, data.start + record.size))
        packed = self._source.slice(data.start, data.stop)
        return InflatedSource(packed, record.size, record.name, self._limit, record.crc)


def names_of(records: Sequence[Record]) -> Sequence[str]:
    """The names of records, without making those that nobody looked at yet."""
    return records.names if isinstance(records, Records) else [record.name for record in records]


def read_zip(source: ByteSource, progress: Progress, limit: int = LIMIT, *, for_python: bool = False) -> ZipArchive:
    """Read the directory and the local headers; without a directory, what the local headers tell.

    Never fails on what the bytes say: what is wrong is in the archive's `problems`. `limit`: the most bytes that
    a deflated record may have. `for_python`: of records of one name the last counts, as Python's zipfile has it, and
    not the one that torch takes. Raises SourceError when the device fails, CancelledError when stopped.
    """
    findings = Findings()
    damage = archive_problem(source.read(0, HEAD))
    if damage is not None:
        findings.add(damage)
    end = find_end(source)
    members = read_directory(source, end, progress, findings) if end else salvage(source, progress, findings)
    check_members(source, members, findings)
    found = doubles(members, end.count if end is not None and end.count else len(members), end is not None)
    report_doubles(source, members, found, findings)
    return ZipArchive(source, members, end, findings.problems(), limit, () if for_python else found)


def read_directory(source: ByteSource, end: End, progress: Progress, findings: Findings) -> Members:
    """The members as the directory lists them, with the facts of their local headers."""
    members, stop, found = read_listed(source, end, progress)
    if found != end.count:
        span = Span(end.start, max(stop, end.start))
        findings.add(warning("zip-entry-count", span, stated=end.count, found=found))
    if len(members) >= MOST_RECORDS:
        findings.add(warning("zip-too-many-records", Span(end.start, end.first), limit=MOST_RECORDS))
    if end.other_start is not None:
        span = Span(end.start, end.first)
        findings.add(warning("zip-two-directories", span, first=end.start, second=end.other_start))
    read_headers(source, members, end.start, findings, progress)
    if len(members) < MOST_RECORDS:
        members = with_lost(source, members, end, findings, progress)
    if end.shift > 0:
        findings.add(warning("zip-prefix", Span(0, end.shift), count=end.shift))
    elif end.shift:
        findings.add(error("zip-bytes-lost", Span(end.start, end.first), count=-end.shift))
    last = end.parts[-1].span.stop
    check_comment(source, end, findings)
    if last < source.size:
        findings.add(note("zip-trailing", Span(last, source.size), count=source.size - last))
    return members


def check_comment(source: ByteSource, end: End, findings: Findings) -> None:
    """A signature of an end record within the comment: Python's zipfile takes the last one that it sees."""
    span = end.parts[-1].span
    start = span.start + layout.END.size
    comment = source.read(start, max(0, span.stop - start))
    within = comment.rfind(layout.END_SIGNATURE)
    if within >= 0:
        at = start + within
        findings.add(warning("zip-end-in-comment", Span(at, at + len(layout.END_SIGNATURE)), offset=at))


def check_members(source: ByteSource, members: Members, findings: Findings) -> None:
    """Problems that the columns alone show: what cannot be read, what is cut, which names stand twice."""
    names = members.names
    for row in rows_where((members.flags & np.uint64(layout.ENCRYPTED)) != 0):
        findings.add(error("zip-encrypted", header_span(source, members, row), name=names[row]))
    stored, deflated = members.method == layout.STORED, members.method == layout.DEFLATED
    for row in rows_where(~(stored | deflated)):
        span = header_span(source, members, row)
        findings.add(error("zip-method", span, name=names[row], method=int(members.method[row])))
    for row in rows_where(stored & (members.packed != members.size)):
        packed, size = int(members.packed[row]), int(members.size[row])
        findings.add(
            error("zip-stored-size", header_span(source, members, row), name=names[row], packed=packed, size=size)
        )
    known = members.data != NOWHERE
    room = np.where(known, np.uint64(source.size) - np.where(known, members.data, 0), NOWHERE)
    for row in rows_where(members.packed > room):
        start, packed = int(members.data[row]), int(members.packed[row])
        present = source.size - start
        findings.add(error("zip-record-cut", Span(start, source.size), name=names[row], present=present, stated=packed))
    odd = [row for row in members.exotic_rows() if not is_utf8(members.raw_name(row))]
    if odd:
        span = header_span(source, members, odd[0])
        findings.add(note("zip-name-coding", span, count=len(odd), name=names[odd[0]]))


def report_doubles(source: ByteSource, members: Members, found: Iterable[Double], findings: Findings) -> None:
    """A Problem for each name that several records have, at the last of them: which reader takes which."""
    for rows, torch in found:
        names = [members.names[row] for row in rows]
        span = header_span(source, members, rows[-1])
        name, count = names[-1], len(rows)
        other = next((other for other in names if other != name), None)
        if other is not None:
            taken = members.names[torch] if torch >= 0 else "?"
            findings.add(warning("zip-name-case", span, name=name, other=other, record=taken))
        elif torch < 0:
            findings.add(warning("zip-name-twice-many", span, name=name, count=count))
        else:
            findings.add(warning("zip-name-twice", span, name=name, count=count, first=rows.index(torch) + 1))


def is_utf8(raw: bytes) -> bool:
    """True when the bytes are UTF-8."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def rows_where(mask: npt.NDArray[np.bool_]) -> list[int]:
    """Numbers of the rows where the mask is true."""
    rows: list[int] = np.flatnonzero(mask).tolist()
    return rows


def header_span(source: ByteSource, members: Members, row: int) -> Span | None:
    """The local header of a record, where it has one."""
    start, stop = int(members.header[row]), int(members.data[row])
    return Span(start, stop) if stop != NOWHERE and stop <= source.size else None


def common_folder(names: Sequence[str]) -> str:
    """The first folder of all names, "" when they have none in common."""
    first, slash, _ = names[0].partition("/") if names else ("", "", "")
    prefix = first + slash
    return first if slash and all(name.startswith(prefix) for name in names) else ""


def member_regions(members: Members) -> Iterator[Region]:
    """The parts of all records and of the directory, in no order."""
    columns = (members.header, members.padding, members.data, members.packed, members.descriptor)
    rows = zip(members.names, *(column.tolist() for column in columns), strict=True)
    for name, header, padding, data, packed, descriptor in rows:
        if data == NOWHERE:
            continue
        yield Region(Span(header, padding), "zip-header", name)
        if padding < data:
            yield Region(Span(padding, data), "padding", name)
        stop = data + packed
        yield Region(Span(data, stop), "record", name)
        if descriptor:
            yield Region(Span(stop, stop + descriptor), "zip-descriptor", name)
    for name, start, stop in zip(members.names, members.entry.tolist(), members.entry_end.tolist(), strict=True):
        if start != NOWHERE:
            yield Region(Span(start, stop), "zip-directory", name)
