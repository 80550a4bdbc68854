"""The entropy beside the map, first of samples, then of all bytes: a piece at a time, while nothing else is done."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QEvent, QObject
from typing_extensions import override

from viewer.ui.hexview.overview import NO_OVERVIEW, SAMPLE, Overview, Shares, bounds, whole_entropy

if TYPE_CHECKING:
    from viewer.core.progress import Progress
    from viewer.core.source import ByteSource
    from viewer.session.session import Session
    from viewer.ui.hexview.map import HexMap

REFINING: Final = "all bytes of the map"
PIECE: Final = 32 * 1024 * 1024
MOST: Final = 4 * 1024 * 1024 * 1024
"""Bytes of a file that are all read for it; of larger ones the samples stay."""
Rows = tuple[Overview, int, Shares]


class MapRefining(QObject):
    """Refines what one map shows. Nothing is read while the map is hidden or the session has other work."""

    def __init__(self, session: Session, map_: HexMap) -> None:
        super().__init__(map_)
        self._session, self._map = session, map_
        self._source: ByteSource | None = None
        self._overview = NO_OVERVIEW
        self._row = 0
        session.jobs.idle.connect(self._next)
        map_.installEventFilter(self)

    def begin(self, source: ByteSource, overview: Overview) -> None:
        """The map shows this overview of a source."""
        self.stop()
        rows = len(overview.entropy)
        if rows * SAMPLE < source.size <= MOST:
            self._source, self._overview, self._row = source, overview, 0

    def stop(self) -> None:
        """Something else is shown."""
        self._session.jobs.cancel(REFINING)
        self._source, self._overview = None, NO_OVERVIEW

    @property
    def done(self) -> bool:
        """True where no row is left to be refined."""
        return self._source is None

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self._next()
        return super().eventFilter(watched, event)

    def _next(self) -> None:
        source, overview, first = self._source, self._overview, self._row
        if source is None or self._session.jobs.busy or not self._map.isVisible():
            return
        edges = bounds(source.size, len(overview.entropy)).tolist()
        last = next((row for row in range(first + 1, len(edges)) if edges[row] - edges[first] >= PIECE), len(edges) - 1)

        def work(progress: Progress) -> Rows:
            pairs = zip(edges[first:last], edges[first + 1 : last + 1], strict=True)
            return overview, last, np.array([whole_entropy(source, start, stop, progress) for start, stop in pairs])

        self._session.jobs.start(REFINING, work, self._refined, lambda _: self.stop())

    def _refined(self, rows: Rows) -> None:
        """Some rows are exact now; the next ones follow when the session is idle, which it tells."""
        overview, last, exact = rows
        if overview is not self._overview:
            return
        entropy = overview.entropy.copy()
        entropy[last - len(exact) : last] = exact
        self._overview, self._row = replace(overview, entropy=entropy), last
        self._map.set_overview(self._overview)
        if last == len(entropy):
            self._source = None
