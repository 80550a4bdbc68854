"""All hits of a search among bytes: where each stands, what is around it, who owns it. Texts are made when drawn.

Of strings the whole text, what opcode holds it, and where that stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget
from typing_extensions import override

from viewer.core.errors import ViewerError
from viewer.core.search_bytes.text import OF_STRINGS
from viewer.core.source import one_line
from viewer.ui.models.cells import Cell, Piece, mono, number
from viewer.ui.widgets.byte_list import ByteList
from viewer.ui.words import count, offset

if TYPE_CHECKING:
    from viewer.core.search_bytes.hit_list import HitList
    from viewer.core.source import ByteSource
    from viewer.core.span import Span
    from viewer.ui.models.string_holders import Holder
    from viewer.ui.theme import Theme

OFFSET, BYTES, TEXT, OWNER = range(4)
BEFORE: Final = 4
SHOWN: Final = 16
WIDTHS: Final = (110, 250, 190)
WIDTHS_OF_STRINGS: Final = (90, 64, 230)
LONGEST: Final = 1024
"""Letters of a string that are shown and copied."""


class ByteHits(ByteList):
    """The table of a search."""

    widths: Sequence[int] = WIDTHS
    _source: ByteSource | None = None
    _letters = ""

    def __init__(
        self,
        theme: Theme,
        owner: Callable[[int], str],
        holder: Callable[[int], Holder | None],
        parent: QWidget | None = None,
    ) -> None:
        """`owner`: what owns the byte at an offset, in words; `holder`: of a string."""
        self._holder = holder
        super().__init__(theme, owner, parent)
        self._theme = theme

    @override
    def titles(self) -> tuple[str, list[str]]:
        return self.tr("Hits"), [self.tr("Offset"), self.tr("Bytes"), self.tr("Text"), self.tr("Owner")]

    @override
    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        super().set_theme(theme)

    def show_hits(self, hits: HitList | None, source: ByteSource | None, letters: str = "") -> None:
        """Show other hits of a source, or more of the same.

        `letters`: they are strings of this encoding, or those that opcodes hold; "": they are none.
        """
        if hits is not self.found:
            others, self._source, self._letters = bool(letters) != bool(self._letters), source, letters
            if others:
                self.widths = WIDTHS_OF_STRINGS if letters else WIDTHS
                self.lay_out(self._theme)
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
        if self._letters:
            return self._string(hit, column)
        if column == OWNER:
            return mono(self._owner(hit.start), "muted")
        return self._around(hit, text=column == TEXT)

    def _string(self, hit: Span, column: int) -> Cell:
        """Of a string how many bytes it has, its letters, and what holds it."""
        if column == BYTES:
            return number(count(hit.length), "muted")
        holder = self._holder(hit.start)
        if column == OWNER and holder is not None:
            pieces = [Piece(holder.name, mono=True), Piece(holder.path, mono=True, color="muted", cut="start")]
            return Cell(tuple(piece for piece in pieces if piece.text))
        if column == OWNER:
            return Cell()
        text = holder.text if holder is not None and self._letters not in OF_STRINGS else ""
        text = text or self._read(hit)
        return mono(one_line(text[:LONGEST]) + ("…" if len(text) > LONGEST or hit.length > 4 * LONGEST else ""))

    def _read(self, hit: Span) -> str:
        """The letters of a string as its bytes tell them; of a long one those that are shown."""
        encoding = self._letters if self._letters in OF_STRINGS else "utf-8"
        try:
            data = self._source.read(hit.start, min(hit.length, 4 * LONGEST)) if self._source is not None else b""
        except ViewerError:
            data = b""
        return data.decode(encoding, "replace")

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
