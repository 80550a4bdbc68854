"""A table of which one column is code: one line in each row, coloured, and wide enough to be read to its end."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from viewer.ui.models.cells import Cell, Piece
from viewer.ui.theme import Theme
from viewer.ui.widgets.code_colours import tokens_of
from viewer.ui.widgets.rows import RowTable

LONGEST: Final = 600
"""Letters of a line that are coloured, and that there is room for."""
MOST_KEPT: Final = 512
MARGINS: Final = 24


class CodeTable(RowTable):
    """`code`: the number of the column that takes the room.

    copied: the person asks for the text of the chosen rows.
        Signal()
    """

    copied = Signal()

    def __init__(self, theme: Theme, code: int, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._column = code
        self._letters = 0
        self.horizontalHeader().setStretchLastSection(False)

    def keep_room(self, letters: int) -> None:
        """Make the column of the code wide enough for lines of so many letters; it is never narrower than the view."""
        self._letters = min(letters, LONGEST)
        self._fit()

    def _fit(self) -> None:
        others = sum(self.columnWidth(each) for each in range(self.horizontalHeader().count()) if each != self._column)
        width = QFontMetrics(self.theme.mono()).horizontalAdvance("0" * self._letters) + self.theme.px(MARGINS)
        self.setColumnWidth(self._column, max(width, self.viewport().width() - others))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._fit()

    @override
    def event(self, event: QEvent) -> bool:
        # The window's own key for copying is of the bytes; here it is of the lines.
        if event.type() == QEvent.Type.ShortcutOverride and _copies(event):
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _copies(event):
            self.copied.emit()
        else:
            super().keyPressEvent(event)


def _copies(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Copy)


@lru_cache(maxsize=MOST_KEPT)
def code_cell(text: str) -> Cell:
    """A line of Python as a cell; lines that were asked for lately are known."""
    runs = coloured(text[:LONGEST])
    if len(text) > LONGEST:
        runs.append((text[LONGEST:], "text"))
    roles = ["", *["code"] * len(runs)]
    pieces = (Piece(part, mono=True, color=color, role=role) for (part, color), role in zip(runs, roles, strict=False))
    return Cell(tuple(pieces))


def coloured(text: str) -> list[tuple[str, str]]:
    """A line of code in runs, each with the role of its colour."""
    raw = text.encode("utf-16-le", "surrogatepass")
    found: list[tuple[str, str]] = []
    reached = 0
    # Columns and lengths count as Qt does, in units of two bytes.
    for start, length, role in next(iter(tokens_of(text)), ()):
        if start > reached:
            found.append((_units(raw, reached, start), "text"))
        part = _units(raw, start, start + length)
        # Neighbours of one colour are one run.
        found[-1:] = [(found[-1][0] + part, role)] if found and found[-1][1] == role else [*found[-1:], (part, role)]
        reached = start + length
    rest = _units(raw, reached, len(raw) // 2)
    return [*found, (rest, "text")] if rest else found


def _units(raw: bytes, start: int, stop: int) -> str:
    return raw[2 * start : 2 * stop].decode("utf-16-le", "surrogatepass")
