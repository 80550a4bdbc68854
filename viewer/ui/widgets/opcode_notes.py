"""What an opcode does at all, in one line; unfolded the rest of its documentation."""

from __future__ import annotations

import html

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from viewer.ui.measures import keep_lengths
from viewer.ui.models.opcode_notes import facts, summary, watched, what_it_does
from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.wrapped import WrappedLabel
from viewer.ui.words import ended

CHEVRON = 12


class OpcodeNotes(QWidget):
    """A line with a fold, and the notes under it. What was unfolded stays so for the next opcode.

    help_asked: the page of the help on the opcode is wanted.
        Signal(topic: str)
    """

    help_asked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = ""
        self.fold = QToolButton(self)
        self.fold.setCheckable(True)
        self.fold.setProperty("fold", True)
        self.fold.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.fold.toggled.connect(self._show)
        self.summary = WrappedLabel(parent=self)
        self.notes = QLabel(self)
        self.notes.setTextFormat(Qt.TextFormat.RichText)
        self.notes.setWordWrap(True)
        self.notes.linkActivated.connect(self.help_asked)
        line = QHBoxLayout()
        keep_lengths(theme, line.setSpacing, 2)
        line.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self.summary, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, column.setSpacing, 4)
        column.addLayout(line)
        column.addWidget(self.notes)
        self.set_theme(theme)

    def show_opcode(self, name: str) -> None:
        """Tell of an opcode, by its name."""
        if name != self._name:
            self._name = name
            self._show()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        muted = f"color: {theme.color('muted').name()}"
        for label in (self.summary, self.notes):
            label.setFont(theme.text("small"))
            label.setStyleSheet(muted)
        self.fold.setIconSize(QSize(theme.px(CHEVRON), theme.px(CHEVRON)))
        self._show()

    def _show(self) -> None:
        opened = self.fold.isChecked()
        words = self.tr("Fold what is known of {0}") if opened else self.tr("Unfold what is known of {0}")
        self.fold.setIcon(icon(self._theme, "chevron-down" if opened else "chevron-right"))
        self.fold.setToolTip(words.format(self._name))
        self.fold.setAccessibleName(words.format(self._name))
        self.notes.setVisible(opened)
        if self._name:
            self.summary.setText(ended(summary(self._name)))
            self.notes.setText(self._text() if opened else "")

    def _text(self) -> str:
        """All notes, and a way to the help."""
        strong = f"color: {self._theme.color('text').name()}"
        notes = [what_it_does(self._name), *watched(self._name), *facts(self._name)]
        lines = [
            f'<span style="{strong}"><b>{html.escape(note.heading)}</b></span><br>{html.escape(note.text)}'
            for note in notes
        ]
        style = f"color: {self._theme.color('accent').name()}"
        more = html.escape(self.tr("All opcodes explained"))
        lines.append(f'<a href="opcodes/{self._name}" style="{style}">{more}</a>')
        return "".join(f'<p style="margin: 0 0 5px 0">{line}</p>' for line in lines)
