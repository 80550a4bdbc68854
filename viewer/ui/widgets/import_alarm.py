"""What a file would run: the dangerous names that it imports, said where Summary begins, with a way to Imports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.ui.measures import keep_lengths
from viewer.ui.theme import Theme, icon
from viewer.ui.widgets.labels import beside_icon
from viewer.ui.widgets.wrapped import WrappedLabel
from viewer.ui.words import count

MOST_SHOWN: Final = 3
LONGEST: Final = 200
RADIUS: Final = 6


class ImportAlarm(QFrame):
    """A line that counts them and is clicked, and below it the first of them as they are called. Hidden without any."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.link = QPushButton(self)
        self.link.setProperty("link", True)
        self.link.setProperty("flush", True)
        self.calls = WrappedLabel(parent=self)
        # Source text reads from left to right.
        self.calls.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        column = QVBoxLayout(self)
        keep_lengths(theme, column.setContentsMargins, 10, 6, 10, 8)
        keep_lengths(theme, column.setSpacing, 2)
        column.addWidget(self.link, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.calls)
        self.set_theme(theme)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self._theme = theme
        self.calls.setFont(theme.mono())
        self.link.setIcon(icon(theme, "error", "error"))
        self.link.setIconSize(QSize(theme.px(16), theme.px(16)))

    def show_calls(self, calls: Sequence[str]) -> None:
        """`calls`: for each dangerous name how it is used first."""
        self.link.setText(beside_icon(self.tr("Imports: {0} dangerous").format(count(len(calls)))))
        shown = [call if len(call) <= LONGEST else call[: LONGEST - 1] + "\u2026" for call in calls[:MOST_SHOWN]]
        self.calls.setText("\n".join([*shown, *["\u2026"][: len(calls) > MOST_SHOWN]]))
        self.setVisible(bool(calls))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("error_edge"))
        painter.setBrush(self._theme.color("error_bar"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()
