"""A zip without its directory: the records that its local headers and data descriptors tell of.

torch's local headers state no sizes. The end of a record is where a descriptor stands whose packed size is the
distance to the record's first byte, and behind which another part follows; where there is none, the next
header ends it, but for those of an archive that is the record itself. Every byte is looked at once at most, so the
work is linear in the size of the file.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass, field
from struct import Struct
from typing import Final

from viewer.core.archive import zip_layout as layout
from viewer.core.archive.findings import Findings
from viewer.core.archive.zip_directory import (
    MOST_RECORDS,
    NOWHERE,
    Members,
    column,
    decode_names,
    join_names,
    read_entries,
)
from viewer.core.archive.zip_headers import read_headers
from viewer.core.problem import error, warning
from viewer.core.progress import Progress
from viewer.core.source import BLOCK, ByteSource
from viewer.core.span import Span

# how far into the file the first local header is looked for
FIRST_WITHIN: Final = 64 * 1024
# how many bytes are searched for the ends of records
SEARCHED: Final = 16 * 1024**3
MARK: Final = re.compile(rb"PK(?:\x03\x04|\x01\x02|\x07\x08)")
PARTS: Final = (layout.LOCAL_SIGNATURE, layout.ENTRY_SIGNATURE)
# what is looked at behind a mark: a descriptor with the next signature, or a header
JUDGED: Final = layout.LOCAL.size
LONGEST_NAME: Final = 4096
MOST_LONE: Final = 10_000
# records that are told one by one from their headers
MOST_SALVAGED: Final = 200_000
FORMS: Final = (layout.DESCRIPTOR, layout.DESCRIPTOR64)


@dataclass(frozen=True, slots=True)
class Tail:
    """Where a record ends, and what the descriptor there says (`length` 0: there is none)."""

    stop: int
    length: int = 0
    crc: int = 0
    size: int = 0


@dataclass(slots=True)
class Found:
    """The columns of `Members`, as they grow."""

    raw: list[bytes] = field(default_factory=list)
    rows: list[tuple[int, int, int, int, int, int, int, int, int]] = field(default_factory=list)
    cut: set[int] = field(default_factory=set)

    def members(self) -> Members:
        """What was found, as if a directory had listed it."""
        columns = [column(values) for values in zip(*self.rows, strict=True)] or [column([]) for _ in range(9)]
        flags, method, crc, packed, size, header, data, padding, descriptor = columns
        nowhere = column([NOWHERE] * len(self.raw))
        facts = (decode_names(self.raw, flags), flags, method, crc, packed, size)
        places = (header, nowhere, nowhere.copy(), data, padding, descriptor)
        return Members(*facts, *places, *join_names(self.raw), cut=self.cut)


class EndSearch:
    """Finds the ends of records whose size no header states; reads forward, each byte once."""

    def __init__(self, source: ByteSource, progress: Progress) -> None:
        self.stopped = False
        self._source = source
        self._progress = progress
        self._reached = 0
        self._searched = 0
        self._tails: dict[int, Tail] = {}
        # descriptors behind which no part stands: the header there is damaged, or cut
        self._lone: dict[int, Tail] = {}
        self._parts: list[int] = []

    def tail(self, start: int) -> Tail | None:
        """The end of the record whose bytes begin at `start` by its descriptor; None where none leads back to it."""
        self._reached = max(self._reached, start)
        while start not in self._tails and self._look():
            pass
        return self._tails.get(start) or self._lone.get(start)

    def next_part(self, start: int) -> int | None:
        """The next header or directory entry from `start` on."""
        self._reached = max(self._reached, start)
        while not (self._parts and self._parts[-1] >= start) and self._look():
            pass
        after = bisect.bisect_left(self._parts, start)
        return self._parts[after] if after < len(self._parts) else None

    def _look(self) -> bool:
        """Note the marks of the next block; False when there is nothing more to look at."""
        if self._reached >= self._source.size or self.stopped:
            return False
        block = self._source.read(self._reached, BLOCK + JUDGED)
        for mark in MARK.finditer(block):
            if mark.start() >= BLOCK:
                break
            self._judge(block, mark.start())
        self._progress.step("archive", self._reached, self._source.size)
        self._reached += BLOCK
        self._searched += BLOCK
        self.stopped = self._searched >= SEARCHED or len(self._parts) + len(self._tails) > MOST_RECORDS
        return bool(block)

    def _judge(self, block: bytes, at: int) -> None:
        signature = block[at : at + 4]
        if signature == layout.DESCRIPTOR_SIGNATURE:
            for form in FORMS:
                self._judge_descriptor(block, at, form)
        elif signature == layout.ENTRY_SIGNATURE or is_header(block, at):
            self._parts.append(self._reached + at)

    def _judge_descriptor(self, block: bytes, at: int, form: Struct) -> None:
        """Take it where its packed size leads back, and a part or the file's end follows."""
        end = at + form.size
        if end > len(block):
            return
        _, crc, packed, size = form.unpack_from(block, at)
        start = self._reached + at - packed
        if start <= 0:
            return
        last = self._reached + end == self._source.size
        if last or block[end : end + 4] in PARTS:
            self._tails.setdefault(start, Tail(start + packed, form.size, crc, size))
        elif size and len(self._lone) < MOST_LONE:
            self._lone.setdefault(start, Tail(start + packed, form.size, crc, size))


