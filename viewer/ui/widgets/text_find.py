"""Find bar of a text: what to look for, how many hits, next and previous. It looks in no text itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget
from typing_extensions import override

from viewer.core.progress import Progress
from viewer.ui.measures import keep_lengths
from viewer.ui.theme import Theme
from viewer.ui.widgets.code_text import Mark
from viewer.ui.widgets.field_icons import clearable
from viewer.ui.widgets.labels import IconButton
from viewer.ui.words import count

FIELD: Final = 90
MOST_HITS: Final = 20_000
BLOCK: Final = 2_000
STEP: Final = 64 * 1024
"""Letters of a line that are looked at in one go: other threads can run in between."""


class TextFind(QWidget):
    """The bar.

    changed: look for another text; "" = for none.
        Signal(text: str)
    step: go to the next hit (1) or the one before (-1).
        Signal(step: int)
    left: the person is done.
        Signal()
    """

    changed = Signal(str)
    step = Signal(int)
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Find in this text"))
        clearable(self.field)
        keep_lengths(theme, self.field.setMinimumWidth, FIELD)
        self.words = QLabel(self)
        self.previous = IconButton(theme, "chevron-up", self.tr("Previous hit"), self)
        self.next = IconButton(theme, "chevron-down", self.tr("Next hit"), self)
        self.close_button = IconButton(theme, "close", self.tr("Close the bar"), self)
        row = QHBoxLayout(self)
        keep_lengths(theme, row.setContentsMargins, 12, 4, 6, 4)
        keep_lengths(theme, row.setSpacing, 6)
        for widget in (self.field, self.words, self.previous, self.next, self.close_button):
            row.addWidget(widget, 1 if widget is self.field else 0)
        self.field.textChanged.connect(self.changed)
        self.field.returnPressed.connect(lambda: self.step.emit(1))
        self.next.clicked.connect(lambda: self.step.emit(1))
        self.previous.clicked.connect(lambda: self.step.emit(-1))
        self.close_button.clicked.connect(self.left)
        self.set_theme(theme)
        self.tell(0, 0)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._colours = (theme.color("muted").name(), theme.color("error").name())
        self.field.setFont(theme.mono())
        for button in (self.previous, self.next, self.close_button):
            button.set_theme(theme)

    def ask(self) -> None:
        """Show the bar; what it held last is selected, so that typing replaces it."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def tell(self, at: int, hits: int, *, more: bool = False) -> None:
        """Which hit is shown, from 1, of how many; 0: none yet. `more`: there are more than were counted."""
        none = not hits and bool(self.field.text())
        shown = count(hits) + ("+" if more else "")
        if none:
            words = self.tr("Not found")
        elif not hits:
            words = ""
        else:
            words = self.tr("{at} of {hits}").format(at=count(at), hits=shown) if at else shown
        self.words.setText(words)
        self.words.setStyleSheet(f"color: {self._colours[none]}")
        for button in (self.previous, self.next):
            button.setEnabled(hits > 0)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:

        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


def find_all(lines: Sequence[str], wanted: str, progress: Progress) -> list[Mark]:
    """Where letters stand in a text, in any case; at most 20,000 times and one. Raises CancelledError."""
    found: list[Mark] = []
    pattern = re.compile(re.escape(wanted), re.IGNORECASE)
    for number, line in enumerate(lines, 1):
        if not number % BLOCK:
            progress.check()
        for start in range(0, len(line), STEP):
            room = MOST_HITS + 1 - len(found)
            hits = islice(pattern.finditer(line, start, start + STEP + len(wanted) - 1), room)
            found += [Mark(number, match.start(), len(match[0])) for match in hits]
        if len(found) > MOST_HITS:
            break
    return found
