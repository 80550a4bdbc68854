"""The rows of the Search results: what was found, what it belongs to, where it stands."""

from __future__ import annotations

from typing import Final

from viewer.core.document import Document
from viewer.core.errors import SourceError
from viewer.core.search.base import GO_TO, MOST, Hit
from viewer.core.search.places import place_of, span_of
from viewer.core.source import one_line
from viewer.session.inside import name_inside
from viewer.session.stored_text import LineBytes, lines_of
from viewer.ui.models.byte_regions import owner_text
from viewer.ui.models.cells import Cell, Piece, number
from viewer.ui.words import count, hexadecimal, named, said
from viewer.wording.search import KINDS

TEXT, PLACE, OFFSET = range(3)
ICONS: Final = {
    "go-to": "goto",
    "name": "tensor",
    "record": "record",
    "key": "dict",
    "global": "class",
    "text": "text",
    "number": "number",
    "source": "source",
    "opcode": "pickle",
    "problem": "warning",
}
OPENS: Final = {
    "go-to": "hex",
    "name": "tensor",
    "record": "hex",
    "key": "opcodes",
    "global": "opcodes",
    "text": "opcodes",
    "number": "opcodes",
    "source": "source",
    "opcode": "opcodes",
    "problem": "hex",
}
"""The pane that shows a hit at its best."""


def head_cell(kind: str, listed: int, total: int, more: str) -> Cell:
    """The row of a group. `more`: said where not all hits are listed, with {0} for how many are."""
    pieces = [Piece(said(KINDS[kind]), bold=True), Piece(count(total), color="muted")]
    if total > listed >= MOST:
        pieces.append(Piece(more.format(count(listed)), color="muted"))
    return Cell(tuple(pieces))


class HitCells:
    """The cells of hits in the documents of one file. `encoding`: of Python 2 strings."""

    def __init__(self, documents: list[Document], encoding: str) -> None:
        self.documents, self.encoding = documents, encoding
        self._lines: dict[tuple[int, int], LineBytes | None] = {}

    def cell(self, hit: Hit, column: int) -> Cell:
        """One cell of a hit."""
        if hit.document >= len(self.documents):
            return Cell()
        document = self.documents[hit.document]
        if column == TEXT:
            words = (Piece(said(KINDS[GO_TO])),) if hit.kind == GO_TO else ()
            found = Piece(hit.text, mono=True, mark=(hit.start, hit.stop))
            return Cell((*words, found), icon=ICONS[hit.kind], spoken=named(said(KINDS[hit.kind]), hit.text))
        if column == PLACE:
            return self._place(document, hit)
        start = self._start(document, hit)
        return number(hexadecimal(start) if start >= 0 else "", "muted")

    def _place(self, document: Document, hit: Hit) -> Cell:
        if hit.kind == GO_TO and hit.span is not None:
            words = owner_text(document, hit.span.start, hit.source)
        else:
            words = one_line(place_of(document, hit, self.encoding))
        if hit.line:
            words = f"{words}:{hit.line}"
        pieces = [Piece(words, mono=True, color="muted", cut="start" if hit.line else "end")]
        if document.parent is not None:
            pieces.append(Piece(one_line(name_inside(document)), mono=True, color="muted", small=True))
        return Cell(tuple(piece for piece in pieces if piece.text))

    def _start(self, document: Document, hit: Hit) -> int:
        """The offset of a hit; -1 where it has none."""
        if hit.code >= 0:
            lines = self._lines_of(document, hit)
            return lines.span(hit.line).start if lines is not None and hit.line else -1
        span = span_of(document, hit)
        return span.start if span is not None else -1

    def _lines_of(self, document: Document, hit: Hit) -> LineBytes | None:
        key = (hit.document, hit.code)
        if key not in self._lines:
            try:
                self._lines[key] = lines_of(document, document.sources[hit.code])
            except SourceError:
                self._lines[key] = None
        return self._lines[key]
