"""The local headers of a zip: where each record's bytes begin, and what stands between the records.

All headers are looked at, in the order of their offsets and as columns: an archive may have 100,000 of them.
Where they lie close together the source is read in blocks; where large records lie between them, each header
is read for itself, with the end of the record before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.archive import zip_layout as layout
from viewer.core.archive.findings import Findings
from viewer.core.archive.zip_directory import NOWHERE, Members
from viewer.core.archive.zip_settling import LONG_FORM, SHORT_FORM, Mask, Octets, Offsets, Settling
from viewer.core.problem import error, note, warning
from viewer.core.progress import Progress
from viewer.core.source import ByteSource
from viewer.core.span import Span
from viewer.wording.phrases import phrase

# headers that lie closer together than this, on the average, are read in blocks
CLOSE: Final = 8 * 1024
# what is read before a header, to see the descriptor of the record before it
BEFORE: Final = layout.LONGEST_DESCRIPTOR
# of the extra field as much as holds torch's zip64 field and the beginning of its padding field
GLANCE: Final = 24
# headers that are judged together; as many, close together, are a block of 8 MiB at most
BATCH: Final = 1024

LOCAL_FORM: Final = np.dtype(
    {
        "names": ["signature", "flags", "method", "crc", "packed", "size", "name_length", "extra_length"],
        "formats": ["S4", "<u2", "<u2", "<u4", "<u4", "<u4", "<u2", "<u2"],
        "offsets": [0, 6, 8, 14, 18, 22, 26, 28],
        "itemsize": layout.LOCAL.size,
    }
)
KNOWN: Final = (layout.STORED, layout.DEFLATED)


@dataclass(slots=True)
class Batch:
    """Headers that follow each other: their rows, offsets and name lengths, and where each stands in `octets`."""

    rows: Offsets
    heads: Offsets
    names: Offsets
    octets: Octets
    places: Offsets


def read_headers(source: ByteSource, members: Members, boundary: int, findings: Findings, progress: Progress) -> None:
    """Fill the columns that only local headers tell; `boundary`: where the records end and the directory begins."""
    HeaderWalk(source, members, findings).run(boundary, progress)


class HeaderWalk:
    """One look at all local headers of an archive."""

    def __init__(self, source: ByteSource, members: Members, findings: Findings) -> None:
        self._source = source
        self._members = members
        self._findings = findings
        # sizes of local headers that state others than the directory does
        self._local_sizes: dict[int, tuple[int, int]] = {}
        order = np.argsort(members.header, kind="stable")
        there = members.header[order] <= max(0, source.size - layout.LOCAL.size)
        # the rows that can have a header, in the order of their offsets
        self._rows: Offsets = order[there].astype(np.int64)
        for row in order[~there].tolist():
            self._lost(row)

    def run(self, boundary: int, progress: Progress) -> None:
        """Look at every header, then at what stands between the records."""
        befores = [np.empty((0, BEFORE), np.uint8)]
        for first in range(0, len(self._rows), BATCH):
            batch = self._batch(self._rows[first : first + BATCH])
            befores.append(take(batch.octets, batch.places - BEFORE, BEFORE))
            self._judge(batch)
            progress.step("archive", first, len(self._rows))
        befores.append(octets(self._read(boundary - BEFORE, BEFORE))[np.newaxis])
        self._between(np.concatenate(befores), boundary)

    def _batch(self, rows: Offsets) -> Batch:
        members = self._members
        heads = members.header[rows].astype(np.int64)
        names = members.name_bounds[rows + 1] - members.name_bounds[rows]
        lengths = names + (BEFORE + layout.LOCAL.size + GLANCE)
        starts = heads - BEFORE
        length = int(starts[-1] - starts[0] + lengths[-1])
        if length < CLOSE * len(rows):
            # a name before the last may reach further than the last one's
            data = self._read(int(starts[0]), length + int(lengths.max()))
            return Batch(rows, heads, names, octets(data), heads - starts[0])
        pieces = [self._read(at, count) for at, count in zip(starts.tolist(), lengths.tolist(), strict=True)]
        places = np.cumsum(lengths) - lengths + BEFORE
        return Batch(rows, heads, names, octets(b"".join(pieces)), places)

    def _read(self, start: int, length: int) -> bytes:
        """Exactly `length` bytes from `start`; zeros stand for what is outside of the source."""
        if start < 0:
            return bytes(min(-start, length)) + self._read(0, max(0, length + start))
        data = self._source.peek(start, length)
        return data if len(data) == length else data + bytes(length - len(data))

    def _judge(self, batch: Batch) -> None:
        """Where the data of these records begins, and what is wrong with their headers."""
        table = take(batch.octets, batch.places, layout.LOCAL.size).view(LOCAL_FORM)[:, 0]
        name, extra = table["name_length"].astype(np.int64), table["extra_length"].astype(np.int64)
        signed = table["signature"] == layout.LOCAL_SIGNATURE
        same = self._same_names(batch, name)
        data = batch.heads + (layout.LOCAL.size + name + extra)
        # what the lengths of a header lead to beyond the end may yet be told from the other side
        data[signed] = np.minimum(data[signed], self._source.size)
        found = (data <= self._source.size) & (signed | same)
        rows = batch.rows
        self._members.data[rows[found]] = data[found]
        # lengths that lead beyond the end may have led back here
        paddings = np.clip(self._paddings(batch, data, name, extra), batch.heads + layout.LOCAL.size, data)
        self._members.padding[rows[found]] = paddings[found]
        for row in rows[~found].tolist():
            self._lost(row)
        for row in rows[found & ~signed].tolist():
            at = int(self._members.header[row])
            self._findings.add(warning("zip-header-signature", Span(at, at + 4), name=self._members.names[row]))
        for place in np.flatnonzero(found & signed & ~same).tolist():
            self._other_name(int(rows[place]), int(name[place]))
        sound = found & signed
        self._compare(rows[sound], table[sound])

    def _compare(self, rows: Offsets, table: npt.NDArray[np.void]) -> None:
        """Where the local header states other flags, another method, checksum or size than the directory.

        Sizes of 32 bits that are full stand in a zip64 field; where a descriptor follows, the header may state none.
        """
        members = self._members
        described = (table["flags"] & layout.HAS_DESCRIPTOR) != 0
        unlike = {name: table[name] != getattr(members, name)[rows] for name in ("flags", "method")}
        for name in ("crc", "packed", "size"):
            known = (table[name] != 0) | ~described
            full = (table[name] == layout.BIG) if name != "crc" else np.zeros(len(rows), np.bool_)
            unlike[name] = known & ~full & (table[name] != getattr(members, name)[rows])
        for place in np.flatnonzero(unlike["packed"] | unlike["size"]).tolist():
            self._local_sizes[int(rows[place])] = (int(table["packed"][place]), int(table["size"][place]))
        for place in np.flatnonzero(np.logical_or.reduce(list(unlike.values()))).tolist():
            row = int(rows[place])
            fact = next(name for name, mask in unlike.items() if mask[place])
            at = int(members.header[row])
            listed = int(getattr(members, fact)[row])
            facts = {"fact": phrase(f"zip-{fact}"), "local": int(table[fact][place]), "listed": listed}
            self._findings.add(
                warning("zip-local-facts", Span(at, at + layout.LOCAL.size), name=members.names[row], **facts)
            )
        full = (table["packed"] == layout.BIG) | (table["size"] == layout.BIG)
        for place in np.flatnonzero(full & ~described).tolist():
            self._compare_long(int(rows[place]), table[place])
        self._believe(rows, table)

    def _believe(self, rows: Offsets, table: npt.NDArray[np.void]) -> None:
        """Take the method and the encryption that the local header states, where the directory cannot be right."""
        members = self._members
        method = table["method"]
        unknown = ~np.isin(members.method[rows], KNOWN) & np.isin(method, KNOWN)
        is_plain = (method == layout.STORED) & (members.packed[rows] == members.size[rows])
        taken = rows[unknown | is_plain]
        members.method[taken] = method[unknown | is_plain]
        sound = (table["flags"] & layout.ENCRYPTED) == 0
        members.flags[rows[sound]] &= ~np.uint64(layout.ENCRYPTED)

    def _compare_long(self, row: int, header: npt.NDArray[np.void]) -> None:
        """As `_compare`, for sizes of 64 bits: a field of their own has the size, then the packed one."""
        start = int(self._members.header[row]) + layout.LOCAL.size + int(header["name_length"])
        length = int(header["extra_length"])
        wanted = [name for name in ("size", "packed") if header[name] == layout.BIG]
        for fact, local in zip(wanted, layout.zip64_numbers(self._source.peek(start, length)), strict=False):
            listed = int(getattr(self._members, fact)[row])
            if local != listed:
                facts = {"fact": phrase(f"zip-{fact}"), "local": local, "listed": listed}
                name = self._members.names[row]
                self._findings.add(warning("zip-local-facts", Span(start, start + length), name=name, **facts))

    def _same_names(self, batch: Batch, lengths: Offsets) -> Mask:
        """Where the local header has the name that the directory has."""
        members = self._members
        fits = lengths == batch.names
        counts = np.where(fits, lengths, 0)
        ends = np.cumsum(counts)
        begins = ends - counts
        each = np.arange(int(ends[-1]))
        local = np.repeat(batch.places + layout.LOCAL.size - begins, counts) + each
        listed = np.repeat(members.name_bounds[batch.rows] - begins, counts) + each
        unequal = np.cumsum(batch.octets[local] != members.name_octets[listed])
        unequal = np.concatenate(([0], unequal))
        equal: Mask = fits & (unequal[ends] == unequal[begins])
        return equal

    def _paddings(self, batch: Batch, data: Offsets, name: Offsets, extra: Offsets) -> Offsets:
        """Where torch's padding begins; the data's own offset where there is none."""
        paddings = data.copy()
        known = (name == batch.names) & (extra >= layout.FIELD.size)
        fields = batch.places + layout.LOCAL.size + np.where(known, name, 0)
        begun = take(batch.octets, fields, 2).view("S2")[:, 0] == layout.PADDING_FIELD
        first = known & begun
        paddings[first] -= extra[first]
        for place in np.flatnonzero(known & ~begun).tolist():
            start, length = int(fields[place]), int(extra[place])
            within = layout.padding_start(batch.octets[start : start + min(length, GLANCE)].tobytes())
            if within >= 0:
                paddings[place] += within - length
        return paddings

    def _lost(self, row: int) -> None:
        at, size = int(self._members.header[row]), self._source.size
        if at == NOWHERE:
            self._findings.add(error("zip-header-outside", None, name=self._members.names[row]))
            return
        span = Span(at, min(at + layout.LOCAL.size, size)) if at < size else None
        self._findings.add(error("zip-header-missing", span, name=self._members.names[row], offset=at))

    def _other_name(self, row: int, length: int) -> None:
        start = int(self._members.header[row]) + layout.LOCAL.size
        raw = self._source.read(start, length)
        local = layout.decode_name(raw, int(self._members.flags[row]))
        self._members.local_names[row] = local
        span = Span(start, start + len(raw))
        self._findings.add(warning("zip-local-name", span, name=self._members.names[row], local=local))

    def _between(self, befores: Octets, boundary: int) -> None:
        """Measure the descriptors; note gaps between the records and bytes that two share.

        `befores`: the bytes before each header, and before the boundary.
        """
        members, size = self._members, self._source.size
        kept = members.data[self._rows] != NOWHERE
        rows = self._rows[kept]
        if not len(rows):
            return
        follow = np.append(members.header[rows[1:]].astype(np.int64), boundary)
        behind = befores[np.append(kept, True)][1:]
        Settling(self._source, members, self._findings, self._local_sizes).run(rows, follow, behind)
        packed = np.minimum(members.packed[rows], size).astype(np.int64)
        ends = members.data[rows].astype(np.int64) + packed
        room = follow - ends
        lengths = self._descriptors(rows, ends, room, behind)
        members.descriptor[rows] = lengths
        reached = np.maximum.accumulate(ends + lengths)
        for place in np.flatnonzero(follow > reached).tolist():
            span = Span(int(reached[place]), int(follow[place]))
            self._findings.add(note("zip-gap", span, count=span.length))
        for place in np.flatnonzero(follow[:-1] < reached[:-1]).tolist():
            span = Span(int(follow[place]), max(int(follow[place]), min(int(reached[place]), size)))
            name, other = members.names[rows[place + 1]], members.names[rows[place]]
            self._findings.add(warning("zip-overlap", span, name=name, other=other))

    def _descriptors(self, rows: Offsets, ends: Offsets, room: Offsets, behind: Octets) -> Offsets:
        """Bytes of the descriptor behind each record. `room`: from there to the next part; `behind`: its last bytes."""
        members = self._members
        described = ((members.flags[rows] & np.uint64(layout.HAS_DESCRIPTOR)) != 0) & (room > 0)
        lengths = np.zeros(len(rows), np.int64)
        plain = np.zeros(len(rows), np.bool_)
        for form, last in ((SHORT_FORM, behind[:, -SHORT_FORM.itemsize :]), (LONG_FORM, behind)):
            said = np.ascontiguousarray(last).view(form)[:, 0]
            agree = (said["packed"] == members.packed[rows]) & (said["size"] == members.size[rows])
            fits = described & (room == form.itemsize) & (said["signature"] == layout.DESCRIPTOR_SIGNATURE) & agree
            lengths[fits] = form.itemsize
            plain |= fits
            for place in np.flatnonzero(fits & (said["crc"] != members.crc[rows])).tolist():
                start = int(ends[place])
                self._other_descriptor(int(rows[place]), Span(start, start + form.itemsize))
        for place in np.flatnonzero(described & ~plain).tolist():
            data = self._source.read(int(ends[place]), layout.LONGEST_DESCRIPTOR)
            row, space = rows[place], int(room[place])
            length = layout.descriptor_length(data, space, int(members.packed[row]), int(members.size[row]))
            lengths[place] = min(length, space, len(data))
            if not agrees(data, members, int(row)):
                self._other_descriptor(int(row), Span(int(ends[place]), int(ends[place] + lengths[place])))
        return lengths

    def _other_descriptor(self, row: int, span: Span) -> None:
        self._findings.add(warning("zip-descriptor", span, name=self._members.names[row]))


def agrees(data: bytes, members: Members, row: int) -> bool:
    """True when the descriptor at the beginning of `data` states what the directory states, in any of its forms."""
    crc, packed, size = int(members.crc[row]), int(members.packed[row]), int(members.size[row])
    start = 4 if data[:4] == layout.DESCRIPTOR_SIGNATURE else 0
    check = crc.to_bytes(4, "little")
    short = (packed & layout.BIG).to_bytes(4, "little") + (size & layout.BIG).to_bytes(4, "little")
    long = packed.to_bytes(8, "little") + size.to_bytes(8, "little")
    return data[start:].startswith((check + short, check + long))


def octets(data: bytes) -> Octets:
    """Bytes as an array."""
    return np.frombuffer(data, np.uint8)


def take(source: Octets, places: Offsets, length: int) -> Octets:
    """`length` bytes at each place, a row each."""
    rows: Octets = source[places[:, np.newaxis] + np.arange(length)]
    return rows
