"""All hits of a search among bytes: where each stands, what is around it, who owns it. Texts are made when drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from typing_extensions import override

from viewer.core.errors import ViewerError
from viewer.ui.models.cells import Cell, Piece, mono
from viewer.ui.widgets.byte_list import ByteList
from viewer.ui.words import offset

if TYPE_CHECKING:
    from viewer.core.search_bytes.hit_list import HitList
    from viewer.core.source import ByteSource
    from viewer.core.span import Span

OFFSET, BYTES, TEXT, OWNER = range(4)
BEFORE: Final = 4
SHOWN: Final = 16
WIDTHS: Final = (110, 250, 190)


class ByteHits(ByteList):
    """The table of a search."""

    widths = WIDTHS
    _source: ByteSource | None = None

    @override
    def titles(self) -> tuple[str, list[str]]:
        return self.tr("Hits"), [self.tr("Offset"), self.tr("Bytes"), self.tr("Text"), self.tr("Owner")]

    def show_hits(self, hits: HitList | None, source: ByteSource | None) -> None:
        """Show other hits of a source, or more of the same."""
        if hits is not self.found:
            self._source = source
        self.show_found(hits)

    def choose(self, number: int) -> None:
        """Show a hit as the current row, telling nobody."""
        self.choose_row(number)

    @override
    def _cell(self, row: int, column: int) -> Cell:
        if self.found is None or row >= len(self.found):
            return Cell()
        hit = self.found[row]
        if column == OFFSET:
            return mono(offset(hit.start))
        if column == OWNER:
            return mono(self._owner(hit.start), "muted")
        return self._around(hit, text=column == TEXT)

    def _around(self, hit: Span, *, text: bool) -> Cell:
        """The bytes of a hit between some that stand before and behind it."""
        start = max(0, hit.start - BEFORE)
        shown = min(hit.length, SHOWN - 2 * BEFORE)
        try:
            data = self._source.read(start, hit.start - start + shown + BEFORE) if self._source is not None else b""
        except ViewerError:
            data = b""
        before, inside = data[: hit.start - start], data[hit.start - start :][:shown]
        behind = data[hit.start - start + shown :] if shown == hit.length else b""
        form = as_letters if text else as_digits
        joined = "code" if text else ""
        more = "…" if shown < hit.length else ""
        pieces = [
            Piece(form(before), mono=True, color="muted"),
            Piece(form(inside) + more, mono=True, bold=True, role=joined),
            Piece(form(behind), mono=True, color="muted", role=joined),
        ]
        return Cell(tuple(piece for piece in pieces if piece.text))


def as_digits(data: bytes) -> str:
    """`80 02`."""
    return data.hex(" ").upper()


def as_letters(data: bytes) -> str:
    """ASCII, dots for the rest."""
    return "".join(chr(value) if 0x20 <= value < 0x7F else "·" for value in data)
