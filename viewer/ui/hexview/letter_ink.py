"""Letters of several bytes, drawn once each and then laid over the cells of their bytes."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QTransform

from viewer.ui.hexview.atlas import DOT, Coverage, Face, pixels_of
from viewer.ui.hexview.marks import FLAG_BITS, Codes

if TYPE_CHECKING:
    from viewer.ui.hexview.column import Column
    from viewer.ui.hexview.texts import Letters

MOST: Final = 4096
"""Letters of one length that are kept; with more they are drawn anew."""

DOTTED_CIRCLE: Final = "\u25cc"
"""What a mark that joins a letter is shown on."""


class LetterInk:
    """The letters of one face."""

    def __init__(self, face: Face) -> None:
        self._font, self._width, self._height = face.regular, face.metrics.text, face.metrics.row
        self._slots: dict[int, dict[int, int]] = {}
        self._ink: dict[int, Coverage] = {}

    def lay(self, column: Column, letters: Letters, codes: Codes, rows: tuple[int, int]) -> None:
        """Draw the letters that begin in the rows [first, stop) of the text column over its cells.

        `codes`: of all cells, shape (rows, columns). A letter whose bytes go on in the next row stands in the first.
        """
        columns = codes.shape[1]
        low, high = np.searchsorted(letters.at, (rows[0] * columns, rows[1] * columns))
        place = letters.at[low:high] % columns
        here = low + np.flatnonzero((place >= column.shown.start) & (place < column.shown.stop))
        at, points = letters.at[here], letters.points[here]
        lengths = np.minimum(letters.lengths[here], column.shown.stop - at % columns)
        styles = codes.reshape(-1)[at] >> FLAG_BITS
        for length in np.unique(lengths):
            chosen = lengths == length
            self._lay(column, int(length), at[chosen], points[chosen], styles[chosen])

    def _lay(
        self,
        column: Column,
        length: int,
        at: npt.NDArray[np.int32],
        points: npt.NDArray[np.int32],
        styles: Codes,
    ) -> None:
        ink = self._drawn(length, points)
        letter, down, across = np.nonzero(ink)
        row, cell = np.divmod(at, column.count)
        kinds, place = np.unique(styles, return_inverse=True)
        tables = np.stack([column.tiles.inks(int(style)) for style in kinds])
        pixels = tables[place.reshape(-1)[letter], ink[letter, down, across]]
        column.strip.pixels[row[letter], down, (cell[letter] - column.shown.start) * self._width + across] = pixels

    def _drawn(self, length: int, points: npt.NDArray[np.int32]) -> Coverage:
        """Ink of letters over `length` cells: shape (letters, height, width)."""
        wanted, place = np.unique(points, return_inverse=True)
        slots = self._slots.setdefault(length, {})
        new = [point for point in wanted.tolist() if point not in slots]
        if new:
            if len(slots) + len(new) > MOST:
                slots.clear()
                new = wanted.tolist()
            made = np.stack([self._draw(letter_of(point), length * self._width) for point in new])
            kept = self._ink[length][: len(slots)] if slots else made[:0]
            self._ink[length] = np.concatenate([kept, made])
            slots |= {point: number for number, point in enumerate(new, len(slots))}
        numbers = np.array([slots[point] for point in wanted.tolist()], np.intp)
        return self._ink[length][numbers[place.reshape(-1)]]

    def _draw(self, text: str, width: int) -> Coverage:
        """One letter in the middle of its cells, narrower where it would not fit."""
        image = QImage(width, self._height, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(0)
        measured = QFontMetricsF(self._font)
        wide = max(1.0, measured.horizontalAdvance(text))
        baseline = round((self._height - measured.ascent() - measured.descent()) / 2 + measured.ascent())
        painter = QPainter(image)
        painter.setFont(self._font)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.setPen(QColor(Qt.GlobalColor.white))
        share = min(1.0, width / wide)
        painter.setTransform(QTransform.fromScale(share, 1).translate((width / share - wide) / 2, 0))
        painter.drawText(QPointF(0, baseline), text)
        painter.end()
        return (pixels_of(image) >> 24).astype(np.uint8)


def letter_of(point: int) -> str:
    """What is drawn for a code point: a dot where there is nothing to be seen."""
    letter = chr(point)
    if not letter.isprintable():
        return DOT
    return DOTTED_CIRCLE + letter if unicodedata.category(letter).startswith("M") else letter
