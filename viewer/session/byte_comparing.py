"""Byte comparing: two runs of bytes held against each other; the next difference at once, all of them as they come."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal, Slot

from viewer.core.byte_differences import all_differences, first_difference, next_difference, previous_difference
from viewer.core.errors import ViewerError
from viewer.core.search_bytes.hit_list import HitList
from viewer.core.span import Span
from viewer.session.byte_search import batches
from viewer.session.seen_bytes import Beside

if TYPE_CHECKING:
    from viewer.core.progress import Progress
    from viewer.core.search_bytes.base import Piece
    from viewer.core.source import ByteSource
    from viewer.session.session import Session

log = logging.getLogger(__name__)

STEPPING: Final = "difference of bytes"
LISTING: Final = "all differences of bytes"
AT_ONCE: Final = 2**30
"""Bytes of which all differences are listed unasked."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Bytes of an open file that are compared. `place`: the record or file of the set that the span counts in."""

    session: Session
    source: ByteSource
    span: Span
    place: str = ""

    @staticmethod
    def whole(session: Session, source: ByteSource, place: str = "") -> Part:
        """All bytes of a source."""
        return Part(session, source, Span(0, source.size), place)

    @property
    def is_whole(self) -> bool:
        """True where no byte of the source is left out."""
        return self.span == Span(0, self.source.size)

    @property
    def content(self) -> ByteSource:
        """The bytes, counted from where they begin."""
        return self.source if self.is_whole else self.source.slice(self.span.start, self.span.stop)


def beside(mine: Part, theirs: Part) -> Beside | None:
    """The comparison as it can be found again; None where the other bytes stand inside another file."""
    if theirs.place and theirs.session is not mine.session:
        return None
    spans = [None if part.is_whole else part.span for part in (mine, theirs)]
    return Beside(spans[0], mine.place, spans[1], theirs.session.path, theirs.session.title)


def found_again(session: Session, known: Beside) -> tuple[Part, Part] | None:
    """The parts of a comparison after one of its files was read again; None where one has no such bytes any more."""
    source = session.shown_source
    is_own = known.path == session.path
    other = session if is_own else next((peer for peer in session.peers() if peer.path == known.path), None)
    there = source if is_own else other.source if other is not None else None
    if source is None or other is None or there is None:
        return None
    parts = (
        Part(session, source, (known.mine or Span(0, source.size)).clipped(source.size), known.place),
        Part(other, there, (known.theirs or Span(0, there.size)).clipped(there.size), known.place if is_own else ""),
    )
    return parts if all(part.span.length for part in parts) else None


class ByteComparing(QObject):
    """One comparison, in the jobs of a session. Offsets count from where both parts begin.

    `found`: the differences that are listed; None before that was asked for. `running`: more may come. `differing`:
    how many bytes those are that were found. `failure`: why it ended early.

    changed: more differences, their end, or another comparison.
        Signal()
    reached: the difference that was asked for; None: there is none.
        Signal(offset: int | None)
    """

    changed = Signal()
    reached = Signal(object)
    _arrived = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._run: object = None
        self.one: ByteSource | None = None
        self.other: ByteSource | None = None
        self.found: HitList | None = None
        self.differing = 0
        self.running = False
        self.failure: Exception | None = None
        self._arrived.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def size(self) -> int:
        """Bytes of the longer one."""
        return max(self.one.size, self.other.size) if self.one is not None and self.other is not None else 0

    def begin(self, one: ByteSource, other: ByteSource, *, reach: bool = True) -> None:
        """Compare these: `reach` the first difference, list them all where that is quick."""
        self.forget()
        self.one, self.other = one, other
        if reach:
            self._start(lambda progress: first_difference(one, other, progress))
        if self.size <= AT_ONCE:
            self.list_all()

    def forget(self) -> None:
        """Compare nothing, and forget what was found."""
        self.stop()
        self.found, self.failure, self.differing = None, None, 0
        self.changed.emit()

    def stop(self) -> None:
        """Compare nothing; what was found stays."""
        for key in (STEPPING, LISTING):
            if self._session.jobs.is_running(key):
                self._session.cancel(key)
        self.one = self.other = self._run = None
        self.running = False

    def list_all(self) -> None:
        """List all differences, as they are found; nothing happens where that was or is being done."""
        one, other = self.one, self.other
        if one is None or other is None or self.found is not None:
            return
        self.found, self.running, self._run = HitList(), True, object()
        run = self._run

        def work(progress: Progress) -> None:
            for batch in batches(all_differences(one, other, progress)):
                self._arrived.emit((run, batch))

        self._session.start(LISTING, work, self._ended, self._failed)
        self.changed.emit()

    def step(self, offset: int, *, backwards: bool = False) -> None:
        """Reach the next difference behind the run at an offset, or the start of that before it."""
        one, other = self.one, self.other
        if one is None or other is None:
            return
        is_known, answer = self._known(offset, backwards=backwards)
        if is_known:
            self._session.jobs.cancel(STEPPING)
            self.reached.emit(answer)
            return
        find = previous_difference if backwards else next_difference
        self._start(lambda progress: find(one, other, offset, progress))

    def _known(self, offset: int, *, backwards: bool) -> tuple[bool, int | None]:
        """What the list tells of a step, and whether it tells."""
        found = self.found
        if found is None:
            return False, None
        at = found.before(offset if backwards else offset + 1)
        if backwards and (found.known_to >= offset or at < len(found)):
            return True, found[at - 1].start if at else None
        if not backwards and at < len(found):
            return True, found[at].start
        return found.known_to >= self.size, None

    def _start(self, work: Callable[[Progress], int | None]) -> None:
        self._session.start(STEPPING, work, self.reached.emit, self._failed)

    @Slot(object)
    def _take(self, arrival: tuple[object, Piece]) -> None:
        run, piece = arrival
        if run is not self._run or run is None or self.found is None:
            return
        self.found.add(piece.hits, piece.searched)
        if piece.hits.lengths is not None:
            self.differing += int(piece.hits.lengths.sum(dtype="int64"))
        self.changed.emit()

    def _ended(self, _: object) -> None:
        self.running = False
        self.changed.emit()

    def _failed(self, failure: Exception) -> None:
        if not isinstance(failure, ViewerError):
            log.error("comparing failed", exc_info=failure)
        self.stop()
        self.failure = failure
        self.changed.emit()
