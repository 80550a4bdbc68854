"""Session: one open file; the one object that its panes share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal

from viewer.core.errors import ViewerError
from viewer.core.folder import is_folder, set_name
from viewer.core.formats.base import Options
from viewer.core.source import ByteSource, FileSource, MemorySource
from viewer.core.span import Span
from viewer.session.bookmarks import Bookmarks
from viewer.session.checks import Checks
from viewer.session.classes import FoundClasses
from viewer.session.code import Code
from viewer.session.habits import Habits
from viewer.session.health import HealthScan
from viewer.session.inside import around
from viewer.session.jobs import Jobs
from viewer.session.rereading import Anchors, Reading, address, found_again, is_small, linked, located, read
from viewer.session.search import SEARCH, Search
from viewer.session.seen_bytes import SeenBytes
from viewer.session.selection import Anchor, History, Selection
from viewer.session.set_links import first_shown
from viewer.session.sums import SUMS, Sums
from viewer.session.versions import Versions

if TYPE_CHECKING:
    from viewer.core.document import Document
    from viewer.core.progress import Progress
    from viewer.core.summary.contents import Contents
    from viewer.core.tensors.tensor import Tensor, ValueRef
    from viewer.session.damage import Left
    from viewer.session.linking import Links

OPENING: Final = "opening"
LINKING: Final = "objects"


class Session(QObject):
    """One file: its bytes at once, its documents when decoded, the selection, the history, the jobs.

    `code`: texts from outside. `classes`: those of the document that is looked at. `checks`: objects held against the
    texts of their classes. `versions`: of modules. `sums`: of records. `health`: of values. `search`: of all.
    `peers`: sessions of other files. `options`: what is shown was read with. `python2_text`: it holds Python 2 strings.
    `shown_path`, `title`: of a part of a set those of it. `unstated`: could state a byte order. `left`: of the tensors.

    source_ready: the file is open; its bytes can be shown.
        Signal()
    document_changed: the file was decoded, also anew with other options; or another document of it is looked at.
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

    def __init__(self, path: str | Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = self.shown_path = Path(path)
        self.title = self.path.name
        self.jobs = Jobs(self)
        self.code = Code(self.jobs, self)
        self.checks = Checks(self.jobs, self.code, self)
        self.classes, self.versions = FoundClasses(self.jobs, self), Versions(self.jobs, self)
        self.sums, self.health = Sums(self.start, self), HealthScan(self.start, self)
        self.progressed.connect(self.health.told)
        self.peers: Callable[[], Sequence[Session]] = lambda: ()
        self.source: ByteSource | None = None
        self.root: Document | None = None
        self.documents: list[Document] = []
        self.options = self._asked = Options(whole_set=True)
        self.python2_text, self.unstated = False, frozenset[int]()
        self.left: Left | None = None
        self.selection = Selection()
        self.hover: Selection | None = None
        self.history, self.bookmarks, self.seen, self.habits = History(), Bookmarks(self), SeenBytes(), Habits(self)
        self.failure: Exception | None = None
        self._links: dict[int, Links] = {}
        self._waiting: Span | None = None
        self._place: Anchor | None = None
        self.search = Search(self, self.document_changed, self)

    # -- life -------------------------------------------------------------------------------------

    def open(self, at: Span | None = None) -> None:
        """Open the file, show its bytes, start decoding. `at`: bytes to select first. A folder has bytes later."""
        try:
            self.source = FileSource(self.path) if not is_folder(self.path) else MemorySource(b"")
        except ViewerError as failure:
            self.failure = failure
            self.failed.emit(failure)
            return
        self._waiting = at or self._waiting
        self.source_ready.emit()
        self.decode(self.options)

    def take_over(self, other: Session) -> None:
        """Before opening: read the file as another session of it did, and go to its place."""
        self.options, self.seen.before = other.options, other.seen.standing(other.selection.spans)
        if other.documents:
            self._place = Anchors(other.documents).anchored(other.selection)
        else:
            self._waiting = other.selection.span

    def decode(self, options: Options) -> None:
        """Read the file, off the GUI thread. What was read before stays until then, and the place after it."""
        source, path = self.source, self.path
        if source is None:
            return
        self._asked = options
        if not self.documents:
            self.options = options
            self.document_changed.emit()
        place = address(self.documents, self.document) if self.document is not None else ()
        place = self._place.document if self._place is not None else place
        work = partial(read, source, options=options, place=place, path=path)
        self.start(OPENING, work, self._decoded, self._not_decoded)

    def reread(self, **changes: Any) -> None:
        """Read the file again with other options: `byteorder`, `encoding`, `most_unpacked`; the others stay."""
        wanted = replace(self._asked, **changes)
        if wanted != self._asked:
            self.decode(wanted)

    def start(
        self,
        key: str,
        work: Callable[[Progress], Any],
        done: Callable[[Any], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """Run work in a thread with its progress shown; the latest of a key wins."""
        self.jobs.start_told(self.progressed.emit, key, work, done, failed or self.failed.emit)

    def cancel(self, key: str) -> None:
        """Stop a job; its progress ends."""
        self.jobs.cancel(key)
        self.progressed.emit(key, None)
        if key == SUMS:
            self.sums.stopped()
        elif key == SEARCH:
            self.search.halted()
        elif key == OPENING:
            self._asked = self.options

    def close(self) -> None:
        """Stop all work and give the file back."""
        self.jobs.close()
        if self.root is not None:
            self.root.close()
        if self.source is not None:
            self.source.close()

    def _not_decoded(self, failure: Exception) -> None:
        self._asked = self.options
        self.failed.emit(failure)

    def _decoded(self, reading: Reading) -> None:
        anchors = Anchors(self.documents)
        was_content = self.root is not None and self.root.content is self.root
        here = anchors.anchored(self.selection) if self.documents else None
        if here is not None:
            self.history.rebase(anchors.anchored)
            self.cancel(SUMS)
            self._stop_linking()
        self._take(reading.root)
        self.options = reading.options
        self.python2_text, self.unstated, self.left = reading.python2_text, reading.unstated, reading.left
        self.documents = list(reading.root.walk())
        self._links, self.hover = reading.links, None
        if here is not None:
            self._stay(here, deeper=not here.document and was_content and reading.root.content is not reading.root)
        else:
            self._begin()
        self.sums.look_at(self.documents)

    def _take(self, root: Document) -> None:
        """What was read: the file, or the set that it is a part of."""
        before, self.root = self.root, root
        if before is not None and before.source is not root.source and before.source is not self.source:
            before.close()
        whole = root.path if root.files else None
        self.shown_path, self.title = (whole, set_name(whole)) if whole is not None else (self.path, self.path.name)

    def _begin(self) -> None:
        """The file was read for the first time: go where it is to be opened."""
        self.selection = self.selection.among(self.documents)
        if self._waiting is None and not self.selection.spans and not self.selection.document and self.root:
            # A compressed file opens on what is inside it, a part of a set on that part.
            self.selection = Selection(self.root.content.index)
            if (member := first_shown(self.root)) and self.links is not None:
                self.selection = self.links.from_member(member)
        if not self.selection.spans:
            self.history.visit(self.selection)
        self.document_changed.emit()
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            self.select_bytes((waiting,), "start", self.root.opened_by if self.root is not None else "")
        elif self._place is not None:
            place, self._place = self._place, None
            self._go(place)
        elif self.selection.spans:
            self.select_bytes(self.selection.spans, self.selection.origin, self.selection.source)

    def _stay(self, here: Anchor, deeper: bool) -> None:
        """The file was read again: look at the same place, or at what lies in it now where that is new."""
        content = self.root.content if self.root is not None else self.documents[0]
        document, here = located(here, self.documents[0])
        ready = self._links.get(content.index if deeper else document.index)
        ready = ready if ready is not None and (deeper or ready.is_ready(here.place.source)) else None
        self.selection = Selection(content.index, origin=here.place.origin)
        if ready is not None and not deeper:
            self.selection = found_again(here, ready)
            self.history.amend(self.selection)
        self.document_changed.emit()
        self.selection_changed.emit(self.selection)
        if deeper:
            self.history.visit(self.selection)
        elif ready is None:
            self._go(here)
        self.history_changed.emit()

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
        return self.links_of(self.document.index) if self.document is not None else None

    def links_of(self, index: int, *, at_once: bool = False) -> Links | None:
        """The ties of a document. `at_once`: None where they are not made and would take long; a click makes them."""
        document = self.documents[index]
        if index not in self._links and (not at_once or is_small(document)):
            self._links[index] = linked(document, self.options)
        return self._links.get(index)

    def _with_links(self, index: int, act: Callable[[Links], None], source: str = "") -> None:
        """Do something with the ties of a document, at best at once; `source`: and of this file of a set."""
        self._stop_linking()
        document, options = self.documents[index], self.options
        known = self.links_of(index, at_once=True)
        if known is not None and known.is_ready(source):
            act(known)
            return

        def work(progress: Progress) -> Links:
            progress.step(LINKING, 0, 0)
            return (known or linked(document, options)).prepared(source, progress)

        def made(links: Links) -> None:
            self._links[index] = links
            act(links)

        self.start(LINKING, work, made)

    def _stop_linking(self) -> None:
        """Something else is looked at: forget what was waited for."""
        if self.jobs.is_running(LINKING):
            self.cancel(LINKING)

    @property
    def shown_source(self) -> ByteSource | None:
        """The bytes that the selection's spans count in: the document's, or an inflated record's."""
        document = self.document
        return document.source_at(self.selection.source) if document is not None else self.source

    # -- selecting --------------------------------------------------------------------------------

    def select_bytes(self, spans: tuple[Span, ...], origin: str, source: str = "", document: int | None = None) -> None:
        """Select bytes, of the document looked at or of another one; the smallest node that owns the first follows."""
        index = self.selection.document if document is None else document
        if not 0 <= index < len(self.documents):
            self.select(Selection(0, source, spans, origin=origin))
            return
        self.select_found(index, lambda links: links.from_bytes(spans, source), origin, source)

    def select_opcode(self, opcode: ValueRef, origin: str, document: int | None = None) -> None:
        """Select an opcode by pickle and number, of the document looked at or of another one."""
        if document is not None:
            self._with_links(document, lambda links: self.select(replace(links.from_opcode(opcode), origin=origin)))
        elif self.links is not None:
            self.select(replace(self.links.from_opcode(opcode), origin=origin))

    def select_value(self, value: ValueRef, origin: str) -> None:
        """Select a value by pickle and number."""
        self._select_here(lambda links: links.from_value(value), origin)

    def select_node(self, node: int, origin: str) -> None:
        """Select a row of Contents."""
        self._select_here(lambda links: links.from_node(node), origin)

    def select_tensor(self, tensor: Tensor, origin: str, element: tuple[int, ...] | None = None) -> None:
        """Select a tensor or one of its elements."""
        self._select_here(lambda links: links.from_tensor(tensor, element), origin)

    def select_member(self, name: str, origin: str) -> None:
        """Select a file of the set that is open, "" for the one that stands for it."""
        self.select_found(0, lambda links: links.from_member(name), origin)

    def select_found(self, document: int, find: Callable[[Links], Selection], origin: str, source: str = "") -> None:
        """Select a place of any document, told by its ties; `source`: and by those of this file of a set."""
        self._with_links(document, lambda links: self.select(replace(find(links), origin=origin)), source)

    def select_line(self, code: int, line: int | None, origin: str) -> None:
        """Select a stored source, or one of its lines."""
        self._select_here(lambda links: links.from_line(code, line), origin)

    def _select_here(self, find: Callable[[Links], Selection], origin: str) -> None:
        if self.links is not None:
            self.select(replace(find(self.links), origin=origin))

    def select_document(self, index: int, origin: str) -> None:
        """Look at another document of the file."""
        if 0 <= index < len(self.documents):
            self.select(Selection(index, origin=origin))

    def leave(self, origin: str) -> None:
        """From bytes with offsets of their own to what is around them: a record, a file inside the file."""
        place = around(self.documents, self.selection)
        if place is not None:
            self.select_bytes(place.spans, origin, place.source, place.document)

    def select(self, selection: Selection, *, remember: bool = True) -> None:
        """Make a place the selected one; tells the panes only when it differs."""
        selection = selection.among(self.documents)
        if selection.same_place(self.selection):
            return
        if self.documents and selection.document not in self._links:
            self._with_links(selection.document, lambda links: self.select(selection, remember=remember))
            return
        self._stop_linking()
        changed = selection.document != self.selection.document
        self.selection = selection
        if remember:
            self.history.visit(selection)
        if changed:
            self.document_changed.emit()
        self.selection_changed.emit(selection)
        self.history_changed.emit()

    def hover_bytes(self, offset: int | None, source: str = "") -> None:
        """The mouse is over a byte (None: over none)."""
        links, place = self.links, None
        if offset is not None and links is not None and links.is_ready(source):
            place = links.from_bytes((Span(offset, offset + 1),), source)
        elif offset is not None and links is not None and not self.jobs.is_running(LINKING):
            self._with_links(self.selection.document, lambda _: None, source)
        if place != self.hover:
            self.hover = place
            self.hover_changed.emit(place)

    def back(self) -> None:
        """Select the place before this one."""
        self._go(self.history.back())

    def forward(self) -> None:
        """Undo a step back."""
        self._go(self.history.forward())

    def _go(self, place: Selection | Anchor | None) -> None:
        """Select a place of the history; one of an earlier reading is found again first."""
        if isinstance(place, Selection):
            self.select(replace(place, origin="history"), remember=False)
        elif place is not None and self.documents:
            document, here = located(place, self.documents[0])
            self._with_links(document.index, partial(self._arrive, here), here.place.source)

    def _arrive(self, place: Anchor, links: Links) -> None:
        found = replace(found_again(place, links), origin="history")
        self.history.amend(found)
        self.select(found, remember=False)
