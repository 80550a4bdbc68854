"""Progress: a throttled report, the point where work can be stopped, and how fast work goes."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from typing_extensions import override

from viewer.core.errors import CancelledError
from viewer.wording.steps import IN_BYTES, PACE, STEPS

T = TypeVar("T")
INTERVAL: Final = 0.1
WINDOW: Final = 8.0
"""Seconds over which a rate is measured: long enough to stand still, short enough to follow a disk that slows down."""
FIRST: Final = 1.0
"""Seconds before anything is said of a rate."""
SPANS: Final = (("seconds", 1, 90.0), ("minutes", 60, 5400.0), ("hours", 3600, 0.0))
"""How the time that is left is told, in what, and up to how many seconds."""


@dataclass(frozen=True, slots=True)
class Step:
    """What is being done: a code of `wording.steps`, units done, units in all (0 = unknown).

    `item`: what of many is worked on, "" where that is not said; it is the one of that `number`, from 1, of `count`.
    """

    what: str
    done: int
    total: int
    item: str = ""
    number: int = 0
    count: int = 0


class Progress:
    """Handed into work that may take long. Knows no threads: a flag is set from outside and seen at `step`."""

    def __init__(self, report: Callable[[Step], None] | None = None) -> None:
        self._report = report
        self._last = 0.0
        self._cancelled = False
        self._item = ("", 0, 0)

    @property
    def cancelled(self) -> bool:
        """True once `cancel` was called."""
        return self._cancelled

    def cancel(self) -> None:
        """Ask the work to stop at its next step. May be called from any thread."""
        self._cancelled = True

    def check(self) -> None:
        """Raise CancelledError when the work should stop."""
        if self._cancelled:
            raise CancelledError

    def each(self, items: Iterable[T]) -> Iterator[T]:
        """The items, each a place to stop."""
        for item in items:
            self.check()
            yield item

    def at(self, item: str, number: int, count: int) -> None:
        """The next steps are work on this one of many, `number` from 1; "" ends that."""
        self._item = (item, number, count)

    def step(self, what: str, done: int, total: int = 0) -> None:
        """Report at most ten times a second; raises CancelledError when the work should stop."""
        self.check()
        if self._report is None:
            return
        now = time.monotonic()
        if now - self._last >= INTERVAL:
            self._last = now
            self._report(Step(what, done, total, *self._item))

    def silent(self) -> Progress:
        """The same place to stop, for work within work that has its own report."""
        return Silent(self)


class Silent(Progress):
    """Stops when another does, and reports nothing."""

    def __init__(self, outer: Progress) -> None:
        super().__init__()
        self._outer = outer

    @property
    @override
    def cancelled(self) -> bool:
        return self._outer.cancelled

    @override
    def cancel(self) -> None:
        self._outer.cancel()

    @override
    def check(self) -> None:
        self._outer.check()


class Pace:
    """How fast one piece of work goes, from its steps. `clock`: seconds, in tests another one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._step = Step("", 0, 0)
        self._seen: deque[tuple[float, int]] = deque()

    def take(self, step: Step) -> None:
        """The next step; other work, or work that begins anew, is measured anew."""
        last, self._step = self._step, step
        if (step.what, step.total) != (last.what, last.total) or step.done < last.done:
            self._seen.clear()
        now = self._clock()
        self._seen.append((now, step.done))
        while len(self._seen) > 2 and self._seen[1][0] <= now - WINDOW:
            self._seen.popleft()

    @property
    def rate(self) -> float | None:
        """Units in a second; None at first. It falls while no step comes."""
        if not self._seen:
            return None
        began, done = self._seen[0]
        spent = self._clock() - began
        return (self._step.done - done) / spent if spent >= FIRST else None

    @property
    def left(self) -> float | None:
        """Seconds to the end; None where that is not known."""
        rate, step = self.rate, self._step
        return (step.total - step.done) / rate if rate and step.total >= step.done else None


def how_far(step: Step, pace: Pace, say: Callable[[str, Mapping[str, object]], str], size: Callable[[int], str]) -> str:
    """How far work is, in one line: `1.20 GB of 4.80 GB, 310 MB/s, 12 s left`; or `41 %, 3 s left`; "" at its start.

    `say`: a sentence of `wording` with its parameters; `size`: a number of bytes in words.
    """
    return ", ".join(_parts(step, pace, say, size))


def _parts(
    step: Step, pace: Pace, say: Callable[[str, Mapping[str, object]], str], size: Callable[[int], str]
) -> Iterator[str]:
    rate, left, in_bytes = pace.rate, pace.left, step.what in IN_BYTES
    done = min(step.done, step.total) if step.total else step.done
    if step.total and in_bytes:
        yield say(PACE["of"], {"done": size(done), "total": size(step.total)})
    elif step.total:
        yield say(PACE["percent"], {"percent": 100 * done // step.total})
    elif done:
        yield size(done) if in_bytes else say(STEPS[step.what][1], {"done": done})
    if in_bytes and rate is not None and rate >= 1:
        yield say(PACE["rate"], {"rate": size(round(rate))})
    if step.total and left is not None:
        unit, seconds = next((each for each in SPANS if left < each[2]), SPANS[-1])[:2]
        yield say(PACE[unit], {"left": max(1, round(left / seconds))})
