"""Texts in pickles: the keys of dictionaries, and all others, by the opcodes that hold them.

Looked for in the bytes of the stream, not text by text. Texts that are written in escapes (STRING, UNICODE), and all
texts where a regular expression is looked for, are read one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import Final

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from viewer.core.document import Document, Pickle
from viewer.core.pickles.arguments import utf8
from viewer.core.pickles.opcodes import codes
from viewer.core.pickles.positions import HEADS
from viewer.core.pickles.values import KIND_OF, Kind
from viewer.core.search.base import BEFORE, BLOCK, KEY, LONGEST, TEXT, Found, Hit, Look, Searcher, row_of
from viewer.core.search.cases import both_cases
from viewer.core.search.roles import Mask, keys_in, named_parts
from viewer.core.search.wanted import Match, Wanted
from viewer.core.tensors.rows import Rows as RowTexts
from viewer.core.tensors.tensor import ValueRef

Rows = npt.NDArray[np.int64]

AT_ONCE: Final = 2048
AROUND: Final = 4 * (BEFORE + 2)
AFTER: Final = 4 * (LONGEST + 2)
"""Bytes before and behind a hit that are read to show it."""
_TEXTS: Final = np.isin(KIND_OF, (Kind.TEXT, Kind.STRING))
_TEXTS[sorted(codes("PERSID"))] = True
_IS_ESCAPED: Final = np.zeros(256, dtype=np.bool_)
_IS_ESCAPED[sorted(codes("STRING UNICODE PERSID"))] = True


class Texts(Searcher):
    """One hit for each opcode that holds a text in which something was found."""

    @override
    def look(self, document: Document, look: Look) -> Iterator[Found]:
        stored = {source.span.start for source in document.sources if source.span is not None}
        for pickle in document.pickles:
            if len(pickle.code):
                yield from _Stream(document, pickle, look, stored).found()


class _Stream:
    """The texts of one stream. `stored`: where the texts of sources begin, which have hits of their own."""

    def __init__(self, document: Document, pickle: Pickle, look: Look, stored: set[int]) -> None:
        self.document, self.pickle, self.search = document, pickle, look
        self.code, self.values = pickle.code, pickle.values
        self.stored = stored

    def found(self) -> Iterator[Found]:
        wanted = self.search.wanted
        if wanted.is_expression:
            yield from self._matching(self._one_by_one())
            return
        yield from self._holding(self._by_bytes(wanted))
        if _IS_ESCAPED[self.code.codes].any():
            yield from self._matching(self._one_by_one(only_escaped=True))

    def _matching(self, texts_by_row: Iterator[tuple[list[int], list[str]]]) -> Iterator[Found]:
        """The hits in blocks of opcodes and their texts."""
        for numbers, texts in texts_by_row:
            self.search.step()
            yield from self._sorted(numbers, texts)

    def _holding(self, holders: Iterator[tuple[Rows, Rows]]) -> Iterator[Found]:
        """The hits in opcodes that hold the bytes looked for, at a place; those that are not kept are counted."""
        for rows, places in holders:
            self.search.step()
            is_kept = self._kept(rows)
            if not is_kept.all():
                yield from self._counted(rows[~is_kept])
            rows, places = rows[is_kept], places[is_kept]
            if len(rows):
                texts = [self._round(row, at) for row, at in zip(rows.tolist(), places.tolist(), strict=True)]
                yield from self._sorted(rows.tolist(), texts)

    def _kept(self, rows: Rows) -> Mask:
        """Which of some opcodes are hits that are still kept."""
        if self.search.room(TEXT):
            return np.ones(len(rows), dtype=np.bool_)
        return self.keys[rows] if self.search.room(KEY) else np.zeros(len(rows), dtype=np.bool_)

    def _sorted(self, numbers: Sequence[int], texts: Sequence[str]) -> Iterator[Found]:
        """The hits of a block, keys and other texts apart."""
        keys: list[Match] = []
        others: list[Match] = []
        for at in self.search.find(texts):
            number = numbers[at.number]
            if not self.named[number] and not self._is_source(number):
                (keys if self.keys[number] else others).append(at)
        for kind, found in ((KEY, keys), (TEXT, others)):
            if found:
                yield self.search.found(kind, found, partial(self._hit, kind, numbers, texts))

    def _counted(self, rows: Rows) -> Iterator[Found]:
        """Hits of which none is kept any more."""
        rows = rows[~self.named[rows]]
        keys = int(np.count_nonzero(self.keys[rows]))
        for kind, total in ((KEY, keys), (TEXT, len(rows) - keys)):
            if total:
                yield self.search.counted(kind, total)

    @cached_property
    def keys(self) -> Mask:
        """Which opcodes make keys; not looked for where nothing was found."""
        return keys_in(self.values, self.search.step)

    @cached_property
    def named(self) -> Mask:
        """Which texts name globals, which are found as such, and whole."""
        no_names = np.zeros(len(self.code), dtype=np.bool_)
        return no_names if self.search.wanted.is_expression else named_parts(self.values)

    def _is_source(self, row: int) -> bool:
        base = self.pickle.base if self.stored else None
        return base is not None and self._start(row) + base in self.stored

    def _hit(self, kind: str, numbers: Sequence[int], texts: Sequence[str], at: Match) -> Hit:
        row = row_of(numbers, texts, at)
        place = ValueRef(self.pickle.index, row.number)
        return Hit(kind, *row[1:], self.document.index, opcode=place, source=self.pickle.place)

    # -- one by one -------------------------------------------------------------------------------

    def _one_by_one(self, *, only_escaped: bool = False) -> Iterator[tuple[list[int], list[str]]]:
        """Opcodes and their texts, in blocks; of long ones no more than an expression looks at."""
        meant = _IS_ESCAPED if only_escaped else _TEXTS
        for first in range(0, len(self.code), BLOCK):
            rows = np.flatnonzero(meant[self.code.codes[first : first + BLOCK]]) + first
            for at in range(0, len(rows), AT_ONCE):
                chosen = rows[at : at + AT_ONCE].astype(np.int64)
                yield chosen.tolist(), self._read(chosen)

    def _read(self, rows: Rows) -> list[str]:
        """The texts of opcodes; short ones are read all at once."""
        most = 4 * self.search.wanted.longest or BLOCK
        is_short = self.code.offsets[rows + 1] - self.code.offsets[rows] <= most + 16
        short = iter(RowTexts(self.values, self.search.encoding).texts(rows[is_short]))
        found: list[str] = []
        for row, fits in zip(rows.tolist(), is_short.tolist(), strict=True):
            text = next(short) if fits else self._decoded(row, self.code.source.read(self._start(row), most))
            found.append(text if text is not None else str(self.code.argument(row) or ""))
        return found

    def _start(self, row: int) -> int:
        return self.code.argument_span(row).start

    def _decoded(self, row: int, raw: bytes) -> str:
        """A part of a text's bytes."""
        if KIND_OF[self.code.codes[row]] == Kind.STRING:
            try:
                return raw.decode(self.search.encoding)
            except (UnicodeDecodeError, LookupError):
                return raw.decode("latin-1")
        return utf8(whole_letters(raw))

    # -- by bytes ---------------------------------------------------------------------------------

    def _by_bytes(self, wanted: Wanted) -> Iterator[tuple[Rows, Rows]]:
        """Opcodes whose bytes hold the letters, and the first place of these in each, in blocks."""
        needle = forms(wanted, self.search.encoding)
        source, at, last = self.code.source, self.code.start, -1
        overlap = max(4, 4 * len(wanted.text))
        while at < self.code.stop:
            self.search.step()
            block = source.read(at, min(BLOCK + overlap, self.code.stop - at))
            found = needle.places(block)
            rows, places = self._owners(found[found[:, 0] < BLOCK], at)
            fresh = rows > last
            if fresh.any():
                last = int(rows[-1])
                yield rows[fresh], places[fresh]
            at += BLOCK

    def _owners(self, found: Rows, base: int) -> tuple[Rows, Rows]:
        """The opcodes whose texts hold what was found at [start, stop) of a block, each once, and the first place."""
        code = self.code
        places = found[:, 0] + base
        rows = np.searchsorted(code.offsets, places, side="right") - 1
        meant = _TEXTS[code.codes[rows]] & ~_IS_ESCAPED[code.codes[rows]]
        meant &= found[:, 1] + base <= code.offsets[rows + 1]
        rows, places = rows[meant], places[meant]
        inside = places >= code.offsets[rows] + HEADS[code.codes[rows]]
        rows, places = rows[inside], places[inside]
        first = np.append(rows[:1] == rows[:1], rows[1:] != rows[:-1])
        return rows[first], places[first]

    def _round(self, row: int, place: int) -> str:
        """The text of an opcode, or of a long one what stands round a place."""
        span = self.code.argument_span(row)
        if span.length <= AFTER:
            return self.values.text(row, self.search.encoding) or ""
        start = max(span.start, place - AROUND)
        stop = min(span.stop, place + AFTER + 4 * len(self.search.wanted.text))
        return self._decoded(row, self.code.source.read(start, stop - start))


