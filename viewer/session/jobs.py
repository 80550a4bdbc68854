"""Work off the GUI thread: two threads in, and one for what may take hours; one queued signal out.

A job is a core function that takes a Progress. The latest job of a key cancels the one before it; results
of cancelled jobs are dropped by identity. Callbacks run on the thread that the Jobs object lives in.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Protocol

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal, Slot

from viewer.core.errors import CancelledError
from viewer.core.progress import Progress, Step

log = logging.getLogger(__name__)

# Most calls of Qt let the interpreter go and ask for it again, and each asking may wait this long for every busy job; a
# table that is painted asks a hundred times. Beside two jobs that holds the window for up to 60 ms at the 5 ms of
# Python, for 11 at 1 ms, for 4 at this (tests/bench/held_by_jobs.py); jobs take hardly more processor time (1.03).
SWITCH_INTERVAL = 0.0002
EXPORT = "export"
"""Key of the job that writes an export; one at a time for each file."""


class Start(Protocol):
    """Runs work in a thread (`Session.start`)."""

    def __call__(
        self,
        key: str,
        work: Callable[[Progress], Any],
        done: Callable[[Any], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> None: ...


@dataclass(slots=True, eq=False)
class Job:
    """One piece of work that was asked for."""

    key: str
    progress: Progress
    done: Callable[[Any], None]
    failed: Callable[[Exception], None] | None
    stepped: Callable[[Step], None] | None
    long: bool = False
    future: Future[Any] | None = None


class Jobs(QObject):
    """Runs functions in threads.

    idle: the last job ended.
        Signal()
    failed: a job without a handler of its own raised.
        Signal(key: str, failure: Exception)
    closed: no more work is taken; what it was done on is given back next.
        Signal()
    """

    idle = Signal()
    failed = Signal(str, object)
    closed = Signal()
    waiting: ClassVar[list[Callable[[], None]] | None] = None
    """Work that is held back until the first window is up: to load what it needs would keep that waiting."""
    _arrived = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="viewer-job")
        self._long = ThreadPoolExecutor(1, thread_name_prefix="viewer-job-long")
        self._running: dict[str, Job] = {}
        self._closed = False
        self._arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def start(
        self,
        key: str,
        work: Callable[[Progress], Any],
        done: Callable[[Any], None],
        failed: Callable[[Exception], None] | None = None,
        stepped: Callable[[Step], None] | None = None,
        *,
        long: bool = False,
    ) -> None:
        """Run `work` in a thread; then `done` gets its result, or `failed` what it raised (not when cancelled).

        `long`: it may take hours, so it goes to the thread that only such work waits for.
        """
        if self._closed:
            return
        self.cancel(key)
        job = Job(key, Progress(), done, failed, stepped, long)
        job.progress = Progress(partial(self._report, job))
        self._running[key] = job
        if Jobs.waiting is None:
            self._submit(job, work)
        else:
            Jobs.waiting.append(partial(self._submit, job, work))

    @staticmethod
    def hold() -> None:
        """Begin no work of any Jobs until `let_go`."""
        Jobs.waiting = Jobs.waiting or []

    @staticmethod
    def let_go() -> None:
        """Begin what was held back, and all work at once from now on."""
        held, Jobs.waiting = Jobs.waiting or (), None
        for begin in held:
            begin()

    def start_told(
        self,
        told: Callable[[str, Step | None], None],
        key: str,
        work: Callable[[Progress], Any],
        done: Callable[[Any], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """The same, with each step told to `told`, and None at the end."""

        def finished(result: Any) -> None:
            told(key, None)
            if is_alive(done):
                done(result)

        def raised(failure: Exception) -> None:
            told(key, None)
            if is_alive(failed):
                failed(failure)

        self.start(key, work, finished, raised, lambda step: told(key, step))

    def cancel(self, key: str) -> None:
        """Stop the job of a key; its result is dropped."""
        job = self._running.pop(key, None)
        if job is not None:
            job.progress.cancel()

    def is_running(self, key: str) -> bool:
        """True while the latest job of a key has not ended."""
        return key in self._running

    @property
    def busy(self) -> bool:
        """True while any job runs."""
        return bool(self._running)

    def close(self) -> None:
        """Cancel all and wait for the threads; nothing is delivered afterwards."""
        if self._closed:
            return
        self._closed = True
        for key in list(self._running):
            self.cancel(key)
        for pool in (self._pool, self._long):
            pool.shutdown(wait=True, cancel_futures=True)
        self.closed.emit()

    def _submit(self, job: Job, work: Callable[[Progress], Any]) -> None:
        if self._running.get(job.key) is job and not self._closed:
            job.future = (self._long if job.long else self._pool).submit(self._run, job, work)

    def _run(self, job: Job, work: Callable[[Progress], Any]) -> None:
        try:
            outcome: object = work(job.progress)
        except CancelledError:
            # Without the frames that it came through: what they hold is given back here, not on the GUI thread.
            outcome = CancelledError()
        except Exception as failure:  # noqa: BLE001  whatever it is, the person is told on the GUI thread
            outcome = failure
        if not self._closed:
            self._arrived.emit((job, outcome))

    def _report(self, job: Job, step: Step) -> None:
        if not self._closed:
            self._arrived.emit((job, step))

    @Slot(object)
    def _deliver(self, arrival: tuple[Job, object]) -> None:
        job, outcome = arrival
        if self._closed or self._running.get(job.key) is not job:
            return
        if isinstance(outcome, Step):
            if job.stepped is not None:
                job.stepped(outcome)
            return
        del self._running[job.key]
        self._finish(job, outcome)
        if not self._running:
            self.idle.emit()

    def _finish(self, job: Job, outcome: object) -> None:
        if isinstance(outcome, CancelledError):
            return
        if not isinstance(outcome, Exception):
            if is_alive(job.done):
                job.done(outcome)
        elif job.failed is not None:
            if is_alive(job.failed):
                job.failed(outcome)
        else:
            log.error("job %s failed", job.key, exc_info=outcome)
            self.failed.emit(job.key, outcome)


def is_alive(callback: Callable[..., Any]) -> bool:
    """False for a method of a QObject that was deleted while the work went on."""
    owner = getattr(callback, "__self__", None)
    return not isinstance(owner, QObject) or bool(shiboken6.isValid(owner))
