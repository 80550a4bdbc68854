"""Byte search: all hits of one query in a scope as they come, and the next one from any place, at once where known."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal, Slot

from viewer.core.errors import ViewerError
from viewer.core.progress import Pace, Progress, Step
from viewer.core.search_bytes.base import SEARCHING, Hits, Piece, Query
from viewer.core.search_bytes.hit_list import HitList
from viewer.core.span import Span
from viewer.late import late

if TYPE_CHECKING:
    from viewer.core.search_bytes.scan import next_hit, pieces
    from viewer.core.source import ByteSource
    from viewer.session.jobs import Jobs
else:
    next_hit, pieces = late("viewer.core.search_bytes.scan", "next_hit pieces")

log = logging.getLogger(__name__)

LISTING: Final = "all hits"
NEAREST: Final = "nearest hit"
BATCH_SECONDS: Final = 1 / 30
Finding = tuple[Span, bool]


class ByteSearch(QObject):
    """One search. `hits`: those that are listed; None while nothing is looked for. `running`: more may come.

    `current`: the hit that was reached last. `failure`: why the search ended early. `pace`: how fast it goes.

    changed: another search, more hits, or its end.
        Signal()
    reached: the hit that was asked for; None: there is none.
        Signal(hit: Span | None)
    """

    changed = Signal()
    reached = Signal(object)
    _arrived = Signal(object)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._run: object = None
        self._finding: Finding | None = None
        self.source: ByteSource | None = None
        self.query: Query | None = None
        self.scope = Span(0, 0)
        self.hits: HitList | None = None
        self.current: Span | None = None
        self.running = False
        self.failure: Exception | None = None
        self.pace = Pace()
        self._arrived.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def finding(self) -> bool:
        """True while a hit that was asked for is looked for."""
        return self._finding is not None

    def look(self, source: ByteSource, query: Query, scope: Span) -> None:
        """Look for something, and list all of it; nothing happens where that was or is being done."""
        if (source, query, scope) == (self.source, self.query, self.scope) and self.hits is not None:
            return
        self.clear()
        self.source, self.query, self.scope = source, query, scope
        self.hits = HitList(scope.start, query.length)
        self.running, self._run, self.pace = True, object(), Pace()
        run = self._run

        def work(progress: Progress) -> None:
            for batch in batches(pieces(source, query, scope, scope, progress)):
                self._arrived.emit((run, batch))

        # All of a huge file is searched for hours: nothing that a click asks for waits for that.
        self._jobs.start(LISTING, work, self._ended, self._failed, long=True)
        self.changed.emit()

    def clear(self) -> None:
        """Look for nothing."""
        self.stop()
        self.source = self.query = self.hits = self.current = self.failure = None
        self.changed.emit()

    def stop(self) -> None:
        """Stop looking; what was found stays."""
        self._jobs.cancel(LISTING)
        self._jobs.cancel(NEAREST)
        self.running, self._run, self._finding = False, None, None

    def step(self, selected: Span, *, backwards: bool = False) -> None:
        """Reach the next hit behind the selected bytes, or the one before them, round the end of the scope."""
        source, query, scope = self.source, self.query, self.scope
        if source is None or query is None:
            return
        self._finding = (selected, backwards)
        if self._answer():
            return

        def work(progress: Progress) -> Span | None:
            return next_hit(source, query, selected, progress, backwards=backwards, scope=scope)

        self._jobs.start(NEAREST, work, self._reached, self._failed)
        self.changed.emit()

    def _answer(self) -> bool:
        """Reach the hit that is asked for out of those that are listed, where they tell."""
        if self._finding is None or self.hits is None:
            return False
        selected, backwards = self._finding
        answer = known(self.hits, self.scope, selected, backwards=backwards)
        if answer is None:
            return False
        self._jobs.cancel(NEAREST)
        self._reached(answer if answer.length else None)
        return True

    def _reached(self, hit: Span | None) -> None:
        self._finding, self.current = None, hit
        self.reached.emit(hit)

    @Slot(object)
    def _take(self, arrival: tuple[object, Piece]) -> None:
        run, piece = arrival
        if run is not self._run or run is None or self.hits is None:
            return
        self.hits.add(piece.hits, piece.searched)
        self.pace.take(Step(SEARCHING, piece.searched - self.scope.start, self.scope.length))
        self._answer()
        self.changed.emit()

    def _ended(self, _: object) -> None:
        self.running = False
        self._answer()
        self.changed.emit()

    def _failed(self, failure: Exception) -> None:
        if not isinstance(failure, ViewerError):
            log.error("searching failed", exc_info=failure)
        self.stop()
        self.failure = failure
        self.changed.emit()


NONE: Final = Span(0, 0)


def known(hits: HitList, scope: Span, selected: Span, *, backwards: bool) -> Span | None:
    """The next hit as far as the list tells, as `next_hit` finds it; an empty span: there is none; None: not known."""
    whole = hits.known_to >= scope.stop
    turn = min(max(scope.start, selected.start + (selected.length > 0 and not backwards)), scope.stop)
    at = hits.before(turn)
    # What is listed are the first hits of all, none left out between them.
    if not backwards and at < len(hits):
        return hits[at]
    if backwards and at and (hits.known_to >= turn or at < len(hits)):
        return hits[at - 1]
    if not whole:
        return None
    if not len(hits):
        return NONE
    return hits[-1] if backwards else hits[0]


def batches(found: Iterable[Piece]) -> Iterator[Piece]:
    """Pieces joined so that they come thirty times a second, the first at once."""
    waiting: list[Hits] = []
    last, searched = 0.0, 0
    for piece in found:
        waiting.append(piece.hits)
        searched = piece.searched
        now = time.monotonic()
        if now - last >= BATCH_SECONDS:
            yield _joined(waiting, searched)
            waiting, last = [], now
    if waiting:
        yield _joined(waiting, searched)


def _joined(waiting: list[Hits], searched: int) -> Piece:
    starts = np.concatenate([hits.starts for hits in waiting])
    lengths = [hits.lengths for hits in waiting if hits.lengths is not None]
    return Piece(Hits(starts, np.concatenate(lengths) if lengths else None), searched)
