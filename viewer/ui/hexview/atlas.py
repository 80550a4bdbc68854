"""Ready pictures of every cell: a byte in the colours of its style, drawn once and gathered by numpy afterwards.

A view of 60 x 32 bytes is two gathers and one blit; drawing each byte by itself takes ten times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from viewer.ui.hexview.layout import Metrics
from viewer.ui.hexview.marks import FLAG_BITS, Codes
from viewer.ui.hexview.numbers import NO_BYTE
from viewer.ui.hexview.texts import ASCII, ENCODINGS, UNITS
from viewer.ui.words import hexadecimal

if TYPE_CHECKING:
    from viewer.ui.theme import Theme

Pixels = npt.NDArray[np.uint32]
Coverage = npt.NDArray[np.uint8]
Cells = npt.NDArray[np.void]

BLANK: Final = NO_BYTE
"""The value of a cell without a byte."""

VALUES: Final = BLANK + 1
LEAST_CELLS: Final = 4096
MIB: Final = 1024 * 1024
KEPT_BYTES: Final = 30 * MIB
"""What the finished cells of the hex column may take: all bytes in all kinds of regions, with their ends.

More only so that LEAST_CELLS fit. A full cache is begun anew.
"""

KEPT_SMALL: Final = 12 * MIB
"""The same of columns with narrower cells."""

BASE_PIXELS: Final = 12
DOT: Final = "·"
SPACE: Final = 2
"""Pixels between two labels while they are drawn: ink that leaves its cell is cut off."""


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """The font of the bytes at one zoom and device pixel ratio, with the lengths that follow from it."""

    regular: QFont
    bold: QFont
    metrics: Metrics


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """How the cells of one style look: background, its main colour, ink, ink of zeros and dots, bold or not.

    `more`: the inks of other classes of bytes; where there are none they have `ink`.
    """

    background: Pixels
    fill: QColor
    ink: QColor
    dim: QColor
    bold: bool
    more: tuple[QColor, ...] = ()


def face(theme: Theme, dpr: float, zoom: float = 1.0) -> Face:
    """Fonts and lengths in device pixels, after look.md section 2: row 20, cell 21, gap 7, text cell 8 at 12 px."""
    size = max(6, round(theme.mono().pixelSize() * zoom * dpr))
    regular, bold = theme.mono(), theme.mono(bold=True)
    for font in (regular, bold):
        font.setPixelSize(size)
        font.setStyleStrategy(QFont.StyleStrategy.NoSubpixelAntialias)
    measured = QFontMetricsF(regular)
    digit, unit = measured.horizontalAdvance("0"), size / BASE_PIXELS
    metrics = Metrics(
        row=max(round(20 * unit), round(measured.height())),
        cell=int(2 * digit + 6.6 * unit),
        gap=round(7 * unit),
        text=round(1.1 * digit),
        digit=digit,
        margin=round(theme.px(12) * dpr),
        between=round(14 * unit),
        header=round(theme.px(26) * dpr),
        pixel=max(1.0, dpr * theme.scale),
    )
    return Face(regular, bold, metrics)


def hex_labels() -> tuple[str, ...]:
    """What the hex column shows for each byte."""
    return tuple(hexadecimal(value, 2) for value in range(256))


@lru_cache(maxsize=len(ENCODINGS))
def text_labels(encoding: str) -> tuple[str, ...]:
    """What the text column shows for each byte: its letter, a dot where it has none that can be seen.

    Letters of several bytes are laid over them.
    """
    if encoding in UNITS:
        encoding = ASCII if UNITS[encoding] == 1 else ""
    if not encoding:
        return (DOT,) * 256
    letters = (bytes([value]).decode(encoding, "replace") for value in range(256))
    return tuple(letter if letter.isprintable() and letter != "\ufffd" else DOT for letter in letters)


def coverage(labels: tuple[str, ...], font: QFont, width: int, height: int) -> Coverage:
    """Ink of each label, centred in a cell: uint8 of shape (257, height, width), the last blank; not to be written."""
    return _coverage(labels, font.toString(), width, height)


@lru_cache(maxsize=16)
def _coverage(labels: tuple[str, ...], font_name: str, width: int, height: int) -> Coverage:
    font = QFont()
    font.fromString(font_name)
    columns, across = 16, width + 2 * SPACE
    image = QImage(across * columns, height * columns, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    measured = QFontMetricsF(font)
    baseline = round((height - measured.ascent() - measured.descent()) / 2 + measured.ascent())
    left = SPACE + (width - len(labels[0]) * measured.horizontalAdvance("0")) / 2
    painter = QPainter(image)
    painter.setFont(font)
    painter.setPen(QColor(Qt.GlobalColor.white))
    for value, label in enumerate(labels):
        painter.drawText(QPointF(value % columns * across + left, value // columns * height + baseline), label)
    painter.end()
    alpha = (pixels_of(image) >> 24).astype(np.uint8).reshape(columns, height, columns, across)
    cells = alpha.transpose(0, 2, 1, 3)[..., SPACE : SPACE + width].reshape(-1, height, width)
    return np.concatenate([cells, np.zeros((1, height, width), np.uint8)])


def pixels_of(image: QImage) -> Pixels:
    """A copy of a 32-bit image as uint32 of shape (height, width)."""
    rows = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.bytesPerLine() // 4)
    return rows[:, : image.width()].copy()


def blend(under: QColor, inks: Sequence[QColor], shares: npt.NDArray[np.integer]) -> Pixels:
    """Each ink over the ground at each share of 255: shape (inks, shares)."""
    share = shares.astype(np.uint32)

    def channel(low: int, high: list[int]) -> Pixels:
        return (low * (255 - share) + np.array(high, np.uint32)[:, None] * share + 127) // 255

    red = channel(under.red(), [ink.red() for ink in inks])
    green = channel(under.green(), [ink.green() for ink in inks])
    blue = channel(under.blue(), [ink.blue() for ink in inks])
    return (np.uint32(0xFF000000) | (red << 16) | (green << 8) | blue).astype(np.uint32)


def blend_table(under: QColor, ink: QColor) -> Pixels:
    """The 256 colours from the ground to the ink, by coverage."""
    table: Pixels = blend(under, [ink], np.arange(256))[0]
    return table


class _Drawn(NamedTuple):
    """A look with its colours by coverage."""

    look: Look
    inks: Pixels
    dims: Pixels
    more: tuple[Pixels, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """How cells end.

    `canon`: for each code the one that looks the same. `cut` cuts new cells (n, height, 1, width) at the sides where
    their codes (n, 1) have no neighbour, in place.
    """

    canon: Codes
    cut: Callable[[Pixels, Codes], None]


class Tiles:
    """Finished cells of one column, made when first asked for.

    `classes`: of each value, 0 the ink of the look, 1 the dim one, from 2 on one of `more`. `most`: cells that are
    kept, at least so many as asked for.
    """

    def __init__(
        self,
        width: int,
        ink: tuple[Coverage, Coverage],
        classes: npt.NDArray[np.integer | np.bool_],
        look: Callable[[int], Look],
        ends: Ends,
        most: int = LEAST_CELLS,
        kept: int = KEPT_BYTES,
    ) -> None:
        regular, bold = ink
        self.width = width
        self.height = regular.shape[1]
        self._ink = (regular, bold)
        self._classes = classes.astype(np.uint8)
        self._look = look
        self._looks: dict[int, _Drawn] = {}
        self.most = max(most, kept // (self.height * width * 4))
        self._pixels = np.empty((self.most, self.height, width), np.uint32)
        self._cells: Cells = self._pixels.reshape(self.most, -1).view(np.dtype((np.void, self.height * width * 4)))[
            :, 0
        ]
        self._keys = ends.canon * VALUES
        self._cut = ends.cut
        self._slots = np.full(len(ends.canon) * VALUES, -1, np.int32)
        self._count = 0

    def slots(self, codes: Codes, values: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Where in `cells` those for codes and values are, at most `most` of them; good until the next call."""
        keys = self._keys[codes]
        keys += values
        slots = self._slots[keys]
        if slots.min(initial=0) < 0:
            self._make(keys, slots)
            slots = self._slots[keys]
        return slots

    def lines_of(self, slots: npt.NDArray[np.int32]) -> Cells:
        """The cells at some slots, one item for each line of pixels: shape (*slots, height)."""
        # Whole cells are copied at once, in a fifth less time than the lines of each.
        cells = self._cells.take(slots, mode="clip")
        found: Cells = cells.view(np.dtype((np.void, self.width * 4))).reshape(*slots.shape, self.height)
        return found

    def inks(self, style: int) -> Pixels:
        """The 256 colours from the ground of a style to its ink."""
        return (self._looks.get(style) or self._prepare(style)).inks

    def _make(self, keys: npt.NDArray[np.int32], slots: npt.NDArray[np.int32]) -> None:
        wanted = np.unique(keys[slots < 0])
        if self._count + len(wanted) > self.most:
            self._slots.fill(-1)
            self._count = 0
            wanted = np.unique(keys)
        codes, values = np.divmod(wanted, VALUES)
        styles, first = codes >> FLAG_BITS, self._count
        starts = np.flatnonzero(np.diff(styles, prepend=-1))
        for start, stop in zip(starts, [*starts[1:], len(styles)], strict=True):
            self._draw(int(styles[start]), values[start:stop])
        self._cut(self._pixels[first : self._count, :, None], codes[:, None])
        self._slots[wanted] = np.arange(self._count - len(wanted), self._count, dtype=np.int32)

    def _draw(self, style: int, values: npt.NDArray[np.int32]) -> None:
        """Append the cells of one style, in the order of their values."""
        look, inks, dims, more = self._looks.get(style) or self._prepare(style)
        ink = self._ink[look.bold][values]
        target = self._pixels[self._count : self._count + len(values)]
        np.take(inks, ink, out=target)
        classes = self._classes[values]
        for number, other in enumerate((dims, *more), 1):
            members = classes == number
            if members.any() and not (look.bold and number == 1):
                target[members] = other[ink[members]]
        np.copyto(target, look.background, where=ink == 0)
        self._count += len(values)

    def _prepare(self, style: int) -> _Drawn:
        look = self._look(style)
        more = tuple(blend_table(look.fill, ink) for ink in look.more)
        drawn = _Drawn(look, blend_table(look.fill, look.ink), blend_table(look.fill, look.dim), more)
        self._looks[style] = drawn
        return drawn
