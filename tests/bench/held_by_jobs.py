"""How long a painted table holds the window while two jobs compute: at the program's switch interval, and at others."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from tests.bench import Figure

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

ROWS: Final = 40
ROUNDS: Final = 200
JOBS: Final = 2
PYTHONS: Final = 0.005
EARLIER: Final = 0.001
LONGEST: Final = 0.06


def run() -> list[Figure]:
    """The longest of some paintings beside two busy threads, and what switching costs those threads."""
    from PySide6.QtGui import QGuiApplication, QImage

    from viewer.session.jobs import SWITCH_INTERVAL

    app = QGuiApplication.instance() or QGuiApplication(["picklescope"])
    image = QImage(600, 10 * ROWS, QImage.Format.Format_ARGB32_Premultiplied)
    paint(image)
    before = sys.getswitchinterval()
    try:
        ours, earlier, pythons = (held(image, interval) for interval in (SWITCH_INTERVAL, EARLIER, PYTHONS))
        work, peer = (min(computing(interval) for _ in range(5)) for interval in (SWITCH_INTERVAL, PYTHONS))
    finally:
        sys.setswitchinterval(before)
    del app
    what = "painting 40 rows beside two jobs: "
    return [
        Figure(what + "longest, to that of 1 ms", ours, earlier, goal=f"ours below {LONGEST}"),
        Figure(what + "longest, to that of Python's 5 ms", ours, pythons, goal=f"ours below {LONGEST}"),
        Figure("two jobs: processor time, to that of Python's 5 ms", work, peer, goal="1.05"),
    ]


def paint(image: QImage) -> None:
    """Two calls of Qt a row, each of which lets the interpreter go."""
    from PySide6.QtGui import QColor, QPainter

    painter = QPainter(image)
    for row in range(ROWS):
        painter.fillRect(0, row * 10, 600, 10, QColor(row, row, row))
        painter.drawText(5, row * 10 + 9, f"tensor {row}")
    painter.end()


def held(image: QImage, interval: float) -> float:
    """Seconds of the longest painting, as far as it waited for the interpreter and not for the machine."""
    from tests.stall import delays

    sys.setswitchinterval(interval)
    longest, own = 0.0, str(threading.get_native_id())
    with busy(lambda: sum(range(50))):
        for _ in range(ROUNDS):
            before, computed, start = delays(), time.process_time(), time.perf_counter()
            paint(image)
            took, computed = time.perf_counter() - start, time.process_time() - computed
            kept = (delays().get(own, 0) - before.get(own, 0)) / 1e9
            longest = max(longest, min(took - kept, computed))
    return longest


def computing(interval: float) -> float:
    """Processor time of two threads that compute by turns."""
    sys.setswitchinterval(interval)
    start = time.process_time()
    threads = [threading.Thread(target=lambda: sum(at for at in range(1_000_000))) for _ in range(JOBS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.process_time() - start


@contextmanager
def busy(work: Callable[[], object]) -> Iterator[None]:
    """Threads that do nothing else while the block runs."""
    done = threading.Event()

    def loop() -> None:
        while not done.is_set():
            work()

    threads = [threading.Thread(target=loop) for _ in range(JOBS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()
