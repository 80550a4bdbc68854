"""The whole sentence of a Problem, with what a click can do about it."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from viewer.core.problem import Problem
from viewer.ui.measures import keep_lengths
from viewer.ui.models.remedies import Remedy
from viewer.ui.spoken import tell_as
from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.flow import FlowLayout
from viewer.ui.widgets.labels import beside_icon
from viewer.ui.widgets.wrapped import breakable, show_marked_up
from viewer.ui.words import of_problem


class ProblemWords(QWidget):
    """Title, detail and remedy, which scroll; below them the buttons, which can always be seen, and a link to the help.

    explain_asked: the help on the problem is wanted.
        Signal()
    """

    explain_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = QLabel()
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setWordWrap(True)
        self.label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.what: QPushButton | None = None
        self.buttons = FlowLayout()
        keep_lengths(theme, self.buttons.setSpacing, 6)
        keep_lengths(theme, self.label.setMargin, 14)
        area = QScrollArea(self)
        tell_as(area, QAccessible.Role.Pane)
        area.setAccessibleName(self.tr("About this problem"))
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self.label)
        foot = QVBoxLayout()
        keep_lengths(theme, foot.setContentsMargins, 10, 2, 10, 6)
        foot.addLayout(self.buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(area, 1)
        column.addLayout(foot)
        keep_lengths(theme, self.setMinimumWidth, 220)

    def show_problem(self, theme: Theme, problem: Problem | None, remedies: Sequence[Remedy] = ()) -> None:
        """Show another one; None: none."""
        self.buttons.clear()
        self.what = None
        if problem is None:
            self.label.clear()
            self.label.setAccessibleName("")
            return
        words = of_problem(problem)
        parts = [html.escape(breakable(part)) for part in (words.detail, words.remedy) if part]
        parts.insert(0, f"<b>{html.escape(breakable(words.title))}</b>")
        lines = (f'<p style="margin: 0 0 {theme.px(6)}px 0">{part}</p>' for part in parts)
        show_marked_up(self.label, "".join(lines))
        for remedy in remedies:
            button = QPushButton(beside_icon(remedy.words))
            button.setIcon(icon(theme, remedy.icon))
            button.clicked.connect(lambda _=False, act=remedy.act: act())
            self.buttons.addWidget(button)
        self.what = QPushButton(self.tr("What is this"))
        self.what.setProperty("link", True)
        self.what.clicked.connect(self.explain_asked)
        self.buttons.addWidget(self.what)
