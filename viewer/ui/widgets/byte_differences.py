"""All differences of two runs of bytes: where, how long, the bytes of both sides. Texts are made when drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from typing_extensions import override

from viewer.core.errors import ViewerError
from viewer.ui.models.cells import Cell, mono, number
from viewer.ui.widgets.byte_hits import as_digits
from viewer.ui.widgets.byte_list import ByteList
from viewer.ui.words import nbytes_of, offset

if TYPE_CHECKING:
    from viewer.core.source import ByteSource
    from viewer.core.span import Span

OFFSET, SIZE, HERE, THERE, OWNER = range(5)
SHOWN: Final = 8
WIDTHS: Final = (96, 90, 180, 180)


class ByteDifferences(ByteList):
    """The table of a comparison; offsets and owners are those of the first side."""

    widths = WIDTHS
    numbers = frozenset({SIZE})
    _sides: tuple[ByteSource | None, ByteSource | None] = (None, None)
    _start = 0

    @override
    def titles(self) -> tuple[str, list[str]]:
        headers = [self.tr("Offset"), self.tr("Size"), self.tr("Here"), self.tr("There"), self.tr("Owner")]
        return self.tr("Differences"), headers

    def set_sides(self, one: ByteSource | None, other: ByteSource | None, start: int) -> None:
        """Other bytes; `start`: what is added to the offsets that are shown."""
        self._sides, self._start = (one, other), start
        self.show_found(None)

    def choose(self, at: int) -> None:
        """Show the difference at an offset as the current row, telling nobody."""
        row = self.found.before(at + 1) - 1 if self.found is not None else -1
        if row >= 0:
            self.choose_row(row)

    @override
    def _cell(self, row: int, column: int) -> Cell:
        if self.found is None or row >= len(self.found):
            return Cell()
        span = self.found[row]
        if column == OFFSET:
            return mono(offset(self._start + span.start))
        if column == SIZE:
            return number(nbytes_of(span.length))
        if column == OWNER:
            return mono(self._owner(span.start), "muted")
        return mono(self._bytes(self._sides[column - HERE], span))

    def _bytes(self, source: ByteSource | None, span: Span) -> str:
        """The first bytes of a side; none where it has ended."""
        try:
            data = source.read(span.start, min(span.length, SHOWN)) if source is not None else b""
        except ViewerError:
            return ""
        return as_digits(data) + ("…" if len(data) == SHOWN < span.length else "")
