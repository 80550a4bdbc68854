"""Which tensors are exported: branches with a tick each, and names by patterns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

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
        self._shown: Sequence[Group] = ()
        self.groups = QListWidget()
        self.groups.setAccessibleName(self.tr("Branches"))
        self.groups.setFont(theme.mono())
        self.groups.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.groups.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        edge, round_ = theme.color("field_edge").name(), theme.px(6)
        self.groups.setStyleSheet(
            f"QListWidget {{ border: 1px solid {edge}; border-radius: {round_}px; padding: {theme.px(3)}px; }}"
        )
        self.groups.itemChanged.connect(lambda: self.changed.emit())
        self.title = QLabel(self.tr("Branches: untick one to leave it out"))
        self.title.setFont(theme.text("small"))
        self.title.setProperty("muted", True)
        self.only = field(theme, self.tr("Only"), "encoder.*")
        self.only.setToolTip(self.tr('Patterns that names have to fit; several with commas, in "quotes" what has one.'))
        self.skip = field(theme, self.tr("Skip"), "*.num_batches_tracked")
        self.skip.setToolTip(
            self.tr('Patterns of names that are left out; several with commas, in "quotes" what has one.')
        )
        self.labels: list[QLabel] = []
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.px(8))
        grid.setVerticalSpacing(theme.px(6))
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
        column.setSpacing(theme.px(6))
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
            item.setSizeHint(QSize(0, self._theme.px(ROW)))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable)
            item.setCheckState(Qt.CheckState.Unchecked if group.name in out else Qt.CheckState.Checked)
            self.groups.addItem(item)
        self.groups.blockSignals(False)
        self.groups.setVisible(bool(groups))
        self.title.setVisible(bool(groups))
        self.groups.setFixedHeight(self._theme.px(ROW) * min(len(groups), MOST_SHOWN) + self._theme.px(8))

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
