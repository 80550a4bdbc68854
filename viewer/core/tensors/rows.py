"""Arguments of many opcodes at once: for the thousands of calls of one shape that tensors are made by.

A row is the number of an opcode that puts a value: an atom, a global, or a read of the memo. All methods take
rows in ascending order. What stands in the memo is looked up once a slot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from viewer.core.pickles.arguments import utf8
from viewer.core.pickles.opcodes import code
from viewer.core.pickles.references import distinct
from viewer.core.pickles.values import Values
from viewer.core.source import BLOCK

T = TypeVar("T")
Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

BININT1, BININT2, BININT = code("BININT1"), code("BININT2"), code("BININT")
BINUNICODE, SHORT_BINUNICODE = code("BINUNICODE"), code("SHORT_BINUNICODE")
LONGEST: Final = 8
STEP: Final = 1 << 19
LONGEST_MATCH: Final = 4096
_LIMIT: Final = 2**63


class Rows:
    """Reads rows of one stream; `encoding` is that of Python 2 strings."""

    def __init__(self, values: Values, encoding: str = "utf-8") -> None:
        self.values = values
        self.encoding = encoding
        self.code = values.code
        self.codes = values.code.codes.data

    def matches(self, pattern: re.Pattern[bytes]) -> Numbers:
        """Where a pattern of opcodes matches: [match, group, first row and row behind the last]; -1: no part.

        Matches of more than 4,096 opcodes may be left out.
        """
        regions = (match.regs for match in self._found(pattern))
        flat = np.fromiter(chain.from_iterable(chain.from_iterable(regions)), dtype=np.int64)
        return flat.reshape(-1, pattern.groups + 1, 2)

    def _found(self, pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
        """The matches, looked for block by block: other threads cannot run while nothing is found."""
        at, count = 0, len(self.codes)
        while at < count:
            stop = at + STEP
            for match in pattern.finditer(self.codes, at, min(stop + LONGEST_MATCH, count)):
                if match.start() >= stop:
                    break
                at = match.end()
                yield match
            at = max(at, stop)

    def integers(self, rows: Numbers) -> tuple[Numbers, Flags]:
        """The ints of the rows, and which rows hold an int of 63 bits at all."""
        which = self.code.codes[rows]
        numbers = np.zeros(len(rows), dtype=np.int64)
        short = np.flatnonzero((which == BININT1) | (which == BININT2) | (which == BININT))
        valid = np.zeros(len(rows), dtype=np.bool_)
        valid[short] = True
        for part, at, data in self._windows(rows[short]):
            numbers[short[part]] = _numbers(which[short[part]], np.frombuffer(data, dtype=np.uint8), at)
        for place in np.flatnonzero(~valid).tolist():
            found = self.values.integer(self.values.resolve(int(rows[place])))
            if found is not None and -_LIMIT <= found < _LIMIT:
                numbers[place], valid[place] = found, True
        return numbers, valid

    def texts(self, rows: Numbers) -> list[str | None]:
        """The texts of the rows; None where a row holds none."""
        found = [None if raw is None else utf8(raw) for raw in self.octets(rows)]
        which = self.code.codes[rows]
        other = np.flatnonzero((which != BINUNICODE) & (which != SHORT_BINUNICODE))
        for place, text in zip(other.tolist(), self._shared_texts(rows[other]), strict=True):
            found[place] = text
        return found

    def octets(self, rows: Numbers) -> list[bytes | None]:
        """The bytes of the texts that stand in the rows themselves; None for all else."""
        which = self.code.codes[rows]
        found: list[bytes | None] = [None] * len(rows)
        plain = np.flatnonzero((which == BINUNICODE) | (which == SHORT_BINUNICODE))
        for part, at, data in self._windows(rows[plain]):
            places = plain[part]
            header = np.where(which[places] == BINUNICODE, 5, 2)
            ends = self.code.offsets[rows[places] + 1] - self.code.offsets[rows[places]] + at
            for place, start, stop in zip(places.tolist(), (at + header).tolist(), ends.tolist(), strict=True):
                found[place] = data[start:stop]
        return found

    def names(self, rows: Numbers) -> list[tuple[str, str] | None]:
        """Module and name of the globals in the rows; None where a row holds no global."""
        return _each(self.values.resolve_all(rows), self.values.global_name)

    def _shared_texts(self, rows: Numbers) -> list[str | None]:
        return _each(self.values.resolve_all(rows), lambda value: self.values.text(value, self.encoding))

    def _windows(self, rows: Numbers) -> Iterator[tuple[slice, Numbers, bytes]]:
        """Blocks of the stream's bytes: which of the rows start in it, where, and the bytes."""
        starts = self.code.offsets[rows]
        stops = self.code.offsets[rows + 1]
        first = 0
        while first < len(rows):
            base = int(starts[first])
            last = max(first + 1, int(np.searchsorted(stops, base + BLOCK, side="right")))
            data = self.code.source.read(base, int(stops[last - 1]) - base + LONGEST)
            yield slice(first, last), starts[first:last] - base, data
            first = last


def texts_of(values: Values, keys: Iterable[int], encoding: str) -> dict[int, str]:
    """The texts among some values (-1: no value), read all at once."""
    rows = distinct(np.fromiter((key for key in keys if key >= 0), dtype=np.int64))
    texts = zip(rows.tolist(), Rows(values, encoding).texts(rows), strict=True)
    return {key: text for key, text in texts if text is not None}


def _each(values: Numbers, read: Callable[[int], T]) -> list[T]:
    """What each value reads as; a value that comes again and again is read once."""
    once = {value: read(value) for value in distinct(values).tolist()}
    return [once[value] for value in values.tolist()]


def _numbers(which: npt.NDArray[np.uint8], data: npt.NDArray[np.uint8], at: Numbers) -> Numbers:
    """The arguments of BININT1, BININT2 and BININT at these places of a block."""
    wide = data.astype(np.int64)
    low = wide[at + 1]
    two = low | wide[np.minimum(at + 2, len(data) - 1)] << 8
    top = np.minimum(at + 4, len(data) - 1)
    four = two | wide[np.minimum(at + 3, len(data) - 1)] << 16 | wide[top] << 24
    four = np.where(data[top] & 0x80, four - 2**32, four)
    return np.where(which == BININT1, low, np.where(which == BININT2, two, four))
