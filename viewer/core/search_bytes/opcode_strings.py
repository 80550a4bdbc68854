"""Strings that the opcodes of pickles hold: BINUNICODE and its kin, Python 2 strings, persistent ids as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from viewer.core.pickles.opcodes import OPCODES, Form, codes
from viewer.core.pickles.positions import HEADS
from viewer.core.pickles.values import KIND_OF, Kind
from viewer.core.search_bytes.base import SEARCHING, Hits, Piece, Query
from viewer.core.search_bytes.strings import LONGEST, REACH
from viewer.core.search_bytes.text import LEAST, text_query
from viewer.core.span import Span
from viewer.core.tensors.rows import Rows as RowTexts

if TYPE_CHECKING:
    from viewer.core.document import Pickle
    from viewer.core.progress import Progress
    from viewer.core.source import ByteSource

Rows = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

AT_ONCE: Final = 2048
"""Opcodes whose texts are read in one go."""
LONG: Final = 4096
"""Bytes of a text from which on it is read by itself, a block at a time where it stands as it is."""
EVERYTHING: Final = 2**62
IS_TEXT: Final = np.isin(KIND_OF, (Kind.TEXT, Kind.STRING))
IS_TEXT[sorted(codes("PERSID"))] = True
_IS_ESCAPED: Final = np.zeros(256, np.bool_)
_IS_ESCAPED[sorted(codes("STRING UNICODE PERSID"))] = True
_ENDS: Final = np.zeros(256, np.int64)
for _opcode in OPCODES.values():
    _ENDS[_opcode.code] = int(_opcode.form in (Form.LINE, Form.LINES2))


class OpcodeStrings(Query):
    """The texts of at least `least` letters in the opcodes of some pickles, all shown in one source.

    `holding`: what stands in them, "" for any. `encoding`: of Python 2 strings. Raises QueryError.
    """

    def __init__(
        self,
        pickles: Sequence[Pickle],
        least: int = LEAST,
        holding: str = "",
        *,
        ignore_case: bool = False,
        encoding: str = "utf-8",
    ) -> None:
        self.length, self.reach, self.block = 0, REACH, EVERYTHING
        self._pickles = sorted(pickles, key=lambda pickle: pickle.shown(pickle.span()).start)
        self._least, self._ignore_case, self._encoding = least, ignore_case, encoding
        self._letters = holding.casefold() if ignore_case else holding
        self._bytes = text_query(holding, ignore_case=ignore_case) if holding else None

    @override
    def pieces(self, source: ByteSource, scope: Span, part: Span, progress: Progress) -> Iterator[Piece]:
        del source
        for pickle in self._pickles:
            shown = pickle.shown(pickle.span())
            if not len(pickle.code) or shown.stop <= part.start or shown.start >= part.stop:
                continue
            base = pickle.base or 0
            first = max(0, int(np.searchsorted(pickle.code.offsets, part.start - base, side="right")) - 1)
            last = min(len(pickle.code), int(np.searchsorted(pickle.code.offsets, part.stop - base, side="left")))
            for at in range(first, last, AT_ONCE):
                progress.step(SEARCHING, int(pickle.code.offsets[at]) + base - part.start, part.length)
                found = self._found(pickle, at, min(at + AT_ONCE, last), progress) + base
                meant = (found[:, 0] >= part.start) & (found[:, 0] < part.stop) & (found[:, 1] <= scope.stop)
                found = found[meant]
                lengths = np.minimum(found[:, 1] - found[:, 0], LONGEST).astype(np.uint32)
                searched = int(pickle.code.offsets[min(at + AT_ONCE, last)]) + base
                yield Piece(Hits(found[:, 0], lengths), min(max(searched, part.start), part.stop))
        yield Piece(Hits(lengths=np.zeros(0, np.uint32)), part.stop)

    def _found(self, pickle: Pickle, first: int, stop: int, progress: Progress) -> Rows:
        """The bytes of the texts in some opcodes, as rows of [start, stop) in the source of the stream."""
        code = pickle.code
        rows = np.flatnonzero(IS_TEXT[code.codes[first:stop]]).astype(np.int64) + first
        spans = np.stack((code.offsets[rows] + HEADS[code.codes[rows]], code.offsets[rows + 1]), axis=1)
        spans[:, 1] -= _ENDS[code.codes[rows]]
        lengths = spans[:, 1] - spans[:, 0]
        long = lengths > LONG
        kept = lengths >= self._least
        short = np.flatnonzero(kept & ~long)
        texts = RowTexts(pickle.values, self._encoding).texts(rows[short])
        read = [
            str(code.argument(row) or "") if text is None else text
            for row, text in zip(rows[short].tolist(), texts, strict=True)
        ]
        kept[short] = [self._fits(text) for text in read]
        for number in np.flatnonzero(long).tolist():
            progress.check()
            kept[number] = self._fits_long(pickle, int(rows[number]), Span(*spans[number].tolist()), progress)
        found: Rows = spans[kept]
        return found

    def _fits(self, text: str) -> bool:
        return len(text) >= self._least and self._letters in (text.casefold() if self._ignore_case else text)

    def _fits_long(self, pickle: Pickle, row: int, span: Span, progress: Progress) -> bool:
        """A text of many bytes is long enough: a letter has four of them, or ten where it is escaped."""
        if self._bytes is None:
            return True
        if _IS_ESCAPED[pickle.code.codes[row]]:
            return self._fits(str(pickle.code.argument(row) or ""))
        found = self._bytes.pieces(pickle.code.source, span, span, progress.silent())
        return any(len(piece.hits.starts) for piece in progress.each(found))
