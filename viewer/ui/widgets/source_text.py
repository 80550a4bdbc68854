"""The text of a class with its find bar, and above it what has to be known of its origin; or words where none is."""

from __future__ import annotations

import html
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from viewer.ui.theme import Theme
from viewer.ui.widgets.code_text import CodeText, Mark
from viewer.ui.widgets.text_find import MOST_HITS, TextFind


class SourceText(QWidget):
    """The middle of the Source pane.

    wanted: these letters are to be looked for in the text that is shown; answer by `show_hits`.
        Signal(letters: str)
    """

    wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._hits: Sequence[Mark] = ()
        self._more = False
        self.bar = TextFind(theme, self)
        self.bar.hide()
        self.banner = QLabel(self)
        self.banner.hide()
        self.banner.setIndent(0)
        self.pages = QStackedWidget(self)
        self.text = CodeText(theme, self.pages)
        self.text.setAccessibleName(self.tr("Source text"))
        self.words = QLabel(self.pages)
        for label in (self.banner, self.words):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.RichText)
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.pages.addWidget(self.text)
        self.pages.addWidget(self.words)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.bar, self.banner):
            column.addWidget(widget)
        column.addWidget(self.pages, 1)
        self.bar.changed.connect(self._changed)
        self.bar.step.connect(self.step)
        self.bar.left.connect(self.leave)
        self.set_theme(theme)

    def show_text(self, text: str, title: str = "", sentence: str = "", first: int = 1) -> None:
        """Show a text whose first line has the number `first`; `title` and `sentence` are said above it."""
        self.banner.setText(paragraphs(title, sentence))
        self.banner.setVisible(bool(title))
        self.text.set_text(text, first)
        self.pages.setCurrentWidget(self.text)

    def show_words(self, title: str, sentence: str) -> None:
        """Say why there is no text."""
        self.banner.hide()
        self.text.set_text("")
        self.words.setText(paragraphs(title, sentence))
        self.pages.setCurrentWidget(self.words)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.words.setMargin(theme.px(16))
        self.pages.setMinimumHeight(5 * QFontMetrics(theme.mono()).lineSpacing())
        ground, edge = theme.color("note_bar").name(), theme.color("note_edge").name()
        self.banner.setStyleSheet(
            f"background: {ground}; border-top: 1px solid {edge}; border-bottom: 1px solid {edge};"
            f" padding: {theme.px(8)}px {theme.px(12)}px"
        )
        self.text.set_theme(theme)
        self.bar.set_theme(theme)

    # -- finding ----------------------------------------------------------------------------------

    def ask(self) -> None:
        """Show the find bar and give it the keyboard; letters that are selected are looked for."""
        chosen = self.text.textCursor().selectedText()
        if chosen and "\u2029" not in chosen:
            self.bar.field.setText(chosen)
        self.bar.ask()
        if self.bar.field.text() and not self._hits:
            self.wanted.emit(self.bar.field.text())

    def leave(self) -> None:
        """Hide the bar; the text takes the keyboard if the bar had it."""
        had = self.bar.isAncestorOf(self.focusWidget()) if self.focusWidget() is not None else False
        self.bar.hide()
        self._set_hits(())
        if had:
            self.text.setFocus()

    def show_hits(self, hits: Sequence[Mark]) -> None:
        """What was found: at most 20,000 hits, and one more where there are more. The nearest one is shown."""
        if self.bar.isHidden():
            return
        self._set_hits(hits)
        if hits:
            self._go(bisect_left(self._hits, self.text.here()))
        else:
            self.bar.tell(0, 0)

    def step(self, step: int) -> None:
        """Go to the next hit or the one before; past the last it goes on at the first."""
        if self.bar.isHidden():
            self.ask()
        elif self._hits:
            here = self.text.here()
            after = Mark(here.line, here.column, sys.maxsize)
            self._go(bisect_right(self._hits, after) if step > 0 else bisect_left(self._hits, here) - 1)

    def _changed(self, letters: str) -> None:
        if letters:
            self.wanted.emit(letters)
        else:
            self._set_hits(())
            self.bar.tell(0, 0)

    def _set_hits(self, hits: Sequence[Mark]) -> None:
        self._hits = hits[:MOST_HITS]
        self._more = len(hits) > MOST_HITS
        self.text.set_hits(self._hits)

    def _go(self, at: int) -> None:
        at %= len(self._hits)
        self.text.choose(self._hits[at])
        self.bar.tell(at + 1, len(self._hits), more=self._more)


def paragraphs(title: str, sentence: str) -> str:
    """A bold title and a sentence, safe from markup; "" for none."""
    below = f"<br>{html.escape(sentence)}" if sentence else ""
    return f"<b>{html.escape(title)}</b>{below}" if title else ""
