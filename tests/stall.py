"""Measures how long the GUI thread is held between two beats of a timer.

A machine that is shared by many may take the processor away for longer than the limit. That time is known to
Linux (run delay in /proc, of a guest also what its host took) and is taken off, so that only what the program itself
does counts: never less than what the GUI thread computed. Blocking calls, locks and waiting for the interpreter's lock
do count.
"""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

import pytest

Made = TypeVar("Made")
LIMIT: Final = 0.1
BEAT_MS: Final = 5
LOOK: Final = 0.02
INNERMOST: Final = 12
TASKS: Final = Path("/proc/self/task")
STAT: Final = Path("/proc/stat")
MACHINE: Final = "machine"
TICK_NS: Final = 10_000_000


Delays = dict[str, int]
"""Nanoseconds without a processor: of each thread of this process by its number, and of the machine as a guest."""


def delays() -> Delays:
    """What was taken until now; nothing where the system does not say. A thread may end while it is asked."""
    found: Delays = {}
    for task in TASKS.iterdir() if TASKS.is_dir() else ():
        with suppress(OSError, IndexError, ValueError):
            found[task.name] = int((task / "schedstat").read_text(encoding="ascii").split()[1])
    with suppress(OSError, IndexError, ValueError):
        found[MACHINE] = int(STAT.read_text(encoding="ascii").split(maxsplit=9)[8]) * TICK_NS
    return found


def stolen(before: Delays, after: Delays) -> float:
    """Seconds that were taken between two looks; a thread that ended takes none of the others' time with it."""
    return sum(max(0, taken - before.get(name, 0)) for name, taken in after.items()) / 1e9


@dataclass(slots=True)
class Beats:
    """What was measured: the longest hold in seconds, how many beats, and what ran during a long hold.

    `computed`: the longest that the GUI thread itself took of the processor between two beats, whoever else was busy.
    """

    worst: float = 0.0
    computed: float = 0.0
    count: int = 0
    seen: list[str] = field(default_factory=list)


class Watch:
    """A timer in the GUI thread and a thread that looks at it. Use `no_stall`."""

    def __init__(self, limit: float) -> None:
        from PySide6.QtCore import QTimer

        self.limit = limit
        self.beats = Beats()
        self._gui = threading.get_ident()
        self._last = time.monotonic()
        self._used = time.thread_time()
        self._delays = delays()
        self._done = threading.Event()
        self._timer = QTimer()
        self._timer.setInterval(BEAT_MS)
        self._timer.timeout.connect(self.beat)
        self._thread = threading.Thread(target=self._look, name="stall watch", daemon=True)

    def start(self) -> None:
        self._last, self._used, self._delays = time.monotonic(), time.thread_time(), delays()
        self._timer.start()
        self._thread.start()

    def stop(self) -> None:
        self.beat()
        self._timer.stop()
        self._done.set()
        self._thread.join()

    def beat(self) -> None:
        """Called in the GUI thread whenever it is free."""
        now, used = time.monotonic(), time.thread_time()
        held, computed = now - self._last, used - self._used
        if held > self.limit:
            now_taken = delays()
            held = max(held - stolen(self._delays, now_taken), computed)
            self._delays = now_taken
        elif self.beats.count % 20 == 0:
            self._delays = delays()
        self.beats.worst = max(self.beats.worst, held)
        self.beats.computed = max(self.beats.computed, computed)
        self.beats.count += 1
        self._last, self._used = now, time.thread_time()

    def _look(self) -> None:
        reported = -1
        while not self._done.wait(LOOK):
            count = self.beats.count
            if time.monotonic() - self._last > self.limit and count != reported:
                reported = count
                self.beats.seen.append(what_runs(self._gui))


def what_runs(thread: int) -> str:
    """The innermost calls of a thread. Its frames are given back at once: what they hold must not be freed here."""
    frame = sys._current_frames().get(thread)
    calls: list[tuple[str, int, str]] = []
    while frame is not None and len(calls) < INNERMOST:
        calls.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        frame = frame.f_back
    del frame
    summaries = [traceback.FrameSummary(*call) for call in reversed(calls)]
    return "".join(traceback.format_list(summaries))


@contextmanager
def no_stall(limit: float = LIMIT) -> Iterator[Beats]:
    """Fails the test when the GUI thread is held longer than `limit` seconds inside the block.

    Build windows before the block: their construction is not meant. What the test itself computes counts too.
    """
    watch = Watch(limit)
    watch.start()
    try:
        yield watch.beats
    finally:
        watch.stop()
    if watch.beats.worst > limit:
        stacks = "\n".join(watch.beats.seen) or "(nothing was seen)"
        pytest.fail(f"the GUI thread was held for {watch.beats.worst * 1000:.0f} ms; it ran:\n{stacks}", pytrace=False)


def least_stall(make: Callable[[], Made], run: Callable[[Made], None], limit: float = LIMIT, tries: int = 3) -> None:
    """Fails the test when each of several runs, over what `make` builds before it, holds the window beyond `limit` s.

    For work that keeps two threads busy beside the window: what the program does comes each time, what a machine
    without a processor to spare does comes now and then, and not all of it is known to the system. What the GUI thread
    computes by itself is known whatever else goes on: of that one run beyond the limit is enough.
    """
    for number in range(tries):
        made = make()
        watch = Watch(limit)
        watch.start()
        try:
            run(made)
        finally:
            watch.stop()
        if watch.beats.worst <= limit:
            return
        if number == tries - 1 or watch.beats.computed > limit:
            stacks = "\n".join(watch.beats.seen) or "(nothing was seen)"
            pytest.fail(
                f"held for {watch.beats.worst * 1000:.0f} ms, {number + 1} times; it ran:\n{stacks}", pytrace=False
            )
