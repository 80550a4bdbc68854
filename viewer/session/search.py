"""Search everything: the hits of one search over the whole file, as they come. The latest ends the one before."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance, Slot

from viewer.core.progress import Progress
from viewer.late import late
from viewer.session.offsets import OffsetError, parse_offset

if TYPE_CHECKING:
    from viewer.core.document import Document
    from viewer.core.formats.base import Options
    from viewer.core.search import search
    from viewer.core.search.base import Found, Hit, Look
    from viewer.core.search.wanted import Wanted, WantedError, wanted
    from viewer.core.source import ByteSource
    from viewer.core.span import Span
    from viewer.session.jobs import Start
    from viewer.session.linking import Links
    from viewer.session.selection import Selection
else:
    (search,) = late("viewer.core.search", "search")
    (Look,) = late("viewer.core.search.base", "Look")
    (wanted,) = late("viewer.core.search.wanted", "wanted")

log = logging.getLogger(__name__)

SEARCH: Final = "search everything"
BATCH_SECONDS: Final = 0.05
"""How often hits are handed over while more are looked for."""
# `fc1` and `face` are names here, though the go-to bar reads them as hexadecimal.
_TERM: Final = r"(?:0[xX][0-9A-Fa-f_]+|\d[\d_,]*|[\dA-Fa-f]+[hH]|end)"
_OFFSET: Final = re.compile(rf"\s*[+-]?\s*{_TERM}(?:\s*[-+*]\s*{_TERM})*\s*", re.IGNORECASE)


class Searched(Protocol):
    """What a search needs of its session."""

    documents: list[Document]
    selection: Selection
    options: Options

    @property
    def shown_source(self) -> ByteSource | None: ...

    @property
    def start(self) -> Start: ...

    def cancel(self, key: str) -> None: ...

    def select_found(
        self, document: int, find: Callable[[Links], Selection], origin: str, source: str = ""
    ) -> None: ...


class Search(QObject):
    """One search of a session. `hits`: those that are kept, `totals`: how many there are, by kind.

    `fault`: why nothing could be looked for; `failure`: why it ended early. `cut`: letters of a text that an expression
    looked at, where some text was longer, else 0. `unread`: parts that could not be read. `stopped`: before the
    end.

    began: another search, or none; what was found is forgotten.
        Signal()
    found: more hits.
        Signal(batch: list[Found])
    ended: nothing more is looked for.
        Signal()
    """

    began = Signal()
    found = Signal(object)
    ended = Signal()
    _arrived = Signal(object)

    def __init__(self, session: Searched, documents_changed: SignalInstance, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._run: object = None
        self._documents: Sequence[Document] = ()
        self.text = ""
        self.match_case = self.expression = False
        self.running = self.stopped = False
        self.fault: WantedError | None = None
        self.failure: Exception | None = None
        self.cut = self.unread = 0
        self.hits: dict[str, list[Hit]] = {}
        self.totals: dict[str, int] = {}
        self._arrived.connect(self._take, Qt.ConnectionType.QueuedConnection)
        documents_changed.connect(self.documents_changed)

    @property
    def total(self) -> int:
        """All that was found."""
        return sum(self.totals.values())

    def look(self, text: str, *, match_case: bool = False, expression: bool = False) -> None:
        """Look for something else; for nothing where the text is empty."""
        self.text, self.match_case, self.expression = text, match_case, expression
        self._begin()

    def documents_changed(self) -> None:
        """The file was read anew: what was found is looked for in it again."""
        if self.text and self._session.documents is not self._documents:
            self._begin()

    def stop(self) -> None:
        """End the search; what was found stays."""
        if self.running:
            self._session.cancel(SEARCH)

    def halted(self) -> None:
        """The work was stopped from elsewhere."""
        if self.running:
            self.running, self.stopped, self._run = False, True, None
            self.ended.emit()

    def select(self, hit: Hit, origin: str) -> None:
        """Go to what was found, in all panes; nowhere for what has no place."""
        if hit.leads:
            self._session.select_found(hit.document, lambda links: selection_of(links, hit), origin, hit.source)

    # -- the work ---------------------------------------------------------------------------------

    def _begin(self) -> None:
        if self.running:
            self.running = False
            self._session.cancel(SEARCH)
        self.hits, self.totals = {}, {}
        self.fault, self.failure, self.cut, self.unread, self.stopped = None, None, 0, 0, False
        self._run, self._documents = None, self._session.documents
        look = self._made() if self.text and self._documents else None
        self.running = look is not None
        self.began.emit()
        if look is None:
            self.ended.emit()
            return
        documents, run = self._documents, object()
        self._run = run

        def work(progress: Progress) -> Look:
            look.progress = progress
            for batch in batches(search(documents, look)):
                self._arrived.emit((run, batch))
            return look

        self._session.start(SEARCH, work, self._through, self._failed)

    def _made(self) -> Look | None:
        from viewer.core.search.wanted import WantedError

        try:
            meant = wanted(self.text, match_case=self.match_case, expression=self.expression)
        except WantedError as fault:
            self.fault = fault
            return None
        session = self._session
        here = session.selection.document, session.selection.source
        return Look(meant, Progress(), session.options.text_encoding, self._offset(meant), here)

    def _offset(self, meant: Wanted) -> int | None:
        """What was typed as an offset of the bytes that are shown; None where it is none."""
        source, span = self._session.shown_source, self._session.selection.span
        if source is None or meant.is_expression or not _OFFSET.fullmatch(meant.text):
            return None
        try:
            return parse_offset(meant.text, span.start if span is not None else 0, source.size)
        except OffsetError:
            return None

    @Slot(object)
    def _take(self, arrival: tuple[object, list[Found]]) -> None:
        run, batch = arrival
        if run is not self._run or run is None:
            return
        for kind, hits, total in batch:
            self.hits.setdefault(kind, []).extend(hits)
            self.totals[kind] = self.totals.get(kind, 0) + total
        self.found.emit(batch)

    def _through(self, look: Look) -> None:
        self.running = False
        self.cut = look.wanted.longest if look.cut else 0
        self.unread = look.unread
        self.ended.emit()

    def _failed(self, failure: Exception) -> None:
        log.error("searching failed", exc_info=failure)
        self.running, self.failure = False, failure
        self.ended.emit()


def batches(found: Iterator[Found]) -> Iterator[list[Found]]:
    """Hits as they are handed over: the first at once, then so many as come in a twentieth of a second."""
    waiting: list[Found] = []
    last = 0.0
    for block in found:
        waiting.append(block)
        now = time.monotonic()
        if now - last >= BATCH_SECONDS:
            yield waiting
            waiting, last = [], now
    if waiting:
        yield waiting


def selection_of(links: Links, hit: Hit) -> Selection:
    """The place of a hit."""
    document = links.document
    if hit.tensor >= 0:
        return links.from_tensor(document.tensors[hit.tensor])
    if hit.opcode is not None:
        return links.from_opcode(hit.opcode)
    if hit.code >= 0:
        return links.from_line(hit.code, hit.line or None)
    if hit.member:
        return links.from_member(hit.member)
    spans: tuple[Span, ...] = (hit.span,) if hit.span is not None else ()
    return links.from_bytes(spans, hit.source)
