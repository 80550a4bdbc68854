"""A histogram drawn by pyqtgraph, which is loaded when the first plot is shown: in a thread, since it takes a while.

The wheel, dragging, + and - change the range along the numbers; a click or Enter chooses a bar, arrow keys go to the
next.
"""

from __future__ import annotations

import importlib
from math import ceil, floor, isfinite, log10
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QFocusEvent, QKeyEvent, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from viewer.core.progress import Progress
from viewer.core.tensors.histogram import Histogram
from viewer.session.jobs import Jobs
from viewer.ui.models.value_text import short
from viewer.ui.spoken import speak, tell_as
from viewer.ui.theme import Theme
from viewer.ui.words import count

LOADING: Final = "plots"
SETTLED_MS: Final = 150
ROOM: Final = 1.06
"""Height of the plot over that of the highest bar."""
TICKS: Final = 4
FEWEST_TICKS: Final = 3
NONE: Final = -1
ZOOMS: Final = {Qt.Key.Key_Plus: 0.5, Qt.Key.Key_Equal: 0.5, Qt.Key.Key_Minus: 2.0}
BY_KEYBOARD: Final = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class HistogramPlot(QWidget):
    """Bars over a range. `loading`: key of the job that loads the library; one for each of a session's plots.

    ranged: the person wants another range.
        Signal(low: float, high: float)
    bar_chosen: a bar was clicked, or chosen by Enter.
        Signal(number: int)
    bar_moved: the keyboard came to a bar.
        Signal(number: int)
    ready: the plot was drawn for the first time.
        Signal()
    """

    ranged = Signal(float, float)
    bar_chosen = Signal(int)
    bar_moved = Signal(int)
    ready = Signal()

    def __init__(self, theme: Theme, jobs: Jobs, parent: QWidget | None = None, loading: str = LOADING) -> None:
        super().__init__(parent)
        self.theme = theme
        self.found: Histogram | None = None
        self.plot: Any = None
        self._pg: Any = None
        self._bars: Any = None
        self._lines: list[Any] = []
        self._ring: list[Any] = []
        self.bar = NONE
        self._jobs, self._loading = jobs, loading
        self._kind = "float32"
        self._marks: list[tuple[float, str]] = []
        self._logarithmic = False
        self._setting = False
        self._settled = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._settled.timeout.connect(self._tell_range)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        tell_as(self, QAccessible.Role.Chart)
        self.setAccessibleName(self.tr("Histogram"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def load(self) -> None:
        """Load the library, once; nothing is drawn until then."""
        if self._pg is None and not self._jobs.is_running(self._loading):
            self._jobs.start(self._loading, _load, self._loaded)

    def show_histogram(
        self, found: Histogram | None, kind: str, marks: list[tuple[float, str]], *, logarithmic: bool
    ) -> None:
        """Show these counts; `kind`: region kind of the type, for its colour; `marks`: lines with their words."""
        if found is not self.found:
            self.bar = NONE
        self.found, self._kind, self._marks, self._logarithmic = found, kind, marks, logarithmic
        self._draw()

    def set_theme(self, theme: Theme) -> None:
        """Colours or fonts changed."""
        self.theme = theme
        if self.plot is not None:
            self._dress()
            self._draw()

    @override
    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(420), self.theme.px(220))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(200), self.theme.px(150))

    # -- drawing ------------------------------------------------------------------------------------------

    def _loaded(self, library: Any) -> None:
        self._pg = library
        self.plot = library.PlotWidget(self, background=self.theme.color("pane"))
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.setMouseEnabled(x=True, y=False)
        self.plot.getPlotItem().getViewBox().sigXRangeChanged.connect(self._range_changed)
        self.plot.scene().sigMouseClicked.connect(self._clicked)
        self._column.addWidget(self.plot)
        self._dress()
        self._draw()
        self.ready.emit()

    def _dress(self) -> None:
        self.plot.setBackground(self.theme.color("pane"))
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setPen(QPen(self.theme.color("border")))
            axis.setTextPen(QPen(self.theme.color("muted")))
            axis.setStyle(tickFont=self.theme.mono("small"), tickLength=-4, hideOverlappingLabels=False)
        room = self.theme.px(24)
        self.plot.getPlotItem().setContentsMargins(0, self.theme.px(4), room, 0)

    def _draw(self) -> None:
        if self.plot is None:
            return
        for item in (*self._ring, *self._lines, *([self._bars] if self._bars is not None else [])):
            self.plot.removeItem(item)
        self._bars, self._lines, self._ring = None, [], []
        found = self.found
        if found is None:
            return
        tallest, heights = int(found.counts.max()) * found.times, self._heights(found)
        edges = np.linspace(found.low, found.high, len(found.counts) + 1)
        line = self.theme.region(self._kind).line
        self._bars = self._pg.BarGraphItem(
            x0=edges[:-1], width=found.width * 0.92, height=heights, y0=0, brush=line, pen=QPen(Qt.PenStyle.NoPen)
        )
        self._setting = True
        self.plot.addItem(self._bars)
        self.plot.setXRange(found.low, found.high, padding=0.01)
        self.plot.setYRange(0, float(heights.max()) * ROOM or 1.0, padding=0)
        self._setting = False
        self._name_axes(found, tallest)
        for value, words in self._marks:
            self._add_mark(found, value, words)
        self._draw_ring()

    def _heights(self, found: Histogram) -> npt.NDArray[np.float64]:
        counts = found.counts.astype(np.float64) * found.times
        return np.log10(counts + 1.0) if self._logarithmic else counts

    def _draw_ring(self) -> None:
        """The bar that is chosen: in another colour, on a ground as high as the plot, for a bar may be empty."""
        for item in self._ring:
            self.plot.removeItem(item)
        self._ring, found = [], self.found
        if found is None or self.bar == NONE:
            return
        heights, left = self._heights(found), found.edges(self.bar)[0]
        top = float(heights.max()) * ROOM or 1.0
        for height, color in ((top, "link_tint"), (float(heights[self.bar]), "accent")):
            item = self._pg.BarGraphItem(
                x0=[left],
                width=found.width,
                height=[height],
                brush=self.theme.color(color),
                pen=QPen(Qt.PenStyle.NoPen),
            )
            item.setZValue(-1 if color == "link_tint" else 1)
            self.plot.addItem(item)
            self._ring.append(item)

    def _name_axes(self, found: Histogram, tallest: int) -> None:
        """Numbers in our own words: true minus, four digits; counts grouped."""
        self.plot.getAxis("bottom").setTicks([[(number, short(number)) for number in round_numbers(found)]])
        if self._logarithmic:
            steps = [10**power for power in range(len(str(tallest)))]
            ticks = [(float(np.log10(step + 1)), count(step)) for step in steps]
        else:
            step = _step(tallest)
            ticks = [(float(at), count(at)) for at in range(0, tallest + 1, step)]
        self.plot.getAxis("left").setTicks([ticks])

    def _add_mark(self, found: Histogram, value: float, words: str) -> None:
        """A dashed line at a number, in view."""
        if not found.low <= value <= found.high:
            return
        pen = QPen(self.theme.color("text"), 0, Qt.PenStyle.DashLine)
        options = {
            "position": 0.95,
            "color": self.theme.color("text"),
            "movable": False,
            "anchors": [(0, 0.5), (0, 0.5)],
        }
        line = self._pg.InfiniteLine(value, angle=90, pen=pen, label=words, labelOpts=options)
        line.label.setFont(self.theme.mono("small"))
        self.plot.addItem(line)
        self._lines.append(line)

    # -- the mouse ----------------------------------------------------------------------------------------

    def _range_changed(self, *_: object) -> None:
        if not self._setting:
            self._settled.start()

    def _tell_range(self) -> None:
        low, high = self.plot.getPlotItem().getViewBox().viewRange()[0]
        if self.found is not None and low < high:
            self.ranged.emit(float(low), float(high))

    def _clicked(self, event: Any) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.button() == Qt.MouseButton.LeftButton:
            number = self.bar_at(event.scenePos())
            if number >= 0:
                self._mark(number)
                self.bar_chosen.emit(number)

    # -- the keyboard -------------------------------------------------------------------------------------

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self.found.counts) - 1 if self.found is not None and self.plot is not None else NONE
        steps = {
            Qt.Key.Key_Left: max(0, self.bar - 1),
            Qt.Key.Key_Right: min(last, self.bar + 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        key = Qt.Key(event.key())
        if last >= 0 and key in steps:
            self._go_to(steps[key])
        elif last >= 0 and key in ZOOMS:
            self._zoom(ZOOMS[key])
        elif self.bar != NONE and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.bar_chosen.emit(self.bar)
        else:
            super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in BY_KEYBOARD and self.bar == NONE and self.found is not None and self.plot is not None:
            self._go_to(0)

    def _go_to(self, number: int) -> None:
        self._mark(number)
        self.bar_moved.emit(number)

    def _mark(self, number: int) -> None:
        self.bar = number
        self._draw_ring()
        speak(self, self.words_of(number))

    def words_of(self, number: int) -> str:
        """What a bar stands for: its range and its count."""
        if self.found is None:
            return ""
        low, high = self.found.edges(number)
        often = count(int(self.found.counts[number]) * self.found.times)
        return self.tr("{low} to {high}, count {count}").format(low=short(low), high=short(high), count=often)

    def _zoom(self, by: float) -> None:
        """Ask for a range `by` times as wide, round the bar that is marked, else round the middle."""
        found = self.found
        if found is None:
            return
        low, high = found.edges(self.bar) if self.bar != NONE else (found.low, found.high)
        middle, half = (low + high) / 2, (found.high - found.low) * by / 2
        if half > 0:
            self.ranged.emit(middle - half, middle + half)

    def bar_at(self, place: QPointF) -> int:
        """The number of the bar whose column holds a point of the scene; -1: none."""
        if self.found is None:
            return -1
        box = self.plot.getPlotItem().getViewBox()
        if not box.sceneBoundingRect().contains(place):
            return -1
        number = int((box.mapSceneToView(place).x() - self.found.low) // self.found.width)
        return number if 0 <= number < len(self.found.counts) else -1


def round_numbers(found: Histogram) -> list[float]:
    """Some round numbers of the range: steps of 1, 2, 5, 10 and so on."""
    rough = found.width * len(found.counts) / TICKS
    if not (rough > 0 and isfinite(rough)):
        return []
    unit = 10.0 ** floor(log10(rough))
    steps = [unit * factor for factor in (0.5, 1, 2, 5, 10)]
    at = next(at for at, step in enumerate(steps) if step >= rough * 0.99)
    numbers = _multiples(steps[at], found)
    return numbers if len(numbers) >= FEWEST_TICKS else _multiples(steps[at - 1], found)


def _multiples(step: float, found: Histogram) -> list[float]:
    return [at * step for at in range(ceil(found.low / step), floor(found.high / step) + 1)]


def _step(tallest: int) -> int:
    """How far apart counts are named: about four of them, at 1, 2, 5, 10 and so on."""
    step = 1
    while tallest / step > TICKS:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return step


def _load(progress: Progress) -> Any:
    del progress
    return importlib.import_module("pyqtgraph")
