"""Asking torch itself: a button, and below it what torch said and whether that was predicted."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from viewer.core.summary.answers import Loads
from viewer.session.torch_answers import Asked, TorchAnswers
from viewer.ui.measures import keep_lengths
from viewer.ui.theme import Theme
from viewer.ui.widgets.answers import SIGNS
from viewer.ui.widgets.expectations import ExpectationLine
from viewer.ui.words import said
from viewer.wording.torch_answers import AGREEMENT, TORCH_ANSWERS


class TorchSection(QWidget):
    """Follows the answers of a session.

    spoke: torch is being asked or has answered, and that is laid out; the person may have asked from elsewhere.
        Signal(section: QWidget)
    """

    spoke = Signal(object)

    def __init__(self, theme: Theme, answers: TorchAnswers, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.answers = answers
        self.line: ExpectationLine | None = None
        self.button = QPushButton(self)
        self.button.setToolTip(
            self.tr("Load the file with weights_only=True in a process of its own, and say what torch says")
        )
        self.button.clicked.connect(self._pressed)
        row = QHBoxLayout()
        row.addWidget(self.button)
        row.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, self._column.setSpacing, 8)
        self._column.addLayout(row)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(lambda: self.spoke.emit(self))
        answers.changed.connect(self._changed)
        self._show()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self._show()

    def _show(self) -> None:
        if self.line is not None:
            self._column.removeWidget(self.line)
            self.line.hide()
            self.line.deleteLater()
            self.line = None
        self.button.setText(self.tr("Stop asking torch") if self.answers.running else self.tr("Ask torch"))
        asked = self.answers.asked
        if asked is not None:
            self.line = ExpectationLine(self.theme, told(asked), self)
            self._column.addWidget(self.line)
            self.line.show()

    def _changed(self) -> None:
        self._show()
        if self.answers.asked is not None or self.answers.running:
            self._soon.start()

    def _pressed(self) -> None:
        if self.answers.running:
            self.answers.stop()
        else:
            self.answers.ask()


def told(asked: Asked) -> tuple[str, str, str]:
    """Severity, torch's answer, whether it was predicted."""
    loads: Loads | None = asked.said.loads
    agrees = asked.said.agrees(asked.predicted)
    words = said(TORCH_ANSWERS[asked.said.code], asked.said.params)
    return "note" if loads is None else SIGNS[loads], words, "" if agrees is None else said(AGREEMENT[agrees])
