"""How much of a comparison is done, in bytes of both files."""

from __future__ import annotations

from typing import Final

from viewer.core.progress import Progress

STEP: Final = "comparing"


class Meter:
    """Counts bytes as they are read; a place to stop at each of them. `total`: of all that is to be read."""

    def __init__(self, progress: Progress | None = None, total: int = 0) -> None:
        self._progress = progress or Progress()
        self.done, self.total = 0, total

    @property
    def progress(self) -> Progress:
        """A place to stop, for work that reads little."""
        return self._progress.silent()

    def add(self, nbytes: int) -> None:
        """So many were read. Raises CancelledError."""
        self.done += nbytes
        self._progress.step(STEP, self.done, self.total)

    def again(self, done: int) -> None:
        """What was read since `done` has to be read once more."""
        self.total += self.done - done
