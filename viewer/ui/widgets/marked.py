"""A line of text in which what was looked for is lit, wherever it stands and in whichever direction it is written."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption

if TYPE_CHECKING:
    from viewer.ui.theme import Theme

SHORTENED: Final = "…"


def fitting(text: str, mark: tuple[int, int], metrics: QFontMetrics, room: int) -> tuple[str, tuple[int, int]]:
    """What there is room for: the start of the text, or, where the mark would be cut off, what leads up to it."""
    start, stop = mark
    if metrics.horizontalAdvance(text) > room and metrics.horizontalAdvance(text[:stop] + SHORTENED) > room:
        rest = SHORTENED if stop < len(text) else ""
        first = bisect_left(
            range(1, start), -room, key=lambda at: -metrics.horizontalAdvance(SHORTENED + text[at:stop] + rest)
        )
        first = min(first + 1, start)
        if first:
            text, start, stop = SHORTENED + text[first:], start - first + 1, stop - first + 1
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(room, 1))
    return shown, (start, min(stop, len(shown)))


def draw_marked(painter: QPainter, rect: QRect, text: str, mark: tuple[int, int], theme: Theme, ink: QColor) -> None:
    """Draw a line in the painter's font, left to right, the letters of the mark on the colour of hits."""
    layout = QTextLayout(text, painter.font())
    option = QTextOption()
    option.setTextDirection(Qt.LayoutDirection.LeftToRight)
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    layout.setTextOption(option)
    # Qt counts in UTF-16.
    start, stop = (len(text[:at].encode("utf-16-le", "surrogatepass")) // 2 for at in mark)
    lit = QTextLayout.FormatRange()
    lit.start, lit.length = start, max(0, stop - start)
    look = QTextCharFormat()
    look.setForeground(theme.color("text"))
    lit.format = look
    layout.setFormats([lit])
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1e6)
    layout.endLayout()
    top = rect.top() + (rect.height() - line.height()) / 2
    painter.save()
    for run in line.glyphRuns(start, lit.length) if lit.length else ():
        box = run.boundingRect()
        ground = QRectF(rect.left() + box.left(), top, box.width(), line.height())
        painter.fillRect(ground, theme.color("hit_fill"))
        painter.fillRect(QRectF(ground.left(), ground.bottom() - 1, ground.width(), 1), theme.color("hit_line"))
    painter.setPen(ink)
    layout.draw(painter, QPointF(rect.left(), top))
    painter.restore()
