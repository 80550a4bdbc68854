"""A column of a table that shows one line of code in each row, coloured, and cut nowhere but at its end."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from viewer.ui.theme import Theme
from viewer.ui.widgets.code_colours import tokens_of
from viewer.ui.widgets.rows import MARGIN, ROW, RowTable

LONGEST: Final = 600
"""Letters of a line that are drawn."""
MOST_KEPT: Final = 512


class CodeTable(RowTable):
    """Rows of which one column is code. `code`: the number of that column.

    copied: the person asks for the text of the chosen rows.
        Signal()
    """

    copied = Signal()

    def __init__(self, theme: Theme, code: int, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._column = code
        self._letters = 0
        self._code = CodeDelegate(theme, self)
        self.setItemDelegateForColumn(code, self._code)
        self.horizontalHeader().setStretchLastSection(False)

    def keep_room(self, letters: int) -> None:
        """Make the column of the code wide enough for lines of so many letters; it is never narrower than the view."""
        self._letters = min(letters, LONGEST)
        self._fit()

    def _fit(self) -> None:
        others = sum(self.columnWidth(each) for each in range(self.model().columnCount()) if each != self._column)
        width = QFontMetrics(self.theme.mono()).horizontalAdvance("0" * self._letters) + 2 * self.theme.px(MARGIN)
        self.setColumnWidth(self._column, max(width, self.viewport().width() - others))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._code.theme = theme
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


class CodeDelegate(QStyledItemDelegate):
    """Draws the display text of an index as Python."""

    def __init__(self, theme: Theme, table: RowTable) -> None:
        super().__init__(table)
        self.theme = theme
        self._table = table
        self._pieces: dict[str, list[tuple[str, str]]] = {}

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        text = str(index.data() or "")[:LONGEST]
        width = QFontMetrics(self.theme.mono()).horizontalAdvance(text) + 2 * self.theme.px(MARGIN)
        return QSize(width, self.theme.px(ROW))

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        solid = selected and self._table.hasFocus()
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        self._table.ground(
            painter, option.rect, selected=selected, focused=self._table.hasFocus(), hovered=hovered, first=False
        )
        font = self.theme.mono()
        metrics = QFontMetrics(font)
        painter.save()
        painter.setClipRect(option.rect)
        painter.setFont(font)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        left = option.rect.left() + self.theme.px(MARGIN)
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
        for text, role in self._coloured(str(index.data() or "")[:LONGEST]):
            if left > option.rect.right():
                break
            painter.setPen(self.theme.color("on_selection" if solid else role))
            width = metrics.horizontalAdvance(text)
            painter.drawText(QRect(left, option.rect.top(), width + 1, option.rect.height()), flags, text)
            left += width
        painter.restore()

    def _coloured(self, text: str) -> list[tuple[str, str]]:
        """A line in runs of one colour; lines that were drawn lately are known."""
        known = self._pieces.get(text)
        if known is None:
            if len(self._pieces) >= MOST_KEPT:
                self._pieces.clear()
            known = self._pieces[text] = coloured(text)
        return known


def coloured(text: str) -> list[tuple[str, str]]:
    """A line of code in runs, each with the role of its colour."""
    raw = text.encode("utf-16-le", "surrogatepass")
    found: list[tuple[str, str]] = []
    reached = 0
    # Columns and lengths count as Qt does, in units of two bytes.
    for start, length, role in next(iter(tokens_of(text)), ()):
        if start > reached:
            found.append((_units(raw, reached, start), "text"))
        found.append((_units(raw, start, start + length), role))
        reached = start + length
    rest = _units(raw, reached, len(raw) // 2)
    return [*found, (rest, "text")] if rest else found


def _units(raw: bytes, start: int, stop: int) -> str:
    return raw[2 * start : 2 * stop].decode("utf-16-le", "surrogatepass")
