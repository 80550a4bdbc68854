"""How previews stand: one view at a time below each other, or histogram, values, pictures and facts at once.

Not a preview itself. Where the pane is wide, values stand beside the histogram and facts beside a picture (heat map,
image, channels), and the switch chooses the picture alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QVBoxLayout, QWidget

from viewer.session.session import Session
from viewer.ui.measures import keep_lengths
from viewer.ui.previews.base import Preview
from viewer.ui.theme import Theme
from viewer.ui.widgets.segments import Segment, Segments

BESIDE: Final = ("histogram", "values")
"""The views that stand beside each other above the picture, and need no switch there."""
FACTS: Final = "facts"
GAP: Final = 10


class Arrangement(QWidget):
    """Makes previews of all kinds, each in its place; `switch` is in front of the first view.

    `previews`: in the order of their kinds. `wanted`: what the person chose.
    """

    def __init__(
        self, kinds: Sequence[type[Preview]], session: Session, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self.is_wide = False
        self._suitable: Collection[Preview] = ()
        self.above, self.below = QWidget(self), QWidget(self)
        self.pictures = QWidget(self.below)
        self._sections = {key: QWidget(self.above) for key in BESIDE}
        self.previews = [kind(session, theme, self._home(kind)) for kind in kinds]
        self.views = [preview for preview in self.previews if preview.title]
        words = {view.key: QCoreApplication.translate("previews", view.title) for view in self.views}
        self.switch = Segments(
            [Segment(key, title) for key, title in words.items()], self.tr("What is shown of the tensor"), self
        )
        self.switch.chosen.connect(self.show_view)
        # What the person wants to see wherever a tensor has it.
        self.wanted = self.switch.current
        self.titles = {key: QLabel(words[key], section) for key, section in self._sections.items()}
        self.rule = QFrame(self)
        self.rule.setFixedHeight(1)
        self._build()
        self.set_theme(theme)

    def _home(self, kind: type[Preview]) -> QWidget:
        """What a preview stands in."""
        if kind.key == FACTS:
            return self.below
        return self._sections.get(kind.key, self.pictures) if kind.title else self

    def _build(self) -> None:
        """All in one column: `above` holds what stands above the picture, `below` the picture and the facts."""
        by_key = {preview.key: preview for preview in self.previews}
        self._column = self._boxed(QVBoxLayout(self), GAP)
        for preview in self.previews:
            if not preview.title and preview.key != FACTS:
                self._column.addWidget(preview)
        self._above = self._boxed(QVBoxLayout(self.above), 2 * GAP)
        for key, section in self._sections.items():
            inner = self._boxed(QVBoxLayout(section), 6)
            inner.addWidget(self.titles[key])
            inner.addWidget(by_key[key], 1)
            self._above.addWidget(section, 1)
        self._below = self._boxed(QVBoxLayout(self.below), GAP)
        self._pictures = self._boxed(QVBoxLayout(self.pictures), 6)
        for view in self.views:
            view.hide()
            if view.key not in BESIDE:
                self._pictures.addWidget(view, 1)
        self._below.addWidget(self.pictures, 1)
        self._facts = by_key[FACTS]
        self._below.addWidget(self._facts)
        self._column.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignLeft)
        for part in (self.above, self.rule, self.below):
            self._column.addWidget(part)

    def _boxed(self, layout: QBoxLayout, spacing: int) -> QBoxLayout:
        layout.setContentsMargins(0, 0, 0, 0)
        keep_lengths(self.theme, layout.setSpacing, spacing)
        return layout

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        for title in self.titles.values():
            font = theme.text()
            font.setBold(True)
            title.setFont(font)
        self.rule.setStyleSheet(f"background: {theme.color('border').name()}")

    def set_wide(self, wide: bool) -> None:
        """Two columns, or one."""
        if wide != self.is_wide:
            self.is_wide = wide
            self._turn()
            self._show()

    def offer(self, suitable: Collection[Preview]) -> None:
        """Show those that suit another tensor; of the views the one that the person wants, where it does."""
        self._suitable = suitable
        self._show()

    def can_show(self, key: str) -> bool:
        """Whether a view suits the tensor."""
        return any(view.key == key and view in self._suitable for view in self.views)

    def show_view(self, key: str) -> None:
        """Look at a view, here and wherever a tensor has it."""
        self.wanted = key
        self._show()

    def _show(self) -> None:
        offered = [view.key for view in self.views if view in self._suitable]
        beside = [key for key in offered if key in BESIDE]
        if self.is_wide:
            offered = [key for key in offered if key not in BESIDE]
        self.switch.offer(offered)
        if self.wanted in offered:
            self.switch.set_current(self.wanted)
        self.switch.setVisible(bool(offered))
        shown = {self.switch.current} if offered else set[str]()
        if self.is_wide:
            shown.update(beside)
        for preview in self.previews:
            preview.setVisible(preview in self._suitable and (not preview.title or preview.key in shown))
        for key, section in self._sections.items():
            section.setVisible(key in shown)
            self.titles[key].setVisible(self.is_wide)
        has_picture = any(key not in BESIDE for key in shown)
        self.above.setVisible(any(key in BESIDE for key in shown))
        self.rule.setVisible(self.is_wide and bool(beside))
        self.pictures.setVisible(has_picture)
        self._column.setStretchFactor(self.above, 4 if beside else 0)
        self._column.setStretchFactor(self.below, 5 if has_picture else 0)

    def _turn(self) -> None:
        """Put the parts beside each other, or below."""
        ways = QBoxLayout.Direction
        for layout in (self._above, self._below):
            layout.setDirection(ways.LeftToRight if self.is_wide else ways.TopToBottom)
        keep_lengths(self.theme, self._below.setSpacing, 2 * GAP if self.is_wide else GAP)
        self._below.setStretch(0, 5 if self.is_wide else 1)
        self._below.setStretch(1, 3 if self.is_wide else 0)
        self._below.setAlignment(self._facts, Qt.AlignmentFlag.AlignTop if self.is_wide else Qt.AlignmentFlag(0))
        if self.is_wide:
            self._pictures.insertWidget(0, self.switch, 0, Qt.AlignmentFlag.AlignLeft)
        else:
            self._column.insertWidget(self._column.indexOf(self.above), self.switch, 0, Qt.AlignmentFlag.AlignLeft)
