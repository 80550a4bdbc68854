"""Chips of the kinds of rows with their counts: one is chosen, and only its rows are listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QToolButton, QWidget

from viewer.core.search.base import KINDS
from viewer.ui.measures import keep_lengths
from viewer.ui.theme import Theme
from viewer.ui.widgets.flow import FlowLayout
from viewer.ui.words import count, said
from viewer.wording.search import KINDS as WORDS

ALL = ""


class KindChips(QWidget):
    """All, then each kind that there are rows of. `kinds`: hits of a search, unless others are given.

    `words`, `hints`: of each kind, of the wording tables. `wanted`: a kind that is chosen once there are rows of it.

    chosen: list the rows of this kind only; "" = of all.
        Signal(kind: str)
    """

    chosen = Signal(str)

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        kinds: Sequence[str] = KINDS,
        words: Mapping[str, str] = WORDS,
        hints: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(parent)
        self._words = words
        self.wanted = ALL
        self.chips: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        row = FlowLayout(self)
        keep_lengths(theme, self.setContentsMargins, 8, 2, 8, 2)
        keep_lengths(theme, row.setSpacing, 4)
        for kind in (ALL, *kinds):
            chip = self.chips[kind] = QToolButton(self)
            chip.setCheckable(True)
            chip.setToolTip(said(hints[kind]) if hints is not None and kind else "")
            chip.clicked.connect(lambda _=False, kind=kind: self._clicked(kind))
            self._group.addButton(chip)
            row.addWidget(chip)
        self.show_totals({})

    def show_totals(self, totals: Mapping[str, int]) -> None:
        """Other counts; the chip that was chosen stays, where its kind is still there."""
        for kind, chip in self.chips.items():
            number = totals.get(kind, 0) if kind else sum(totals.values())
            words = said(self._words[kind]) if kind else self.tr("All")
            chip.setText(f"{words} {count(number)}")
            chip.setVisible(bool(number))
        if not totals.get(self.kind):
            self.choose(ALL)
        self.setVisible(bool(totals))
        if self.wanted and totals.get(self.wanted):
            self.chips[self.wanted].click()

    def want(self, kind: str) -> None:
        """Choose a kind as soon as there are rows of it, unless the person chooses before."""
        self.wanted = kind if kind in self.chips else ALL

    def _clicked(self, kind: str) -> None:
        self.wanted = ALL
        self.chosen.emit(kind)

    @property
    def kind(self) -> str:
        """The kind that is chosen."""
        return next((kind for kind, chip in self.chips.items() if chip.isChecked()), ALL)

    def choose(self, kind: str) -> None:
        """Choose a chip; tells nobody."""
        self.chips[kind].setChecked(True)
