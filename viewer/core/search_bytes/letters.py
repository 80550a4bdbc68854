"""Which bytes are letters of an encoding, a block at a time: what strings are made of."""

from __future__ import annotations

import sys
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

Octets = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

TAB: Final = 9
LATIN: Final = 0x0700
"""UTF-16 code units below are Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic. Above, half of all chance is text."""
MOST_OF_ONE: Final = 4
"""Bytes that the longest letter takes."""


def ascii_letters(data: Octets) -> Mask:
    """Which bytes are printed ones of ASCII, or a tab. A line end ends a string: sources are listed line by line."""
    found: Mask = (data - np.uint8(0x20)) < np.uint8(0x5F)
    found |= data == TAB
    return found


def utf8_letters(data: Octets) -> Mask:
    """Which bytes are part of a whole letter of UTF-8. The first of a letter that is cut at the end are not."""
    found = ascii_letters(data)
    if not len(data) or data.max() < 0x80:
        return found
    follows = np.zeros(len(data) + MOST_OF_ONE - 1, np.bool_)
    follows[: len(data)] = continues(data)
    second = np.zeros(len(data), np.uint8)
    second[:-1] = data[1:]
    one, two, three = (follows[at : at + len(data)] for at in (1, 2, 3))
    # Controls of C1, letters that are written longer than they need, halves of UTF-16 and what is beyond Unicode.
    pairs = (data >= 0xC2) & (data <= 0xDF) & one & ~((data == 0xC2) & (second < 0xA0))
    triples = (data & 0xF0 == 0xE0) & one & two
    triples &= ~((data == 0xE0) & (second < 0xA0) | (data == 0xED) & (second > 0x9F))
    fours = (data >= 0xF0) & (data <= 0xF4) & one & two & three
    fours &= ~((data == 0xF0) & (second < 0x90) | (data == 0xF4) & (second > 0x8F))
    triples |= fours
    pairs |= triples
    found |= pairs
    found[1:] |= pairs[:-1]
    found[2:] |= triples[:-2]
    found[3:] |= fours[:-3]
    return found


def continues(data: Octets) -> Mask:
    """Which bytes are second to fourth ones of a letter of UTF-8."""
    found: Mask = data & 0xC0 == 0x80
    return found


def utf16_letters(data: Octets, *, big: bool, rare: bool) -> Mask:
    """Which two bytes each, from the first on, are a letter. `rare`: any of Unicode's first plane."""
    units = data[: len(data) & ~1].view(np.dtype(np.uint16).newbyteorder(">" if big else "<"))
    found: Mask = _printed(rare)[units]
    return found


@cache
def _printed(rare: bool) -> Mask:
    """Which code units are letters."""
    table = np.zeros(0x10000, np.bool_)
    for unit in range(0x20, min(sys.maxunicode + 1, 0x10000) if rare else LATIN):
        table[unit] = chr(unit).isprintable()
    table[TAB] = True
    return table
