"""Which tensors are exported: branches with a tick each, and names by patterns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from viewer.ui.measures import keep, keep_lengths, keep_mono, keep_text, keep_theme
from viewer.ui.models.export_rows import Group
from viewer.ui.theme import Theme
from viewer.ui.widgets.name_fields import field, parts
from viewer.ui.words import joined, named, size, tensors_of

MOST_SHOWN: Final = 6
ROW: Final = 24
NAME: Final = Qt.ItemDataRole.UserRole


class PartFields(QWidget):
    """The branches as a list to tick, and two fields for patterns.

    changed: other names are left out.
        Signal()
    """

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        keep_theme(theme, self)
        self._shown: Sequence[Group] = ()
        self.groups = QListWidget()
        self.groups.setAccessibleName(self.tr("Branches"))
        keep_mono(theme, self.groups)
        self.groups.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.groups.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        keep(theme, self.groups, "sheet", lambda one, now: one.setStyleSheet(frame(now)))
        self.groups.itemChanged.connect(lambda: self.changed.emit())
        self.title = QLabel(self.tr("Branches: untick one to leave it out"))
        keep_text(theme, self.title, "small")
        self.title.setProperty("muted", True)
        self.only = field(theme, self.tr("Only"), "encoder.*")
        self.only.setToolTip(self.tr('Patterns that names have to fit; several with commas, in "quotes" what has one.'))
        self.skip = field(theme, self.tr("Skip"), "*.num_batches_tracked")
        self.skip.setToolTip(
            self.tr('Patterns of names that are left out; several with commas, in "quotes" what has one.')
        )
        self.labels: list[QLabel] = []
        grid = QGridLayout()
        keep_lengths(theme, grid.setHorizontalSpacing, 8)
        keep_lengths(theme, grid.setVerticalSpacing, 6)
        grid.setColumnStretch(1, 1)
        for row, (words, one) in enumerate(((self.tr("Only"), self.only), (self.tr("Skip"), self.skip))):
            label = QLabel(words)
            label.setBuddy(one)
            self.labels.append(label)
            grid.addWidget(label, row, 0)
            grid.addWidget(one, row, 1)
            one.textEdited.connect(lambda: self.changed.emit())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, column.setSpacing, 6)
        column.addWidget(self.title)
        column.addWidget(self.groups)
        column.addLayout(grid)
        self.show_groups(())

    def show_groups(self, groups: Sequence[Group]) -> None:
        """The branches of what is exported; those that were unticked stay so."""
        if groups and groups == self._shown:
            return
        out = self.unticked()
        self._shown = groups
        self.groups.blockSignals(True)
        self.groups.clear()
        for group in groups:
            item = QListWidgetItem(group.name)
            item.setData(NAME, group.name)
            item.setToolTip(named(group.name, joined((tensors_of(group.count), size(group.nbytes)))))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable)
            item.setCheckState(Qt.CheckState.Unchecked if group.name in out else Qt.CheckState.Checked)
            self.groups.addItem(item)
        self.groups.blockSignals(False)
        self.groups.setVisible(bool(groups))
        self.title.setVisible(bool(groups))
        keep(self._theme, self.groups, "rows", fit_rows)

    def fields(self) -> list[QWidget]:
        """All that takes the keyboard, from the top down."""
        return [self.groups, self.only, self.skip]

    def unticked(self) -> frozenset[str]:
        """The branches that are left out."""
        items = (self.groups.item(row) for row in range(self.groups.count()))
        return frozenset(str(item.data(NAME)) for item in items if item.checkState() is Qt.CheckState.Unchecked)

    def tick(self, name: str, *, on: bool) -> None:
        """Tick a branch or take the tick off, as a click does."""
        for row in range(self.groups.count()):
            item = self.groups.item(row)
            if item.data(NAME) == name:
                item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)

    @property
    def patterns(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What names have to fit, and what they must not fit."""
        return parts(self.only.text()), parts(self.skip.text())


def frame(theme: Theme) -> str:
    """The style sheet of a list that looks like a field."""
    edge, round_ = theme.color("field_edge").name(), theme.px(6)
    return f"QListWidget {{ border: 1px solid {edge}; border-radius: {round_}px; padding: {theme.px(3)}px; }}"


def fit_rows(groups: QListWidget, theme: Theme) -> None:
    """Rows as high as the theme wants, and room for as many as are shown at once."""
    was = groups.blockSignals(True)
    for at in range(groups.count()):
        groups.item(at).setSizeHint(QSize(0, theme.px(ROW)))
    groups.blockSignals(was)
    groups.setFixedHeight(theme.px(ROW) * min(groups.count(), MOST_SHOWN) + theme.px(8))
