"""Parts that leave out what has no room, among others in one column."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from typing_extensions import override

from viewer.ui.theme import load_theme
from viewer.ui.widgets.fitting import FittingWidget

LOW, HIGH = 20, 32


class Part(FittingWidget):
    """A row that is higher where its second part has room, as a line of links is."""

    def __init__(self) -> None:
        super().__init__(load_theme("light"))
        self.least = LOW
        self.link = QLabel(self)
        self.link.setFixedHeight(HIGH)
        self.link.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.link)

    @override
    def fit(self) -> None:
        self.link.setVisible(self.height() > LOW)

    @override
    def sizeHint(self) -> QSize:
        return QSize(100, HIGH if not self.link.isHidden() else self.least)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


def test_what_stands_above_keeps_its_room_where_a_part_below_grows_by_what_it_shows(qtbot: QtBot) -> None:
    """To show the link lays out the column within the layout of the same column, which went on with old places."""
    whole, head = QWidget(), QWidget()
    qtbot.addWidget(whole)
    above, part = QLabel(), Part()
    above.setFixedHeight(38)
    column = QVBoxLayout(head)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    line = QHBoxLayout()
    line.setContentsMargins(0, 0, 0, 0)
    label = QLabel("class 3 of 9")
    for one in (above, label):
        line.addWidget(one)
    column.addLayout(line)
    column.addWidget(part)
    around = QVBoxLayout(whole)
    around.setContentsMargins(0, 0, 0, 0)
    around.addWidget(head)
    around.addStretch(1)
    whole.resize(300, 400)
    with qtbot.waitExposed(whole):
        whole.show()
    part.least = LOW + 2
    part.updateGeometry()
    qtbot.waitUntil(lambda: not part.link.isHidden())
    qtbot.waitUntil(lambda: part.height() == HIGH)
    qtbot.waitUntil(lambda: (above.height(), label.height(), part.y()) == (38, 38, 38))
