"""Above two compared texts: the class, and what its text is compared with."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from viewer.core.code.files import DERIVED, STORED
from viewer.core.summary.classes import Classes, ClassRow, Text
from viewer.ui.models.comparisons import TORCH, Other
from viewer.ui.theme import Theme
from viewer.ui.widgets.class_lists import ClassList
from viewer.ui.widgets.labels import ElidedBox
from viewer.ui.widgets.pick_list import DropDown
from viewer.ui.widgets.source_head import ClassBox


class CompareHead(QWidget):
    """Two lines.

    class_chosen: a class was chosen by its row.
        Signal(row: int)
    other_chosen: another text to compare with, by its number.
        Signal(number: int)
    file_wanted: a .py file should be chosen.
        Signal()
    """

    class_chosen = Signal(object)
    other_chosen = Signal(object)
    file_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._row = -1
        self.box = ClassBox(theme, self)
        self.box.setAccessibleName(self.tr("Class"))
        self.list = ClassList(theme)
        self.down = DropDown(self.list, self)
        self.side = QLabel(self)
        self.other = ElidedBox(Qt.TextElideMode.ElideMiddle, self)
        self.other.setAccessibleName(self.tr("Compare with"))
        self.other.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.other.setMinimumContentsLength(12)
        self.choose_file = QPushButton(self.tr("Choose a .py file"), self)
        self._first, self._second = QHBoxLayout(), QHBoxLayout()
        self._first.addWidget(self.box)
        self._first.addWidget(self.side)
        self._first.addStretch(1)
        self._second.addWidget(self.other, 1)
        self._second.addWidget(self.choose_file)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._first)
        column.addLayout(self._second)
        self.box.wanted.connect(lambda: self.down.drop_from(self.box, self._row))
        self.box.stepped.connect(lambda step: self.class_chosen.emit(self._row + step))
        self.list.chosen.connect(lambda row: self.class_chosen.emit(row))
        self.other.activated.connect(lambda number: self.other_chosen.emit(number))
        self.choose_file.clicked.connect(self.file_wanted)
        self.set_theme(theme)

    def set_classes(self, classes: Classes) -> None:
        """The classes to choose from."""
        self.list.set_classes(classes, counted=True)

    def show_class(self, row: int, found: ClassRow, text: Text | None) -> None:
        """Tell about the class and what its text is."""
        self._row = row
        self.box.set_name(found.name)
        self.list.show_row(row)
        origins = {STORED: self.tr("stored"), DERIVED: self.tr("derived")}
        self.side.setText(self.tr("no text") if text is None else origins.get(text.origin, self.tr("supplied")))

    def show_others(self, found: Sequence[Other]) -> None:
        """What it can be compared with."""
        self.other.clear()
        for each in found:
            self.other.addItem(self._title(each))
        self.other.setEnabled(bool(found))

    def show_other(self, number: int) -> None:
        """Which of them it is compared with; -1: none."""
        self.other.setCurrentIndex(number)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.side.setStyleSheet(f"color: {theme.color('muted').name()}")
        self.box.theme = theme
        self.box.setFont(theme.mono())
        self.list.set_theme(theme)
        for line in (self._first, self._second):
            line.setContentsMargins(theme.px(12), theme.px(6), theme.px(12), theme.px(4))
            line.setSpacing(theme.px(8))

    def _title(self, other: Other) -> str:
        if other.kind == "here":
            derived = self.tr("derived text")
            return derived if other.origin == DERIVED else self.tr("text {0} in this file").format(other.number + 1)
        if other.kind == TORCH:
            return self.tr("installed torch {0}").format(other.title).rstrip()
        return self.tr("text {0} in {1}").format(other.number + 1, other.title) if other.number else other.title
