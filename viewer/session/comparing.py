"""The comparison of a session's file with another: laid out at once, its elements filled in as they are read."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal, Slot

from viewer.core.comparing.comparison import Comparison, Row, fill_in, lay_out
from viewer.core.comparing.names import Rules
from viewer.core.comparing.report import report_json, report_text
from viewer.core.comparing.sides import ALL, Part, branch_titles, sides_of
from viewer.core.document import Document
from viewer.core.progress import Progress, Step
from viewer.core.summary.rows.json_texts import json_texts
from viewer.core.tensors.tensor import Tensor
from viewer.session.linking import Links
from viewer.session.selection import Selection
from viewer.session.session import Session
from viewer.session.stored_text import write_text

COMPARING: Final = "comparing"
SAVING: Final = "saving the comparison"
BATCH_SECONDS: Final = 0.1
JSON: Final = ".json"
PLAIN: Final = Rules()


class Comparing(QObject):
    """One comparison. `found`: what is known, None before; it grows while `running`.

    `other`: the session of the other file, which may be the same one; it is A, and this one B, where they are
    `swapped`. `parts`: the branches; `rules`: of the names.
    `failure`: why nothing could be compared. `stopped`: not all elements were compared. `titles`: what can be named as
    a branch of both.

    began: another comparison, or none.
        Signal()
    changed: it is laid out, or it ended.
        Signal()
    filled: more rows have their elements.
        Signal(rows: list[int])
    branched: the branches of both are known.
        Signal()
    """

    began = Signal()
    changed = Signal()
    filled = Signal(object)
    branched = Signal()
    _arrived = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._run: object = None
        self._documents: tuple[Document | None, Document | None] = (None, None)
        self.other: Session | None = None
        self._followed: Session | None = None
        self.parts: tuple[Part, Part] = (ALL, ALL)
        self.rules = PLAIN
        self.found: Comparison | None = None
        self.failure: Exception | None = None
        self.running = self.stopped = self.swapped = False
        self.titles: tuple[list[str], list[str]] = ([], [])
        self._arrived.connect(self._take, Qt.ConnectionType.QueuedConnection)
        session.document_changed.connect(self._read_anew)
        session.progressed.connect(self._progressed)
        # The other one may end later: nothing begins then in a session that has ended.
        session.jobs.closed.connect(self._let_go)

    def compare_with(self, other: Session, roots: tuple[str, str] = ("", ""), rules: Rules = PLAIN) -> None:
        """Compare with the file of a session, as soon as that is decoded. `roots`: of A and of B."""
        if other is not self.other:
            self._let_go()
            self.other, self.swapped = other, False
            if other is not self._session:
                self._followed = other
                other.document_changed.connect(self._read_anew)
                other.destroyed.connect(self._gone)
        self.rules = rules
        sides = (other, self._session) if self.swapped else (self._session, other)
        self.parts = (
            Part(roots[0], encoding=sides[0].options.encoding),
            Part(roots[1], encoding=sides[1].options.encoding),
        )
        self._begin()

    def swap(self) -> None:
        """Let A be B: what is missing is unexpected then."""
        self.swapped = not self.swapped
        self.parts = self.parts[1], self.parts[0]
        self._begin()

    def follow(self, rules: Rules) -> None:
        """Let names meet by other rules."""
        self.rules = rules
        self._begin()

    def stop(self) -> None:
        """End it; what was found stays."""
        if self.running:
            self._session.cancel(COMPARING)

    def _progressed(self, key: str, step: Step | None) -> None:
        """The work ended; it was stopped, unless its result follows."""
        if key == COMPARING and step is None and self.running:
            self.running, self.stopped, self._run = False, True, None
            self.changed.emit()

    # -- the work ---------------------------------------------------------------------------------

    def _begin(self) -> None:
        if self.running:
            self.running = False
            self._session.cancel(COMPARING)
        self.found, self.failure, self.stopped, self._run = None, None, False, None
        first, second = self._documents = self._sides()
        self.running = first is not None and second is not None
        self.began.emit()
        if first is None or second is None:
            return
        parts, rules, run = self.parts, self.rules, object()
        self._run = run

        def work(progress: Progress) -> None:
            titles = [*branch_titles(first, parts[0].encoding)], [*branch_titles(second, parts[1].encoding)]
            self._arrived.emit((run, titles, []))
            made = lay_out(*sides_of(first, second, parts, progress), rules, progress)
            self._arrived.emit((run, made, []))
            rows: list[int] = []
            last = time.monotonic()
            for row in fill_in(made, progress):
                rows.append(row)
                if time.monotonic() - last >= BATCH_SECONDS:
                    self._arrived.emit((run, made, rows))
                    rows, last = [], time.monotonic()
            self._arrived.emit((run, made, rows))

        self._session.start(COMPARING, work, self._through, self._failed)

    @Slot(object)
    def _take(self, arrival: tuple[object, object, list[int]]) -> None:
        run, made, rows = arrival
        if run is not self._run or run is None:
            return
        if isinstance(made, tuple):
            self.titles = made
            self.branched.emit()
        elif isinstance(made, Comparison) and self.found is None:
            self.found = made
            self.changed.emit()
        if rows:
            self.filled.emit(rows)

    def _through(self, _: None) -> None:
        self.running = self.stopped = False
        self.changed.emit()

    def _failed(self, failure: Exception) -> None:
        self.running = self.stopped = False
        self.failure = failure
        self.changed.emit()

    def _sides(self) -> tuple[Document | None, Document | None]:
        """What was read of A and of B; None: nothing yet."""
        mine, other = self._session.root, self.other.root if self.other is not None else None
        return (other, mine) if self.swapped else (mine, other)

    def _read_anew(self) -> None:
        """Another document inside of a file may be looked at, as a chosen row does: that changes nothing here."""
        pairs = zip(self._sides(), self._documents, strict=True)
        if self.other is not None and any(now is not before for now, before in pairs):
            self._begin()

    def _let_go(self) -> None:
        followed, self._followed = self._followed, None
        if followed is not None:
            followed.document_changed.disconnect(self._read_anew)
            followed.destroyed.disconnect(self._gone)

    def _gone(self) -> None:
        """The other file was closed."""
        self.other, self._followed, self.swapped = None, None, False
        self._begin()

    # -- what is done with it ---------------------------------------------------------------------

    def select(self, row: Row, origin: str, element: tuple[int, ...] | None = None) -> None:
        """Select the tensor of a row, or an element of it, in both files; of two branches of one that of the first."""
        first, second = (row.pair.b, row.pair.a) if self.swapped else (row.pair.a, row.pair.b)
        if first is not None:
            select_tensor(self._session, first, origin, element)
        if second is not None and self.other is not None and (first is None or self.other is not self._session):
            select_tensor(self.other, second, origin, element)

    def save(self, target: Path, done: Callable[[None], None], failed: Callable[[Exception], None]) -> None:
        """Write the report in a thread: JSON for a name that ends so, else text."""
        found, opened = self.found, (self._session.root, self.other.root if self.other is not None else None)
        if found is None:
            return

        def work(progress: Progress) -> None:
            progress.check()
            form = json_texts(report_json(found)) if target.suffix.lower() == JSON else report_text(found)
            write_text(target, "".join(form).encode("utf-8", "backslashreplace"), progress, *opened)

        self._session.jobs.start(SAVING, work, done, failed)


def select_tensor(session: Session, tensor: Tensor, origin: str, element: tuple[int, ...] | None = None) -> None:
    """Go to a tensor, or an element of it, of any document of a session."""
    document = holder(session.root, tensor)

    def find(links: Links) -> Selection:
        return links.from_tensor(tensor, element)

    if document is not None:
        session.select_found(document.index, find, origin)


def holder(root: Document | None, tensor: Tensor) -> Document | None:
    """The document whose list a tensor stands in."""
    for part in root.holders() if root is not None else ():
        if 0 <= tensor.index < len(part.tensors) and part.tensors[tensor.index] is tensor:
            return part
    return None
