"""Encodings of the text column, and the letters of several bytes: where they stand, worked out for a window at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from viewer.ui.hexview.numbers import NO_BYTE

ASCII: Final = "ascii"
UTF_8: Final = "utf-8"
UNITS: Final = {UTF_8: 1, "utf-16-le": 2, "utf-16-be": 2}
"""Encodings whose letters may take several bytes, and the bytes that all of their letters are multiples of."""

ENCODINGS: Final = (ASCII, *UNITS, "latin-1", "cp1252", "cp437", "koi8-r", "mac-roman")
"""Encodings of the text column. Of the others each letter stands over its byte."""

LONGEST: Final = 4
Ints = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Letters:
    """Letters of two bytes or more: `at` the index of the first byte, `lengths` in bytes, `points` of Unicode."""

    at: Ints
    lengths: Ints
    points: Ints


_NONE: Final = np.zeros(0, np.int32)
NO_LETTERS: Final = Letters(_NONE, _NONE, _NONE)


def joined(parts: Sequence[Letters], at: Sequence[int]) -> Letters:
    """The letters of windows one behind the other, which begin `at` these indexes."""
    return Letters(
        np.concatenate([part.at + np.int32(start) for part, start in zip(parts, at, strict=False)]),
        np.concatenate([part.lengths for part in parts]),
        np.concatenate([part.points for part in parts]),
    )


def reach(encoding: str) -> int:
    """Bytes around a window that decide what its bytes are."""
    return LONGEST - 1 if encoding in UNITS else 0


def letters(encoding: str, values: Ints, parity: int = 0) -> Letters:
    """The letters of several bytes in a window; bytes that are part of none, and wrong sequences, are left out.

    `values`: bytes, NO_BYTE where none is. `parity`: the index of the first byte that a unit of two may begin at.
    """
    if encoding == UTF_8:
        return _utf_8(values)
    if encoding in UNITS:
        return _utf_16(values, parity, big=encoding.endswith("be"))
    return NO_LETTERS


def _utf_8(values: Ints) -> Letters:
    """RFC 3629, section 4: no overlong form, no surrogate, nothing beyond U+10FFFF."""
    first = np.append(values, np.full(LONGEST - 1, NO_BYTE, np.int32))
    count = len(values)
    first, second, third, fourth = (first[step : step + count] for step in range(LONGEST))
    low = np.select([first == 0xE0, first == 0xF0], [0xA0, 0x90], 0x80)
    high = np.select([first == 0xED, first == 0xF4], [0x9F, 0x8F], 0xBF)
    of_two = (second >= low) & (second <= high)
    of_three = of_two & (third & 0x1C0 == 0x80)
    of_four = of_three & (fourth & 0x1C0 == 0x80)
    lengths = np.zeros(count, np.int32)
    lengths[(first >= 0xC2) & (first <= 0xDF) & of_two] = 2
    lengths[(first >= 0xE0) & (first <= 0xEF) & of_three] = 3
    lengths[(first >= 0xF0) & (first <= 0xF4) & of_four] = 4
    at = np.flatnonzero(lengths).astype(np.int32)
    found = lengths[at]
    bytes_ = [part[at] & mask for part, mask in ((second, 0x3F), (third, 0x3F), (fourth, 0x3F))]
    two = ((first[at] & 0x1F) << 6) | bytes_[0]
    three = ((first[at] & 0x0F) << 12) | (bytes_[0] << 6) | bytes_[1]
    four = ((first[at] & 0x07) << 18) | (bytes_[0] << 12) | (bytes_[1] << 6) | bytes_[2]
    return Letters(at, found, np.choose(found - 2, [two, three, four]).astype(np.int32))


def _utf_16(values: Ints, parity: int, *, big: bool) -> Letters:
    """RFC 2781, section 2.2: a surrogate stands with its other half or is wrong."""
    count = max(0, len(values) - parity) // 2
    pairs = values[parity : parity + 2 * count].reshape(-1, 2)
    whole: Flags = np.logical_and.reduce(pairs < NO_BYTE, axis=1)
    units = (pairs[:, 0] << 8 | pairs[:, 1]) if big else (pairs[:, 1] << 8 | pairs[:, 0])
    units = np.where(whole, units, 0xDC00)
    following = np.append(units[1:], np.int32(0))
    leads: Flags = (units & 0xFC00 == 0xD800) & (following & 0xFC00 == 0xDC00)
    leads &= np.append(whole[1:], np.bool_(False))
    alone = units & 0xF800 != 0xD800
    at = np.flatnonzero(leads | alone).astype(np.int32)
    lead = leads[at]
    joined = 0x10000 + ((units[at] & 0x3FF) << 10) + (following[at] & 0x3FF)
    lengths = np.where(lead, 4, 2).astype(np.int32)
    points = np.where(lead, joined, units[at]).astype(np.int32)
    return Letters((at * 2 + parity).astype(np.int32), lengths, points)
