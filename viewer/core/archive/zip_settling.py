"""Where a zip's directory, a local header and what stands behind the record do not fit together: which is right.

The next part begins where the record and its descriptor end, so that the place of a record is known from both sides,
and its size three times. What two of them say counts; each record that is settled so becomes a Problem.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.core.archive import zip_layout as layout
from viewer.core.archive.findings import Findings
from viewer.core.archive.zip_directory import Members
from viewer.core.crc import crc32
from viewer.core.problem import warning
from viewer.core.source import BLOCK, ByteSource
from viewer.core.span import Span

Octets = npt.NDArray[np.uint8]
Offsets = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
SHORT_FORM: Final = np.dtype([("signature", "S4"), ("crc", "<u4"), ("packed", "<u4"), ("size", "<u4")])
LONG_FORM: Final = np.dtype([("signature", "S4"), ("crc", "<u4"), ("packed", "<u8"), ("size", "<u8")])
# records up to this size are read to see whether they have their checksum
LARGEST_READ: Final = 64 * 1024 * 1024
# so many bytes of all of them together, and so many extra fields
MOST_READ: Final = 256 * 1024 * 1024
MOST_LOOKED_AT: Final = 2_000


class Settling:
    """Corrects the columns of the members. `local_sizes`: sizes of local headers that state others, by row."""

    def __init__(
        self, source: ByteSource, members: Members, findings: Findings, local_sizes: dict[int, tuple[int, int]]
    ) -> None:
        self._source, self._members, self._findings = source, members, findings
        self._local_sizes = local_sizes
        self._bytes_left, self._looks_left = MOST_READ, MOST_LOOKED_AT

    def run(self, rows: Offsets, follow: Offsets, behind: Octets) -> None:
        """Look at all records, in the order of their offsets.

        `follow`: the first byte of the part behind each; `behind`: the bytes before that.
        """
        members = self._members
        packed = np.minimum(members.packed[rows], self._source.size).astype(np.int64)
        room = follow - members.data[rows].astype(np.int64) - packed
        described = (members.flags[rows] & np.uint64(layout.HAS_DESCRIPTOR)) != 0
        misfit = described & (room != SHORT_FORM.itemsize) & (room != LONG_FORM.itemsize)
        for form in (SHORT_FORM, LONG_FORM):
            said = np.ascontiguousarray(behind[:, -form.itemsize :]).view(form)[:, 0]
            stop = follow - form.itemsize
            signed = said["signature"] == layout.DESCRIPTOR_SIGNATURE
            # in place, but for the size of the content
            plain = (members.method[rows] == layout.STORED) & (said["size"] == said["packed"])
            placed = described & plain & (room == form.itemsize) & (said["packed"] == members.packed[rows])
            for place in np.flatnonzero(signed & (misfit | (placed & (said["size"] != members.size[rows])))).tolist():
                sizes = int(said["packed"][place]), int(said["size"][place])
                self._by_descriptor(int(rows[place]), int(stop[place]), *sizes)
        for place in [place for place, row in enumerate(rows.tolist()) if row in self._local_sizes and not room[place]]:
            self._by_size(int(rows[place]))
        for place in np.flatnonzero(~described & (room != 0)).tolist():
            self._by_next_part(int(rows[place]), int(follow[place]), int(room[place]))

    def _by_descriptor(self, row: int, stop: int, packed: int, size: int) -> None:
        """A record with a descriptor at `stop`, which says that it has so many bytes."""
        members = self._members
        data, start = int(members.data[row]), stop - packed
        listed = (int(members.packed[row]), int(members.size[row]))
        if members.method[row] == layout.STORED and start == data:
            size = packed
        if start == data or (listed == (packed, size) and self._is_extra(self._after_name(row), start)):
            self._take(row, start, packed, size)

    def _by_size(self, row: int) -> None:
        """A record whose packed size is right: where it is stored, the size is the same."""
        packed, data = int(self._members.packed[row]), int(self._members.data[row])
        if self._members.method[row] == layout.STORED and self._local_sizes[row] == (packed, packed):
            self._take(row, data, packed, packed)

    def _by_next_part(self, row: int, follow: int, room: int) -> None:
        """A record without one: its local header has another size that fits, or its lengths do not fit."""
        members = self._members
        data, packed, size = int(members.data[row]), int(members.packed[row]), int(members.size[row])
        local = self._local_sizes.get(row)
        if local is not None and data + local[0] == follow:
            self._take(row, data, *local)
        elif local is None and self._is_whole_extra(self._after_name(row), follow - packed):
            small = packed <= min(LARGEST_READ, self._bytes_left)
            self._bytes_left -= packed if small else 0
            if self._crc(follow - packed, packed) == int(members.crc[row]) if small else room < 0:
                self._take(row, follow - packed, packed, size)

    def _after_name(self, row: int) -> int:
        """Where the extra field begins when the local header has the name that the directory has."""
        members = self._members
        return (
            int(members.header[row]) + layout.LOCAL.size + int(members.name_bounds[row + 1] - members.name_bounds[row])
        )

    def _is_extra(self, start: int, stop: int) -> bool:
        """True where an extra field can stand: no other header does."""
        if not 0 <= stop - start <= layout.MANY or not self._looks_left:
            return False
        self._looks_left -= 1
        return layout.LOCAL_SIGNATURE not in self._source.read(start, stop - start)

    def _is_whole_extra(self, start: int, stop: int) -> bool:
        """True where fields stand that end at `stop`, or nothing."""
        if not self._is_extra(start, stop):
            return False
        extra = self._source.read(start, stop - start)
        return max((last for _, _, last in layout.extra_fields(extra)), default=0) == stop - start

    def _crc(self, start: int, length: int) -> int:
        """The CRC-32 of some bytes."""
        crc = 0
        for at in range(start, start + length, BLOCK):
            crc = crc32(self._source.read(at, min(BLOCK, start + length - at)), crc)
        return crc

    def _take(self, row: int, start: int, packed: int, size: int) -> None:
        members = self._members
        members.packed[row], members.size[row], members.data[row] = packed, size, start
        # what is known of the padding was read by the header
        padding = int(members.padding[row])
        members.padding[row] = padding if self._after_name(row) <= padding <= start else start
        span = Span(int(members.header[row]), start)
        facts = {"offset": start, "count": packed}
        self._findings.add(warning("zip-record-settled", span, name=members.names[row], **facts))
