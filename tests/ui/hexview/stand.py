"""A window in which a hex view can take and lose the keyboard."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from viewer.ui.hexview.view import HexView
from viewer.ui.theme import load_theme


class Stand(QWidget):
    """A window with a hex view and another field that can take the focus."""

    def __init__(self) -> None:
        super().__init__()
        self.view = HexView(load_theme("light"))
        self.view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.other = QLineEdit()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self.view)
        rows.addWidget(self.other)
