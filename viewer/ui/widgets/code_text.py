"""Python text with line numbers and colours, read-only; lines can be chosen and linked.

Characters that a text editor would hide or obey (controls, marks that turn the writing direction) are shown
as what they are. What is copied by the pane's button is the stored text, not what is shown.
"""

from __future__ import annotations

from typing import Final

from pygments.lexers.python import Python2Lexer, PythonLexer
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from typing_extensions import override

from viewer.ui.theme import Theme

LONGEST_COLOURED: Final = 400_000
BAR: Final = 3
# Marks that turn the writing direction or have no width: they make a text look like another.
HIDDEN: Final = frozenset(
    [*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF, 0x00AD, 0x061C, 0x180E]
)
ROLES: Final[tuple[tuple[_TokenType, str], ...]] = (
    (Comment, "code_comment"),
    (String, "code_string"),
    (Number, "code_number"),
    (Keyword, "code_keyword"),
    (Name.Function, "code_def"),
    (Name.Class, "code_class"),
    (Name.Builtin.Pseudo, "code_self"),
    (Name.Builtin, "code_builtin"),
    (Name.Decorator, "code_def"),
)


def visible(text: str) -> str:
    """The text with hidden characters replaced by visible ones; the number of lines stays."""
    text = text.replace("\r\n", "\n")
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible(letter) for letter in text)


def _visible(letter: str) -> str:
    number = ord(letter)
    if number < 0x20 and letter not in "\n\t":
        return chr(0x2400 + number)
    if number == 0x7F:
        return "\u2421"
    if number in HIDDEN or 0xD800 <= number < 0xE000 or 0x80 <= number < 0xA0 or number in (0x2028, 0x2029):
        return f"<U+{number:04X}>"
    return letter


class _Colours(QSyntaxHighlighter):
    """Colours by pygments' lexer, run once over the whole text."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._lines: list[list[tuple[int, int, str]]] = []
        self._formats: dict[str, QTextCharFormat] = {}
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Other colours, same roles."""
        self._formats = {}
        for _, role in ROLES:
            style = QTextCharFormat()
            style.setForeground(theme.color(role))
            self._formats[role] = style
        self.rehighlight()

    def read(self, text: str) -> None:
        """Find the tokens of a text."""
        self._lines = [[]]
        if len(text) > LONGEST_COLOURED:
            return
        old = "print " in text and "print(" not in text
        lexer = Python2Lexer(stripnl=False, ensurenl=False) if old else PythonLexer(stripnl=False, ensurenl=False)
        column = 0
        for kind, token in lexer.get_tokens(text):
            role = next((role for family, role in ROLES if kind in family), "")
            for number, part in enumerate(token.split("\n")):
                if number:
                    self._lines.append([])
                    column = 0
                if role and part:
                    self._lines[-1].append((column, _utf16(part), role))
                column += _utf16(part)

    @override
    def highlightBlock(self, text: str) -> None:
        number = self.currentBlock().blockNumber()
        if number < len(self._lines):
            for start, length, role in self._lines[number]:
                self.setFormat(start, length, self._formats[role])


def _utf16(text: str) -> int:
    """Length as Qt counts it."""
    return len(text) + sum(letter > "\uffff" for letter in text)


class CodeText(QPlainTextEdit):
    """The text.

    line_chosen: a line was clicked.
        Signal(line: int)   from 1
    """

    line_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._linked: int | None = None
        self.setReadOnly(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFrameShape(self.Shape.NoFrame)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        option = self.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        self.document().setDefaultTextOption(option)
        self.numbers = _Numbers(self)
        self._colours = _Colours(self.document(), theme)
        self.blockCountChanged.connect(self._place)
        self.updateRequest.connect(self._scroll_numbers)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.setFont(theme.mono())
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self._colours.set_theme(theme)
        self._place()
        self.viewport().update()

    def set_text(self, text: str) -> None:
        """Show another text."""
        self._linked = None
        shown = visible(text)
        self._colours.read(shown)
        self.setPlainText(shown)

    def link_line(self, line: int | None) -> None:
        """Mark a line (from 1) as the selected place and bring it into view."""
        self._linked = line
        if line is not None:
            block = self.document().findBlockByNumber(line - 1)
            cursor = self.textCursor()
            cursor.setPosition(block.position())
            first = self.firstVisibleBlock().blockNumber()
            rows = max(1, self.viewport().height() // max(1, self.fontMetrics().lineSpacing()))
            if not first <= line - 1 < first + rows - 1:
                self.verticalScrollBar().setValue(max(0, line - 1 - rows // 3))
            self.setTextCursor(cursor)
        self.viewport().update()
        self.numbers.update()

    @property
    def linked_line(self) -> int | None:
        """The line that is marked."""
        return self._linked

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            self.line_chosen.emit(self.cursorForPosition(event.position().toPoint()).blockNumber() + 1)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        top = self.top_of(self._linked) if self._linked is not None else None
        if top is not None:
            painter = QPainter(self.viewport())
            height = self._line_height()
            painter.fillRect(QRect(0, top, self.viewport().width(), height), self.theme.color("link_tint"))
            painter.end()
        super().paintEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def top_of(self, line: int | None) -> int | None:
        """Where a line starts on the screen; None when it is out of view."""
        if line is None:
            return None
        block = self.document().findBlockByNumber(line - 1)
        if not block.isValid() or not block.isVisible():
            return None
        top = round(self.blockBoundingGeometry(block).translated(self.contentOffset()).top())
        return top if -50 < top < self.viewport().height() else None

    def paint_numbers(self, event: QPaintEvent) -> None:
        """Draw the line numbers beside the text."""
        painter = QPainter(self.numbers)
        painter.fillRect(event.rect(), self.theme.color("pane"))
        painter.setFont(self.theme.mono("small"))
        block, height = self.firstVisibleBlock(), self._line_height()
        width = self.numbers.width()
        while block.isValid():
            top = round(self.blockBoundingGeometry(block).translated(self.contentOffset()).top())
            if top > event.rect().bottom():
                break
            line = block.blockNumber() + 1
            if line == self._linked:
                painter.fillRect(QRect(0, top, width, height), self.theme.color("link_tint"))
                painter.fillRect(QRect(0, top, BAR, height), self.theme.color("link_line"))
            ink = self.theme.color("text" if line == self._linked else "muted")
            painter.setPen(QColor(ink))
            flags = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            painter.drawText(QRect(0, top, width - self.theme.px(10), height), flags, str(line))
            block = block.next()
        painter.end()

    def numbers_width(self) -> int:
        """Room for the longest line number."""
        digits = max(3, len(str(self.blockCount())))
        return digits * self.fontMetrics().horizontalAdvance("0") + self.theme.px(22)

    def _line_height(self) -> int:
        return round(self.blockBoundingRect(self.document().firstBlock()).height())

    def _place(self) -> None:
        width = self.numbers_width()
        self.setViewportMargins(width, 0, 0, 0)
        inner = self.contentsRect()
        self.numbers.setGeometry(QRect(inner.topLeft(), QSize(width, inner.height())))

    def _scroll_numbers(self, rect: QRect, moved: int) -> None:
        if moved:
            self.numbers.scroll(0, moved)
        else:
            self.numbers.update(0, rect.y(), self.numbers.width(), rect.height())


class _Numbers(QWidget):
    """The column of line numbers."""

    def __init__(self, text: CodeText) -> None:
        super().__init__(text)
        self._text = text

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._text.numbers_width(), 0)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        self._text.paint_numbers(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = QPoint(0, round(event.position().y()))
        self._text.line_chosen.emit(self._text.cursorForPosition(at).blockNumber() + 1)
