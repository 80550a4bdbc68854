"""Draws cells: icon, pieces, chips. Made for whole tables at each scroll, so all that can be known before is kept."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter

from viewer.ui.models.cells import Cell, Piece
from viewer.ui.theme import RegionColors, Theme, pixmap
from viewer.ui.widgets.marked import draw_marked, fitting

MARGIN = 8
ICON = 16
GAP = 6
PAD = 5
LEAD = 2
LINES = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
MODES = {
    "end": Qt.TextElideMode.ElideRight,
    "middle": Qt.TextElideMode.ElideMiddle,
    "start": Qt.TextElideMode.ElideLeft,
}


class _Face(NamedTuple):
    """A font as it is measured. `advance`: of each letter of ASCII, 0 where they differ."""

    font: QFont
    metrics: QFontMetrics
    advance: float
    ascent: int
    height: int


def cut(piece: Piece, metrics: QFontMetrics, room: int) -> str:
    """What there is room for of a piece."""
    return metrics.elidedText(piece.text, MODES[piece.cut], max(room, 1))


class CellPainter:
    """Colours, fonts and sizes of one theme. A text that does not fit is cut where its piece says."""

    def __init__(self, theme: Theme) -> None:
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.begin()
        self._faces: dict[tuple[bool, bool, bool], _Face] = {}
        self._colors: dict[str, QColor] = {}
        self._regions: dict[str, RegionColors] = {}
        self._icon, self._gap, self._pad = theme.px(ICON), theme.px(GAP), theme.px(PAD)
        self.margin = theme.px(MARGIN)

    def begin(self) -> None:
        """Another painter comes, or one whose state was changed."""
        self._font: QFont | None = None
        self._is_left_to_right = False

    def width(self, piece: Piece) -> int:
        """Pixels that a piece takes, one more than its letters: in exactly its own width it would be cut."""
        face = self._face(piece)
        if face.advance and piece.text.isascii():
            return ceil(len(piece.text) * face.advance) + 1
        return face.metrics.horizontalAdvance(piece.text) + 1

    def wanted(self, cell: Cell) -> int:
        """The width of a cell that cuts nothing."""
        pieces = sum(self.width(piece) + (2 * self._pad if piece.chip else 0) + self._gap for piece in cell.pieces)
        return 2 * self.margin + (self._icon + self._gap if cell.icon else 0) + pieces

    def draw(self, painter: QPainter, cell: Cell, rect: QRect, first_margin: int, *, solid: bool = False) -> None:
        """Draw a cell in its rectangle. `solid`: its row is chosen and has the keyboard."""
        left, right = rect.left() + first_margin, rect.right() + 1 - self.margin
        if cell.icon:
            role = "on_selection" if solid else cell.icon_color
            image = pixmap(self.theme, cell.icon, role, ICON, painter.device().devicePixelRatioF())
            painter.drawPixmap(QRect(left, rect.center().y() - self._icon // 2 + 1, self._icon, self._icon), image)
            left += self._icon + self._gap
        widths = [self.width(piece) for piece in cell.pieces]
        if cell.right:
            left = max(left, right - sum(widths) - self._gap * (len(widths) - 1))
        for piece, width in zip(cell.pieces, widths, strict=True):
            left -= self._gap if piece.role == "argument" else self._gap + 1 if piece.role == "code" else 0
            room = right - left
            if room <= 4 or (piece.whole and width > room):
                return
            left += self._piece(painter, piece, QRect(left, rect.top(), width, rect.height()), room, solid=solid)
            left += self._gap

    def _piece(self, painter: QPainter, piece: Piece, rect: QRect, room: int, *, solid: bool) -> int:
        """Draw one piece where there is `room`; gives the width that it took."""
        face, pad, width = self._face(piece), 0, rect.width()
        if piece.chip:
            pad = self._pad
            room = max(room - 2 * pad, 0)
            taken = min(width, room)
            ground = QRect(rect.left(), rect.top() + 4, taken + 2 * pad, rect.height() - 8)
            self._ground(painter, piece, ground)
            painter.setPen(self._region(piece.chip).text)
        else:
            taken = min(width, room)
            painter.setPen(self._color("on_selection" if solid else piece.color))
        if face.font is not self._font:
            painter.setFont(face.font)
            self._font = face.font
        if piece.mono and not self._is_left_to_right:
            painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
            self._is_left_to_right = True
        if piece.mark[1] > piece.mark[0]:
            ink = self._region(piece.chip).text if piece.chip else self._color("on_selection" if solid else piece.color)
            place = QRect(rect.left() + pad, rect.top(), taken, rect.height())
            draw_marked(painter, place, *fitting(piece.text, piece.mark, face.metrics, taken), self.theme, ink)
            return taken + 2 * pad
        text = piece.text if width <= taken else cut(piece, face.metrics, taken)
        left = rect.left() + pad
        if text.isprintable() and (piece.mono or text.isascii()):
            painter.drawText(left, rect.top() + (rect.height() - face.height) // 2 + face.ascent, text)
        else:
            painter.drawText(QRect(left, rect.top(), taken, rect.height()), LINES, text)
        return taken + 2 * pad

    def _ground(self, painter: QPainter, piece: Piece, ground: QRect) -> None:
        """What lies behind a piece: a chip, or bytes as the hex view draws them."""
        colors = self._region(piece.chip)
        if piece.role:
            painter.fillRect(ground, colors.argument_fill if piece.role == "argument" else colors.fill)
            if piece.role == "opcode":
                painter.fillRect(ground.left(), ground.top(), LEAD, ground.height(), colors.line)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.fill)
        painter.drawRoundedRect(ground, 4, 4)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _face(self, piece: Piece) -> _Face:
        key = (piece.mono, piece.bold, piece.small)
        found = self._faces.get(key)
        return found if found is not None else self._made_face(key)

    def _made_face(self, key: tuple[bool, bool, bool]) -> _Face:
        mono, bold, small = key
        if mono:
            font = self.theme.mono("small" if small else "mono", bold=bold)
        else:
            font = self.theme.text("small" if small else "text")
            font.setBold(bold)
        metrics, exact = QFontMetrics(font), QFontMetricsF(font)
        advance = (
            exact.horizontalAdvance("0") if exact.horizontalAdvance("il") == exact.horizontalAdvance("MW") else 0.0
        )
        face = self._faces[key] = _Face(font, metrics, advance, metrics.ascent(), metrics.height())
        return face

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
