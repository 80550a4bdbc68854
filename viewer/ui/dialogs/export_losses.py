"""What a change of types would lose, counted before anything is written: below the table of types, when asked for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from viewer.core.export.plan import Line
from viewer.core.progress import Step
from viewer.ui.measures import keep_lengths
from viewer.ui.theme import Theme
from viewer.ui.widgets.wrapped import WrappedLabel
from viewer.ui.words import paragraph, said, size
from viewer.wording.exports import LINES


class LossRow(QWidget):
    """Says that counting takes a pass over the numbers, how far that is, and what it found.

    asked: count them.
        Signal()
    stopped: count no further.
        Signal()
    """

    asked = Signal()
    stopped = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_counting = False
        self.words = WrappedLabel()
        self.button = QPushButton()
        self.button.clicked.connect(self._pressed)
        row = QHBoxLayout(self)
        keep_lengths(theme, row.setContentsMargins, 12, 10, 12, 10)
        keep_lengths(theme, row.setSpacing, 12)
        row.addWidget(self.words, 1)
        row.addWidget(self.button)
        self.forget(may_lose=False)

    def forget(self, *, may_lose: bool) -> None:
        """Nothing was counted of what is planned now. `may_lose`: there may be something to count."""
        self._is_counting = False
        self.setVisible(may_lose)
        self.words.setText(
            self.tr(
                "Which numbers are too large or too small is counted while they are written. Counting takes a pass."
            )
        )
        self._offer()

    def begin(self) -> None:
        """Counting begins."""
        self._is_counting = True
        self.words.setText(self.tr("Counting…"))
        self.button.setText(self.tr("Stop"))

    def step(self, step: Step) -> None:
        """How far it is."""
        if self._is_counting and step.total:
            words = self.tr("Counting: {done} of {total}")
            self.words.setText(words.format(done=size(min(step.done, step.total)), total=size(step.total)))

    def show_lines(self, lines: Sequence[Line]) -> None:
        """What was found."""
        self._is_counting = False
        self.words.setText(paragraph(*(said(LINES[line.code], line.params) for line in lines)))
        self.button.hide()

    def show_fault(self, words: str) -> None:
        """Why it could not be counted."""
        self._is_counting = False
        self.words.setText(words)
        self._offer()

    def _offer(self) -> None:
        self.button.setText(self.tr("Count them now"))
        self.button.show()

    def _pressed(self) -> None:
        if self._is_counting:
            self.stopped.emit()
        else:
            self.asked.emit()
