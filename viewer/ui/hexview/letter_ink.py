"""Letters of several bytes, drawn once each and then laid over the cells of their bytes."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QTransform

from viewer.ui.hexview.atlas import DOT, Coverage, Face, Pixels, Tiles, pixels_of
from viewer.ui.hexview.marks import FLAG_BITS, Codes

if TYPE_CHECKING:
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

    def lay(self, pixels: Pixels, tiles: Tiles, letters: Letters, codes: Codes, rows: slice, columns: slice) -> None:
        """Draw the letters that begin in some rows and columns over their cells: `pixels` (rows, height, width).

        `codes`: of all cells, shape (rows, columns). A letter whose bytes go on in the next row stands in the first.
        """
        width = codes.shape[1]
        low, high = np.searchsorted(letters.at, (rows.start * width, rows.stop * width))
        place = letters.at[low:high] % width
        here = low + np.flatnonzero((place >= columns.start) & (place < columns.stop))
        at, points = letters.at[here], letters.points[here]
        row, column = np.divmod(at, width)
        lengths = np.minimum(letters.lengths[here], columns.stop - column)
        styles = codes.reshape(-1)[at] >> FLAG_BITS
        for length in np.unique(lengths):
            chosen = lengths == length
            cells = row[chosen] - rows.start, column[chosen] - columns.start
            self._lay(pixels, tiles, int(length), cells, points[chosen], styles[chosen])

    def _lay(
        self,
        pixels: Pixels,
        tiles: Tiles,
        length: int,
        cells: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]],
        points: npt.NDArray[np.int32],
        styles: Codes,
    ) -> None:
        ink = self._drawn(length, points)
        letter, down, across = np.nonzero(ink)
        row, column = cells
        kinds, place = np.unique(styles, return_inverse=True)
        tables = np.stack([tiles.inks(int(style)) for style in kinds])
        colours = tables[place.reshape(-1)[letter], ink[letter, down, across]]
        pixels[row[letter], down, column[letter] * self._width + across] = colours

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
