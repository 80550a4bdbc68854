"""The histogram of B - A for one pair, over all its elements; heights are logarithms: most differences are near 0."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.comparing.comparison import Row
from viewer.core.comparing.spread import can_spread, difference_histogram
from viewer.core.tensors.histogram import Histogram
from viewer.core.tensors.repeated import distinct
from viewer.core.tensors.window import nbytes
from viewer.session.session import Session
from viewer.ui.models.value_text import short
from viewer.ui.theme import Theme, region_of_dtype
from viewer.ui.widgets.histogram_plot import HistogramPlot
from viewer.ui.widgets.labels import ElidedLabel
from viewer.ui.words import count, of_failure, size

COUNTING: Final = "histogram of a difference"
LOADING: Final = "plots of differences"
BY_ITSELF: Final = 256 * 1024 * 1024
"""Bytes of both up to which the differences are counted without being asked for."""


class DifferencePlot(QWidget):
    """Words above the plot. `is_there`: whether there is something to count."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.theme = session, theme
        self._row: Row | None = None
        self._asked = False
        self.found: Histogram | None = None
        self.is_there = False
        self.words = ElidedLabel(parent=self)
        self.words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.words.setProperty("muted", True)
        self.count = QPushButton(self.tr("Count the differences"), self)
        self.count.clicked.connect(self._start)
        self.plot = HistogramPlot(theme, session.jobs, self, loading=LOADING)
        self.plot.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.plot.setAccessibleName(self.tr("Histogram of B \u2212 A"))
        self.plot.bar_chosen.connect(self._tell_bar)
        self.plot.bar_moved.connect(self._tell_bar)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.words)
        column.addWidget(self.count)
        column.addWidget(self.plot, 1)
        self.count.hide()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        self.plot.set_theme(theme)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(160), self.theme.px(60))

    def show_row(self, row: Row | None) -> None:
        """Count the differences of a pair, if its elements differ by numbers."""
        if row is self._row and row is not None and self.is_there == can_spread(row):
            return
        self.session.cancel(COUNTING)
        self._row, self._asked, self.found = row, False, None
        self.is_there = row is not None and can_spread(row)
        self.words.setText("")
        self._draw()
        self._begin()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._begin()

    def _begin(self) -> None:
        """Count at once what is small; of the rest say how large it is."""
        row = self._row
        if row is None or not self.is_there or self._asked or not self.isVisible():
            return
        self.plot.load()
        sizes = sum(nbytes(distinct(each)[0]) for each in (row.pair.a, row.pair.b) if each is not None)
        self.count.setVisible(sizes > BY_ITSELF)
        if sizes > BY_ITSELF:
            self.words.setText(self.tr("{0} are to be read").format(size(sizes)))
        else:
            self._start()

    def _start(self) -> None:
        if self._row is not None:
            self._asked = True
            self.count.hide()
            self.session.start(COUNTING, partial(difference_histogram, self._row), self._counted, self._failed)

    def _counted(self, found: Histogram) -> None:
        self.found = found
        beside = found.total - (int(found.counts.sum()) * found.times)
        words = self.tr("B \u2212 A in {0} bins, width {1}").format(len(found.counts), short(found.width))
        if beside:
            words += ", " + self.tr("{0} NaN or infinite").format(count(beside))
        self.words.setText(words)
        self._draw()

    def _failed(self, failure: Exception) -> None:
        self.words.setText(of_failure(failure))

    def _draw(self) -> None:
        first = self._row.pair.a if self._row is not None else None
        kind = region_of_dtype(first.dtype) if first is not None else "float32"
        self.plot.show_histogram(self.found, kind, [], logarithmic=True)

    def _tell_bar(self, number: int) -> None:
        if self.found is not None:
            self.words.setText(self.plot.words_of(number))
