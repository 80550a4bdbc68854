"""The bytes under a hand and at rest: frames of a wheel, a drag and keys at 60 a second, the longest gap, wake-ups.

The peer is Qt's own view of plain text with a dump of the same bytes.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QAbstractEventDispatcher, QCoreApplication, QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QPlainTextEdit
from typing_extensions import override

from tests.bench import Figure
from tests.bench.hex_repaint import DOTTED, part, pickle_like
from viewer.core.source import MemorySource
from viewer.ui.hexview.marks import RegionRuns
from viewer.ui.hexview.view import HexView
from viewer.ui.theme import Theme, load_theme

SECONDS: Final = 2
TURNS: Final = 3
FRAME_MS: Final = 1000 / 60
BEAT_MS: Final = 16
REST_MS: Final = 3000
SIZE: Final = 2**20
WINDOW: Final = (1440, 900)


@dataclass(frozen=True, slots=True)
class Ride:
    """Milliseconds of processor time a frame, frames that painted nothing, the longest gap between two.

    `in_time`: the share of frames that took no longer than a 60th of a second. `gap` is on the clock, where all that
    runs on the machine counts; `held`: of that the processor time of this program, all its threads.
    """

    median: float
    p99: float
    unpainted: int
    gap: float
    held: float
    in_time: float


class Paints(QObject):
    """Counts what a widget paints."""

    count = 0

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return super().eventFilter(watched, event)


def ride(area: QAbstractScrollArea, step: Callable[[int], None]) -> Ride:
    """One step a beat, and what it leaves to paint painted at once."""
    paints, costs, times, used, unpainted = Paints(), [], [], [], 0
    area.viewport().installEventFilter(paints)
    loop, beat = QEventLoop(), QTimer()
    beat.setTimerType(Qt.TimerType.PreciseTimer)
    beat.setInterval(BEAT_MS)
    end = time.perf_counter() + SECONDS

    def frame() -> None:
        nonlocal unpainted
        times.append(time.perf_counter())
        before, begin = paints.count, time.process_time()
        used.append(begin)
        step(len(times))
        QCoreApplication.sendPostedEvents()
        costs.append((time.process_time() - begin) * 1000)
        unpainted += paints.count == before
        if time.perf_counter() > end:
            loop.quit()

    beat.timeout.connect(frame)
    beat.start()
    loop.exec()
    beat.stop()
    area.viewport().removeEventFilter(paints)
    ordered = sorted(costs)
    gap, held = (max(after - before for before, after in pairwise(ticks)) * 1000 for ticks in (times, used))
    in_time = 100 * sum(cost <= FRAME_MS for cost in costs) / len(costs)
    return Ride(statistics.median(costs), ordered[int(0.99 * len(ordered))], unpainted, gap, held, in_time)


def by_turns(ours: Callable[[], Ride], peer: Callable[[], Ride]) -> tuple[Ride, Ride]:
    """The middle of each figure of some rides of both, one after the other: what else runs meets both."""
    rides = [(ours(), peer()) for _ in range(TURNS)]
    return middle([one for one, _ in rides]), middle([other for _, other in rides])


def middle(rides: Sequence[Ride]) -> Ride:
    """Of frames without paint the most."""
    figures = [statistics.median(each) for each in zip(*map(astuple, rides), strict=True)]
    return replace(Ride(*figures), unpainted=max(ride.unpainted for ride in rides))


def wakes(area: QAbstractScrollArea, *, focused: bool) -> tuple[float, float]:
    """How often a second the event loop wakes up beside a view that nobody touches, and the % of a core it takes."""
    area.activateWindow()
    QTest.qWaitForWindowActive(area)
    area.setFocus() if focused else area.clearFocus()
    if area.hasFocus() is not focused:
        raise RuntimeError("the view has the keyboard where it should not, or has it not")
    # What this has set going, and the tail of what went before.
    counted, loop = [0], QEventLoop()
    QTimer.singleShot(REST_MS // 10, loop.quit)
    loop.exec()
    dispatcher = QAbstractEventDispatcher.instance()

    def count() -> None:
        counted[0] += 1

    QTimer.singleShot(REST_MS, loop.quit)
    dispatcher.awake.connect(count)
    begin = time.process_time()
    loop.exec()
    used = time.process_time() - begin
    dispatcher.awake.disconnect(count)
    # The last one is that of our own clock.
    return max(0, counted[0] - 1) * 1000 / REST_MS, used * 1000 / REST_MS * 100


def bytes_view(theme: Theme, data: bytes, runs: RegionRuns) -> HexView:
    """Our view, the window's size, coloured as densely as a pickle."""
    view = HexView(theme)
    view.set_reader(MemorySource(data))
    view.set_regions(lambda start, stop: part(runs, start, stop))
    shown(view)
    return view


