"""Draws cells: icon, pieces, chips. Made for whole tables at each scroll, so all that can be known before is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QGuiApplication, QPainter

from viewer.ui.directions import RIGHT_TO_LEFT_MARK
from viewer.ui.theme import RegionColors, Theme, pixmap
from viewer.ui.widgets.marked import SHORTENED, draw_marked, fitting

if TYPE_CHECKING:
    from viewer.ui.models.cells import Cell, Piece

MARGIN = 8
ICON = 16
GAP = 6
PAD = 5
LEAD = 2
BAR = 40
THICK = 6
FILLED = "float32"
LOST = "gap"
"""Kinds of regions whose colours a bar has."""
MOST_KEPT = 4096
"""Texts of a font whose widths and cut forms are kept; full, they are begun anew."""

LINES = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
MODES = {
    "end": Qt.TextElideMode.ElideRight,
    "middle": Qt.TextElideMode.ElideMiddle,
    "start": Qt.TextElideMode.ElideLeft,
}

Place = tuple[int, int, int, int]
"""Left, top, width, height. Thousands are made for each scroll, and a QRect costs more than what is done with it."""


def _runs(pieces: tuple[Piece, ...]) -> list[list[Piece]]:
    """Pieces by what they belong to: an argument to its opcode, code to the code before it."""
    runs: list[list[Piece]] = []
    for piece in pieces:
        if piece.role in ("argument", "code") and runs:
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return runs


@dataclass(slots=True, eq=False)
class _Face:
    """A font as it is measured. `advance`: of each letter of ASCII, 0 where they differ; `dots`: of the ellipsis."""

    font: QFont
    metrics: QFontMetrics
    advance: float
    dots: float
    ascent: int
    height: int
    widths: dict[str, int] = field(default_factory=dict)
    cuts: dict[tuple[str, str, int], str] = field(default_factory=dict)

    def width(self, text: str) -> int:
        """Pixels of a text, one more than its letters: in exactly its own width it would be cut."""
        if self.advance and text.isascii():
            return ceil(len(text) * self.advance) + 1
        found = self.widths.get(text)
        if found is None:
            if len(self.widths) >= MOST_KEPT:
                self.widths.clear()
            found = self.widths[text] = self.metrics.horizontalAdvance(text) + 1
        return found

    def cut(self, text: str, where: str, room: int) -> str:
        """What there is room for of a text that does not fit, cut at its "end", "middle" or "start"."""
        if self.advance and where == "end" and text.isascii():
            if len(text) * self.advance <= room:
                return text
            return text[: int((room - self.dots) / self.advance)] + SHORTENED if room >= self.dots else ""
        key = (text, where, room)
        found = self.cuts.get(key)
        if found is None:
            if len(self.cuts) >= MOST_KEPT:
                self.cuts.clear()
            found = self.cuts[key] = self.metrics.elidedText(text, MODES[where], max(room, 1))
        return found


class CellPainter:
    """Colours, fonts and sizes of one theme. A text that does not fit is cut where its piece says."""

    def __init__(self, theme: Theme) -> None:
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.begin()
        self._faces: dict[int, _Face] = {}
        self._colors: dict[str, QColor] = {}
        self._regions: dict[str, RegionColors] = {}
        self._icon, self._gap, self._pad = theme.px(ICON), theme.px(GAP), theme.px(PAD)
        self._long, self._thick = theme.px(BAR), theme.px(THICK)
        self.margin = theme.px(MARGIN)

    def begin(self) -> None:
        """Another painter comes, or one whose state was changed."""
        self._font: QFont | None = None
        self._ink: QColor | None = None
        self._direction: Qt.LayoutDirection | None = None
        self._spoken = QGuiApplication.layoutDirection()

    def width(self, piece: Piece) -> int:
        """Pixels that the text of a piece takes."""
        return self._face(piece).width(piece.text)

    def wanted(self, cell: Cell) -> int:
        """The width of a cell that cuts nothing."""
        pieces = sum(self.width(piece) + (2 * self._pad if piece.chip else 0) + self._gap for piece in cell.pieces)
        before = (self._icon + self._gap if cell.icon else 0) + (self._long + self._gap if cell.share >= 0 else 0)
        return 2 * self.margin + before + pieces

    def draw(
        self,
        painter: QPainter,
        cell: Cell,
        place: Place,
        first_margin: int,
        *,
        solid: bool = False,
        mirrored: bool = False,
    ) -> None:
        """Draw a cell in its place. `solid`: its row is chosen and has the keyboard. `mirrored`: from right to left."""
        if mirrored:
            self._draw_mirrored(painter, cell, place, first_margin, solid=solid)
            return
        left, top, width, height = place
        right = left + width - self.margin
        left += first_margin
        if cell.icon:
            role = "on_selection" if solid else cell.icon_color
            image = pixmap(self.theme, cell.icon, role, ICON, painter.device().devicePixelRatioF())
            # The row in the middle of an even height is the one above.
            middle = top + (height - 1) // 2
            painter.drawPixmap(QRect(left, middle - self._icon // 2 + 1, self._icon, self._icon), image)
            left += self._icon + self._gap
        if cell.share >= 0:
            left += self._bar(painter, cell, left, top + height // 2, solid=solid) + self._gap
        if cell.right:
            taken = sum([self.width(piece) for piece in cell.pieces])
            left = max(left, right - taken - self._gap * (len(cell.pieces) - 1))
        for piece in cell.pieces:
            face = self._face(piece)
            wanted = face.width(piece.text)
            if piece.role:
                left -= self._gap if piece.role == "argument" else self._gap + 1 if piece.role == "code" else 0
            room = right - left
            if room <= 4 or (piece.whole and wanted > room):
                return
            left += self._piece(painter, piece, face, (left, top, wanted, height), room, solid=solid) + self._gap

    def _draw_mirrored(self, painter: QPainter, cell: Cell, place: Place, first_margin: int, *, solid: bool) -> None:
        """As `draw`, the icon at the right. Pieces that are one text of the file keep their order among themselves."""
        left, top, width, height = place
        right = left + width - first_margin
        left += self.margin
        if cell.icon:
            right -= self._icon
            image_place = QRect(right, top + (height - 1) // 2 - self._icon // 2 + 1, self._icon, self._icon)
            role = "on_selection" if solid else cell.icon_color
            painter.drawPixmap(
                image_place, pixmap(self.theme, cell.icon, role, ICON, painter.device().devicePixelRatioF())
            )
            right -= self._gap
        for run in _runs(cell.pieces):
            start = self._run(painter, run, (left, top, right - left, height), solid=solid)
            if start == right or start - self._gap - left <= 4:
                return
            right = start - self._gap

    def _run(self, painter: QPainter, run: list[Piece], place: Place, *, solid: bool) -> int:
        """Draw pieces that belong together, left to right, at the right of a place; gives where they begin."""
        left, top, width, height = place
        room, taken = width, []
        for piece in run:
            pads = 2 * self._pad if piece.chip else 0
            wanted = self._face(piece).width(piece.text)
            if room - pads <= 4 or (piece.whole and wanted + pads > room):
                break
            taken.append((piece, wanted, room))
            room -= min(wanted + pads, room)
        at = left + room
        for piece, wanted, there in taken:
            at += self._piece(painter, piece, self._face(piece), (at, top, wanted, height), there, solid=solid)
        return left + room

    def _piece(self, painter: QPainter, piece: Piece, face: _Face, place: Place, room: int, *, solid: bool) -> int:
        """Draw one piece, `place` as wide as it wants to be, where there is `room`; gives the width that it took."""
        left, top, wanted, height = place
        if piece.chip:
            pad = self._pad
            taken = min(wanted, max(room - 2 * pad, 0))
            region = self._region(piece.chip)
            ink = region.text
            self._ground(painter, piece.role, region, (left, top + 4, taken + 2 * pad, height - 8))
        else:
            pad, taken = 0, min(wanted, room)
            ink = self._color("on_selection" if solid else piece.color)
        # A value is code, unless the program has words for it, which are marked where they begin with a name.
        self._take_up(
            painter, face.font, ink, left_to_right=piece.mono and not piece.text.startswith(RIGHT_TO_LEFT_MARK)
        )
        left += pad
        if piece.mark[1] > piece.mark[0]:
            shown, mark = fitting(piece.text, piece.mark, face.metrics, taken)
            draw_marked(painter, QRect(left, top, taken, height), shown, mark, self.theme, ink)
            return taken + 2 * pad
        text = piece.text if wanted <= taken else face.cut(piece.text, piece.cut, taken)
        if text.isprintable() and (piece.mono or text.isascii()):
            painter.drawText(left, top + (height - face.height) // 2 + face.ascent, text)
        else:
            painter.drawText(QRect(left, top, taken, height), LINES, text)
        return taken + 2 * pad

    def _bar(self, painter: QPainter, cell: Cell, left: int, middle: int, *, solid: bool) -> int:
        """Draw the bar of a share, what is lost of it hatched; gives its width."""
        top = middle - self._thick // 2
        painter.fillRect(left, top, self._long, self._thick, self._color("passive" if solid else "track"))
        ink = self._color("on_selection") if solid else self._region(FILLED).line
        # What is there at all is to be seen.
        filled = max(round(cell.share * self._long), 1) if cell.share > 0 else 0
        lost = min(max(round(cell.lost * self._long), 1), filled) if cell.lost > 0 else 0
        painter.fillRect(left, top, filled - lost, self._thick, ink)
        if lost:
            self._hatch(painter, self._region(LOST), (left + filled - lost, top, lost, self._thick))
        return self._long

    def _hatch(self, painter: QPainter, colors: RegionColors, place: Place) -> None:
        """Fill a place with a ground and its pattern."""
        left, top, width, height = place
        painter.fillRect(left, top, width, height, colors.fill)
        if colors.brush is not None:
            painter.fillRect(QRect(left, top, width, height), colors.brush)

    def _take_up(self, painter: QPainter, font: QFont, ink: QColor, *, left_to_right: bool) -> None:
        """Give the painter a font and a colour, where it has others."""
        if ink is not self._ink:
            painter.setPen(ink)
            self._ink = ink
        if font is not self._font:
            painter.setFont(font)
            self._font = font
        # What the program says is written as its language is, whatever stands before it in the row.
        direction = Qt.LayoutDirection.LeftToRight if left_to_right else self._spoken
        if direction is not self._direction:
            painter.setLayoutDirection(direction)
            self._direction = direction

    def _ground(self, painter: QPainter, role: str, colors: RegionColors, place: Place) -> None:
        """What lies behind a piece: a chip, or bytes as the hex view draws them."""
        left, top, width, height = place
        if role and role != "sign":
            painter.fillRect(left, top, width, height, colors.argument_fill if role == "argument" else colors.fill)
            if role == "opcode":
                painter.fillRect(left, top, LEAD, height, colors.line)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.fill)
        painter.drawRoundedRect(left, top, width, height, 4, 4)
        if colors.brush is not None:
            painter.setBrush(colors.brush)
            painter.drawRoundedRect(left, top, width, height, 4, 4)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        self._ink = None

    def _face(self, piece: Piece) -> _Face:
        key = piece.mono + 2 * piece.bold + 4 * piece.small
        found = self._faces.get(key)
        if found is None:
            found = self._faces[key] = self._made_face(piece)
        return found

    def _made_face(self, piece: Piece) -> _Face:
        if piece.mono:
            font = self.theme.mono("small" if piece.small else "mono", bold=piece.bold)
        else:
            font = self.theme.text("small" if piece.small else "text")
            font.setBold(piece.bold)
        metrics, exact = QFontMetrics(font), QFontMetricsF(font)
        is_fixed = exact.horizontalAdvance("il") == exact.horizontalAdvance("MW")
        advance = exact.horizontalAdvance("0") if is_fixed else 0.0
        dots = exact.horizontalAdvance(SHORTENED)
        return _Face(font, metrics, advance, dots, metrics.ascent(), metrics.height())

    def _color(self, role: str) -> QColor:
        found = self._colors.get(role)
        if found is None:
            found = self._colors[role] = self.theme.color(role)
        return found

    def _region(self, kind: str) -> RegionColors:
        found = self._regions.get(kind)
        if found is None:
            found = self._regions[kind] = self.theme.region(kind)
        return found
