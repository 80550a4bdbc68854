"""Reading a tar: ustar, PAX and GNU headers one after another, and going on behind damaged ones.

Nothing is extracted. Names are only names, wherever they point to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeVar

from viewer.core.archive.findings import Findings
from viewer.core.archive.record import Record
from viewer.core.archive.tar_headers import (
    BLOCK,
    EMPTY,
    EXTENSIONS,
    LONG_LINK,
    LONG_NAME,
    PAX_OF_ALL,
    SPARSE,
    SPARSE_MORE,
    SPARSE_NEXT,
    Header,
    pax_records,
    read_header,
    text,
)
from viewer.core.problem import Problem, error, note, warning
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.span import Region, Span, tile

T = TypeVar("T")
MOST_RECORDS: Final = 250_000
LONGEST_EXTENSION: Final = 1024 * 1024
SEARCHED: Final = 64 * 1024 * 1024
SEARCH_PIECE: Final = 1024 * 1024
LONGEST_NUMBER: Final = 20
STEP: Final = 256
SPARSE_KEY: Final = b"GNU.sparse."
SPARSE_NAME: Final = b"GNU.sparse.name"
HERE: Final = "./"


class TarArchive:
    """A tar as it was read. Records stand in the order of the file; of names that stand twice all are listed.

    `problems` is what was found; spans count in `source`.
    """

    def __init__(self, source: ByteSource, records: list[Record], parts: list[Region], problems: list[Problem]) -> None:
        self.source = source
        self.records: Sequence[Record] = records
        self.problems = problems
        self._parts = parts

    @property
    def names(self) -> list[str]:
        """The names of all records."""
        return [record.name for record in self.records]

    def find(self, name: str) -> Record | None:
        """The record of this name, with or without `./` before it; where it stands twice the last, as in Python."""
        return self._by_name.get(name.removeprefix(HERE))

    @cached_property
    def _by_name(self) -> dict[str, Record]:
        return {record.name.removeprefix(HERE): record for record in self.records}

    @cached_property
    def regions(self) -> list[Region]:
        """Every byte of the source with its owner, in order; they tile [0, size)."""
        return tile(self._parts, self.source.size)[0]


def read_tar(source: ByteSource, progress: Progress) -> TarArchive:
    """Read all headers. Never fails on what the bytes say: what is wrong is in the archive's `problems`.

    Raises SourceError when the device fails, CancelledError when stopped.
    """
    walk = _Walk(source, progress)
    walk.run()
    walk.report_doubles()
    return TarArchive(source, walk.records, walk.parts, walk.findings.problems())


@dataclass(slots=True)
class _Pending:
    """What the extension headers before a member say of it. `start`: the first of them, -1: there is none."""

    start: int = -1
    name: bytes | None = None
    link: bytes | None = None
    size: int | None = None
    sparse: bool = False
    regions: list[Span] = field(default_factory=list)


class _Walk:
    def __init__(self, source: ByteSource, progress: Progress) -> None:
        self.source = source
        self.progress = progress
        self.records: list[Record] = []
        self.parts: list[Region] = []
        self.findings = Findings()
        self._of_all = _Pending()
        self._pending = _Pending()
        self._cut = False

    def run(self) -> None:
        """Header by header to the end blocks, or to the end of the source."""
        at, size = 0, self.source.size
        while at < size and len(self.records) < MOST_RECORDS:
            if len(self.records) % STEP == 0:
                self.progress.step("archive", len(self.records))
            block = self.source.peek(at, BLOCK)
            header = read_header(block)
            if header is not None:
                at = self._step(header, at)
            elif len(block) == BLOCK:
                self._end(at)
                return
            else:
                self._cut_header(at, block)
                return
        if at < size:
            self.findings.add(warning("tar-too-many-records", Span(at, size), limit=MOST_RECORDS))
            self.parts.append(Region(Span(at, size), "unknown", ""))
        elif not self._cut and size:
            self.findings.add(note("tar-no-end", Span(size - 1, size)))
        self._leave_pending()

    def report_doubles(self) -> None:
        """A Problem for each name that stands more than once, at its last header."""
        counts = Counter(record.name for record in self.records)
        last = {record.name: record for record in self.records if counts[record.name] > 1}
        for name, record in last.items():
            self.findings.add(warning("tar-name-twice", record.header, name=shown(name), count=counts[name]))

    # -- one header -------------------------------------------------------------------------------

    def _step(self, header: Header, at: int) -> int:
        """Read the member or extension whose header stands at `at`; gives the place of the next header."""
        if not self._is_usable(header, at):
            return self._skip_damage(at)
        if header.kind in EXTENSIONS:
            return self._extension(header, at)
        return self._member(header, at)

    def _is_usable(self, header: Header, at: int) -> bool:
        """False for a block that is no header. One with a wrong checksum is, when the next one stands where it says."""
        size = header.size
        is_sized = size is not None and size >= 0
        if header.sums and is_sized:
            return True
        span = Span(at, at + BLOCK)
        if header.sums:
            self.findings.add(error("tar-size", span, name=shown(name_of(header.name)), size=str(size)))
            return False
        if size is None or size < 0 or not header.ustar or not self._follows(at + BLOCK + padded(size)):
            self.findings.add(error("tar-header-broken", span, offset=at))
            return False
        self.findings.add(error("tar-checksum", span, name=shown(name_of(header.name)), offset=at))
        return True

    def _follows(self, at: int) -> bool:
        """True when a header, the end blocks or the end of the source stand at a place."""
        block = self.source.peek(at, BLOCK)
        header = read_header(block)
        return header.sums if header is not None else at <= self.source.size and not block.strip(b"\0")

    def _extension(self, header: Header, at: int) -> int:
        """What a header of PAX or GNU says of the member that follows."""
        size = header.size or 0
        start, stop = at + BLOCK, at + BLOCK + padded(size)
        whole = Span(at, stop).clipped(self.source.size)
        if size > LONGEST_EXTENSION:
            self.findings.add(warning("tar-extension-long", whole, size=size, limit=LONGEST_EXTENSION))
        else:
            self._apply(header.kind, self.source.peek(start, size), whole)
        if start + size > self.source.size:
            self._cut = True
            self.findings.add(error("tar-header-cut", whole, offset=at))
        if header.kind == PAX_OF_ALL:
            self.parts.append(Region(whole, "tar-extension", "all"))
        else:
            self._pending.regions.append(whole)
            self._pending.start = at if self._pending.start < 0 else self._pending.start
        return stop

    def _apply(self, kind: bytes, data: bytes, span: Span) -> None:
        if kind == LONG_NAME:
            self._pending.name = text(data)
            return
        if kind == LONG_LINK:
            self._pending.link = text(data)
            return
        target = self._of_all if kind == PAX_OF_ALL else self._pending
        for record in pax_records(data):
            if record is None:
                self.findings.add(warning("tar-pax", span))
                return
            key, value = record
            if key == SPARSE_NAME or (key == b"path" and not target.sparse):
                target.name = value.rstrip(b"/") or value
            elif key == b"linkpath":
                target.link = value
            elif key == b"size" and value.isdigit() and len(value) <= LONGEST_NUMBER:
                target.size = int(value)
            target.sparse = target.sparse or key.startswith(SPARSE_KEY)

    def _member(self, header: Header, at: int) -> int:
        """One record with its header, its bytes and its padding."""
        pending, self._pending = self._pending, _Pending()
        of_all = self._of_all
        raw = first_of(pending.name, of_all.name, last=header.name)
        what = EMPTY.get(header.kind, "folder" if header.kind == b"\0" and raw.endswith(b"/") else "")
        size = 0 if what else first_of(pending.size, of_all.size, last=header.size or 0)
        start, end = at + BLOCK, self.source.size
        if header.kind == SPARSE:
            start = self._sparse_maps(start, at)
        whole = Span(at if pending.start < 0 else pending.start, min(start, end))
        record = Record(name_of(raw), Span(start, start + size).clipped(end), size, None, header=whole)
        if what:
            link = first_of(pending.link, of_all.link, last=header.link)
            record.extra.update({"what": what, "link": name_of(link)} if link else {"what": what})
        elif pending.sparse or of_all.sparse or header.kind == SPARSE:
            record.extra["sparse"] = True
            self.findings.add(warning("tar-sparse", whole, name=shown(record.name)))
        else:
            record.source = self.source.slice(record.data.start, record.data.stop)
        if not raw.isascii():
            record.extra["raw_name"] = raw
        if start + size > end:
            self._note_cut(record)
        self.records.append(record)
        self._note_regions(record, pending.regions, at, start + size)
        return start + padded(size)

    def _sparse_maps(self, start: int, at: int) -> int:
        """The offset behind the blocks that go on with the map of a sparse file of GNU."""
        more = self.source.peek(at + SPARSE_MORE, 1)
        while more.strip(b"\0") and start < self.source.size:
            more = self.source.peek(start + SPARSE_NEXT, 1)
            start += BLOCK
        return start

    def _note_cut(self, record: Record) -> None:
        self._cut = True
        record.extra["cut"] = True
        present = record.data.length
        span = record.data if present else record.header
        self.findings.add(error("tar-record-cut", span, name=shown(record.name), present=present, stated=record.size))

    def _note_regions(self, record: Record, extensions: list[Span], at: int, stop: int) -> None:
        name, size = record.name, self.source.size
        self.parts += [Region(span, "tar-extension", name) for span in extensions]
        self.parts.append(Region(Span(at, record.data.start), "tar-header", name))
        if record.data.length:
            self.parts.append(Region(record.data, "record", name))
        if stop < size and stop % BLOCK:
            self.parts.append(Region(Span(stop, stop + -stop % BLOCK).clipped(size), "padding", name))

    # -- damage and the end -----------------------------------------------------------------------

    def _skip_damage(self, at: int) -> int:
        """The place of the next block that is a header with the right checksum; the end where there is none."""
        found = self._next_header(at + BLOCK)
        self.parts.append(Region(Span(at, found), "unknown", ""))
        self._leave_pending()
        self._cut = self._cut or found == self.source.size
        return found

    def _next_header(self, at: int) -> int:
        last = min(self.source.size, at + SEARCHED)
        while at < last:
            self.progress.step("archive", len(self.records))
            piece = self.source.peek(at, SEARCH_PIECE)
            for row in range(0, len(piece) - BLOCK + 1, BLOCK):
                block = piece[row : row + BLOCK]
                # Most blocks are refused by their magic, before anything is added up.
                if block[257:262] == b"ustar":
                    header = read_header(block)
                    if header is not None and header.sums:
                        return at + row
            at += SEARCH_PIECE
        return self.source.size

    def _cut_header(self, at: int, block: bytes) -> None:
        """The last block is not whole."""
        span = Span(at, self.source.size)
        if block.strip(b"\0"):
            self.findings.add(error("tar-header-cut", span, offset=at))
            self.parts.append(Region(span, "tar-header", ""))
        else:
            self.parts.append(Region(span, "tar-end", ""))
        self._leave_pending()

    def _leave_pending(self) -> None:
        """Extensions whose member is missing."""
        self.parts += [Region(span, "tar-extension", "") for span in self._pending.regions]
        self._pending = _Pending()

    def _end(self, at: int) -> None:
        """The end blocks, and what follows them."""
        self._leave_pending()
        size, stop = self.source.size, at
        while stop < size and stop - at < SEARCHED:
            self.progress.check()
            piece = self.source.peek(stop, SEARCH_PIECE)
            zeros = len(piece) - len(piece.lstrip(b"\0"))
            stop += zeros - zeros % BLOCK if zeros < len(piece) else zeros
            if zeros < len(piece) or not piece:
                break
        self.parts.append(Region(Span(at, stop), "tar-end", ""))
        if stop < size:
            self.findings.add(note("tar-trailing", Span(stop, size), count=size - stop))
            self.parts.append(Region(Span(stop, size), "trailing", ""))


def padded(size: int) -> int:
    """Bytes of whole blocks."""
    return size + -size % BLOCK


def first_of(*found: T | None, last: T) -> T:
    """The first that is stated."""
    return next((one for one in found if one is not None), last)


def name_of(raw: bytes) -> str:
    """A name as text: UTF-8, or latin-1 where it is none."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def shown(name: str) -> str:
    """A name in a sentence: never longer than people read."""
    return name if len(name) <= 200 else name[:199] + "\u2026"
