"""What a cell of a row shows: pieces of text, each with its voice and colour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple
from weakref import WeakMethod

from PySide6.QtCore import Qt

CELL_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Model role that gives the Cell of an index."""


class Piece(NamedTuple):
    """One run of text. `mono`: stands in the file. `chip`: region kind of the ground behind it. `color`: theme role.

    `role`: the chip is bytes as the hex view colours them, an "opcode" or its "argument", which joins it without a gap.
    Without a chip, "code" goes on with the text of the piece before it. "sign": letters that say what the colour of
    their chip says, and are no part of the text.
    `whole`: left out where it does not fit, never cut. `cut`: where it is cut else: at its "end", "middle" or "start".
    `mark`: the letters [start, stop) that were looked for; they are lit, and seen wherever the rest is cut.
    """

    text: str
    mono: bool = False
    color: str = "text"
    chip: str = ""
    bold: bool = False
    small: bool = False
    whole: bool = False
    cut: str = "end"
    role: str = ""
    mark: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class Cell:
    """Pieces from left to right; `icon` before them; `right`: numbers. The last piece is elided first.

    Never changed once it is made, and not frozen: hundreds are made for each scroll, and that takes thrice as long.
    `tooltip`: what the mouse is told, `spoken`: what a screen reader is told, instead of all pieces.
    `share`: a bar before the text is filled that far, of 1; negative: there is none. `lost`: hatched behind it, of 1.
    """

    pieces: tuple[Piece, ...] = ()
    icon: str = ""
    icon_color: str = "muted"
    right: bool = False
    bar: str = ""
    tooltip: str = ""
    spoken: str = ""
    share: float = -1.0
    lost: float = 0.0

    @property
    def text(self) -> str:
        """All pieces as one line, for copying, search and screen readers; a colour and its sign say nothing."""
        said = (piece for piece in self.pieces if not piece.text.isspace() and piece.role != "sign")
        return "".join(part for piece in said for part in ("" if piece.role == "code" else " ", piece.text))[1:]


EMPTY: Final = Cell()
"""The cell that shows nothing."""


def plain(text: str, color: str = "text") -> Cell:
    """A cell of what the program says."""
    return Cell((Piece(text, color=color),)) if text else EMPTY


def mono(text: str, color: str = "text") -> Cell:
    """A cell of what stands in the file."""
    return Cell((Piece(text, True, color),)) if text else EMPTY


def number(text: str, color: str = "text") -> Cell:
    """A cell of digits, aligned right."""
    return Cell((Piece(text, True, color),), right=True) if text else EMPTY


def weakly(method: Callable[[int, int], Cell]) -> Callable[[int, int], Cell]:
    """A pane's method for a model that the pane owns: no cycle, so both go in the order that Qt needs."""
    reference = WeakMethod(method)

    def call(row: int, column: int) -> Cell:
        bound = reference()
        return EMPTY if bound is None else bound(row, column)

    return call


def weak_words(method: Callable[[int, int], str]) -> Callable[[int, int], str]:
    """As `weakly`, for a method that gives a text."""
    reference = WeakMethod(method)

    def call(row: int, column: int) -> str:
        bound = reference()
        return "" if bound is None else bound(row, column)

    return call


def weak_test(method: Callable[[int], bool]) -> Callable[[int], bool]:
    """As `weakly`, for a method that tells whether a row can be opened."""
    reference = WeakMethod(method)

    def call(row: int) -> bool:
        bound = reference()
        return bound is not None and bound(row)

    return call
