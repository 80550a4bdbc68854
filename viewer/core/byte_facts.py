"""Checksums and counts of bytes, in one walk over any number of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from viewer.core.crc import crc32
from viewer.core.source import BLOCK, ByteSource

if TYPE_CHECKING:
    from viewer.core.progress import Progress
    from viewer.core.span import Span

READING = "hashing"
PRINTABLE = slice(0x20, 0x7F)


@dataclass(frozen=True, slots=True, eq=False)
class ByteFacts:
    """What some bytes are. `length`: those that are there. `counts`: how often each of the 256 values occurs.

    `pairs`: how often one value (row) is followed by another (column), shape (256, 256); where one range ends and the
    next begins nothing follows.
    """

    length: int
    crc32: int
    md5: str
    sha1: str
    sha256: str
    counts: npt.NDArray[np.int64]
    pairs: npt.NDArray[np.int64]

    @property
    def zeros(self) -> int:
        """Bytes that are 00."""
        return int(self.counts[0])

    @property
    def printable(self) -> int:
        """Bytes that are letters, digits, signs and blanks of ASCII."""
        return int(self.counts[PRINTABLE].sum())

    @property
    def distinct(self) -> int:
        """Values that occur."""
        return int(np.count_nonzero(self.counts))

    @property
    def entropy(self) -> float:
        """Bits a byte, 0 to 8; 0 for no bytes."""
        shares = self.counts[self.counts > 0] / max(1, self.length)
        return abs(float((shares * np.log2(shares)).sum()))


def facts_of(source: ByteSource, spans: Sequence[Span], progress: Progress) -> ByteFacts:
    """The facts of ranges, one behind the other. Raises CancelledError; what a cut file lacks is left out."""
    crc, counts, pairs = 0, np.zeros(256, np.int64), np.zeros(256 * 256, np.int64)
    digests = [hashlib.new(name, usedforsecurity=False) for name in ("md5", "sha1", "sha256")]
    done, whole = 0, sum(span.length for span in spans)
    for span in spans:
        before = b""
        for start in range(span.start, span.stop, BLOCK):
            progress.step(READING, done, whole)
            wanted = min(BLOCK, span.stop - start)
            data = source.read(start, wanted)
            crc = crc32(data, crc)
            for digest in digests:
                digest.update(data)
            counts += np.bincount(np.frombuffer(data, np.uint8), minlength=256)
            pairs += _pairs(before + data)
            before = data[-1:] if len(data) == wanted else b""
            done += len(data)
    md5, sha1, sha256 = (digest.hexdigest() for digest in digests)
    return ByteFacts(done, crc, md5, sha1, sha256, counts, pairs.reshape(256, 256))


def _pairs(data: bytes) -> npt.NDArray[np.int64]:
    """How often each pair occurs, by 256 times the first and the second."""
    values = np.frombuffer(data, np.uint8)
    both = (values[:-1].astype(np.uint16) << 8) | values[1:]
    return np.bincount(both, minlength=256 * 256)
