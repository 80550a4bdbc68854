"""The seal of a torch archive: 40 digits that its writer made of the names and the checksums of all records.

The last 20 digits are a fold over the CRC fields of all records that are not empty, in the order of the file. Who
changes a record, or packs the archive again in another order, leaves the old digits. The first 20 are a hash of
the names that depends on the C++ library of the writer; they cannot be made again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

NAME: Final = ".data/serialization_id"
DIGITS: Final = 40
HALF: Final = 20
GOLDEN: Final = 0x9E3779B9
WORD: Final = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Seal:
    """What a seal says (`stated`, a number of 64 bits) and what the archive's CRC fields give."""

    stated: int
    found: int

    @property
    def whole(self) -> bool:
        """True when no record was changed since the archive was saved."""
        return self.stated == self.found


def fold(checksums: Iterable[int]) -> int:
    """The number that torch makes of CRC fields, in their order."""
    state = 0
    for crc in checksums:
        state ^= (crc + GOLDEN + (state << 6) + (state >> 2)) & WORD
    return state


def read_seal(text: bytes, checksums: Iterable[int]) -> Seal | None:
    """The seal of a record's bytes; None where they are not 40 digits."""
    if len(text) != DIGITS or not text.isdigit():
        return None
    return Seal(int(text[HALF:]), fold(checksums))