class Needle:
    """Letters as bytes, in each encoding that they may stand in."""

    def __init__(self, literal: bytes, pattern: re.Pattern[bytes] | None, *, lower: bool) -> None:
        self.literal, self.pattern, self.lower = literal, pattern, lower

    def places(self, block: bytes) -> Rows:
        """Where they stand in a block: [start, stop) of each place."""
        if self.pattern is not None:
            found = np.fromiter((at for match in self.pattern.finditer(block) for at in match.span()), dtype=np.int64)
            return found.reshape(-1, 2)
        if self.lower:
            block = block.lower()
        if len(self.literal) == 1:
            starts = np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == self.literal[0])
        else:
            starts = np.fromiter(_starts(block, self.literal), dtype=np.int64)
        return np.stack((starts, starts + len(self.literal)), axis=1)


def _starts(block: bytes, literal: bytes) -> Iterator[int]:
    at = block.find(literal)
    while at >= 0:
        yield at
        at = block.find(literal, at + 1)


def forms(wanted: Wanted, encoding: str) -> Needle:
    """The bytes of what is looked for."""
    text = wanted.text
    if text.isascii():
        literal = text.encode()
        return Needle(literal.lower() if wanted.ignore_case else literal, None, lower=wanted.ignore_case)
    spelled = [_spelled(text, name, wanted.ignore_case) for name in dict.fromkeys(("utf-8", encoding, "latin-1"))]
    choices = b"|".join(choice for choice in dict.fromkeys(spelled) if choice)
    return Needle(b"", re.compile(choices), lower=False)


def _spelled(text: str, encoding: str, ignore_case: bool) -> bytes:
    """A pattern for a text in an encoding; b"" where that lacks some of its letters."""
    parts: Iterable[bytes]
    try:
        parts = [re.escape(letter.encode(encoding, "surrogatepass")) for letter in text]
    except (UnicodeEncodeError, LookupError):
        return b""
    if ignore_case:
        parts = [both_cases(letter, encoding) or part for letter, part in zip(text, parts, strict=True)]
    return b"".join(parts)


def whole_letters(raw: bytes) -> bytes:
    """UTF-8 that was cut out of more, without the parts of letters at its ends."""
    first = next((at for at, byte in enumerate(raw[:3]) if byte & 0xC0 != 0x80), 0)
    for back in range(1, min(4, len(raw) - first) + 1):
        byte = raw[-back]
        if byte & 0xC0 == 0x80:
            continue
        length = 1 if byte < 0x80 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
        return raw[first:] if length <= back else raw[first : len(raw) - back]
    return raw[first:]
