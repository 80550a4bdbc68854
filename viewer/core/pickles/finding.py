"""Finding opcodes by what a person types: words, all of which an opcode has to fit.

REDUCE            in capitals, or a whole name: opcodes whose name holds it
0x1F4  @1F4       the opcode that owns the byte at an offset;  0x10-0x40: all that own one of these bytes
42  -1  2.5  nan  numbers of this value, and texts that hold it;  =42: the numbers only
#5                what stores in slot 5 of the memo or reads it
hex:8002          opcodes that hold these bytes one after the other, their own byte and the length among them
uses:0x1F4        what uses the value that the opcode there makes, or the slot that it stores
anything else     opcodes whose text holds it, letters A to Z in any case;  "in quotes": with blanks, or digits
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from viewer.core.pickles.opcodes import BY_NAME, OPCODES
from viewer.core.pickles.references import Rows, distinct
from viewer.core.pickles.scanning import by_bytes, by_number, by_text
from viewer.core.pickles.uses import uses_of
from viewer.core.pickles.values import Values
from viewer.core.progress import Progress

USES: Final = "uses:"
NO_ROWS: Final = np.zeros(0, dtype=np.int64)
_WORDS: Final = re.compile(r'"([^"]*)"?|(\S+)')
_OFFSET: Final = re.compile(r"(?:0[xX]|@)([0-9A-Fa-f]+)\Z")
_RANGE: Final = re.compile(r"0[xX]([0-9A-Fa-f]+)(?:-|\.\.)0[xX]([0-9A-Fa-f]+)\Z")
_NUMBER: Final = re.compile(r"=?(-?[0-9]+|-?[0-9]*\.[0-9]+(?:e-?[0-9]+)?|(?i:nan|-?inf))\Z", re.ASCII)
_SLOT: Final = re.compile(r"#([0-9]+)\Z", re.ASCII)
_HEX: Final = re.compile(r"hex:((?:[0-9A-Fa-f]{2})+)\Z")
_LONGEST_NUMBER: Final = 4_000
"""Letters: Python refuses to read more than 4,300 digits, and longer ones are looked for as text."""


class Means(StrEnum):
    """What a word asks for."""

    NAME = "name"
    OFFSET = "offset"
    NUMBER = "number"
    SLOT = "slot"
    BYTES = "bytes"
    USES = "uses"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Word:
    """One word that was typed. `start`, `stop`: the bytes of an OFFSET."""

    means: Means
    text: str
    start: int = 0
    stop: int = 0


def words_of(typed: str) -> Iterator[Word]:
    """What was typed, word by word."""
    for found in _WORDS.finditer(typed):
        quoted, bare = found.groups()
        if bare is not None:
            yield _word(bare)
        elif quoted:
            yield Word(Means.TEXT, quoted)


def _word(text: str) -> Word:
    """The meaning of a word that stands in no quotes."""
    reach = _RANGE.match(text)
    if reach is not None:
        return Word(Means.OFFSET, text, int(reach.group(1), 16), int(reach.group(2), 16))
    offset = _OFFSET.match(text.removeprefix(USES))
    if offset is not None:
        start = int(offset.group(1), 16)
        return Word(Means.USES if text.startswith(USES) else Means.OFFSET, text, start, start + 1)
    for means, form in ((Means.NUMBER, _NUMBER), (Means.SLOT, _SLOT), (Means.BYTES, _HEX)):
        found = form.match(text)
        if found is not None and (means is Means.BYTES or len(text) < _LONGEST_NUMBER):
            return Word(means, text if means is Means.NUMBER else found.group(1))
    is_name = text.upper() in BY_NAME or (text.isupper() and any(text in name for name in BY_NAME))
    return Word(Means.NAME if is_name else Means.TEXT, text.upper() if is_name else text)


def find_opcodes(values: Values, typed: str, progress: Progress, base: int = 0) -> Rows:
    """The opcodes that fit all words, in order. Raises CancelledError.

    `base`: where offset 0 of the stream's source stands in what the person sees.
    """
    words = sorted(words_of(typed), key=lambda word: word.means in (Means.TEXT, Means.BYTES, Means.NUMBER))
    found: Rows | None = None
    for word in words if len(values.code) else ():
        rows = _rows(values, word, progress, base)
        found = rows if found is None else _common(found, rows)
        if not len(found):
            break
    return NO_ROWS if found is None else found


def _rows(values: Values, word: Word, progress: Progress, base: int) -> Rows:
    """The opcodes that fit one word, in order."""
    code = values.code
    if word.means is Means.NAME:
        return np.flatnonzero(np.isin(code.codes, [byte for byte, info in OPCODES.items() if word.text in info.name]))
    if word.means is Means.OFFSET:
        return _at(values, word.start - base, word.stop - base)
    if word.means is Means.USES:
        places = _at(values, word.start - base, word.stop - base).tolist()
        return uses_of(values, places[0], progress) if places else NO_ROWS
    if word.means is Means.SLOT:
        return code.memo.rows_of(int(word.text))
    if word.means is Means.BYTES:
        return by_bytes(code, bytes.fromhex(word.text), progress)
    if word.means is Means.TEXT:
        return by_text(values, word.text, progress)
    numbers = by_number(code, word.text.removeprefix("="), progress)
    if word.text.startswith("="):
        return numbers
    return distinct(np.concatenate((numbers, by_text(values, word.text, progress))))


def _at(values: Values, start: int, stop: int) -> Rows:
    """The opcodes that own one of the bytes of the source."""
    code = values.code
    start, stop = max(start, code.start), min(stop, code.stop)
    if start >= stop:
        return NO_ROWS
    return np.arange(code.at(start), code.at(stop - 1) + 1, dtype=np.int64)


def _common(first: Rows, second: Rows) -> Rows:
    """The numbers that both have; both are in order."""
    if not len(first) or not len(second):
        return NO_ROWS
    places = np.minimum(np.searchsorted(second, first), len(second) - 1)
    found: Rows = first[second[places] == first]
    return found
