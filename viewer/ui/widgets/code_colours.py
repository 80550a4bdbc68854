"""Colours of Python text: tokens by pygments' lexer, found off the GUI thread where a text is long; names not found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from pygments.lexer import Lexer
from pygments.lexers.python import Python2Lexer, PythonLexer
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument
from typing_extensions import override

from viewer.ui.theme import Theme

LONGEST_COLOURED: Final = 400_000
LONGEST_AT_ONCE: Final = 8_000
"""Letters that are coloured without a thread, once the lexer is there: less than 10 ms."""
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
_MADE: Final[dict[type[Lexer], Lexer]] = {}
_PRINTS: Final = re.compile(r"^\s*print[ \t]+[\"'\w%]", re.MULTILINE)

Token = tuple[int, int, str]
"""Column and length, counted as Qt counts (UTF-16), and role. Columns are those of the visible text."""
Tokens = Sequence[Sequence[Token]]


def colours_at_once(text: str) -> bool:
    """True for a text that can be coloured without a thread. The first use of a lexer takes long: it makes itself."""
    return len(text) <= LONGEST_AT_ONCE and bool(_MADE)


def _lexer(text: str) -> Lexer:
    kind = Python2Lexer if _PRINTS.search(text) else PythonLexer
    if kind not in _MADE:
        _MADE[kind] = kind(stripnl=False, ensurenl=False)
    return _MADE[kind]


def tokens_of(text: str) -> Tokens:
    """The coloured tokens of a visible text, a list a line; none at all for texts that are too long."""
    if len(text) > LONGEST_COLOURED:
        return ()
    lines: list[list[Token]] = [[]]
    column = 0
    for kind, token in _lexer(text).get_tokens(text):
        role = next((role for family, role in ROLES if kind in family), "")
        for number, part in enumerate(token.split("\n")):
            if number:
                lines.append([])
                column = 0
            length = utf16(part)
            if role and part:
                lines[-1].append((column, length, role))
            column += length
    return lines


def utf16(text: str) -> int:
    """Length as Qt counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


class Colours(QSyntaxHighlighter):
    """Colours the part of a text that is shown. `first`: number of the text's line that is shown first."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self.first = 0
        self._tokens: Tokens = ()
        self._names: Mapping[int, Sequence[tuple[int, int]]] = {}
        self._formats: dict[str, QTextCharFormat] = {}
        self._theme = theme
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Other colours, same roles."""
        self._theme = theme
        self._formats = {}
        for _, role in ROLES:
            style = QTextCharFormat()
            style.setForeground(theme.color(role))
            self._formats[role] = style
        self._again()

    def forget(self) -> None:
        """Another text comes: nothing is known of it."""
        self._tokens, self._names = (), {}

    def set_tokens(self, tokens: Tokens) -> None:
        """Colour these tokens."""
        if tokens != self._tokens:
            self._tokens = tokens
            self._again()

    def take_tokens(self, tokens: Tokens) -> None:
        """Colour these tokens in the text that is set next."""
        self._tokens = tokens

    def set_names(self, names: Iterable[tuple[int, int, int]]) -> None:
        """Underline these names: line from 0, column and length as Qt counts them."""
        found: dict[int, list[tuple[int, int]]] = {}
        for line, column, length in names:
            found.setdefault(line, []).append((column, length))
        if found or self._names:
            self._names = found
            self._again()

    def _again(self) -> None:
        if self._tokens or self._names:
            self.rehighlight()

    @override
    def highlightBlock(self, text: str) -> None:
        del text
        line = self.first + self.currentBlock().blockNumber()
        if line < len(self._tokens):
            for start, length, role in self._tokens[line]:
                self.setFormat(start, length, self._formats[role])
        for start, length in self._names.get(line, ()):
            style = QTextCharFormat(self.format(start))
            style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
            style.setUnderlineColor(self._theme.color("warning"))
            self.setFormat(start, length, style)
