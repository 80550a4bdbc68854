"""A section of Summary for files that are no checkpoint: what it is, what can be done, and the line to copy."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from viewer.core.problem import Problem
from viewer.ui.measures import keep_lengths, keep_picture, keep_text
from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import IconButton
from viewer.ui.widgets.wrapped import CodeBlock, WrappedLabel
from viewer.ui.words import of_problem


class KindSection(QWidget):
    """Title with its severity, sentence, remedy, code.

    copy_wanted: the line is to be copied.
        Signal(line: str)
    """

    copy_wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.icon = QLabel(self)
        self.title = WrappedLabel(parent=self)
        self.detail = WrappedLabel(parent=self)
        self.remedy = WrappedLabel(parent=self)
        self.code = CodeBlock(theme, self)
        self.code.setAccessibleName(self.tr("The line that gets at what is in the file"))
        self.copy = IconButton(theme, "copy", self.tr("Copy"), self)
        self.copy.clicked.connect(lambda: self.copy_wanted.emit(self.code.toPlainText()))
        head = QHBoxLayout()
        keep_lengths(theme, head.setSpacing, 8)
        head.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.title, 1)
        row = QHBoxLayout()
        keep_lengths(theme, row.setSpacing, 4)
        row.addWidget(self.code, 1)
        row.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, column.setSpacing, 6)
        column.addLayout(head)
        column.addWidget(self.detail)
        column.addWidget(self.remedy)
        column.addLayout(row)
        self.hide()

    def show_kind(self, theme: Theme, problem: Problem | None, line: str) -> None:
        """Show what a file is; None: it is a checkpoint, and nothing is to be said."""
        self.setVisible(problem is not None)
        if problem is None:
            return
        words, severity = of_problem(problem), str(problem.severity)
        keep_picture(theme, self.icon, severity, severity, 16)
        keep_text(theme, self.title, bold=True)
        self.title.setText(words.title)
        for label, text in ((self.detail, words.detail), (self.remedy, words.remedy)):
            label.setText(text)
            label.setVisible(bool(text))
        self.copy.set_theme(theme)
        self.code.show_code(theme, line)
        for widget in (self.code, self.copy):
            widget.setVisible(bool(line))
