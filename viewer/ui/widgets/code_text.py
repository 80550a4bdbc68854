"""Python text with line numbers and colours, read-only; lines can be chosen and linked.

Hidden characters are shown as what they are. What is copied by the pane's button is the stored text, not what is
shown. Of a long text a part is shown: `show_line` moves it, `show_all` adds the rest bit by bit, so that no text
holds the window.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget
from typing_extensions import override

from viewer.ui.measures import keep_mono
from viewer.ui.theme import Theme, pixmap
from viewer.ui.widgets.code_colours import Colours, Tokens, colours_at_once, tokens_of, utf16
from viewer.ui.widgets.hidden import visible
from viewer.ui.words import count

PART_LINES: Final = 1_000
ADDED_LINES: Final = 400
PART_LETTERS: Final = 200_000
LONGEST_LINE: Final = 10_000
BAR: Final = 3
FLAG: Final = 11


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """A piece of one line: a name, a hit. `line` from 1, `column` and `length` in characters of the stored text."""

    line: int
    column: int
    length: int


class CodeText(QPlainTextEdit):
    """The text.

    line_chosen: a line was clicked.
        Signal(line: int)   from 1
    part_changed: other lines of a long text are shown.
        Signal()
    """

    line_chosen = Signal(object)
    part_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._linked: int | None = None
        self._text = ""
        self._lines: list[str] = [""]
        self._first = self._last = 0
        self.flags: Mapping[int, str] = {}
        self.shift = 0
        self._names: Sequence[Mark] = ()
        self._hits: Sequence[Mark] = ()
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setUndoRedoEnabled(False)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFrameShape(self.Shape.NoFrame)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        option = self.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        self.document().setDefaultTextOption(option)
        self.numbers = Numbers(self)
        self._colours = Colours(self.document(), theme)
        self._rest = QTimer(self, interval=0)
        self._rest.timeout.connect(self._add_part)
        self.blockCountChanged.connect(self._place)
        self.updateRequest.connect(self._scroll_numbers)
        self.verticalScrollBar().valueChanged.connect(self._mark_hits)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        keep_mono(theme, self)
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self._colours.set_theme(theme)
        self._mark_hits()
        self._place()
        self.viewport().update()

    # -- the text and the part that is shown ------------------------------------------------------

    def set_text(self, text: str, first: int = 1) -> None:
        """Show another text, from its start. Short ones are coloured at once, others by `set_tokens`.

        `first`: the number that its first line has for people; all lines are counted from 1 here.
        """
        self._linked, self.flags, self.shift = None, {}, first - 1
        self._names = self._hits = ()
        self._colours.forget()
        if text is not self._text:
            self._text, self._lines = text, text.replace("\r\n", "\n").split("\n")
        if colours_at_once(text):
            self._colours.take_tokens(tokens_of(visible(text)))
        self._show_part(0)

    def set_tokens(self, tokens: Tokens) -> None:
        """The coloured tokens of the whole text."""
        self._colours.set_tokens(tokens)

    def set_flags(self, flags: Mapping[int, str]) -> None:
        """Mark lines with the icons of severities."""
        self.flags = flags
        self.numbers.update()

    @property
    def lines(self) -> Sequence[str]:
        """All lines, without their ends."""
        return self._lines

    @property
    def line_count(self) -> int:
        """Lines of the whole text."""
        return len(self._lines)

    @property
    def part(self) -> tuple[int, int]:
        """The first and the last line, from 1, that the scroll bar reaches."""
        return self._first + 1, self._last

    @property
    def is_whole(self) -> bool:
        """True when all lines are there."""
        return self._first == 0 and self._last == len(self._lines)

    @property
    def is_adding(self) -> bool:
        """True while the rest is being added."""
        return self._rest.isActive()

    def show_all(self) -> None:
        """Add all lines that are not there yet, a part at a time while the window is idle."""
        if self._first:
            self._show_part(0)
        if not self.is_whole:
            self._rest.start()

    def show_line(self, line: int) -> None:
        """Bring a line, from 1, into view."""
        if not self._first < line <= self._last and 0 < line <= len(self._lines):
            self._show_part(max(0, line - 1 - PART_LINES // 4))
        number = line - 1 - self._first
        rows = max(1, self.viewport().height() // max(1, self.fontMetrics().lineSpacing()))
        if not self.firstVisibleBlock().blockNumber() <= number < self.firstVisibleBlock().blockNumber() + rows - 1:
            self.verticalScrollBar().setValue(max(0, number - rows // 3))

    def _show_part(self, first: int) -> None:
        self._rest.stop()
        self._first = self._colours.first = first
        self._last, text = self._taken(first)
        self.setPlainText(text)
        self._set_names()
        self._mark_hits()
        self.part_changed.emit()

    def _add_part(self) -> None:
        first = self._last
        self._last, text = self._taken(first, ADDED_LINES)
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText("\n" + text)
        if self.is_whole:
            self._rest.stop()
            self._set_names()
        self.part_changed.emit()

    def _taken(self, first: int, most: int = PART_LINES) -> tuple[int, str]:
        """Lines from `first` on while they are few enough: the number of the line after them, and their text."""
        found: list[str] = []
        letters = 0
        for line in self._lines[first : first + most]:
            found.append(_cut(line))
            letters += len(found[-1])
            if letters > PART_LETTERS:
                break
        return first + len(found), visible("\n".join(found))

    # -- places -----------------------------------------------------------------------------------

    @property
    def linked_line(self) -> int | None:
        """The line that is marked."""
        return self._linked

    def link_line(self, line: int | None) -> None:
        """Mark a line (from 1) as the selected place and bring it into view."""
        self._linked = line
        if line is not None:
            self.show_line(line)
            cursor = self.textCursor()
            if cursor.blockNumber() != line - 1 - self._first:
                cursor.setPosition(self.document().findBlockByNumber(line - 1 - self._first).position())
            bar, at = self.verticalScrollBar(), self.verticalScrollBar().value()
            self.setTextCursor(cursor)
            bar.setValue(at)
        self.viewport().update()
        self.numbers.update()

    def line_of_block(self, number: int) -> int:
        """The line, from 1, of a block that is shown."""
        return self._first + number + 1

    def here(self) -> Mark:
        """Where the cursor stands or its selection begins, in characters of the stored text."""
        cursor = self.textCursor()
        block = self.document().findBlock(cursor.selectionStart())
        line = self.line_of_block(block.blockNumber())
        shown = cursor.selectionStart() - block.position()
        stored = self._lines[line - 1] if line <= len(self._lines) else ""
        if stored.isascii() and stored.isprintable():
            return Mark(line, shown, 0)
        columns = range(min(len(stored), shown) + 1)
        return Mark(line, bisect_left(columns, shown, key=lambda at: utf16(visible(stored[:at]))), 0)

    def set_names(self, names: Iterable[Mark]) -> None:
        """Underline names."""
        self._names = sorted(names)
        self._set_names()

    def set_hits(self, hits: Sequence[Mark]) -> None:
        """Mark what was found; sorted."""
        self._hits = hits
        self._mark_hits()

    def choose(self, mark: Mark) -> None:
        """Bring a mark into view and select its letters."""
        self.show_line(mark.line)
        self.setTextCursor(self._cursor_of(mark))

    def _set_names(self) -> None:
        names = self._names[bisect_left(self._names, Mark(self._first + 1, 0, 0)) :]
        shown = (mark for mark in names[:PART_LINES] if mark.line <= self._last)
        self._colours.set_names((mark.line - 1, *self._columns(mark)) for mark in shown)

    def _columns(self, mark: Mark) -> tuple[int, int]:
        """Column and length of a mark as Qt counts them in the visible text."""
        line = self._lines[mark.line - 1]
        column = utf16(visible(line[: mark.column]))
        return column, utf16(visible(line[mark.column : mark.column + mark.length]))

    def _cursor_of(self, mark: Mark) -> QTextCursor:
        block = self.document().findBlockByNumber(mark.line - 1 - self._first)
        column, length = self._columns(mark)
        cursor = QTextCursor(block)
        last = block.position() + block.length() - 1
        cursor.setPosition(min(block.position() + column, last))
        cursor.setPosition(min(block.position() + column + length, last), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _mark_hits(self) -> None:
        """Fill the ground of the hits that can be seen."""
        found: list[QTextEdit.ExtraSelection] = []
        if self._hits:
            first = self.line_of_block(self.firstVisibleBlock().blockNumber())
            rows = self.viewport().height() // max(1, self.fontMetrics().lineSpacing()) + 2
            low = bisect_left(self._hits, Mark(first, 0, 0))
            high = bisect_left(self._hits, Mark(min(first + rows, self._last + 1), 0, 0))
            for mark in self._hits[low : min(high, low + PART_LINES)]:
                one = QTextEdit.ExtraSelection()
                one.cursor = self._cursor_of(mark)
                one.format.setBackground(self.theme.color("hit_fill"))
                found.append(one)
        if found or self.extraSelections():
            self.setExtraSelections(found)

    # -- Qt ---------------------------------------------------------------------------------------

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            block = self.cursorForPosition(event.position().toPoint()).blockNumber()
            self.line_chosen.emit(self.line_of_block(block))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.line_chosen.emit(self.here().line)
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        top = self.top_of(self._linked) if self._linked is not None else None
        if top is not None:
            painter = QPainter(self.viewport())
            painter.fillRect(QRect(0, top, self.viewport().width(), self.line_height()), self.theme.color("link_tint"))
            painter.end()
        super().paintEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
        self._mark_hits()

    def top_of(self, line: int) -> int | None:
        """Where a line starts on the screen; None when it is out of view."""
        block = self.document().findBlockByNumber(line - 1 - self._first)
        if not block.isValid() or not block.isVisible():
            return None
        top = round(self.blockBoundingGeometry(block).translated(self.contentOffset()).top())
        return top if -50 < top < self.viewport().height() else None

    def line_height(self) -> int:
        """Height of a line on the screen."""
        return round(self.blockBoundingRect(self.document().firstBlock()).height())

    def _place(self) -> None:
        width = self.numbers.wanted_width()
        self.setViewportMargins(width, 0, 0, 0)
        inner = self.contentsRect()
        self.numbers.setGeometry(QRect(inner.topLeft(), QSize(width, inner.height())))

    def _scroll_numbers(self, rect: QRect, moved: int) -> None:
        if moved:
            self.numbers.scroll(0, moved)
        else:
            self.numbers.update(0, rect.y(), self.numbers.width(), rect.height())


def _cut(line: str) -> str:
    """A line of a length that can be laid out at once."""
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} \u2026 {count(len(line) - LONGEST_LINE)} more"


class Numbers(QWidget):
    """The column of line numbers, a child of the text that it counts. A click on a number chooses the line."""

    def __init__(self, text: CodeText) -> None:
        super().__init__(text)
        self._text = text

    def wanted_width(self) -> int:
        """Room for the longest line number."""
        digits = max(3, len(str(self._text.line_count + self._text.shift)))
        return digits * self._text.fontMetrics().horizontalAdvance("0") + self._text.theme.px(24)

    @override
    def sizeHint(self) -> QSize:
        return QSize(self.wanted_width(), 0)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        text, theme = self._text, self._text.theme
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        painter.fillRect(event.rect(), theme.color("pane"))
        painter.setFont(theme.mono("small"))
        block, height = text.firstVisibleBlock(), text.line_height()
        while block.isValid():
            top = round(text.blockBoundingGeometry(block).translated(text.contentOffset()).top())
            if top > event.rect().bottom():
                break
            self._paint_number(painter, block, QRect(0, top, self.width(), height))
            block = block.next()
        painter.end()

    def _paint_number(self, painter: QPainter, block: QTextBlock, place: QRect) -> None:
        theme, line = self._text.theme, self._text.line_of_block(block.blockNumber())
        if linked := line == self._text.linked_line:
            painter.fillRect(place, theme.color("link_tint"))
            painter.fillRect(QRect(0, place.top(), BAR, place.height()), theme.color("link_line"))
        painter.setPen(theme.color("text" if linked else "muted"))
        flags = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(place.adjusted(0, 0, -theme.px(10), 0), flags, str(line + self._text.shift))
        severity, side = self._text.flags.get(line, ""), theme.px(FLAG)
        if severity:
            image = pixmap(theme, severity, severity, FLAG, self.devicePixelRatioF())
            painter.drawPixmap(QRect(BAR, place.center().y() - side // 2 + 1, side, side), image)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        block = self._text.cursorForPosition(QPoint(0, round(event.position().y()))).blockNumber()
        self._text.line_chosen.emit(self._text.line_of_block(block))
