"""Why torch.load refuses a file, told near the top: one line, and a link to all that stops it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from viewer.core.summary.answers import Answer, Loads
from viewer.ui.measures import keep_lengths
from viewer.ui.theme import Theme
from viewer.ui.widgets.answers import SIGNS
from viewer.ui.widgets.expectations import ExpectationLine
from viewer.ui.words import said
from viewer.wording.blockers import ANSWERS


class AnswerLine(QWidget):
    """Shown where the plain call, with `weights_only=True`, does not load the file everywhere. `link` leads on."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line: ExpectationLine | None = None
        self.link = QPushButton(self.tr("Why"), self)
        self.link.setProperty("link", True)
        self._lines = QVBoxLayout()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, row.setSpacing, 8)
        row.addLayout(self._lines, 1)
        row.addWidget(self.link, 0, Qt.AlignmentFlag.AlignTop)
        self.setVisible(False)

    def show_answer(self, theme: Theme, answer: Answer | None) -> None:
        """Show another one; None: nothing is known, or it goes without saying."""
        if self.line is not None:
            self._lines.removeWidget(self.line)
            self.line.hide()
            self.line.deleteLater()
            self.line = None
        if answer is not None and answer.loads is not Loads.YES:
            self.line = ExpectationLine(theme, (SIGNS[answer.loads], said(ANSWERS[answer.code]), ""), self)
            self._lines.addWidget(self.line)
        self.setVisible(self.line is not None)
