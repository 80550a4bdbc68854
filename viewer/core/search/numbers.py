"""Numbers in pickles, typed exactly: `32` finds the ints, `0.001` and `1e-3` the floats that are that number.

`nan` finds every float that is none, whatever its sign and its other bits, and `0.0` also the zero below it.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Final

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from viewer.core.document import Document, Pickle
from viewer.core.pickles.opcodes import code, codes
from viewer.core.search.base import BLOCK, NUMBER, Found, Hit, Look, Searcher
from viewer.core.tensors.tensor import ValueRef

Rows = npt.NDArray[np.int64]

INTEGER: Final = re.compile(r"-?\d{1,40}|0[xX][0-9A-Fa-f]{1,32}")
DECIMAL: Final = re.compile(r"-?(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][+-]?\d+)?|-?inf|nan", re.IGNORECASE)
LONGEST: Final = 80
"""Bytes of an opcode that is read by itself: longer numbers are none that anybody types."""
AT_ONCE: Final = 2048
_FIXED: Final = (("BININT1", "<B", 0, 2**8), ("BININT2", "<H", 0, 2**16), ("BININT", "<i", -(2**31), 2**31))
_BINFLOAT: Final = code("BINFLOAT")
_NAN: Final = rb"[\x7f\xff](?:[\xf1-\xff].{6}|\xf0(?!\x00{6}).{6})"
"""All bits of the exponent, and any of the fraction: without those it is infinite."""
_OTHERS: Final = np.zeros(256, dtype=np.bool_)
_OTHERS[sorted(codes("INT LONG FLOAT LONG1 LONG4"))] = True


class Numbers(Searcher):
    """One hit for each opcode that holds the number; booleans are no numbers."""

    @override
    def look(self, document: Document, look: Look) -> Iterator[Found]:
        number = None if look.wanted.is_expression else parse(look.wanted.text)
        if number is None:
            return
        for pickle in document.pickles:
            for rows in chain(_fixed(pickle, number, look), _read(pickle, number, look)):
                yield look.found(NUMBER, rows, partial(_hit, document, pickle))


def parse(text: str) -> int | float | None:
    """The number that was typed; None where it is none."""
    text = text.strip().replace("\u2212", "-")
    if INTEGER.fullmatch(text):
        return int(text, 16 if text[:2] in ("0x", "0X") else 10)
    return float(text) if DECIMAL.fullmatch(text) else None


def _fixed(pickle: Pickle, number: int | float, look: Look) -> Iterator[list[int]]:
    """The opcodes of fixed length that hold it, looked for by their bytes."""
    stream = pickle.code
    spelled = _spelled(number)
    if not spelled:
        return
    pattern = re.compile(b"|".join(spelled), re.DOTALL)
    at = stream.start
    while at < stream.stop:
        look.step()
        block = stream.source.read(at, min(BLOCK + 8, stream.stop - at))
        places = np.fromiter((match.start() for match in pattern.finditer(block)), dtype=np.int64)
        places = places[places < BLOCK] + at
        rows = np.searchsorted(stream.offsets, places, side="right") - 1
        rows = rows[stream.offsets[rows] == places]
        if len(rows):
            yield rows.tolist()
        at += BLOCK


def _spelled(number: int | float) -> list[bytes]:
    """The opcodes of fixed length that put a number, with their arguments, as expressions."""
    if isinstance(number, int):
        fitting = [(code(name), form) for name, form, low, high in _FIXED if low <= number < high]
        return [_put(byte, re.escape(struct.pack(form, number))) for byte, form in fitting]
    if math.isnan(number):
        return [_put(_BINFLOAT, _NAN)]
    same = (0.0, -0.0) if number == 0 else (number,)
    return [_put(_BINFLOAT, re.escape(struct.pack(">d", one))) for one in same]


def _put(opcode: int, argument: bytes) -> bytes:
    """An opcode before its argument; what looks so in another argument hides no opcode that begins in it."""
    return re.escape(bytes([opcode])) + b"(?=" + argument + b")"


def _read(pickle: Pickle, number: int | float, look: Look) -> Iterator[list[int]]:
    """Those of the other opcodes of numbers that hold it, read one by one."""
    stream = pickle.code
    for first in range(0, len(stream), BLOCK):
        rows = np.flatnonzero(_OTHERS[stream.codes[first : first + BLOCK]]).astype(np.int64) + first
        rows = rows[stream.offsets[rows + 1] - stream.offsets[rows] <= LONGEST]
        for at in range(0, len(rows), AT_ONCE):
            look.step()
            found = [row for row in rows[at : at + AT_ONCE].tolist() if _same(stream.argument(row), number)]
            if found:
                yield found


def _same(held: object, number: int | float) -> bool:
    return type(held) is type(number) and (held == number or (held != held and number != number))


def _hit(document: Document, pickle: Pickle, row: int) -> Hit:
    text, place = str(pickle.code.argument(row)), ValueRef(pickle.index, row)
    return Hit(NUMBER, text, 0, len(text), document.index, opcode=place, source=pickle.place)
