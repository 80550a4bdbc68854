"""Below a listing: how many lines it has, and what can be done with them."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget
from typing_extensions import override

from viewer.ui.theme import Theme
from viewer.ui.widgets.fitting import FittingWidget
from viewer.ui.widgets.source_foot import THIN, link_icon

SIDES: Final = (12, 8)
GAP: Final = 6


class ListingFoot(FittingWidget):
    """`copy` and `save` are icons only where their words have no room."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.told = QLabel(self)
        self.copy, self.save = QPushButton(self), QPushButton(self)
        self._words = {self.copy: self.tr("Copy lines"), self.save: self.tr("Save listing…")}
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.told)
        self._row.addStretch(1)
        for button, words in self._words.items():
            button.setAccessibleName(words)
            button.setProperty("link", True)
            self._row.addWidget(button)
        self.set_theme(theme)

    def tell(self, words: str, *, able: bool) -> None:
        """How many lines there are. `able`: there is something to copy and to save."""
        self.told.setText(words)
        for button in self._words:
            button.setEnabled(able)
        self.fit()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.told.setStyleSheet(f"color: {theme.color('muted').name()}")
        for button, name in ((self.copy, "copy"), (self.save, "save")):
            button.setIcon(link_icon(theme, name, self.devicePixelRatioF()))
        left, right = (theme.px(side) for side in SIDES)
        self._row.setContentsMargins(left, theme.px(4), right, theme.px(4))
        self._row.setSpacing(theme.px(GAP))
        self.fit()

    @override
    def fit(self) -> None:
        """Words where there is room for all of them."""
        for button, words in self._words.items():
            button.setText(f"{THIN}{words}")
        parts = sum(part.sizeHint().width() for part in (self.told, *self._words))
        is_narrow = parts + sum(map(self.theme.px, (*SIDES, GAP, GAP, GAP))) > self.width()
        for button, words in self._words.items():
            button.setText("" if is_narrow else f"{THIN}{words}")
            button.setToolTip(words if is_narrow else "")