def is_header(block: bytes, at: int) -> bool:
    """True when a local header seems to stand there: four bytes alone turn up by chance in every 4 GB."""
    if at + layout.LOCAL.size > len(block):
        return False
    signature, _, _, method, _, _, _, _, _, name, _ = layout.LOCAL.unpack_from(block, at)
    known = method in (layout.STORED, layout.DEFLATED)
    return signature == layout.LOCAL_SIGNATURE and known and 0 < name <= LONGEST_NAME


def folder(name: bytes) -> bytes:
    """The first folder of a name; nothing where it lies in none."""
    return name.rpartition(b"/")[0].partition(b"/")[0]


class Walk:
    """Goes from local header to local header."""

    def __init__(
        self, source: ByteSource, progress: Progress, findings: Findings, start: int = 0, most: int = MOST_SALVAGED
    ) -> None:
        self.found = Found()
        self._most = min(most, MOST_RECORDS)
        begin = source.read(start, FIRST_WITHIN)
        first = 0 if layout.damaged_name(begin) is not None else begin.find(layout.LOCAL_SIGNATURE)
        self.at = first if first < 0 else start + first
        self._source = source
        self._progress = progress
        self._findings = findings
        self._search = EndSearch(source, progress)

    def run(self) -> None:
        """Take records until the directory begins or the file ends; `at` is then where that is."""
        while 0 <= self.at < self._source.size and len(self.found.raw) < self._most:
            if len(self.found.raw) % 1024 == 0:
                self._progress.step("archive", self.at, self._source.size)
            head = self._source.read(self.at, layout.LOCAL.size)
            if head[:4] == layout.ENTRY_SIGNATURE:
                break
            if not is_header(head, 0) and not self._is_damaged():
                after = self._search.next_part(self.at + 1)
                if after is None:
                    break
                self.at = after
            elif not self._take(head):
                break
        if len(self.found.raw) >= self._most:
            span = Span(min(self.at, self._source.size), self._source.size)
            self._findings.add(warning("zip-too-many-records", span, limit=self._most))
        if self._search.stopped:
            self._findings.add(warning("zip-search-stopped", None, limit=SEARCHED))

    def _is_damaged(self) -> bool:
        """True for a header of which only the signature is not right, which becomes a Problem."""
        name = layout.damaged_name(self._source.read(self.at, layout.LOCAL.size + layout.USUAL_NAME))
        if name is not None:
            self._findings.add(warning("zip-header-signature", Span(self.at, self.at + 4), name=name))
        return name is not None

    def _take(self, head: bytes) -> bool:
        """Take the record whose header is at `at`; False when it was the last."""
        size = self._source.size
        _, _, flags, method, _, _, crc, _, _, name_length, extra_length = layout.LOCAL.unpack(head)
        name_end = self.at + layout.LOCAL.size + name_length
        start = name_end + extra_length
        if start > size:
            self._findings.add(error("zip-header-cut", Span(self.at, size), offset=self.at))
            return False
        tail = self._source.read(self.at + layout.LOCAL.size, name_length + extra_length)
        name, extra = tail[:name_length], tail[name_length:]
        padding = layout.padding_start(extra)
        sizes = stated_sizes(head, extra)
        end = self._known_end(start, flags, crc, *sizes) if sizes else self._found_end(start, name)
        if sizes and end is not None and not end.length and flags & layout.HAS_DESCRIPTOR:
            # where a descriptor should stand, none does: the sizes in the header may be damaged
            end = self._search.tail(start) or end
        if end is None:
            self.found.cut.add(len(self.found.raw))
            span = Span(start, size)
            text = layout.decode_name(name, flags)
            self._findings.add(error("zip-record-cut-unknown", span, name=text, present=size - start))
            end = Tail(size, 0, crc, size - start)
        content = end.size if end.length or sizes else end.stop - start
        self.found.raw.append(name)
        facts = (flags, method, end.crc, end.stop - start, content)
        places = (self.at, start, start if padding < 0 else name_end + padding, end.length)
        self.found.rows.append((*facts, *places))
        self.at = end.stop + end.length
        return self.at < size

    def _found_end(self, start: int, name: bytes) -> Tail | None:
        """The end of a record whose size is not stated; None where the file ends before it."""
        tail = self._search.tail(start)
        if tail is not None:
            return tail
        stop = self._search.next_part(start)
        if stop == start:
            inner, outer = self._folder(stop), folder(name)
            while stop is not None and not self._folder(stop) == outer != inner:
                stop = self._search.next_part(stop + 1)
        return None if stop is None else Tail(stop)

    def _folder(self, at: int) -> bytes:
        """The first folder of the name in the header or directory entry at a place."""
        head = self._source.read(at, layout.LOCAL.size)
        is_entry = head[:4] == layout.ENTRY_SIGNATURE
        lengths = layout.ENTRY_LENGTHS_AT if is_entry else layout.LOCAL.size - layout.FIELD.size
        length = int.from_bytes(head[lengths : lengths + 2], "little")
        start = at + (layout.ENTRY.size if is_entry else layout.LOCAL.size)
        return folder(self._source.read(start, min(length, LONGEST_NAME)))

    def _known_end(self, start: int, flags: int, crc: int, packed: int, size: int) -> Tail:
        """The end of a record whose header states its size, with the descriptor that may follow all the same."""
        stop = start + packed
        if not flags & layout.HAS_DESCRIPTOR:
            return Tail(stop, 0, crc, size)
        data = self._source.read(stop, layout.LONGEST_DESCRIPTOR + 4)
        rooms = (room for room in (16, 24, 12, 20) if data[room : room + 4] in PARTS)
        length = layout.descriptor_length(data, next(rooms, 0), packed, size)
        return Tail(stop, min(length, len(data)), crc, size)


