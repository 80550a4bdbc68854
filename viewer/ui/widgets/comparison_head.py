"""Above a comparison: the two files, and which branch of each is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QWidget

from viewer.ui.theme import Theme
from viewer.ui.widgets.labels import ElidedBox, ElidedLabel

LEAST: Final = 10
WIDEST: Final = 420


class ComparisonHead(QWidget):
    """Two lines, A and B.

    other_chosen: compare with another file, by its number among those offered.
        Signal(number: int)
    roots_chosen: other branches; "" = all.
        Signal(first: str, second: str)
    """

    other_chosen = Signal(int)
    roots_chosen = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.mine = ElidedLabel(Qt.TextElideMode.ElideMiddle, self)
        self.other = ElidedBox(Qt.TextElideMode.ElideMiddle, self)
        self.other.setAccessibleName(self.tr("Compare with"))
        self.roots = (ElidedBox(Qt.TextElideMode.ElideMiddle, self), ElidedBox(Qt.TextElideMode.ElideMiddle, self))
        self._grid = QGridLayout(self)
        for at, (name, widget) in enumerate((("A", self.mine), ("B", self.other))):
            side = QLabel(name, self)
            side.setProperty("muted", True)
            self._grid.addWidget(side, at, 0)
            self._grid.addWidget(widget, at, 1)
            self._grid.addWidget(self.roots[at], at, 2)
        for column, share in ((1, 3), (2, 2), (3, 1)):
            self._grid.setColumnStretch(column, share)
        for box in (self.other, *self.roots):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(LEAST)
        for box, words in zip(self.roots, (self.tr("Branch of A"), self.tr("Branch of B")), strict=True):
            box.setAccessibleName(words)
            box.hide()
            box.activated.connect(self._chosen)
        self.other.activated.connect(self.other_chosen)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.mine.setFont(theme.mono())
        self._grid.setContentsMargins(theme.px(12), theme.px(6), theme.px(12), theme.px(4))
        self._grid.setHorizontalSpacing(theme.px(8))
        self._grid.setVerticalSpacing(theme.px(4))
        for box in (self.mine, self.other, *self.roots):
            box.setMaximumWidth(theme.px(WIDEST))

    def show_files(self, mine: str, others: Sequence[str], chosen: int) -> None:
        """Names of the file and of all that it can be compared with; `chosen`: -1 = none."""
        self.mine.setText(mine)
        self.other.clear()
        self.other.addItems(list(others))
        self.other.setPlaceholderText(self.tr("Choose a file"))
        self.other.setCurrentIndex(chosen)

    def show_roots(self, titles: Sequence[Sequence[str]], chosen: Sequence[str], *, asked: bool) -> None:
        """What can be named as a branch of each. `asked`: also where there is only one of them."""
        for box, names, one in zip(self.roots, titles, chosen, strict=True):
            box.clear()
            box.addItem(self.tr("All of it"), "")
            for name in names:
                box.addItem(name, name)
            box.setCurrentIndex(max(0, box.findData(one)))
            box.setVisible(len(names) > 1 or (asked and bool(names)))

    def _chosen(self) -> None:
        first, second = (str(box.currentData() or "") for box in self.roots)
        self.roots_chosen.emit(first, second)
