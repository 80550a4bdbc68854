"""Histogram: how often numbers come, over a range that the mouse changes; a bar leads to its elements."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.progress import Progress
from viewer.core.tensors.histogram import Histogram, bins_for, histogram, sample_histogram
from viewer.core.tensors.sheet import can_draw
from viewer.core.tensors.statistics import Statistics
from viewer.core.tensors.tensor import Tensor
from viewer.session.session import Session
from viewer.ui.measures import keep_lengths
from viewer.ui.models.value_text import short
from viewer.ui.previews.base import Preview
from viewer.ui.theme import Theme, region_of_dtype
from viewer.ui.widgets.bar_walk import BarWalk
from viewer.ui.widgets.histogram_plot import HistogramPlot
from viewer.ui.widgets.labels import ElidedLabel, IconButton
from viewer.ui.widgets.segments import Segment, Segments
from viewer.ui.words import count, of_failure
from viewer.wording import QT_TRANSLATE_NOOP

JOB: Final = "histogram"
LINEAR: Final = "linear"
LOG: Final = "log"


class HistogramPreview(Preview):
    """The plot, the words on its bins, linear or logarithmic counts."""

    key: ClassVar[str] = "histogram"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("previews", "Histogram")
    stretch: ClassVar[int] = 1

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._tensor: Tensor | None = None
        self._known: Statistics | None = None
        self._range: tuple[float, float] | None = None
        self._asked: tuple[object, ...] = ()
        self.found: Histogram | None = None
        self.words = ElidedLabel(parent=self)
        self.words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.words.setProperty("muted", True)
        self.scale = Segments(
            [
                Segment(LINEAR, self.tr("Linear"), self.tr("Heights are counts")),
                Segment(LOG, self.tr("Log"), self.tr("Heights are logarithms of counts: rare numbers can be seen")),
            ],
            self.tr("Scale of the counts"),
            self,
        )
        self.scale.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.scale.chosen.connect(self._draw)
        self.whole = IconButton(theme, "fit", self.tr("Show the whole range"), self)
        self.whole.clicked.connect(self.show_whole_range)
        self.plot = HistogramPlot(theme, session.jobs, self)
        self.plot.ranged.connect(self.show_range)
        self.plot.bar_chosen.connect(self._bar_chosen)
        self.plot.bar_moved.connect(self._bar_told)
        self.plot.setToolTip(self.tr("Wheel and dragging change the range; a click selects the elements of the bar"))
        self.walk = BarWalk(session, theme, self)
        self.walk.chosen.connect(self.bytes_chosen)
        line = QHBoxLayout()
        line.addWidget(self.words, 1)
        line.addWidget(self.scale, 0)
        line.addWidget(self.whole)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        keep_lengths(theme, column.setSpacing, 6)
        column.addLayout(line)
        column.addWidget(self.plot, 1)
        column.addWidget(self.walk)

    @override
    def suits(self, tensor: Tensor) -> bool:
        return can_draw(tensor)

    @override
    def show_tensor(self, tensor: Tensor | None) -> None:
        self._tensor, self._known, self._range, self._asked = tensor, None, None, ()
        self.session.cancel(JOB)
        self.walk.clear()
        self.words.setText("")
        self.found = None
        self._draw()

    @override
    def show_statistics(self, found: Statistics | None) -> None:
        self._known = found
        self._count()

    @override
    def focus_target(self) -> QWidget:
        return self.plot

    @override
    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.plot.set_theme(theme)
        self.whole.set_theme(theme)
        self.walk.set_theme(theme)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.plot.load()
        self._count()

    def show_range(self, low: float, high: float) -> None:
        """Count anew over this range, in as many bins."""
        self._range = low, high
        self._count()

    def show_whole_range(self) -> None:
        """Count from the least to the greatest number again."""
        self._range = None
        self._count()

    def _count(self) -> None:
        """Have the bins counted in a thread, of a sample where only a sample is known yet."""
        tensor, known = self._tensor, self._known
        if tensor is None or known is None or not self.isVisible():
            return
        ends = self._range or known.range
        if ends is None:
            self.words.setText(self.tr("No finite number"))
            return
        low, high, bins = bins_for(tensor, *ends)
        if (low, high, bins, known.exact) == self._asked:
            return
        self._asked = (low, high, bins, known.exact)
        work = partial(_exact, tensor, low, high, bins) if known.exact else partial(_sample, tensor, low, high, bins)
        self.session.start(JOB, work, self._counted, self._failed)

    def _counted(self, found: Histogram) -> None:
        self.found = found
        self.walk.clear()
        words = self.tr("1 bin, width {1}") if len(found.counts) == 1 else self.tr("{0} bins, width {1}")
        one = words.format(len(found.counts), short(found.width))
        if not found.exact:
            one += ", " + self.tr("sample of {0} of {1}").format(count(found.counted), count(found.total))
        beside = found.below + found.above
        if beside:
            one += ", " + self.tr("{0} beside the range").format(count(beside))
        self.words.setText(one)
        self._draw()

    def _failed(self, failure: Exception) -> None:
        self.words.setText(of_failure(failure))

    def _draw(self) -> None:
        kind = region_of_dtype(self._tensor.dtype) if self._tensor is not None else "float32"
        self.plot.show_histogram(self.found, kind, self._marks(), logarithmic=self.scale.current == LOG)

    def _marks(self) -> list[tuple[float, str]]:
        """Mean and deviation as lines."""
        known = self._known
        if known is None or known.mean is None or isinstance(known.mean, complex):
            return []
        marks = [(known.mean, self.tr("mean"))]
        if known.std:
            marks += [(known.mean - known.std, "\u2212\u03c3"), (known.mean + known.std, "+\u03c3")]
        return marks

    def _bar_chosen(self, number: int) -> None:
        """Select all elements of the bar."""
        if self._tensor is not None and self.found is not None:
            self.walk.choose(self._tensor, self.found, number)

    def _bar_told(self, number: int) -> None:
        if self.found is not None:
            self.walk.tell(self.found, number)


def _exact(tensor: Tensor, low: float, high: float, bins: int, progress: Progress) -> Histogram:
    return histogram(tensor, low, high, bins, progress)


def _sample(tensor: Tensor, low: float, high: float, bins: int, progress: Progress) -> Histogram:
    progress.check()
    return sample_histogram(tensor, low, high, bins)
