"""Progress: a throttled report, and the point where work can be stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from viewer.core.errors import CancelledError

INTERVAL: Final = 0.1


@dataclass(frozen=True, slots=True)
class Step:
    """What is being done: a code of `wording.steps`, units done, units in all (0 = unknown)."""

    what: str
    done: int
    total: int


class Progress:
    """Handed into work that may take long. Knows no threads: a flag is set from outside and seen at `step`."""

    def __init__(self, report: Callable[[Step], None] | None = None) -> None:
        self._report = report
        self._last = 0.0
        self._cancelled = False

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

    def step(self, what: str, done: int, total: int = 0) -> None:
        """Report at most ten times a second; raises CancelledError when the work should stop."""
        self.check()
        if self._report is None:
            return
        now = time.monotonic()
        if now - self._last >= INTERVAL:
            self._last = now
            self._report(Step(what, done, total))
