"""One line: how often a class is used, and the first places as links; a list drops down where they are more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget
from typing_extensions import override

from viewer.core.summary.classes import Place
from viewer.ui.theme import Theme, pixmap
from viewer.ui.widgets.class_lists import PlaceList
from viewer.ui.widgets.fitting import FittingWidget
from viewer.ui.widgets.labels import hint
from viewer.ui.widgets.pick_list import DropDown
from viewer.ui.words import count

MOST_LINKS: Final = 12
LONGEST: Final = 180
PADDING: Final = 10


class UsedLine(FittingWidget):
    """The line.

    chosen: a place was chosen.
        Signal(place: Place)
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._places: Sequence[Place] = ()
        self.words = QLabel(self)
        self.links = [self._link() for _ in range(MOST_LINKS)]
        self.more = QPushButton(self)
        self.more.setProperty("link", True)
        # The arrow stands behind the words.
        behind = Qt.LayoutDirection.LeftToRight if self.isRightToLeft() else Qt.LayoutDirection.RightToLeft
        self.more.setLayoutDirection(behind)
        self.more.clicked.connect(self.drop)
        self.down: DropDown | None = None
        self._row = QHBoxLayout(self)
        for widget in (self.words, *self.links, self.more):
            self._row.addWidget(widget)
        self._row.addStretch(1)
        self.set_theme(theme)

    def _link(self) -> QPushButton:
        button = QPushButton(self)
        button.setProperty("link", True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: self.chosen.emit(self._places[self.links.index(button)]))
        button.hide()
        return button

    def set_places(self, places: Sequence[Place], *, known: bool) -> None:
        """The objects of the class; `known` False: they are still being looked for."""
        self._places = places
        if not known:
            self.words.setText("")
        elif not places:
            self.words.setText(self.tr("Not used by an object of this file"))
        elif len(places) == 1:
            self.words.setText(self.tr("Used once:"))
        else:
            self.words.setText(self.tr("Used {0} times:").format(count(len(places))))
        self.fit()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self._row.setContentsMargins(theme.px(12), 0, theme.px(12), theme.px(4))
        self._row.setSpacing(theme.px(2))
        self.words.setStyleSheet(f"color: {theme.color('muted').name()}")
        self.more.setIcon(QIcon(pixmap(theme, "chevron-down", "accent", 12, self.devicePixelRatioF())))
        if self.down is not None:
            self.down.inner.set_theme(theme)
        self.fit()

    def drop(self) -> None:
        """Open the list of all places, which is made when it is wanted first."""
        if self.down is None:
            self.down = DropDown(PlaceList(self.theme), self)
            self.down.inner.chosen.connect(lambda row: self.chosen.emit(self._places[row]))
        if isinstance(self.down.inner, PlaceList):
            self.down.inner.set_places(self._places)
        self.down.drop_from(self.more)

    @override
    def fit(self) -> None:
        """As many links as have room; the rest behind the button."""
        px = self.theme.px
        metrics = self.links[0].fontMetrics()
        fonts = self.theme.mono(), self.theme.text()
        self.more.setText(self.tr("all"))
        left = self.width() - px(24) - self.words.sizeHint().width() - self.more.sizeHint().width()
        fits = 0
        for link, place in zip(self.links, self._places, strict=False):
            link.setFont(fonts[not place.name])
            metrics = link.fontMetrics()
            shown = place.name or self.tr("root")
            text = metrics.elidedText(shown, Qt.TextElideMode.ElideMiddle, px(LONGEST) if fits else max(left, px(60)))
            link.setText(text.replace("&", "&&"))
            hint(link, shown)
            needed = metrics.horizontalAdvance(text) + px(PADDING)
            if fits and needed > left:
                break
            left -= needed
            fits += 1
        for at, link in enumerate(self.links):
            link.setVisible(at < fits)
        self.more.setVisible(len(self._places) > fits)