def text_view(theme: Theme, data: bytes) -> QPlainTextEdit:
    """Qt's view of plain text with a dump of the bytes."""
    view = QPlainTextEdit()
    view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    view.setFont(theme.mono())
    rows = [data[at : at + 16] for at in range(0, len(data), 16)]
    text = (f"{at * 16:08X}  {row.hex(' ').upper()}  {row.translate(DOTTED).decode()}" for at, row in enumerate(rows))
    view.setPlainText("\n".join(text))
    shown(view)
    return view


def shown(view: QAbstractScrollArea) -> None:
    """On the screen, as large as the window."""
    view.resize(*WINDOW)
    view.show()
    QTest.qWaitForWindowExposed(view)


def turn(area: QAbstractScrollArea) -> Callable[[int], None]:
    """A notch of the wheel, three rows, down and at the end of four seconds up again."""
    bar = area.verticalScrollBar()
    return lambda number: bar.setValue(bar.value() + (3 if number % 480 < 240 else -3))


def drag(area: QAbstractScrollArea) -> Callable[[int], None]:
    """The thumb, anywhere."""
    bar, chance = area.verticalScrollBar(), random.Random(4)
    return lambda number: bar.setValue(chance.randrange(bar.maximum()))


def press(area: QAbstractScrollArea) -> Callable[[int], None]:
    """A page down, or back up, as the keys do it."""
    return lambda number: QTest.keyClick(area, Qt.Key.Key_PageDown if number % 60 < 30 else Qt.Key.Key_PageUp)


def run() -> list[Figure]:
    """Rows for a view of 1440 x 900, beside the view of plain text."""
    _app = QApplication.instance() or QApplication([])
    theme, figures = load_theme("light"), []
    data, runs = pickle_like(SIZE)
    ours, peer = bytes_view(theme, data, RegionRuns.of(runs)), text_view(theme, data)
    for name, step in (("wheel", turn), ("drag", drag), ("page keys", press)):
        ridden, other = by_turns(partial(ride, ours, step(ours)), partial(ride, peer, step(peer)))
        figures += [
            Figure(f"hex scroll, {name}: a frame, median / plain text", ridden.median, other.median, "ms"),
            Figure(f"hex scroll, {name}: a frame, p99 / plain text", ridden.p99, other.p99, "ms", "16.7 or less"),
            Figure(f"hex scroll, {name}: frames within a 60th", ridden.in_time, other.in_time, "%", "99 or more"),
            Figure(f"hex scroll, {name}: frames without paint", ridden.unpainted, None, "", "0"),
            Figure(f"hex scroll, {name}: longest gap / plain text", ridden.gap, other.gap, "ms", "on the clock"),
            Figure(f"hex scroll, {name}: longest gap, own / plain text", ridden.held, other.held, "ms", "16.7 or less"),
        ]
    for focused, words, goal in ((False, "without the keyboard", "0"), (True, "with it", "the caret's")):
        mine, theirs = wakes(ours, focused=focused), wakes(peer, focused=focused)
        figures += [
            Figure(f"hex idle, wake-ups {words} / plain text", mine[0], theirs[0], "a second", goal),
            Figure(f"hex idle, of a core {words} / plain text", mine[1], theirs[1], "%", "0.3 or less"),
        ]
    return figures
