"""Above a comparison: the two files, and which branch of each is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QWidget
from typing_extensions import override

from viewer.ui.theme import Theme
from viewer.ui.widgets.fitting import FittingWidget
from viewer.ui.widgets.labels import ElidedBox, ElidedLabel, IconButton

LEAST: Final = 10
WIDEST: Final = 420


class ComparisonHead(FittingWidget):
    """Two lines, A and B; where the branches have no room beside the files they stand below them.

    other_chosen: compare with another file, by its number among those offered.
        Signal(number: int)
    roots_chosen: other branches, of A and of B; "" = all.
        Signal(first: str, second: str)
    swap_asked: A and B are to change places.
        Signal()
    """

    other_chosen = Signal(int)
    roots_chosen = Signal(str, str)
    swap_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.mine = ElidedLabel(Qt.TextElideMode.ElideMiddle, self)
        self.other = ElidedBox(Qt.TextElideMode.ElideMiddle, self)
        self.other.setAccessibleName(self.tr("Compare with"))
        self.roots = (ElidedBox(Qt.TextElideMode.ElideMiddle, self), ElidedBox(Qt.TextElideMode.ElideMiddle, self))
        self.swap = IconButton(theme, "turn", self.tr("Swap A and B"), self)
        self.swap.clicked.connect(self.swap_asked)
        self.sides = QLabel("A", self), QLabel("B", self)
        self._swapped = self._narrow = False
        self._grid = QGridLayout(self)
        self._grid.addWidget(self.swap, 2, 4)
        for at, widget in enumerate((self.mine, self.other)):
            self.sides[at].setProperty("muted", True)
            self._grid.addWidget(self.sides[at], 2 * at, 0)
            self._grid.addWidget(widget, 2 * at, 1)
            self._grid.addWidget(self.roots[at], 2 * at, 2)
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
        self.theme = theme
        self.mine.setFont(theme.mono())
        self.swap.set_theme(theme)
        self._grid.setContentsMargins(theme.px(12), theme.px(6), theme.px(12), theme.px(4))
        self._grid.setHorizontalSpacing(theme.px(8))
        self._grid.setVerticalSpacing(theme.px(4))
        for box in (self.mine, self.other, *self.roots):
            box.setMaximumWidth(theme.px(WIDEST))
        self.fit()

    @override
    def fit(self) -> None:
        spare = self._grid.horizontalSpacing()
        beside = sum(part.sizeHint().width() + spare for part in (self.sides[1], self.other, self.roots[1], self.swap))
        margins = self._grid.contentsMargins()
        narrow = beside + margins.left() + margins.right() > self.width()
        if narrow == self._narrow:
            return
        self._narrow = narrow
        for at, box in enumerate(self.roots):
            self._grid.removeWidget(box)
            self._grid.addWidget(box, 2 * at + narrow, 1 if narrow else 2)

    def show_files(self, mine: str, others: Sequence[str], chosen: int) -> None:
        """Names of the file and of all that it can be compared with; `chosen`: -1 = none."""
        self.mine.setText(mine)
        self.other.clear()
        self.other.addItems(list(others))
        self.other.setPlaceholderText(self.tr("Choose a file"))
        self.other.setCurrentIndex(chosen)

    def show_sides(self, *, swapped: bool) -> None:
        """Which of both is A. Their lines stay where they are."""
        self._swapped = swapped
        for side, name in zip(self.sides, "BA" if swapped else "AB", strict=True):
            side.setText(name)

    def show_roots(self, titles: Sequence[Sequence[str]], chosen: Sequence[str], *, asked: bool) -> None:
        """What can be named as a branch of A and of B. `asked`: also where there is only one of them."""
        for box, names, one in zip(self._boxes(), titles, chosen, strict=True):
            box.clear()
            box.addItem(self.tr("All of it"), "")
            for name in names:
                box.addItem(name, name)
            box.setCurrentIndex(max(0, box.findData(one)))
            box.setVisible(len(names) > 1 or (asked and bool(names)))

    def _chosen(self) -> None:
        first, second = (str(box.currentData() or "") for box in self._boxes())
        self.roots_chosen.emit(first, second)

    def _boxes(self) -> tuple[ElidedBox, ElidedBox]:
        """Of A and of B."""
        return (self.roots[1], self.roots[0]) if self._swapped else self.roots
