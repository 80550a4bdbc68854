"""Texts that are not UTF-8: both unpicklers refuse them, and here they are shown with escapes."""

from __future__ import annotations

import codecs
from typing import Final

import numpy as np

from viewer.core.pickles.opcodes import codes
from viewer.core.pickles.positions import HEADS, Window
from viewer.core.source import BLOCK, ByteSource

MOST_BYTES: Final = 64 * 1024 * 1024
"""How much of a single text is looked at: no name is as long."""
_IS_TEXT: Final = np.zeros(256, dtype=np.bool_)
_IS_TEXT[list(codes("BINUNICODE SHORT_BINUNICODE BINUNICODE8"))] = True
_HIGH: Final = 0x80


def spoilt_texts(source: ByteSource, window: Window) -> list[int]:
    """The offsets of the opcodes of a window whose text is not UTF-8 (with surrogates, as pickles have them)."""
    data, base = window.data, window.base
    is_one = len(window.offsets) == 1
    if data.isascii() and not is_one:
        return []
    rows = np.flatnonzero(_IS_TEXT[window.codes])
    if not len(rows):
        return []
    offsets = window.offsets[rows]
    starts = offsets + HEADS[window.codes[rows]]
    stops = np.append(window.offsets[1:], window.next)[rows]
    if is_one and int(stops[0]) - base > len(data):
        return [] if _is_text(source, int(starts[0]), int(stops[0])) else [int(window.offsets[0])]
    high = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) >= _HIGH) + base
    is_high = np.searchsorted(high, starts) != np.searchsorted(high, stops)
    places = zip(*(column[is_high].tolist() for column in (offsets, starts - base, stops - base)), strict=True)
    found = []
    for offset, start, stop in places:
        try:
            data[start:stop].decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            found.append(offset)
    return found


def _is_text(source: ByteSource, start: int, stop: int) -> bool:
    """As above, of a text that is longer than a window: block by block."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogatepass")
    end = min(stop, start + MOST_BYTES)
    try:
        for at in range(start, end, BLOCK):
            decoder.decode(source.read(at, min(BLOCK, end - at)), at + BLOCK >= stop)
    except UnicodeDecodeError:
        return False
    return True
