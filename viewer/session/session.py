"""Session: one open file; the one object that its panes share."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from viewer.core.document import Document
from viewer.core.errors import ViewerError
from viewer.core.formats.base import Options
from viewer.core.opening import open_document
from viewer.core.progress import Progress, Step
from viewer.core.source import ByteSource, FileSource
from viewer.core.span import Span
from viewer.core.summary.contents import Contents
from viewer.core.tensors.tensor import Tensor, ValueRef
from viewer.session.checks import Checks
from viewer.session.classes import FoundClasses
from viewer.session.code import Code
from viewer.session.jobs import Jobs, is_alive
from viewer.session.linking import Links
from viewer.session.selection import History, Selection
from viewer.session.sums import SUMS, Sums
from viewer.session.versions import Versions

OPENING = "opening"


class Session(QObject):
    """One file: its bytes at once, its documents when decoded, the selection, the history, the jobs.

    `code`: class texts from outside the file. `classes`: those of the document that is looked at. `checks`: objects
    held against the texts of their classes. `versions`: those of modules. `sums`: checksums of records. `peers`: the
    sessions of the other files that are open.

    source_ready: the file is open; its bytes can be shown.
        Signal()
    document_changed: decoding ended, or began anew (then `document` is None).
        Signal()
    selection_changed: another place is selected.
        Signal(selection: Selection)
    hover_changed: the mouse is over another place; nothing moves.
        Signal(place: Selection | None)
    progressed: a step of a long job.
        Signal(key: str, step: Step | None)   None = ended
    failed: the file cannot be read at all.
        Signal(failure: Exception)
    """

    source_ready = Signal()
    document_changed = Signal()
    selection_changed = Signal(object)
    hover_changed = Signal(object)
    history_changed = Signal()
    progressed = Signal(str, object)
    failed = Signal(object)

    def __init__(self, path: str | os.PathLike[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = Path(path)
        self.jobs = Jobs(self)
        self.code = Code(self.jobs, self)
        self.checks = Checks(self.jobs, self.code, self)
        self.classes = FoundClasses(self.jobs, self)
        self.versions = Versions(self.jobs, self)
        self.sums = Sums(self.start, self)
        self.peers: Callable[[], Sequence[Session]] = lambda: ()
        self.source: ByteSource | None = None
        self.root: Document | None = None
        self.documents: list[Document] = []
        self.options = Options()
        self.selection = Selection()
        self.hover: Selection | None = None
        self.history = History()
        self.failure: Exception | None = None
        self._links: dict[int, Links] = {}
        self._waiting: Span | None = None

    # -- life -------------------------------------------------------------------------------------

    def open(self, at: Span | None = None) -> None:
        """Open the file, show its bytes, start decoding. `at`: bytes to select first."""
        try:
            source = FileSource(self.path)
        except ViewerError as failure:
            self.failure = failure
            self.failed.emit(failure)
            return
        self.source = source
        self._waiting = at
        self.source_ready.emit()
        self.decode(self.options)

    def decode(self, options: Options) -> None:
        """Read the file again with other options (byte order, text encoding), off the GUI thread."""
        source = self.source
        if source is None:
            return
        self.options = options
        self.root, self.documents, self._links = None, [], {}
        self.jobs.cancel(SUMS)
        self.sums.look_at(())
        self.document_changed.emit()

        def work(progress: Progress) -> tuple[Document, Links]:
            document = open_document(source, progress, options)
            content = document.content
            links = Links(content, Contents(content, options.encoding))
            links.prepare()
            return document, links

        self.start(OPENING, work, self._decoded)

    def start(
        self,
        key: str,
        work: Callable[[Progress], Any],
        done: Callable[[Any], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """Run work in a thread with its progress shown; the latest of a key wins."""

        def finished(result: Any) -> None:
            self.progressed.emit(key, None)
            if is_alive(done):
                done(result)

        def raised(failure: Exception) -> None:
            self.progressed.emit(key, None)
            if failed is None or is_alive(failed):
                (failed or self.failed.emit)(failure)

        def stepped(step: Step) -> None:
            self.progressed.emit(key, step)

        self.jobs.start(key, work, finished, raised, stepped)

    def cancel(self, key: str) -> None:
        """Stop a job; its progress ends."""
        self.jobs.cancel(key)
        self.progressed.emit(key, None)
        if key == SUMS:
            self.sums.stopped()

    @property
    def is_decoding(self) -> bool:
        """True until the documents are there."""
        return self.jobs.is_running(OPENING)

    def close(self) -> None:
        """Stop all work and give the file back."""
        self.jobs.close()
        if self.source is not None:
            self.source.close()

    def _decoded(self, result: tuple[Document, Links]) -> None:
        self.root, links = result
        self.documents = list(self.root.walk())
        self._links = {links.document.index: links}
        self.selection = self._known(self.selection)
        if self._waiting is None and not self.selection.spans and not self.selection.document:
            # A compressed file opens on what is inside it.
            self.selection = Selection(links.document.index)
        self.document_changed.emit()
        self.sums.look_at(self.documents)
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            self.select_bytes((waiting,), "start")
        elif self.selection.spans:
            self.select_bytes(self.selection.spans, self.selection.origin, self.selection.source)

    # -- the document that is looked at -----------------------------------------------------------

    @property
    def document(self) -> Document | None:
        """The document of the selection, None while decoding."""
        return self.documents[self.selection.document] if self.documents else None

    @property
    def contents(self) -> Contents | None:
        """The rows of that document."""
        return self.links.contents if self.links is not None else None

    @property
    def links(self) -> Links | None:
        """The ties between the readings of that document."""
        document = self.document
        if document is None:
            return None
        if document.index not in self._links:
            self._links[document.index] = Links(document, Contents(document, self.options.encoding))
        return self._links[document.index]

    @property
    def shown_source(self) -> ByteSource | None:
        """The bytes that the selection's spans count in: the document's, or an inflated record's."""
        document, record = self.document, self.selection.source
        if document is None or not record:
            return document.source if document is not None else self.source
        pickle = next((pickle for pickle in document.pickles if pickle.place == record), None)
        return pickle.code.source if pickle is not None else document.source

    # -- selecting --------------------------------------------------------------------------------

    def select_bytes(self, spans: tuple[Span, ...], origin: str, source: str = "") -> None:
        """Select bytes; the smallest node that owns the first of them follows."""
        links = self.links
        if links is None:
            self.select(Selection(0, source, spans, origin=origin))
        else:
            self.select(replace(links.from_bytes(spans, source), origin=origin))

    def select_opcode(self, opcode: ValueRef, origin: str) -> None:
        """Select an opcode by pickle and number."""
        if self.links is not None:
            self.select(replace(self.links.from_opcode(opcode), origin=origin))

    def select_value(self, value: ValueRef, origin: str) -> None:
        """Select a value by pickle and number."""
        if self.links is not None:
            self.select(replace(self.links.from_value(value), origin=origin))

    def select_node(self, node: int, origin: str) -> None:
        """Select a row of Contents."""
        if self.links is not None:
            self.select(replace(self.links.from_node(node), origin=origin))

    def select_tensor(self, tensor: Tensor, origin: str, element: tuple[int, ...] | None = None) -> None:
        """Select a tensor or one of its elements."""
        if self.links is not None:
            self.select(replace(self.links.from_tensor(tensor, element), origin=origin))

    def select_line(self, code: int, line: int | None, origin: str) -> None:
        """Select a stored source, or one of its lines."""
        if self.links is not None:
            self.select(replace(self.links.from_line(code, line), origin=origin))

    def select_document(self, index: int, origin: str) -> None:
        """Look at another document of the file."""
        if 0 <= index < len(self.documents):
            self.select(Selection(index, origin=origin))

    def select(self, selection: Selection, *, remember: bool = True) -> None:
        """Make a place the selected one; tells the panes only when it differs."""
        selection = self._known(selection)
        if selection.same_place(self.selection):
            return
        changed = selection.document != self.selection.document
        self.selection = selection
        if remember:
            self.history.visit(selection)
        if changed:
            self.document_changed.emit()
        self.selection_changed.emit(selection)
        self.history_changed.emit()

    def _known(self, selection: Selection) -> Selection:
        """The same place; where its document is no longer there, as after reading with other options, the file."""
        is_there = not self.documents or selection.document < len(self.documents)
        return selection if is_there else Selection(origin=selection.origin)

    def hover_bytes(self, offset: int | None, source: str = "") -> None:
        """The mouse is over a byte (None: over none)."""
        links = self.links
        place = None
        if offset is not None and links is not None:
            place = links.from_bytes((Span(offset, offset + 1),), source)
        if place != self.hover:
            self.hover = place
            self.hover_changed.emit(place)

    def back(self) -> None:
        """Select the place before this one."""
        place = self.history.back()
        if place is not None:
            self.select(replace(place, origin="history"), remember=False)

    def forward(self) -> None:
        """Undo a step back."""
        place = self.history.forward()
        if place is not None:
            self.select(replace(place, origin="history"), remember=False)
