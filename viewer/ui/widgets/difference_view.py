"""Two texts of a class beside each other, line by line, with what differs marked by sign, ground and underline.

Only the lines that can be seen are laid out, so the length of the texts does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget
from typing_extensions import override

from viewer.core.code.differences import ADDED, CHANGED, REMOVED, SAME, Differences, Row, Spans
from viewer.ui.measures import keep_mono
from viewer.ui.spoken import speak, tell_as, with_place
from viewer.ui.theme import Theme
from viewer.ui.widgets.code_colours import ROLES, Tokens, utf16
from viewer.ui.widgets.difference_rows import Line, Lines
from viewer.ui.widgets.hidden import visible

WIDE: Final = 620
"""Room that two columns need, beside a 13 px system font."""
LONGEST_LINE: Final = 10_000
TAB: Final = 4
SIGNS: Final = {SAME: "", CHANGED: "~", ADDED: "+", REMOVED: "\u2212"}
GROUNDS: Final = {CHANGED: "warning_bar", ADDED: "done_bar", REMOVED: "error_bar"}
EMPTY: Final = Differences((), (), ())


class DifferenceView(QAbstractScrollArea):
    """The rows of differences.

    row_chosen: a row was clicked or walked to.
        Signal(row: int)
    """

    row_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._differences = EMPTY
        self._lines = Lines(EMPTY, wide=True)
        self._tokens: tuple[Tokens, Tokens] = ((), ())
        self._longest = 0
        self._row = self._last = -1
        self._layouts: dict[tuple[int, bool], QTextLayout] = {}
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        tell_as(self, QAccessible.Role.List)
        self.setAccessibleName(self.tr("Differences"))
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.set_theme(theme)

    # -- content ----------------------------------------------------------------------------------

    def set_differences(self, differences: Differences, left: Tokens = (), right: Tokens = ()) -> None:
        """Show other rows from their start. `left`, `right`: coloured tokens of the visible texts."""
        self._differences = differences
        self._tokens = (left, right)
        self._row = self._last = -1
        self._longest = max(map(len, (*differences.left, *differences.right)), default=0)
        self._arrange()
        self.verticalScrollBar().setValue(0)
        self.horizontalScrollBar().setValue(0)

    @property
    def differences(self) -> Differences:
        """What is shown."""
        return self._differences

    @property
    def row(self) -> int:
        """The chosen row; -1: none."""
        return self._row

    @property
    def is_wide(self) -> bool:
        """True while both texts stand side by side."""
        return self._lines.wide

    def choose(self, row: int, *, extend: bool = False) -> None:
        """Mark a row and bring it into view; `extend`: mark all up to it too."""
        count = len(self._differences)
        if not count:
            return
        self._row = min(max(row, 0), count - 1)
        self._last = self._last if extend and self._last >= 0 else self._row
        self._show_line(self._lines.first_of(self._row))
        speak(self, with_place(self._said(self._row), self._row, count))
        self.viewport().update()
        self.row_chosen.emit(self._row)

    def chosen_text(self) -> str:
        """The chosen rows as a patch shows them, one line each side."""
        if self._row < 0:
            return ""
        first, last = sorted((self._row, self._last))
        found: list[str] = []
        for row in self._differences[first : last + 1]:
            if row.kind == SAME:
                found.append(f"  {self._text(row, left=True)}")
                continue
            found += [f"- {self._text(row, left=True)}"] if row.left is not None else []
            found += [f"+ {self._text(row, left=False)}"] if row.right is not None else []
        return "\n".join(found) + "\n"

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        keep_mono(theme, self)
        self._arrange()

    # -- geometry ---------------------------------------------------------------------------------

    @property
    def line_height(self) -> int:
        """Height of a line on the screen."""
        return self.fontMetrics().lineSpacing() + self.theme.px(2)

    def _gutter(self) -> int:
        """Room for a number."""
        digits = max(3, len(str(max(len(self._differences.left), len(self._differences.right)))))
        return digits * self.fontMetrics().horizontalAdvance("0") + self.theme.px(10)

    def _sign_room(self) -> int:
        return self.fontMetrics().horizontalAdvance("0") + self.theme.px(16)

    def _columns(self) -> tuple[int, int]:
        """The width of a side, and of the text in it."""
        width = self.viewport().width() // (2 if self._lines.wide else 1)
        before = self._gutter() * (1 if self._lines.wide else 2) + self._sign_room()
        return width, max(1, width - before)

    def _arrange(self) -> None:
        self._layouts.clear()
        self._lines = Lines(self._differences, wide=self.viewport().width() >= self.theme.px(WIDE))
        page = max(1, self.viewport().height() // self.line_height)
        bar = self.verticalScrollBar()
        bar.setPageStep(page)
        bar.setRange(0, max(0, len(self._lines) - page))
        _, room = self._columns()
        wanted = min(self._longest, LONGEST_LINE) * self.fontMetrics().horizontalAdvance("0")
        across = self.horizontalScrollBar()
        across.setPageStep(room)
        across.setSingleStep(self.theme.px(20))
        across.setRange(0, max(0, wanted - room + self.theme.px(16)))
        self.viewport().update()

    def _show_line(self, line: int) -> None:
        bar = self.verticalScrollBar()
        if not bar.value() <= line < bar.value() + bar.pageStep():
            bar.setValue(line - bar.pageStep() // 3)

    # -- painting ---------------------------------------------------------------------------------

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setLayoutDirection(self.layoutDirection())
        painter.fillRect(event.rect(), self.theme.color("pane"))
        height, top = self.line_height, self.verticalScrollBar().value()
        first = top + event.rect().top() // height
        last = top + event.rect().bottom() // height + 1
        if len(self._layouts) > 4 * (last - first + 50):
            self._layouts.clear()
        for number, line in self._lines.between(first, last):
            self._paint_line(painter, (number - top) * height, line)
        if self._lines.wide and len(self._lines):
            at = self._columns()[0]
            painter.fillRect(QRect(at, 0, 1, self.viewport().height()), self.theme.color("border"))
        painter.end()

    def _paint_line(self, painter: QPainter, y: int, line: Line) -> None:
        row = self._differences[line.row]
        width, _ = self._columns()
        first, last = sorted((self._row, self._last))
        chosen = self._row >= 0 and first <= line.row <= last
        for left in (True, False):
            place = QRect(0 if left or not self._lines.wide else width + 1, y, width, self.line_height)
            if (line.left if left else line.right) and not (not self._lines.wide and not left and line.left):
                self._paint_side(painter, place, line.row, row, left=left, chosen=chosen)
            elif self._lines.wide:
                painter.fillRect(place, self.theme.color("link_tint" if chosen else "sunken"))

    def _paint_side(self, painter: QPainter, place: QRect, at: int, row: Row, *, left: bool, chosen: bool) -> None:
        theme, gutter = self.theme, self._gutter()
        kind = row.kind
        if not self._lines.wide and kind == CHANGED:
            kind = REMOVED if left else ADDED
        ground = "link_tint" if chosen else GROUNDS.get(kind, "")
        if ground:
            painter.fillRect(place, theme.color(ground))
        if chosen:
            painter.fillRect(QRect(place.left(), place.top(), 3, place.height()), theme.color("link_line"))
        painter.setFont(theme.mono("small"))
        painter.setPen(theme.color("muted"))
        flags = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        numbers = [row.left if left else row.right] if self._lines.wide else [row.left, row.right]
        if not self._lines.wide and kind != SAME:
            numbers = [row.left, None] if left else [None, row.right]
        for shift, number in enumerate(numbers):
            box = QRect(place.left() + shift * gutter, place.top(), gutter, place.height())
            painter.drawText(box, flags, "" if number is None else str(number))
        sign = QRect(place.left() + len(numbers) * gutter, place.top(), self._sign_room(), place.height())
        painter.setPen(theme.color("text"))
        painter.drawText(sign, int(Qt.AlignmentFlag.AlignCenter), SIGNS[kind])
        start = sign.right() + 1
        painter.save()
        painter.setClipRect(QRect(start, place.top(), place.right() + 1 - start, place.height()))
        layout = self._layout(at, row, left=left)
        layout.draw(painter, QPointF(start - self.horizontalScrollBar().value(), place.top() + theme.px(1)))
        painter.restore()

    def _layout(self, at: int, row: Row, *, left: bool) -> QTextLayout:
        known = self._layouts.get((at, left))
        if known is not None:
            return known
        shown = visible(self._text(row, left=left))
        layout = QTextLayout(shown, self.font())
        option = QTextOption()
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        option.setTabStopDistance(TAB * self.fontMetrics().horizontalAdvance(" "))
        layout.setTextOption(option)
        number = (row.left if left else row.right) or 0
        spans = row.left_spans if left else row.right_spans
        layout.setFormats([*self._coloured(number, left=left), *self._differing(row, spans, left=left)])
        layout.beginLayout()
        layout.createLine()
        layout.endLayout()
        self._layouts[at, left] = layout
        return layout

    def _coloured(self, number: int, *, left: bool) -> list[QTextLayout.FormatRange]:
        tokens = self._tokens[0 if left else 1]
        if not 0 < number <= len(tokens):
            return []
        roles = {role for _, role in ROLES}
        found: list[QTextLayout.FormatRange] = []
        for column, length, role in tokens[number - 1]:
            if role in roles:
                style = QTextCharFormat()
                style.setForeground(self.theme.color(role))
                found.append(_range(column, length, style))
        return found

    def _differing(self, row: Row, spans: Spans, *, left: bool) -> list[QTextLayout.FormatRange]:
        """The parts of a changed line that differ, underlined."""
        text = self._text(row, left=left)
        found: list[QTextLayout.FormatRange] = []
        for start, stop in spans:
            style = QTextCharFormat()
            style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
            style.setUnderlineColor(self.theme.color("differs"))
            style.setBackground(self.theme.color("pane"))
            column = utf16(visible(text[:start]))
            found.append(_range(column, utf16(visible(text[start:stop])), style))
        return found

    def _text(self, row: Row, *, left: bool) -> str:
        number = row.left if left else row.right
        lines: Sequence[str] = self._differences.left if left else self._differences.right
        return "" if number is None else lines[number - 1][:LONGEST_LINE]

    def _said(self, row: int) -> str:
        """A row for those who hear it."""
        found = self._differences[row]
        words = {
            SAME: self.tr("same: {left}"),
            CHANGED: self.tr("changed: {left}, now {right}"),
            ADDED: self.tr("added: {right}"),
            REMOVED: self.tr("removed: {left}"),
        }[found.kind]
        return words.format(left=self._text(found, left=True), right=self._text(found, left=False))

    # -- what the person does ---------------------------------------------------------------------

    def row_at(self, y: float) -> int:
        """The row at a height of the viewport; -1 below the last."""
        line = self.verticalScrollBar().value() + int(y) // self.line_height
        return self._lines[line].row if 0 <= line < len(self._lines) else -1

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and row >= 0:
            self.choose(row, extend=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position().y())
        if event.buttons() & Qt.MouseButton.LeftButton and row >= 0 and row != self._row:
            self.choose(row, extend=True)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        page = max(1, self.verticalScrollBar().pageStep() - 1)
        last = len(self._differences) - 1
        steps: dict[int, int] = {
            Qt.Key.Key_Down: self._row + 1,
            Qt.Key.Key_Up: self._row - 1,
            Qt.Key.Key_PageDown: self._row + page,
            Qt.Key.Key_PageUp: self._row - page,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if event.key() in steps:
            self.choose(steps[event.key()], extend=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        top = self._lines[self.verticalScrollBar().value()].row if len(self._lines) else 0
        was_wide = self._lines.wide
        self._arrange()
        if was_wide != self._lines.wide:
            self.verticalScrollBar().setValue(self._lines.first_of(top))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(180), self.theme.px(60))


def _range(start: int, length: int, style: QTextCharFormat) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, length, style
    return found