def stated_sizes(head: bytes, extra: bytes) -> tuple[int, int] | None:
    """(packed size, size) as a local header states them; None where only a descriptor can tell.

    torch leaves both 0, beyond 4 GiB too, where its zip64 field then has the real size and 0.
    """
    _, _, flags, method, _, _, _, packed, size, _, _ = layout.LOCAL.unpack(head)
    numbers = layout.zip64_numbers(extra)
    if len(numbers) >= 2:
        size = numbers[0] if size in (0, layout.BIG) else size
        packed = numbers[1] if packed in (0, layout.BIG) else packed
    if method == layout.STORED:
        packed = max(packed, size)
    return None if flags & layout.HAS_DESCRIPTOR and packed == 0 else (packed, size)


def salvage(source: ByteSource, progress: Progress, findings: Findings) -> Members:
    """All records that can be told from the local headers; by the directory where it is whole but its end."""
    walk = Walk(source, progress, findings)
    walk.run()
    size = source.size
    lost = Span(min(max(walk.at, 0), size), size)
    if walk.at < 0:
        findings.add(error("zip-directory-missing", Span(0, size), count=0))
        return walk.found.members()
    members = walk.found.members()
    entries = read_cut_directory(source, walk.at, members, progress)
    if entries is None:
        findings.add(error("zip-directory-missing", lost, count=len(members)))
        return members
    findings.add(error("zip-directory-cut", lost, entries=len(entries), count=len(members)))
    if len(entries) >= len(members):
        read_headers(source, entries, walk.at, findings, progress)
        return entries
    rows = {header: row for row, header in enumerate(members.header.tolist())}
    for header, start, stop in zip(
        entries.header.tolist(), entries.entry.tolist(), entries.entry_end.tolist(), strict=True
    ):
        row = rows.get(header)
        if row is not None:
            members.entry[row], members.entry_end[row] = start, stop
    return members


def read_cut_directory(source: ByteSource, at: int, members: Members, progress: Progress) -> Members | None:
    """The entries that stand from `at` on; None where there are none."""
    entries, _ = read_entries(source, at, source.size, 0, progress)
    if not len(entries) or not len(members):
        return entries if len(entries) else None
    shift = int(members.header[0]) - int(entries.header.min())
    return entries if shift == 0 else read_entries(source, at, source.size, shift, progress)[0]
