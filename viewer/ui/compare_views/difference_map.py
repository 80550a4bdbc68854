"""How B differs from A in one pair: a heat map of the plane with the largest difference, and a histogram of all."""

from __future__ import annotations

from math import isfinite
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.comparing.comparison import Row
from viewer.core.comparing.sheet import Axes, DifferenceSheet, difference_sheet
from viewer.session.session import Session
from viewer.ui.compare_views.difference_plot import DifferencePlot
from viewer.ui.theme import Theme
from viewer.ui.widgets.heat_map import HeatMap
from viewer.ui.widgets.slice_choice import SliceChoice
from viewer.ui.widgets.split import Split

MAP: Final = "map of a difference"
SHARES: Final = (3, 2)
"""Of map and histogram."""
LEAST: Final = 380
"""Width or height below which only the map has room."""


class DifferenceMap(QWidget):
    """The choice of axes above the map, the histogram beside it. `sheet`: what is drawn, None for nothing.

    chosen: a cell was clicked; its index in both tensors.
        Signal(index: tuple[int, ...])
    """

    chosen = Signal(object)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._row: Row | None = None
        self._laid: Qt.Orientation | None = None
        self._first: DifferenceSheet | None = None
        self.sheet: DifferenceSheet | None = None
        self.slice = SliceChoice(theme, self)
        self.both = Split(Qt.Orientation.Horizontal, self)
        self.map = HeatMap(theme, session.jobs, MAP, self.both)
        self.map.setAccessibleName(self.tr("Heat map of B \u2212 A"))
        # Its own wish is all the room there is.
        self.map.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.slice)
        self.plot = DifferencePlot(session, theme, self.both)
        for part, share in zip((self.map, self.plot), SHARES, strict=True):
            self.both.addWidget(part)
            self.both.setStretchFactor(self.both.indexOf(part), share)
        column.addWidget(self.both, 1)
        self.slice.changed.connect(self._axes_chosen)
        self.map.chosen.connect(self.chosen)
        self._space()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.slice.set_theme(theme)
        self.map.set_theme(theme)
        self.plot.set_theme(theme)
        self._space()

    def _space(self) -> None:
        self.map.setMinimumSize(self.theme.px(180), self.theme.px(60))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_flat = self.width() > self.height()
        self.both.setOrientation(Qt.Orientation.Horizontal if is_flat else Qt.Orientation.Vertical)
        self._place_plot()

    def _place_plot(self) -> None:
        """The histogram, where there is one and room for it."""
        room = max(self.width(), self.height())
        was_there, is_there = not self.plot.isHidden(), self.plot.is_there and room >= self.theme.px(LEAST)
        self.plot.setVisible(is_there)
        if is_there and (not was_there or self._laid != self.both.orientation()):
            self._laid = self.both.orientation()
            self.both.setSizes([room * share // sum(SHARES) for share in SHARES])

    def show_row(self, row: Row | None) -> None:
        """Draw the difference of a pair, if its elements differ."""
        self.plot.show_row(row)
        self._place_plot()
        found = row.differences if row is not None else None
        first = difference_sheet(row) if row is not None and found is not None and found.differing else None
        if first == self._first and (row is self._row or first is None):
            return
        self._row, self._first = row, first
        tensor = row.pair.a if row is not None and first is not None else None
        self.slice.show_shape(tensor.shape if tensor is not None else ())
        if found is not None and found.place is not None and tensor is not None:
            self.slice.keep(found.place)
        self._draw(first)

    def _axes_chosen(self) -> None:
        rows, columns = self.slice.axes
        if self._row is not None and rows is not None:
            self._draw(difference_sheet(self._row, Axes(rows, columns, tuple(self.slice.fixed))))

    def _draw(self, sheet: DifferenceSheet | None) -> None:
        self.sheet = sheet
        self.map.show_sheet(sheet)
        found = self._row.differences if self._row is not None else None
        if found is None or sheet is None:
            return
        # Where only NaN differ all numbers are 0: they stand in the middle of the scale.
        largest = float(found.largest or 1)
        if isfinite(largest):
            self.map.set_limits(-largest, largest)
        self.map.set_chosen(found.place)
